# The servers, the poolers in front of them, and the databases as the servers have them at this moment: nothing is
# noted anywhere else. Of database memory_07 there may be, beside itself, memory_07_new while create makes it,
# memory_07_incoming while it moves here, and memory_07_moved where it was before.
package Fleet;

sub new
{
	my ($class, $file) = @_;
	my $self = bless { file => $file, servers => [], poolers => [], fronts => [], prefix => 'memory_', setup => undef, create => '' }, $class;
	$self->_read($file);
	$self->_check;
	return $self;
}

my %settings = (
	'' => [qw(shards prefix dimensions setup create)],
	server => [qw(connect subscribe replicas)],
	pooler => [qw(connect file put)],
	front => [qw(connect shards)]);

sub _read
{
	my ($self, $file) = @_;
	open my $in, '<', $file or die "$file: $!\n";
	my ($kind, $section) = ('', $self);
	while (my $line = <$in>)
	{
		$line =~ s/^\s+|\s+$//g;
		next if $line eq '' || $line =~ /^#/;
		if ($line =~ /^\[(server|pooler|front)\s+([\w.-]+)\]$/)
		{
			$kind = $1;
			die "$file:$.: $kind $2 is there twice\n" if grep { $_->name eq $2 } @{ $self->{"${kind}s"} };
			push @{ $self->{"${kind}s"} }, $section = Server->new(name => $2);
			next;
		}
		my ($key, $value) = $line =~ /^(\w+)\s*=\s*(.*)$/ or die "$file:$.: neither [server NAME], [pooler NAME], [front NAME] nor NAME = VALUE\n";
		grep { $_ eq $key } @{ $settings{$kind} } or die "$file:$.: \"$key\" is unknown here; there are @{ $settings{$kind} }\n";
		$section->{$key} = $value;
	}
	return;
}

