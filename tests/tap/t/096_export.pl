# A user as lines: complete over the tables of all rooms, byte for byte the same from a database into which they were
# imported and from one that was dumped and restored; imported by 16 clients at once; and whole or not at all after a kill -9.
# EXPORT_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $crashes = $ENV{EXPORT_CRASHES} // 3;
my $node = start_primary('main');
$node->append_conf('postgresql.conf', "restart_after_crash = off\nclient_min_messages = error\nmemory.anonymous = allow\nsession_preload_libraries = 'memory'");
$node->restart;
my $directory = PostgreSQL::Test::Utils::tempdir();
$node->safe_psql('postgres', slurp_file(dirname(__FILE__) . '/../every_call/users.sql'));

sub export
{
	my ($database, $user, $namespace) = @_;
	return $node->safe_psql($database, "SET memory.namespace = '$namespace'; SELECT memory.export_user(" . ($user eq '' ? 'NULL' : "'$user'") . ')');
}

# A table with the lines of $user in `lines`, which psql and pgbench can send.
sub keep_lines
{
	my ($database, $lines) = @_;
	append_to_file("$directory/lines", '') unless -e "$directory/lines";
	open my $file, '>', "$directory/lines" or die;
	print $file map { s/\\/\\\\/gr . "\n" } split /\n/, $lines;
	close $file;
	$node->safe_psql($database, qq{CREATE TABLE lines (n bigserial, line jsonb);\n\\copy lines (line) from '$directory/lines'});
	return;
}

# --- complete ---------------------------------------------------------------------------------------
# Each table of users has as many lines as the user has rows, and each column is a member of them. Queues are no memory.
my @users = map { [ split /\|/, $_, -1 ] } split /\n/, $node->safe_psql('postgres', 'SELECT DISTINCT namespace, user_id FROM memory.episodes ORDER BY 1, 2');
cmp_ok(scalar @users, '>=', 3, 'there are users');
$node->safe_psql('postgres', q{
	CREATE FUNCTION rows_and_lines(who text) RETURNS TABLE (name name, rows bigint, lines bigint, missing text) LANGUAGE plpgsql AS $$
	DECLARE t record;
	BEGIN
		CREATE TEMP TABLE exported AS SELECT line FROM memory.export_user(nullif(who, '')) line;
		FOR t IN SELECT c.oid, c.relname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
				WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname <> 'jobs' ORDER BY 2 LOOP
			EXECUTE format('SELECT count(*) FROM memory.%I t WHERE namespace = (SELECT s.namespace FROM memory.scope() s) AND user_id = %L', t.relname, who) INTO rows;
			SELECT count(*), string_agg(DISTINCT a.attname, ', ') FILTER (WHERE NOT e.line ? a.attname) INTO lines, missing FROM exported e
				JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attname <> 'namespace' WHERE e.line ->> 'table' = t.relname;
			lines := lines / (SELECT count(*) FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '' AND a.attname <> 'namespace');
			name := t.relname;
			RETURN NEXT;
		END LOOP;
	END $$});
for my $user (@users)
{
	is($node->safe_psql('postgres', "SET memory.namespace = '$user->[0]'; SELECT * FROM rows_and_lines('$user->[1]') WHERE rows <> lines OR missing IS NOT NULL"), '', "every row of \"$user->[1]\" in $user->[0] is a whole line");
}
is($node->safe_psql('postgres', "SELECT name FROM rows_and_lines('wombat') WHERE rows = 0"), '', 'and every table has some');

# --- the same bytes ---------------------------------------------------------------------------------
my %before = map { ("@$_" => export('postgres', $_->[1], $_->[0])) } @users;
$node->safe_psql('postgres', 'CREATE DATABASE empty');
$node->safe_psql('empty', 'CREATE EXTENSION memory CASCADE');
for my $user (@users)
{
	keep_lines('empty', $before{"@$user"});
	$node->safe_psql('empty', "SET memory.namespace = '$user->[0]'; SELECT memory.import_user(ARRAY(SELECT line FROM lines ORDER BY n)); DROP TABLE lines");
	same_lines(export('empty', $user->[1], $user->[0]), $before{"@$user"}, "\"$user->[1]\" in $user->[0] is the same after an import into an empty database");
}
# All that is left is the same, but for queues and what no user has.
my $not_of_users = qr/(models|model_tasks|retention|jobs|jobs_done)/;
same_lines(join("\n", grep { !/^$not_of_users\|/ } split /\n/, rows_of($node, 'empty')), join("\n", grep { !/^$not_of_users\|/ } split /\n/, rows_of($node, 'postgres')), 'the tables are the same, row by row');
is($node->safe_psql('empty', "SELECT memory.verify_index('memory.episodes_by_text')"), '', 'the recall index is whole');
my $recall = q{SET memory.namespace = 'default'; SELECT r.* FROM memory.recall_scored('trains to Vienna', user_id => 'wombat', k => NULL, embedding => '[1,2,2]', model => 'quokkamodel') r};
is($node->safe_psql('empty', $recall), $node->safe_psql('postgres', $recall), 'and ranks to the last bit as the one before');

