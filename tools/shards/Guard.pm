# Triggers in a database that refuse to write or delete rows of some users, while they are elsewhere or on their way. Rows
# that are replicated pass, and so does what the program itself does: memory_shards.mover is on in its sessions.
package Guard;

use constant as_mover => "SET memory_shards.mover = 'on';\n";

# $condition is about ROW; $user and $to are said in the error. $like is a database with the same tables, for a dry run.
# With $limit, for so many seconds at most.
sub put
{
	my ($server, $database, $guard, $condition, $user, $to, $like, $limit) = @_;
	my @arguments = map { Server::literal($_) } $user, $to;
	my @tables = $server->column($Server::dry_run ? $like // $database : $database, Users::tables);
	my $trigger = sub {
		my ($table, $suffix, $events, $row) = @_;
		return "CREATE TRIGGER $guard$suffix BEFORE $events ON memory.$table FOR EACH ROW WHEN (" . ($condition =~ s/\bROW\b/$row/gr)
		  . " AND current_setting('memory_shards.mover', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION memory_shards.refuse($arguments[0], $arguments[1]);";
	};
	my $missing = sub {
		my %there = map { $_->[1] => 1 } $Server::dry_run ? () : _triggers($server, $database, $guard);
		return map { $trigger->($_, '_w', 'INSERT OR UPDATE', 'NEW') . "\n" . $trigger->($_, '_d', 'DELETE', 'OLD') } grep { !$there{$_} } @tables;
	};
	$server->run($database, function()) if $missing->();
	_one_by_one($server, $database, $missing, $limit);
	return;
}

sub function
{
	return q{CREATE SCHEMA IF NOT EXISTS memory_shards;
CREATE OR REPLACE FUNCTION memory_shards.refuse() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
    RAISE EXCEPTION 'the memories of "%" are moving to database %', CASE TG_OP WHEN 'DELETE' THEN OLD.user_id ELSE NEW.user_id END, TG_ARGV[1]
        USING ERRCODE = 'object_not_in_prerequisite_state', HINT = 'Connect to the database that memory.shard_of() says.';
END $$;};
}

sub is_put { return scalar _triggers(@_) }

sub _triggers
{
	my ($server, $database, $guard) = @_;
	my $like = Server::literal($guard =~ s/_/\\_/gr . '\_%');
	return grep { @$_ > 1 } $server->rows($database, "SELECT tgname, quote_ident(relname) FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid WHERE NOT tgisinternal AND tgparentid = 0 AND tgname LIKE $like ORDER BY 2, 1");
}

sub drop
{
	my ($server, $database, $guard) = @_;
	if ($Server::dry_run) { $server->show($database, "DROP TRIGGER ${guard}_w ON memory.…; DROP TRIGGER ${guard}_d ON memory.…;   -- each table"); return }
	_one_by_one($server, $database, sub {
		my %of;
		push @{ $of{ $_->[1] } }, "DROP TRIGGER $_->[0] ON memory.$_->[1];" for _triggers($server, $database, $guard);
		return map { join "\n", @{ $of{$_} } } sort keys %of;
	});
	return;
}

# Runs what $left->() lists, each about one table, until nothing is left. Each is a transaction of its own: one that waited
# for a table and held the lock of another would be in a deadlock with clients that lock both the other way round, and
# PostgreSQL may end the client. A lock is waited for two seconds at a time, as clients queue behind it. The next commit
# that is waited for makes these durable, too.
sub _one_by_one
{
	my ($server, $database, $left, $limit) = @_;
	my $until = Time::HiRes::time() + ($limit // 30);
	my $begin = "BEGIN;\nSET LOCAL client_min_messages = warning;\nSET LOCAL lock_timeout = '2s';\nSET LOCAL synchronous_commit = off;\n";
	while (my @statements = $left->())
	{
		return if eval { $server->run($database, join "\n", map { "$begin$_\nCOMMIT;" } @statements); 1 };
		die $@ if $@ !~ /lock timeout|deadlock/ || Time::HiRes::time() > $until;
		sleep 1;
	}
	return;
}