sub _check
{
	my ($self) = @_;
	my ($file, $shards) = @$self{qw(file shards)};
	die "$file: shards must be a power of two, not " . ($shards // 'left out') . "\n"
	  unless defined $shards && $shards =~ /^[1-9]\d{0,8}$/ && ($shards & ($shards - 1)) == 0;
	die "$file: prefix must be lower-case letters, digits and _, at most 40\n" unless $self->{prefix} =~ /^[a-z_][a-z0-9_]{0,39}$/;
	die "$file: dimensions must be a number\n" if defined $self->{dimensions} && $self->{dimensions} !~ /^\d+$/;
	die "$file: there is no [server NAME]\n" unless @{ $self->{servers} };
	defined $_->{connect} or die "$file: " . $_->name . " has no connect\n" for @{ $self->{servers} }, @{ $self->{poolers} }, @{ $self->{fronts} };
	defined $_->{file} or die "$file: pooler " . $_->name . " has no file\n" for @{ $self->{poolers} };
	return;
}

sub shards { return $_[0]{shards} }
# Those that answer, which are all of them but for a check.
sub servers { my ($self) = @_; return grep { !$self->{down}{ $_->name } } @{ $self->{servers} } }
sub poolers { return @{ $_[0]{poolers} } }
sub fronts { return @{ $_[0]{fronts} } }
sub database_of { my ($self, $shard) = @_; return sprintf '%s%02d', $self->{prefix}, $shard }
sub databases { my ($self) = @_; return map { $self->database_of($_) } 0 .. $self->{shards} - 1 }

sub server
{
	my ($self, $name) = @_;
	my ($server) = grep { $_->name eq $name } @{ $self->{servers} };
	return $server // die "$self->{file} has no server $name; it has " . join(', ', map { $_->name } @{ $self->{servers} }) . "\n";
}

# The servers that have a database of this very name.
sub holders
{
	my ($self, $database) = @_;
	$self->look unless $self->{there};
	return grep { $self->{there}{ $_->name }{$database} } $self->servers;
}

# Notes which servers do not answer, and returns what they said instead.
sub look_for_servers
{
	my ($self) = @_;
	my @said;
	for my $server (@{ $self->{servers} })
	{
		eval { $server->value('postgres', 'SELECT 1'); 1 } or do { $self->{down}{ $server->name } = 1; push @said, "server $server->{name} does not answer: $@" };
	}
	return @said;
}

# One program at a time changes something. A statement of one that was killed goes on by itself, and has the lock, too.
sub lock
{
	my ($self) = @_;
	local $^F = 1000;
	open $self->{lock}, '<', $self->{file} or die "$self->{file}: $!\n";
	return if flock($self->{lock}, Fcntl::LOCK_EX() | Fcntl::LOCK_NB());
	print STDERR "waiting for another memory-shards\n";
	flock($self->{lock}, Fcntl::LOCK_EX()) or die "$self->{file}: $!\n";
	return;
}

# The number of a database, from its name.
sub shard
{
	my ($self, $database) = @_;
	my ($shard) = grep { $self->database_of($_) eq $database } 0 .. $self->{shards} - 1;
	return $shard // die "$database is none of the $self->{shards} databases of $self->{file}\n";
}

# The database that has the users of this one, which is not there, until memory-shards double makes it; else nothing.
sub unsplit
{
	my ($self, $database) = @_;
	my $low = $self->shard($database) - $self->{shards} / 2;
	return if $self->{shards} == 1 || $low < 0 || $self->holders($database);
	return $self->holders($self->database_of($low)) ? $self->database_of($low) : undef;
}

# Asks all servers once what databases they have; again when something has changed.
sub look
{
	my ($self) = @_;
	my $like = Server::literal('^' . $self->{prefix} . '\d{2,}(_new|_incoming|_moved)?$');
	$self->{there} = { map { my $server = $_; ($server->name => { map { $_ => 1 } $server->column('postgres', "SELECT datname FROM pg_database WHERE datname ~ $like") }) } $self->servers };
	return;
}

# Where a database is. It is an error if it is nowhere or in two places.
sub home
{
	my ($self, $database) = @_;
	my $low = $self->unsplit($database);
	my @homes = $self->holders($database);
	die "$database is on no server; memory-shards create makes it\n" unless @homes || $low;
	die "$database is on no server; memory-shards double splits it from $low\n" unless @homes;
	die "$database is in two places: " . join(' and ', map { $_->name } @homes) . "\n" if @homes > 1;
	return $homes[0];
}

# Where the users of a database are, and in which.
sub so_far
{
	my ($self, $database) = @_;
	my $there = $self->unsplit($database) // $database;
	return ($self->home($there), $there);
}

# --- poolers --------------------------------------------------------------------------------------

# The databases as a pooler's file lists them. Where replicas are named, so are read-only names.
sub pooler_file
{
	my ($self) = @_;
	my $text = "; written by memory-shards from $self->{file}; %include it below [databases]\n";
	for my $database ($self->databases)
	{
		my ($home, $there) = eval { $self->so_far($database) } or next;
		my $port = $home->part('port') // 5432;
		my $line = sub { my ($name, $host) = @_; return "$name = " . (defined $host ? "host=$host " : '') . "port=$port dbname=$there\n" };
		$text .= $line->($database, $home->part('host'));
		$text .= $line->("${database}_ro", $home->{replicas}) if defined $home->{replicas};
	}
	return $text;
}

# Writes the file where it is another than before, and has the pooler read it.
sub write_poolers
{
	my ($self) = @_;
	return unless $self->poolers;
	$self->look unless $Server::dry_run;
	my $text = $self->pooler_file;
	for my $pooler ($self->poolers)
	{
		print "-- write $pooler->{file}\n" if $Server::dry_run || $Server::verbose;
		_write($pooler->{file}, $text) unless $Server::dry_run;
		system($pooler->{put}) == 0 or die 'pooler ' . $pooler->name . ": \"$pooler->{put}\" failed\n" if defined $pooler->{put} && !$Server::dry_run;
		$pooler->run(undef, 'RELOAD;');
	}
	return;
}

# Whole or not at all.
sub _write
{
	my ($file, $text) = @_;
	open my $out, '>', "$file.new" or die "$file.new: $!\n";
	print $out $text;
	close $out or die "$file.new: $!\n";
	rename "$file.new", $file or die "$file: $!\n";
	return;
}

# What a pooler knows of the databases, by their names: host, port, database, paused.
sub pooled
{
	my ($pooler) = @_;
	my @rows = $pooler->rows(undef, "\\t off\n\\pset footer off\nSHOW DATABASES;\n\\t on");
	my @columns = @{ shift @rows };
	my %known;
	for my $row (@rows)
	{
		my %row;
		@row{@columns} = @$row;
		$known{ $row{name} } = \%row;
	}
	return \%known;
}

# What takes part in a switch is connected before clients wait for it.
sub keep_connections
{
	my ($self) = @_;
	$_->keep('postgres') for $self->servers;
	$_->keep(undef) for $self->poolers;
	return;
}

# Clients of a database wait, until resume(). False where one of the poolers did not get there in time: a transaction is too long.
sub pause
{
	my ($self, $database, $limit) = @_;
	for my $pooler ($self->poolers)
	{
		next if !$Server::dry_run && !pooled($pooler)->{$database};
		eval { $pooler->run(undef, "PAUSE $database;", $limit); 1 } or return 0;
	}
	return 1;
}

sub resume
{
	my ($self, $database) = @_;
	for my $pooler ($self->poolers)
	{
		my $row = $Server::dry_run ? { paused => 1 } : pooled($pooler)->{$database};
		$pooler->run(undef, "RESUME $database;") if $row && $row->{paused};
	}
	return;
}
