# 16 clients in one log at once: no message is lost, no number is missing or given twice, the messages of a call stand together,
# and a reader that goes on after the last number that it has seen misses none. 1,600 pops of 2,000 messages leave 400.
# The same with kill -9 among writers and deleters: what was answered is there, and the rows count what there is.
# CONVERSATION_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{CONVERSATION_CRASHES} // 2;
my $node = start_for_writers('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	-- What was answered, by the name of the call.
	CREATE TABLE done (session_id text, call text, seq bigint, id uuid);
	CREATE TABLE seen (reader int, seq bigint, call text);
	CREATE INDEX ON seen (reader, seq);
	CREATE FUNCTION three(call text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
		SELECT jsonb_agg(jsonb_build_object('role', r, 'content', 'message ' || n, 'call', call, 'n', n)) FROM (VALUES (1, 'user'), (2, 'tool'), (3, 'assistant')) v (n, r) $$;
});
# The rows count what there is, and beside each message that is recalled is its episode.
sub check
{
	my ($what) = @_;
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.sessions s CROSS JOIN LATERAL (SELECT count(*) AS messages, coalesce(max(seq), 0) AS newest FROM memory.messages m WHERE m.session = s.key AND m.path = '') m
		WHERE m.messages <> s.messages OR m.newest > s.last_seq}), '0', "$what: the rows of the sessions count their messages");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.messages m FULL JOIN memory.episodes e ON e.user_id = m.user_id AND e.id = m.id
		WHERE (e.id IS NULL AND m.role <> 'tool') OR m.id IS NULL OR (e.id IS NOT NULL AND m.role = 'tool' AND m.message ? 'n')}), '0', "$what: each has its episode");
	# Of a call of three either all are there or, when one was dropped, those that have no other's id.
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM (SELECT max(m.seq) - min(m.seq) AS span, string_agg(m.message ->> 'n', '' ORDER BY m.seq) AS ns FROM memory.messages m
			WHERE m.message ? 'call' GROUP BY m.session, m.message ->> 'call') c WHERE span > 2 OR '123' NOT LIKE '%' || ns || '%' AND ns <> '13'}), '0', "$what: a call's messages stand together");
}

# --- adding, and a reader ---------------------------------------------------------------------------
bench($node, 'adding', 100, '8-add' => q{
	\set n random(1, 1000000000000)
	INSERT INTO done SELECT 'hot', 'c' || :client_id || '-' || :n, a.seq, a.id FROM memory.add_messages('hot', three('c' || :client_id || '-' || :n)) a;
}, '4-remember' => q{
	\set n random(1, 1000000000000)
	INSERT INTO done SELECT 'hot', 'r' || :client_id || '-' || :n, NULL, memory.remember('asked ' || :n, 'answered', session_id => 'hot');
}, '3-read' => q{
	INSERT INTO seen SELECT :client_id, m.seq, m.message ->> 'call' FROM memory.messages('hot', k => NULL, after => (SELECT coalesce(max(s.seq), 0) FROM seen s WHERE s.reader = :client_id)) m;
});
check('adding');
is($node->safe_psql('postgres', q{SELECT count(*) FROM done d WHERE seq IS NOT NULL AND NOT EXISTS (SELECT FROM memory.messages m WHERE m.seq = d.seq AND m.id = d.id AND m.message ->> 'call' = d.call)}), '0', 'none is lost');
is($node->safe_psql('postgres', q{SELECT count(*) FROM done d WHERE seq IS NULL AND 2 <> (SELECT count(*) FROM memory.messages m WHERE m.id = d.id)}), '0', 'none of remember either');
is($node->safe_psql('postgres', q{SELECT count(*) = max(seq) AND count(DISTINCT seq) = max(seq) AND min(seq) = 1 FROM memory.messages}), 't', 'no number is missing, or given twice');
is($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT id FROM memory.messages WHERE NOT message ? 'call' GROUP BY id HAVING max(seq) - min(seq) <> 1) r}), '0', 'the two of a remember stand together');
is($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT reader, max(seq) AS last, count(*) AS rows, count(DISTINCT seq) AS seqs FROM seen GROUP BY reader) r WHERE rows <> last OR seqs <> last}), '0', 'no reader has missed one, or seen one twice');
cmp_ok($node->safe_psql('postgres', 'SELECT count(DISTINCT reader) FROM seen'), '>', 10, 'there were readers');
cmp_ok($node->safe_psql('postgres', q{SELECT n_tup_hot_upd::float8 / n_tup_upd FROM pg_stat_user_tables WHERE relname = 'sessions'}), '>', 0.9, 'updates of a busy session are heap-only');

# --- pops -------------------------------------------------------------------------------------------
$node->safe_psql('postgres', q{
	SELECT memory.add_messages('pops', (SELECT jsonb_agg(jsonb_build_object('role', 'user', 'content', 'message ' || n)) FROM generate_series(1, 2000) n));
	CREATE TABLE popped (seq bigint)});
