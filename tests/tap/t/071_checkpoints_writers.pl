# 16 writers of two sessions and their forks at once: puts, writes, prunes and deletions; then the same with kill -9
# in the middle. Every put that was reported as done is there or was pruned, every checkpoint that is there is what
# was put, no number was given twice, no bytes are left over, and no writer meets a deadlock.
# CHECKPOINT_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $writers = 16;
my $crashes = $ENV{CHECKPOINT_CRASHES} // 2;
my $node = start_primary('main');
$node->append_conf('postgresql.conf', "restart_after_crash = off\nmax_wal_size = 64MB\nmemory.user_id = 'ann'\nmemory.anonymous = allow");
$node->append_conf('postgresql.conf', "session_preload_libraries = 'memory'");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE done (session text, id text, PRIMARY KEY (session, id));
	-- A text that the id alone decides, most of it the same as that of others.
	CREATE FUNCTION made(id text) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$ SELECT string_agg(CASE WHEN n % 37 = hashtext(id) % 37 THEN md5(id || n) ELSE md5(n::text) END, ' ') FROM generate_series(1, 300) n $$;
	CREATE FUNCTION is_as_made(c memory.checkpoint) RETURNS boolean LANGUAGE sql AS $$
		SELECT c.state = jsonb_build_object('id', c.id, 'text', made(c.id)) AND c.part_names = '{m}' AND c.part_data[1] = convert_to(made(c.id || '!'), 'UTF8') $$;
});

my $directory = PostgreSQL::Test::Utils::tempdir();
# Named by client and time: no two are the same.
append_to_file("$directory/put.sql", q{
\set s random(1, 2)
\set n random(1, 1000000000000)
BEGIN;
SELECT memory.put_checkpoint('s' || :s, jsonb_build_object('id', id, 'text', made(id)), id, parent => (SELECT c.id FROM memory.checkpoints('s' || :s, k => 1) c),
	refs => jsonb_build_object('m', id), part_names => '{m}', part_types => '{t}', part_data => ARRAY[convert_to(made(id || '!'), 'UTF8')])
	FROM (SELECT 'c' || :client_id || '-' || :n AS id) i;
INSERT INTO done VALUES ('s' || :s, 'c' || :client_id || '-' || :n);
COMMIT;
});
append_to_file("$directory/writes.sql", q{
\set s random(1, 2)
\set n random(1, 5)
SELECT memory.put_writes('s' || :s, c.id, 't' || :n, '{0, 1}', '{a, b}', '{t, t}', ARRAY['\x01', '\x02']::bytea[]) FROM memory.checkpoints('s' || :s, k => 1) c;
});
append_to_file("$directory/prune.sql", q{
\set s random(1, 2)
SELECT memory.prune_checkpoints(ARRAY['s1', 's2'], 20);
});
append_to_file("$directory/fork.sql", q{
\set s random(1, 2)
\set n random(1, 3)
SELECT memory.delete_session('f' || :n || '-' || :client_id);
SELECT memory.fork_session('s' || :s, 'f' || :n || '-' || :client_id) FROM memory.sessions t WHERE t.session_id = 's' || :s;
});
my @load = ('pgbench', '--no-vacuum', '--client', $writers, '--max-tries', 1, '--file', "$directory/put.sql\@6", '--file', "$directory/writes.sql\@2",
	'--file', "$directory/prune.sql\@1", '--file', "$directory/fork.sql\@1");

sub check
{
	my ($what) = @_;
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.sessions s, memory.checkpoints(s.session_id, k => NULL, full_rows => true) c WHERE NOT is_as_made(c)}),
		'0', "$what: every checkpoint is what was put");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM done d WHERE NOT EXISTS (SELECT FROM memory.checkpoint(d.session, d.id))
			AND d.id IN (SELECT id FROM done EXCEPT SELECT id FROM pruned)}),
		'0', "$what: what was done is there, or was pruned");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT session, place FROM memory.checkpoints UNION ALL SELECT session, number FROM memory.checkpoint_parts
			UNION ALL SELECT session, number FROM memory.checkpoint_writes) n GROUP BY session, place HAVING count(*) > 1}), '', "$what: no number was given twice");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.checkpoint_bytes v WHERE NOT EXISTS (
			SELECT FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE coalesce(s.store, s.key) = v.store AND c.state = v.number)
		AND NOT EXISTS (SELECT FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE coalesce(s.store, s.key) = v.store AND p.number = v.number)}),
		'0', "$what: no bytes are left over");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.checkpoint_stores t WHERE NOT EXISTS (SELECT FROM memory.sessions s WHERE coalesce(s.store, s.key) = t.store)}),
		'0', "$what: no store is left over");
}

# Which were pruned is known by the row's deletion.
$node->safe_psql('postgres', q{
	CREATE TABLE pruned (id text);
	CREATE FUNCTION note_pruned() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO pruned VALUES (OLD.id); RETURN NULL; END $$;
	CREATE TRIGGER note AFTER DELETE ON memory.checkpoints FOR EACH ROW EXECUTE FUNCTION note_pruned();
});

my ($out, $err) = ('', '');
my $ok = IPC::Run::run([ @load, '--transactions', 60, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
ok($ok && $err eq '', '16 writers come to their end') or diag(substr($err, 0, 1000));
my $log = slurp_file($node->logfile);
unlike($log, qr/deadlock|ERROR/, 'without an error');
check('16 writers');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM done'), '>', 300, 'many were put');

for my $round (1 .. $crashes)
{
	my $bench = IPC::Run::start([ @load, '--time', 60, $node->connstr('postgres') ], '>', '/dev/null', '2>', '/dev/null');
	my $before = $node->safe_psql('postgres', 'SELECT count(*) FROM done');
	ok($node->poll_query_until('postgres', "SELECT count(*) > $before + 50 FROM done"), "crash $round: the load runs");
	usleep(int(rand(500_000)));
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');
	kill 'KILL', $postmaster;
	$bench->finish;
	$node->{_pid} = undef;
	for (1 .. 300) { last if system_log('pg_ctl', '-D', $node->data_dir, '-w', '-t', 60, '-l', $node->logfile, 'start') == 0; usleep(100_000) }
	$node->_update_pid(1);
	check("crash $round");
}

$node->stop;
done_testing();
