# What carries a database carries its checkpoints: a standby answers like its primary after each round of puts, forks and prunes, and
# writes nothing; a dump that is restored has each of them byte for byte; and where either goes on, new ones are written against what came.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = start_primary('primary');
$primary->append_conf('postgresql.conf', 'memory.anonymous = allow');
$primary->append_conf('postgresql.conf', "session_preload_libraries = 'memory'");
$primary->restart;
$primary->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	-- A text of 3 kB, of which n decides a fiftieth.
	CREATE FUNCTION made(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$ SELECT string_agg(md5((CASE WHEN i % 50 = n % 50 THEN n ELSE 0 END)::text || '.' || i), '' ORDER BY i) FROM generate_series(1, 100) i $$;
	CREATE FUNCTION put(owner text, session text, path text, n bigint, parent bigint) RETURNS text LANGUAGE sql AS $$
		SELECT memory.put_checkpoint(session, to_jsonb(made(n)), 'c' || n, 'c' || parent, jsonb_build_object('run_id', 'r' || n % 3), path, refs => jsonb_build_object('p', n::text, 'empty', '1'),
			part_names => '{p,empty}', part_types => '{t,t}', part_data => ARRAY[convert_to(made(n + 1000), 'UTF8'), NULL], user_id => owner) $$;
});
$primary->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

# All that is there, as functions show it. Times are those of now() and so the same in a copy.
my @questions = (
	q{SELECT u, s.* FROM unnest(ARRAY['ann', 'bob']) u, memory.sessions(user_id => u, k => NULL) s ORDER BY 1, 2},
	q{SELECT u, c.* FROM unnest(ARRAY['ann', 'bob']) u, memory.sessions(user_id => u, k => NULL) s, memory.checkpoints(s.session_id, k => NULL, full_rows => true, user_id => u) WITH ORDINALITY c ORDER BY u, s.session_id, ordinality},
	q{SELECT c.id, c.session_id FROM memory.checkpoints(k => 20, user_id => 'ann') c},
	q{SELECT c.id FROM memory.checkpoints('one', path => '', before => 'c40', filter => '{"run_id": "r1"}', user_id => 'ann') c},
	q{SELECT c.id FROM memory.checkpoints('one', ancestors_of => 'c58', k => NULL, user_id => 'ann') c},
	q{SELECT c.* FROM memory.checkpoint(id => 'c3', user_id => 'ann') c},
	q{SELECT c.* FROM memory.checkpoint('one', user_id => 'ann') c},
	q{SELECT w.* FROM memory.writes('one', 'c5', user_id => 'ann') w},
	q{SELECT w.* FROM memory.writes('one', 'late', user_id => 'ann') w});

sub answers
{
	my ($node, $database, $begin) = @_;
	return join "\n--\n", map {
		my ($status, $out, $err) = $node->psql($database, "SET TimeZone = 'UTC'; $begin; $_; COMMIT;");
		"$_\n$out$err"
	} @questions;
}

sub same_answers
{
	my ($when) = @_;
	$primary->wait_for_catchup($standby);
	my $expected = answers($primary, 'postgres', 'BEGIN');
	unlike($expected, qr/ERROR/, "$when: the primary answers");
	same_lines(answers($standby, 'postgres', 'BEGIN'), $expected, "$when: so does the standby");
	same_lines(answers($standby, 'postgres', 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), $expected, "$when: in a read-only transaction, too");
	return $expected;
}

# --- rounds ---------------------------------------------------------------------------------------

same_answers('when there is none');
$primary->safe_psql('postgres', q{
	SELECT put(u, s, p, n, n - 1) FROM unnest(ARRAY['ann', 'bob']) u, unnest(ARRAY['one', 'two']) s, unnest(ARRAY['', 'sub|agent']) p, generate_series(1, 60) n;
	SELECT memory.put_writes('one', c, 't' || t, '{1, 0}', '{a, b}', '{t, t}', ARRAY['\x01', NULL]::bytea[], user_id => 'ann') FROM unnest(ARRAY['c5', 'late']) c, generate_series(1, 3) t;
	SELECT memory.set_session('no checkpoints', '{"a": 1}', user_id => 'ann');
	SELECT memory.put_checkpoint(repeat('s', 1024), to_jsonb(repeat(made(1), 100)), repeat('i', 1024), repeat('p', 1024), path => repeat('x', 1024), user_id => 'bob');});