bench($node, 'pops', 100, '1-pop' => q{INSERT INTO popped SELECT m.seq FROM memory.drop_messages('pops', last => 1) m;});
is($node->safe_psql('postgres', q{SELECT count(*), max(seq) FROM memory.messages('pops', k => NULL)}), '400|400', '1,600 pops leave 400 of 2,000');
is($node->safe_psql('postgres', q{SELECT count(*), count(DISTINCT seq), min(seq) FROM popped}), '1600|1600|401', 'and none was popped twice');
check('pops');

# --- expected_seq: every client tries until it is first ------------------------------------------------
$node->safe_psql('postgres', q{
	CREATE FUNCTION add_expecting(read bigint, call text) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO done SELECT 'expecting', call, seq, id FROM memory.add_messages('expecting', jsonb_build_array(jsonb_build_object('role', 'user', 'content', read::text)), expected_seq => read);
		RETURN true;
	EXCEPTION WHEN serialization_failure THEN
		RETURN false;
	END $$;
});
bench($node, 'expecting', 60, '1-add' => q{
	SELECT coalesce(max(last_seq), 0) AS read FROM memory.session('expecting') \gset
	SELECT add_expecting(:read, 'e');
});
is($node->safe_psql('postgres', q{SELECT count(*) = max(seq) AND bool_and(m.content = (m.seq - 1)::text) AND count(*) = (SELECT count(*) FROM done WHERE session_id = 'expecting') FROM memory.messages('expecting', k => NULL) m}),
	't', 'with expected_seq each stands behind what its writer has read');

# --- the same keys ------------------------------------------------------------------------------------
bench($node, 'keys', 40, '1-put' => q{
	\set k random(1, 20)
	SELECT memory.add_messages('keys', jsonb_build_array(jsonb_build_object('id', :k, 'role', CASE WHEN :k % 2 = 0 THEN 'user' ELSE 'assistant' END, 'content', 'by ' || :client_id)), key_field => 'id');
});
is($node->safe_psql('postgres', q{SELECT count(*), max(seq), count(DISTINCT key) FROM memory.messages('keys', k => NULL)}), '20|20|20', 'a key has one message and one number');
check('keys');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');

# --- kill -9 ------------------------------------------------------------------------------------------
$node->safe_psql('postgres', 'TRUNCATE done; CREATE TABLE dropped (id uuid)');
for my $round (1 .. $crashes)
{
	my $bench = bench($node, "crash $round", 0, '6-add' => q{
		\set n random(1, 1000000000000)
		INSERT INTO done SELECT 'busy', 'c' || :client_id || '-' || :n, a.seq, a.id FROM memory.add_messages('busy', three('c' || :client_id || '-' || :n)) a;
	}, '2-remember' => q{SELECT memory.remember('asked', 'answered', session_id => 'busy');},
		'1-drop' => q{INSERT INTO dropped SELECT id FROM memory.drop_messages('busy', last => 1);});
	ok($node->poll_query_until('postgres', "SELECT count(*) > 300 * $round FROM done"), "crash $round: the load runs");
	crash($node, $bench, 0.5);
	check("crash $round");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM done d WHERE NOT EXISTS (SELECT FROM memory.messages m WHERE m.seq = d.seq AND m.id = d.id AND m.message ->> 'call' = d.call) AND id NOT IN (SELECT id FROM dropped)}), '0', "crash $round: what was answered is there");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT session, path, seq FROM memory.messages GROUP BY 1, 2, 3 HAVING count(*) > 1) t}), '0', "crash $round: no number is given twice");
}

# --- the newest of many -------------------------------------------------------------------------------
# The last 20 of 100,000 messages are read from a handful of pages, whatever the plan was made for.
$node->safe_psql('postgres', q{
	SELECT memory.add_messages('long', (SELECT jsonb_agg(jsonb_build_object('role', 'tool', 'content', 'message ' || n)) FROM generate_series(g * 1000 + 1, g * 1000 + 1000) n)) FROM generate_series(0, 99) g});
for my $statistics ('without statistics', 'with statistics')
{
	$node->safe_psql('postgres', 'VACUUM (ANALYZE) memory.messages, memory.sessions') if $statistics =~ /^with /;
	my $buffers = $node->safe_psql('postgres', q{
		SET client_min_messages = error;
		SELECT count(*) FROM memory.messages('long');
		SELECT count(*) FROM memory.messages('long');
		EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) SELECT * FROM memory.messages('long')});
	my ($read) = $buffers =~ /Function Scan.*\n\s*Buffers: (.*)/;
	my $pages = 0;
	$pages += $1 while ($read // '') =~ /(?:hit|read)=(\d+)/g;
	note("$statistics: $pages buffers");
	cmp_ok($pages, '>', 3, "$statistics: the pages are counted");
	cmp_ok($pages, '<=', 8, "$statistics: the last 20 of 100,000 are in 8 pages");
}

$node->stop;
done_testing();
