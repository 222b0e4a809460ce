# Recall where it may not write, must not leak and has to stop: on a hot standby, in a read-only
# transaction, a thousand times from one prepared statement, cancelled in the middle.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = start_primary('primary');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	SET wal_consistency_checking = '';
	SELECT setseed(0.3);
	INSERT INTO memory.episodes (user_id, session_id, content, occurred_at)
		SELECT CASE WHEN i % 10 = 0 THEN 'ada' ELSE 'crowd' END, 's' || i % 50, (SELECT string_agg('w' || floor(200 * random() ^ 2)::int, ' ') FROM generate_series(1, 12 + i % 2)),
			timestamptz '2026-01-01' + i * interval '1 minute' FROM generate_series(1, 6000) i;
	INSERT INTO memory.embeddings (user_id, episode_id, embedding)
		SELECT user_id, id, ARRAY[random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5]::float4[]::vector FROM memory.episodes;
	SELECT memory.create_vector_index();
	VACUUM ANALYZE memory.episodes, memory.embeddings;
});

# --- where nothing may be written ---------------------------------------------------------------

$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
my $plain = q{SELECT string_agg(id::text || ' ' || round(score::numeric, 9), E'\n') FROM memory.recall_scored('w3 w50 w7', '[1,0,0.5,0]', k => 20, user_id => 'ada')};
my $answer = $node->safe_psql('postgres', $plain);
is(scalar(split /\n/, $answer), 20, 'the primary answers');
is($standby->safe_psql('postgres', $plain), $answer, 'a hot standby answers the same');
is($standby->safe_psql('postgres', "SET memory.exact_vector_rows = 100; $plain") =~ tr/\n//, 19, 'a hot standby answers by the vector index');
is($node->safe_psql('postgres', "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; $plain; COMMIT"), $answer, 'so does a read-only transaction');
for my $setting (qw(0 1))
{
	is($node->safe_psql('postgres', "SET enable_indexscan = off; SET enable_bitmapscan = off; SET enable_hashjoin = off; SET jit = $setting; $plain"),
		$answer, 'plans do not matter');
}
is($node->safe_psql('postgres', q{
	SET memory.exact_vector_rows = 100;
	SELECT count(*) FROM memory.recall_scored(embedding => '[1,0,0.5,0]', user_id => 'ada');
	SELECT string_agg(name, ' ') FROM pg_settings WHERE source = 'session' AND name NOT LIKE 'memory.%'}),
	"5\n", "the caller's settings are as before");

# --- a thousand times ---------------------------------------------------------------------------

my $leak = $node->safe_psql('postgres', q{
	PREPARE ask(text) AS SELECT count(*) FROM memory.recall_scored($1, '[1,0,0.5,0]', k => 10, user_id => 'ada', diversity => 0.2), memory.recall($1, 5, 'ada'),
		memory.recall_semantic('[1,0,0.5,0]', 5, 0.1, 'ada'), memory.explain_recall('00000000-0000-0000-0000-000000000001', $1, user_id => 'ada');
	CREATE TEMP TABLE sizes (n serial, used bigint);
	SELECT count(*) FROM (SELECT 1) x;
} . join('', map { my $n = $_; join('', map { "EXECUTE ask('w$_ w3');\n" } 1 .. 100) . ($n == 1 || $n == 10 ? "INSERT INTO sizes (used) SELECT sum(used_bytes) FROM pg_backend_memory_contexts;\n" : '') } 1 .. 10)
	. q{SELECT 'grown by ' || max(used) - min(used) FROM sizes});
my ($grown) = $leak =~ /^grown by (\d+)$/m;
cmp_ok($grown, '<', 65536, "from the 100th to the 1,000th execution memory has grown by $grown bytes");

# --- stopping -----------------------------------------------------------------------------------

$node->safe_psql('postgres', q{
	SET wal_consistency_checking = '';
	SELECT 'DROP INDEX ' || indexrelid::regclass FROM pg_index WHERE indrelid = 'memory.embeddings'::regclass AND NOT indisprimary \gexec
	INSERT INTO memory.episodes (user_id, content, occurred_at) SELECT 'whale', 'common w' || i % 1000, timestamptz '2020-01-01' + i * interval '1 second' FROM generate_series(1, 40000) i;
	INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, ARRAY[1, random(), random(), random()]::float4[]::vector FROM memory.episodes WHERE user_id = 'whale';
});
# A short half-life makes it read all rows of both arms.
my $slow = q{SELECT count(*) FROM memory.recall_scored('common', '[1,0,0.5,0]', k => 40000, user_id => 'whale', half_life => '1 day')};
my $took = time;
is($node->safe_psql('postgres', "SET memory.exact_vector_rows = 1000000; $slow"), 40000, 'all of a large user');
$took = time - $took;
my $late = 0;
for my $tenth (1 .. 9)
{
	my $after = int(1000 * $took * $tenth / 10) || 1;
	my ($status, $out, $err) = $node->psql('postgres', qq{SET memory.exact_vector_rows = 1000000; SET statement_timeout = $after;
		DO \$\$ DECLARE began timestamptz := clock_timestamp(); BEGIN PERFORM ($slow); EXCEPTION WHEN query_canceled THEN
			RAISE NOTICE 'late by %', round(1000 * extract(epoch FROM clock_timestamp() - began) - $after); END \$\$});
	$late = $1 if $err =~ /late by (-?\d+)/ && $1 > $late;
}
note("a recall of ${took} s stopped at most $late ms after it was told");
cmp_ok($late, '<', 500, "a large recall stops soon when it is told ($late ms)");
my ($status, $out, $err) = $node->psql('postgres', qq{SET statement_timeout = 1; $slow});
like($err, qr/canceling statement due to statement timeout/, "and says why");
is($node->safe_psql('postgres', $plain), $answer, 'afterwards everything is as before');

done_testing();