like(same_answers('after puts'), qr/late/, 'something was asked');
$primary->safe_psql('postgres', q{
	SELECT put('ann', 'one', '', n, n - 1) FROM generate_series(10, 50, 5) n;
	SELECT memory.put_checkpoint('one', to_jsonb(made(n + 500)), 'c' || n, user_id => 'ann') FROM generate_series(12, 52, 10) n;
	SELECT memory.fork_session('one', 'fork', user_id => 'ann'), memory.fork_session('one', 'half', upto_checkpoint => 'c30', metadata => '{"half": true}', user_id => 'ann'), memory.fork_session('half', 'half of half', upto_checkpoint => 'c15', user_id => 'ann');
	SELECT put('ann', s, '', n, n - 1) FROM unnest(ARRAY['one', 'fork', 'half', 'half of half']) WITH ORDINALITY f (s, o), generate_series(61 + 20 * o, 80 + 20 * o) n;
	BEGIN; SELECT memory.delete_session('fork', user_id => 'ann'), put('ann', 'never', '', 1, NULL); ROLLBACK;});
same_answers('after replacements and forks');
$primary->safe_psql('postgres', q{
	SELECT memory.prune_checkpoints('{fork,half of half}', 5, user_id => 'ann'), memory.prune_checkpoints('{one}', run_ids => '{r1,r2}', protect => '{c1,c58}', user_id => 'ann'), memory.prune_checkpoints('{two}', 0, protect => '{c7,c8,c50}', user_id => 'bob');
	SELECT memory.delete_session('one', user_id => 'bob'), memory.delete_session('two', 'sub|agent', user_id => 'ann'), memory.delete_session('half', user_id => 'ann');
	SELECT put('ann', 'half', '', 1, NULL), memory.put_checkpoint('two', '1', 'last', keep => 10, user_id => 'ann');
	VACUUM memory.checkpoints, memory.checkpoint_bytes, memory.checkpoint_parts, memory.sessions;});
my $expected = same_answers('after pruning and deleting');
my $rows = rows_of($primary, 'postgres');

