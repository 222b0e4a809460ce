# 16 writers of a few sessions at once: puts, some of which keep a number, writes, prunes, forks into the same names, and deletions
# of sessions, forks and paths that others write, fork and prune meanwhile; then the same with kill -9 in the middle. Every put that
# was reported as done is there or was dropped, every checkpoint that is there is what was put, no number was given twice, no row
# is left over, and no writer meets a deadlock.
# CHECKPOINT_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 16;
my $crashes = $ENV{CHECKPOINT_CRASHES} // 2;
my $node = start_for_writers('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	-- By the key of a session: one of the same name may come after it.
	CREATE TABLE done (session uuid, id text, PRIMARY KEY (session, id));
	CREATE TABLE dropped (session uuid, id text);
	CREATE FUNCTION note_dropped() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO dropped VALUES (OLD.session, OLD.id); RETURN NULL; END $$;
	CREATE TRIGGER note AFTER DELETE ON memory.checkpoints FOR EACH ROW EXECUTE FUNCTION note_dropped();
	-- A fork whose name is taken, or whose original is gone.
	CREATE FUNCTION try_fork(original text, fork text) RETURNS text LANGUAGE plpgsql AS $$
	BEGIN
		RETURN memory.fork_session(original, fork);
	EXCEPTION WHEN unique_violation OR invalid_parameter_value THEN
		RETURN SQLSTATE;
	END $$;
	-- A text that the id alone decides, most of it the same as that of others.
	CREATE FUNCTION made(id text) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$ SELECT string_agg(CASE WHEN n % 37 = hashtext(id) % 37 THEN md5(id || n) ELSE md5(n::text) END, ' ') FROM generate_series(1, 300) n $$;
	CREATE FUNCTION is_as_made(c memory.checkpoint) RETURNS boolean LANGUAGE sql AS $$
		SELECT c.state = jsonb_build_object('id', c.id, 'text', made(c.id)) AND c.part_names = '{m}' AND c.part_data[1] = convert_to(made(c.id || '!'), 'UTF8') $$;
});

my $directory = PostgreSQL::Test::Utils::tempdir();
# s1 and s2 stay; s3, s4 and the forks come and go. Ids are named by client and time: no two are the same.
my $any = q{(ARRAY['s1', 's2', 's3', 's4', 'f1', 'f2', 'f3'])[:s]};
my $mortal = q{(ARRAY['s3', 's4', 'f1', 'f2', 'f3'])[:s]};
append_to_file("$directory/put.sql", qq{
\\set s random(1, 7)
\\set n random(1, 1000000000000)
\\set k random(1, 10)
BEGIN;
SELECT memory.put_checkpoint($any, jsonb_build_object('id', id, 'text', made(id)), id, parent => (SELECT c.id FROM memory.checkpoints($any, k => 1) c),
	path => CASE :k WHEN 1 THEN 'sub' ELSE '' END, keep => CASE :k WHEN 2 THEN 15 END, refs => jsonb_build_object('m', id), part_names => '{m}', part_types => '{t}', part_data => ARRAY[convert_to(made(id || '!'), 'UTF8')])
	FROM (SELECT 'c' || :client_id || '-' || :n AS id) i;
INSERT INTO done SELECT key, 'c' || :client_id || '-' || :n FROM memory.sessions WHERE user_id = 'ann' AND session_id = $any;
COMMIT;
});
append_to_file("$directory/writes.sql", qq{
\\set s random(1, 7)
\\set n random(1, 5)
SELECT memory.put_writes($any, c.id, 't' || :n, '{0, 1}', '{a, b}', '{t, t}', ARRAY['\\x01', '\\x02']::bytea[], path => c.path) FROM memory.checkpoints($any, k => 1) c;
});
append_to_file("$directory/prune.sql", q{
\set n random(1, 3)
SELECT memory.prune_checkpoints((ARRAY['{s1,s2,s3,s4,f1,f2,f3}', '{f3,s1}', NULL])[:n]::text[], 20);
});
append_to_file("$directory/fork.sql", q{
\set s random(1, 4)
\set n random(1, 3)
SELECT try_fork('s' || :s, 'f' || :n);
});
append_to_file("$directory/refork.sql", q{
\set s random(1, 3)
\set n random(1, 3)
SELECT try_fork('f' || :s, 'f' || :n);
});
append_to_file("$directory/delete.sql", qq{
\\set s random(1, 5)
\\set p random(1, 3)
SELECT memory.delete_session($mortal, CASE :p WHEN 1 THEN 'sub' ELSE '' END);
});
my %weights = (put => 9, writes => 2, prune => 1, fork => 1, refork => 1, delete => 2);
my @load = ('pgbench', '--no-vacuum', '--client', $writers, '--max-tries', 1, map { ('--file', "$directory/$_.sql\@$weights{$_}") } sort keys %weights);