$node->safe_psql('postgres', 'CREATE DATABASE restored');
restore_ok($node, 'a dump of where it was imported is restored', 'sh', '-c', "pg_dump -Fc empty > '$directory/dump' && pg_restore --exit-on-error -d restored '$directory/dump'");
same_lines(export('restored', $_->[1], $_->[0]), $before{"@$_"}, "\"$_->[1]\" in $_->[0] is the same from the restored database") for @users;

# --- 16 clients at once --------------------------------------------------------------------------------
# The same lines, again and again: the first of each writes them, the others find them there.
$node->safe_psql('postgres', 'CREATE DATABASE many');
$node->safe_psql('many', 'CREATE EXTENSION memory CASCADE; SELECT memory.init()');
my $lines = $before{'default wombat'};
keep_lines('many', $lines);
$node->safe_psql('many', q{
	CREATE TABLE receipt (who text, receipt jsonb);
	SELECT memory.define_predicate('likes', 'many')});
append_to_file("$directory/import.sql", q{
\set u random(1, 40)
INSERT INTO receipt SELECT 'u' || :u, memory.import_user(ARRAY(SELECT line FROM lines ORDER BY n), 'u' || :u);
});
my ($out, $err) = ('', '');
ok(IPC::Run::run([ 'pgbench', '--no-vacuum', '--client', 16, '--max-tries', 1, '--transactions', 20, '--file', "$directory/import.sql", $node->connstr('many') ], '>', \$out, '2>', \$err) && $err eq '', '16 clients import at once') or diag(substr($err, 0, 1000));
is($node->safe_psql('many', q{SELECT count(*) FROM (SELECT who FROM receipt, (SELECT count(*) AS n FROM lines WHERE line ->> 'table' = 'episodes') e GROUP BY who, e.n HAVING sum((receipt -> 'written' ->> 'episodes')::int) <> e.n OR bool_or((receipt -> 'written' ->> 'episodes')::int + (receipt -> 'unchanged' ->> 'episodes')::int <> e.n)) t}), '0', 'each row was written once');
my @who = split /\n/, $node->safe_psql('many', 'SELECT DISTINCT who FROM receipt');
is(scalar(grep { export('many', $_, 'default') ne $lines =~ s/"user_id": "wombat"/"user_id": "$_"/gr } @who), 0, 'and all of them have the same bytes');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'many'}), '0', 'no deadlock');

# --- kill -9 -------------------------------------------------------------------------------------------
# What was answered is there, what was not is whole or not there.
append_to_file("$directory/crash.sql", q{
INSERT INTO receipt SELECT 'c' || n, memory.import_user(ARRAY(SELECT line FROM lines ORDER BY n), 'c' || n) FROM (SELECT nextval('next') n) s;
});
$node->safe_psql('many', 'TRUNCATE receipt; CREATE SEQUENCE next');
for my $round (1 .. $crashes)
{
	my $bench = IPC::Run::start([ 'pgbench', '--no-vacuum', '--client', 8, '--time', 60, '--file', "$directory/crash.sql", $node->connstr('many') ], '>', '/dev/null', '2>', '/dev/null');
	ok($node->poll_query_until('many', "SELECT count(*) > 40 * $round FROM receipt"), "crash $round: the load runs");
	usleep(int(rand(500_000)));
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');
	kill 'KILL', $postmaster;
	$bench->finish;
	$node->{_pid} = undef;
	for (1 .. 300) { last if system_log('pg_ctl', '-D', $node->data_dir, '-w', '-t', 60, '-l', $node->logfile, 'start') == 0; usleep(100_000) }
	$node->_update_pid(1);
	is($node->safe_psql('many', q{SELECT count(*) FROM (SELECT user_id FROM memory.episodes WHERE user_id LIKE 'c%') e FULL JOIN (SELECT who FROM receipt) r ON r.who = e.user_id WHERE r.who IS NULL OR e.user_id IS NULL}), '0', "crash $round: who was answered for has rows, and no other has");
	my @crashed = split /\n/, $node->safe_psql('many', 'SELECT who FROM receipt ORDER BY random() LIMIT 40');
	is(scalar(grep { export('many', $_, 'default') ne $lines =~ s/"user_id": "wombat"/"user_id": "$_"/gr } @crashed), 0, "crash $round: and all of them");
	is($node->safe_psql('many', "SELECT memory.verify_index('memory.episodes_by_text')"), '', "crash $round: the index is whole");
}

$node->stop;
done_testing();
