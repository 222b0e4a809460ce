# move-user: a user that is in a database that it does not belong to, by an error of an application or since the number
# of databases has doubled. While it lasts, triggers in the first database refuse whatever would write or delete rows of
# this user only. The order is: refuse, copy, compare, forget, let go. Each step sees whether it has been done.
package User;

sub new
{
	my ($class, $fleet, $user, $database, %options) = @_;
	die "the anonymous user is no user to move: name the users, or forget(before => 'infinity') in $database\n" if $user eq '';
	my $self = bless { fleet => $fleet, user => $user, database => $database, source => $fleet->home($database), merge => $options{merge} }, $class;
	my $shard = $self->{source}->value($database, 'SELECT memory.shard_of(' . Server::literal($user) . ', ' . $fleet->shards . ')');
	$self->{right} = $fleet->database_of($shard);
	$self->{target} = $fleet->home($self->{right});
	$self->{trigger} = 'memory_shards_' . substr(Digest::MD5::md5_hex($user), 0, 16);
	$self->{directory} = File::Temp->newdir;
	return $self;
}

sub move
{
	my ($self) = @_;
	my ($user, $database, $source, $right, $target) = @$self{qw(user database source right target)};
	die "user $user belongs to $database\n" if $right eq $database;
	my @namespaces = Users::namespaces($source, $database, $user);
	if (!@namespaces)
	{
		$self->let_go;
		print "$database has no user $user\n";
		return;
	}
	$self->refuse;
	$self->copy($_) for @namespaces;
	$source->run($database, join "\n", Guard::as_mover . 'BEGIN;',
		(map { 'SET LOCAL memory.namespace = ' . Server::literal($_) . '; SELECT memory.forget_user(' . Server::literal($user) . ');' } @namespaces), 'COMMIT;');
	my @left = $Server::dry_run ? () : Users::namespaces($source, $database, $user);
	die "$database still has rows of user $user in @left\n" if @left;
	$self->let_go;
	print "user $user is in $right, with ", scalar @namespaces, ' namespace', (@namespaces > 1 ? 's' : ''), "\n" unless $Server::dry_run;
	return;
}

# Rows of this user are neither written nor deleted from now on, but by the mover.
sub refuse
{
	my ($self) = @_;
	Guard::put($self->{source}, $self->{database}, $self->{trigger}, 'ROW.user_id = ' . Server::literal($self->{user}), $self->{user}, $self->{right});
	return;
}

sub let_go { my ($self) = @_; return Guard::drop($self->{source}, $self->{database}, $self->{trigger}) }

sub cancel
{
	my ($self) = @_;
	$self->let_go;
	print "user $self->{user} may be written in $self->{database}\n" unless $Server::dry_run;
	return;
}

# All that the user has in a namespace, as it is; then it is looked at, at both ends.
sub copy
{
	my ($self, $namespace) = @_;
	my ($user, $database, $source, $right, $target) = @$self{qw(user database source right target)};
	my $set = 'SET memory.namespace = ' . Server::literal($namespace) . ";\nSET memory.anonymous = 'allow';\nRESET memory.user_id;\n";
	my $export = 'COPY (SELECT memory.export_user(' . Server::literal($user) . ')) TO STDOUT;';
	my ($file, $there) = ("$self->{directory}/source", "$self->{directory}/target");
	$source->show($database, "$set$export");
	my $import = 'SELECT memory.import_user(array_agg(line ORDER BY n), ' . Server::literal($user) . ') FROM line GROUP BY (n - 1) / 10000 ORDER BY (n - 1) / 10000;';
	if ($Server::dry_run) { $target->show($right, "${set}CREATE TEMP TABLE line (n bigserial, line jsonb);\nCOPY line (line) FROM STDIN;\n$import"); return }
	$source->copy_out($database, "$set$export", $file);
	$target->copy_out($right, "$set$export", $there);
	my $had = -s $there;
	die "user $user has other rows in $right, namespace $namespace; --merge joins them\n" if $had && !$self->{merge} && !within($there, $file);
	$self->write_lines($set, $import, $file);
	$target->copy_out($right, "$set$export", $there);
	within($file, $there) && ($self->{merge} || File::Compare::compare($file, $there) == 0)
	  or die "user $user is not in $right as in $database; nothing is forgotten\n";
	return;
}

sub write_lines
{
	my ($self, $set, $import, $file) = @_;
	my $script = File::Temp->new;
	print $script "${set}BEGIN;\nCREATE TEMP TABLE line (n bigserial, line jsonb) ON COMMIT DROP;\nCOPY line (line) FROM STDIN;\n";
	$script->flush;
	File::Copy::copy($file, $script) or die "$file: $!\n";
	print $script "\\.\n$import\nCOMMIT;\n";
	close $script or die "$!\n";
	$self->{target}->show($self->{right}, $import);
	$self->{target}->run_file($self->{right}, $script->filename);
	return;
}

# Every line of a file is one of another.
sub within
{
	my ($file, $other) = @_;
	my %there = map { $_ => 1 } lines($other);
	return !grep { !$there{$_} } lines($file);
}

sub lines
{
	my ($file) = @_;
	open my $in, '<', $file or die "$file: $!\n";
	my @digests;
	while (my $line = <$in>) { push @digests, Digest::MD5::md5($line) }
	return @digests;
}
