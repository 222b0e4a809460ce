# A server of PostgreSQL, or the console of a PgBouncer, by psql: what is needed is where either is installed.
# What changes something goes through run(): it is shown with --verbose, and only shown with --dry-run.
package Server;
use File::Temp;

our ($dry_run, $verbose) = (0, 0);

sub new
{
	my ($class, %fields) = @_;
	return bless {%fields}, $class;
}

sub name { return $_[0]{name} }
sub literal { my ($text) = @_; return defined $text ? "'" . ($text =~ s/'/''/gr) . "'" : 'NULL' }
sub identifier { my ($text) = @_; return '"' . ($text =~ s/"/""/gr) . '"' }

# Where a database is, as libpq reads it.
sub connection
{
	my ($self, $database) = @_;
	return defined $database ? "$self->{connect} dbname=" . _quoted($database) : $self->{connect};
}
sub _quoted { my ($value) = @_; return "'" . ($value =~ s/(['\\])/\\$1/gr) . "'" }

# One value of the connection string, or nothing.
sub part
{
	my ($self, $key) = @_;
	return $self->{connect} =~ /(?:^|\s)\Q$key\E\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S+))/ ? $1 // $2 : undef;
}

# Runs a program with a file as its input; returns what it prints. With $limit, for so many seconds at most.
sub output_of
{
	my ($command, $input, $limit) = @_;
	my $errors = File::Temp->new;
	my $pid = open(my $out, '-|') // die "$command->[0]: $!\n";
	if (!$pid)
	{
		open STDIN, '<', $input or die "$input: $!\n" if defined $input;
		open STDERR, '>', $errors->filename or die "$!\n";
		exec { $command->[0] } @$command or do { print STDERR "$command->[0]: $!\n"; exit 127 };
	}
	my ($text, $late) = ('', 0);
	local $SIG{ALRM} = sub { $late = 1; kill 'TERM', $pid };
	alarm($limit) if $limit;
	{ local $/; $text = <$out> // '' }
	close $out;
	my $status = $?;
	alarm(0) if $limit;
	local $/;
	my $said = <$errors> // '';
	die "no answer within $limit seconds\n" if $late;
	die _message($said) . "\n" if $status != 0;
	return $text;
}

# The first error in what psql says on its standard error, with its HINT.
sub _message
{
	my ($said) = @_;
	my ($message) = $said =~ /(?:ERROR|FATAL|error):\s+(.*?)(?=\nLINE |\nCONTEXT:|\nSTATEMENT:|\nDETAIL:|\nHINT:|\n\S+:|\s*\z)/s;
	my ($hint) = $said =~ /^HINT:\s+(.*)/m;
	return ($message // ($said =~ s/\s+\z//r)) . (defined $hint ? " ($hint)" : '');
}

sub _command
{
	my ($self, $database) = @_;
	return ('psql', '-XAtq', '-F', "\x1f", '-R', "\x1e", '-v', 'ON_ERROR_STOP=1', '-d', $self->connection($database));
}

sub _psql
{
	my ($self, $database, $input, $limit) = @_;
	my $kept = $self->{kept}{ $database // '' };
	my $text = eval { $kept ? $self->_ask($kept, $database, $input, $limit) : output_of([ $self->_command($database) ], $input, $limit) };
	die $self->place($database) . ": $@" if !defined $text;
	return $text;
}

# Keeps a psql for what comes: while clients wait, a connection for each statement is most of the time.
sub keep
{
	my ($self, $database) = @_;
	return if $dry_run || $self->{kept}{ $database // '' };
	my $errors = File::Temp->new;
	my $pid = IPC::Open3::open3(my $to, my $from, '>&' . fileno($errors), $self->_command($database));
	my $kept = $self->{kept}{ $database // '' } = { pid => $pid, to => $to, from => $from, errors => $errors };
	my $nothing = _script('');
	$self->_psql($database, $nothing->filename);
	return;
}

# Ends one that was kept, or all of them.
sub let_go
{
	my ($self, @databases) = @_;
	for my $kept (grep { defined } delete @{ $self->{kept} }{ @databases ? @databases : keys %{ $self->{kept} } })
	{
		close $kept->{to};
		waitpid $kept->{pid}, 0;
	}
	return;
}

# As output_of(), of a psql that was kept. After an error it is gone.
sub _ask
{
	my ($self, $kept, $database, $input, $limit) = @_;
	my ($text, $late, $end) = ('', 0, "\x1dend\n");
	local $SIG{PIPE} = 'IGNORE';
	local $SIG{ALRM} = sub { $late = 1; kill 'TERM', $kept->{pid} };
	alarm($limit) if $limit;
	print { $kept->{to} } "\\i $input\n\\echo $end";
	while ($text !~ /$end\z/) { last unless defined(my $line = readline $kept->{from}); $text .= $line }
	alarm(0) if $limit;
	return $text =~ s/$end\z//r if $text =~ /$end\z/;
	$self->let_go($database // '');
	die "no answer within $limit seconds\n" if $late;
	seek $kept->{errors}, 0, 0;
	local $/;
	die _message(readline($kept->{errors}) // '') . "\n";
}

sub place { my ($self, $database) = @_; return defined $database ? "$database on $self->{name}" : $self->{name} }

sub _script
{
	my ($sql) = @_;
	my $script = File::Temp->new;
	print $script "$sql\n";
	close $script or die "$!\n";
	return $script;
}

# The rows of a query that changes nothing, each a list.
sub rows
{
	my ($self, $database, $sql) = @_;
	my $script = _script($sql);
	my $text = $self->_psql($database, $script->filename);
	$text =~ s/\n\z//;
	return map { [ split /\x1f/, $_, -1 ] } split /\x1e/, $text, -1;
}

# Their first column; the first of all.
sub column { my ($self, @query) = @_; return map { $_->[0] } grep { @$_ } $self->rows(@query) }
sub value { my ($self, @query) = @_; return ($self->column(@query))[0] }

# Statements that change something. $limit as above.
sub run
{
	my ($self, $database, $sql, $limit) = @_;
	$self->show($database, $sql);
	return '' if $dry_run;
	my $script = _script($sql);
	return $self->_psql($database, $script->filename, $limit);
}

# The same, of a script that is in a file, and is not shown.
sub run_file { my ($self, $database, $file) = @_; return $dry_run ? '' : $self->_psql($database, $file) }

# What COPY … TO STDOUT gives, into a file.
sub copy_out
{
	my ($self, $database, $sql, $file) = @_;
	my $script = _script($sql);
	my @command = ('sh', '-c', 'exec psql -XAtq -v ON_ERROR_STOP=1 -d "$1" >"$2"', 'sh', $self->connection($database), $file);
	defined eval { output_of(\@command, $script->filename) } or die $self->place($database) . ": $@";
	return;
}

sub show
{
	my ($self, $database, $sql) = @_;
	return unless $dry_run || $verbose;
	print '-- ', $self->place($database), "\n", $sql =~ s/\s+\z//r, "\n";
	return;
}

# Waits until $condition->() is true; in a dry run, says so. False when $limit seconds have passed.
sub until_true
{
	my ($what, $condition, $limit) = @_;
	if ($dry_run) { print "-- wait until $what\n"; return 1 }
	my $start = Time::HiRes::time();
	my $pause = 0.005;
	until ($condition->())
	{
		return 0 if defined $limit && Time::HiRes::time() - $start > $limit;
		Time::HiRes::sleep($pause);
		$pause = $pause < 0.5 ? $pause * 1.5 : 0.5;
	}
	return 1;
}