for my $call (q{put_checkpoint('one', '1', user_id => 'ann')}, q{put_writes('one', 'c1', 't', '{0}', '{n}', '{t}', '{NULL}', user_id => 'ann')}, q{prune_checkpoints(keep => 1, user_id => 'ann')}, q{prune_checkpoints('{nothing}', 1, user_id => 'ann')},
	q{fork_session('one', 'f', user_id => 'ann')}, q{delete_session('one', user_id => 'ann')}, q{delete_session('nothing', user_id => 'ann')}, q{set_session('one', '{}', user_id => 'ann')})
{
	my ($status, $out, $err) = $standby->psql('postgres', "SELECT memory.$call", extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($err, qr/ERROR:  25006: /, "the standby refuses $call");
}

# --- a dump ---------------------------------------------------------------------------------------

my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump';
for my $way ([ 'pg_dump and pg_restore', 'restored', [ '-Fc' ], 'pg_restore', '-d', 'restored', $dump ], [ 'a dump of INSERTs and psql', 'inserted', [ '--inserts' ], 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-o', '/dev/null', '-f', $dump, 'inserted' ])
{
	my ($what, $database, $options, @restore) = @$way;
	restore_ok($primary, "$what: dumped", 'pg_dump', @$options, '-f', $dump, 'postgres');
	$primary->safe_psql('postgres', "CREATE DATABASE $database");
	restore_ok($primary, "$what: restored", @restore);
	same_lines(rows_of($primary, $database), $rows, "$what: each row is there");
	same_lines(answers($primary, $database, 'BEGIN'), $expected, "$what: each checkpoint is read back byte for byte");
}

# --- going on -------------------------------------------------------------------------------------

# The same is done to the original, to its copies and to the standby, once that has been promoted: all are the same again, but for times.
my $go_on = q{
	SELECT put('ann', s.session_id, '', n, n - 1) FROM (SELECT session_id FROM memory.sessions(user_id => 'ann', k => NULL) ORDER BY session_id) s, generate_series(200, 260) n;
	SELECT memory.put_writes('one', 'late', 't1', '{0, 7}', '{x, y}', '{t, t}', ARRAY['\x01', NULL]::bytea[], replace => true, user_id => 'ann');
	SELECT memory.fork_session('fork', 'fork of fork', upto_checkpoint => 'c230', user_id => 'ann'), memory.prune_checkpoints('{fork,one}', 20, user_id => 'ann'), memory.delete_session('half of half', user_id => 'ann');
	SELECT put('ann', 'fork of fork', '', n, n - 1) FROM generate_series(300, 310) n;};
my $seen = q{
	SELECT u, s.session_id, s.paths, s.version, c.path, c.id, c.parent, c.state, c.metadata, c.part_names, c.part_data, c.write_names, c.write_data
	FROM unnest(ARRAY['ann', 'bob']) u, memory.sessions(user_id => u, k => NULL) s, memory.checkpoints(s.session_id, k => NULL, full_rows => true, user_id => u) WITH ORDINALITY c ORDER BY u, s.session_id, ordinality};
# How what is stored hangs together: by names, as keys of forks are new ones.
my $stored = q{
	SELECT o.user_id, o.session_id, v.number, v.chain, v.size, v.checksum, md5(v.data) FROM memory.checkpoint_bytes v
	JOIN (SELECT user_id, coalesce(store, key) AS store, min(session_id) AS session_id FROM memory.sessions GROUP BY 1, 2) o USING (user_id, store) ORDER BY 1, 2, 3};
$primary->wait_for_catchup($standby);
$standby->promote;
my @copies = ([ $primary, 'postgres', 'the original' ], [ $primary, 'restored', 'what was restored' ], [ $primary, 'inserted', 'what was inserted' ], [ $standby, 'postgres', 'the promoted standby' ]);
my ($seen_there, $stored_there);
for (@copies)
{
	my ($node, $database, $what) = @$_;
	$node->safe_psql($database, $go_on);
	$seen_there //= $node->safe_psql($database, $seen);
	$stored_there //= $node->safe_psql($database, $stored);
	same_lines($node->safe_psql($database, $seen), $seen_there, "$what goes on: the same is seen");
	same_lines($node->safe_psql($database, $stored), $stored_there, "$what goes on: the same is stored");
	is($node->safe_psql($database, q{
		SELECT count(*) > 150, count(*) FILTER (WHERE c.state <> to_jsonb(made(n)) OR c.part_data IS DISTINCT FROM ARRAY[NULL, convert_to(made(n + 1000), 'UTF8')])
		FROM memory.sessions(user_id => 'ann', k => NULL) s, memory.checkpoints(s.session_id, k => NULL, full_rows => true, filter => '{"run_id": {"$exists": true}}', user_id => 'ann') c, CAST(substr(c.id, 2) AS bigint) n}),
		't|0', "$what goes on: each is what was put");
	is($node->safe_psql($database, q{
		SELECT count(memory.delete_session(s.session_id, user_id => s.user_id)) > 0 FROM memory.sessions s;
		SELECT (SELECT count(*) FROM memory.sessions) + (SELECT count(*) FROM memory.checkpoint_stores) + (SELECT count(*) FROM memory.checkpoints) + (SELECT count(*) FROM memory.checkpoint_parts)
			+ (SELECT count(*) FROM memory.checkpoint_writes) + (SELECT count(*) FROM memory.checkpoint_bytes)}), "t\n0", "$what: nothing is left of deleted sessions");
}
$standby->stop;
$primary->stop;
done_testing();
