# Triggers in a database that refuse to write or delete rows of some users, while they are elsewhere or on their way. Rows
# that are replicated pass, and so does what the program itself does: memory_shards.mover is on in its sessions.
package Guard;

use constant as_mover => "SET memory_shards.mover = 'on';\n";

# $condition is about ROW; $user and $to are said in the error. Locks are waited for two seconds at a time, so that
# other writers do not queue behind this. $like is a database with the same tables, for a dry run.
sub put
{
	my ($server, $database, $guard, $condition, $user, $to, $like) = @_;
	return if !$Server::dry_run && is_put($server, $database, $guard);
	my @arguments = map { Server::literal($_) } $user, $to;
	my @tables = $server->column($Server::dry_run ? $like // $database : $database, Users::tables);
	my $triggers = join "\n", map { my $table = $_; map {
		my ($suffix, $events, $row) = @$_;
		"CREATE TRIGGER $guard$suffix BEFORE $events ON memory.$table FOR EACH ROW WHEN (" . ($condition =~ s/\bROW\b/$row/gr)
		  . " AND current_setting('memory_shards.mover', true) IS DISTINCT FROM 'on') EXECUTE FUNCTION memory_shards.refuse($arguments[0], $arguments[1]);"
	} [ '_w', 'INSERT OR UPDATE', 'NEW' ], [ '_d', 'DELETE', 'OLD' ] } @tables;
	_locked($server, $database, function() . "\nLOCK TABLE " . join(', ', map { "memory.$_" } @tables) . " IN SHARE ROW EXCLUSIVE MODE;\n$triggers");
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
	my @triggers = _triggers($server, $database, $guard) or return;
	_locked($server, $database, join "\n", map { "DROP TRIGGER $_->[0] ON memory.$_->[1];" } @triggers);
	return;
}

sub _locked
{
	my ($server, $database, $statements) = @_;
	for my $attempt (1 .. 10)
	{
		return if eval { $server->run($database, "BEGIN;\nSET LOCAL client_min_messages = warning;\nSET LOCAL lock_timeout = '2s';\n$statements\nCOMMIT;"); 1 };
		die $@ if $@ !~ /lock timeout|deadlock/ || $attempt == 10;
		sleep 1;
	}
	return;
}