sub check
{
	my ($what) = @_;
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.sessions s, memory.checkpoints(s.session_id, k => NULL, full_rows => true) c WHERE NOT is_as_made(c)}),
		'0', "$what: every checkpoint is what was put");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT * FROM done EXCEPT SELECT * FROM dropped) d WHERE NOT EXISTS (
			SELECT FROM memory.sessions s, memory.checkpoints(s.session_id, k => NULL) c WHERE s.key = d.session AND c.id = d.id)}),
		'0', "$what: what was done is there, or was dropped");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT session, place FROM memory.checkpoints UNION ALL SELECT session, number FROM memory.checkpoint_parts
			UNION ALL SELECT session, number FROM memory.checkpoint_writes) n GROUP BY session, place HAVING count(*) > 1}), '', "$what: no number was given twice");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT session FROM memory.checkpoints UNION ALL SELECT session FROM memory.checkpoint_parts UNION ALL SELECT session FROM memory.checkpoint_writes) r
		WHERE session NOT IN (SELECT key FROM memory.sessions)}), '0', "$what: no row is of a session that is gone");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.checkpoint_parts p WHERE NOT EXISTS (SELECT FROM memory.checkpoints c WHERE c.session = p.session AND c.path = p.path AND c.refs ->> p.name = p.version)}),
		'0', "$what: each part is referred to");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.checkpoint_bytes v WHERE NOT EXISTS (
			SELECT FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE coalesce(s.store, s.key) = v.store AND c.state = v.number)
		AND NOT EXISTS (SELECT FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE coalesce(s.store, s.key) = v.store AND p.number = v.number)}),
		'0', "$what: no bytes are left over");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.checkpoint_stores t WHERE NOT EXISTS (SELECT FROM memory.sessions s WHERE coalesce(s.store, s.key) = t.store)}),
		'0', "$what: no store is left over");
}

my ($out, $err) = ('', '');
my $ok = IPC::Run::run([ @load, '--transactions', 60, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
ok($ok && $err eq '', '16 writers come to their end') or diag(substr($err, 0, 1000));
my $log = slurp_file($node->logfile);
unlike($log, qr/deadlock|ERROR/, 'without an error');
check('16 writers');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM done'), '>', 300, 'many were put');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM dropped'), '>', 100, 'many were dropped');
is($node->safe_psql('postgres', q{SELECT count(*) > 0 FROM memory.checkpoint_bytes WHERE chain <> '{}'}), 't', 'there are deltas');

for my $round (1 .. $crashes)
{
	my $bench = IPC::Run::start([ @load, '--time', 60, $node->connstr('postgres') ], '>', '/dev/null', '2>', '/dev/null');
	my $before = $node->safe_psql('postgres', 'SELECT count(*) FROM done');
	ok($node->poll_query_until('postgres', "SELECT count(*) > $before + 50 FROM done"), "crash $round: the load runs");
	crash($node, $bench, 0.5);
	check("crash $round");
}

$node->stop;
done_testing();
