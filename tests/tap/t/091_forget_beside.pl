# One user is forgotten beside ten who have exactly the same: what they are answered is the same to the byte, before and after, and after
# VACUUM and memory.scrub(). How long it takes is noted: THOROUGH=1 makes the user of docs/reliability.md, of 100,000 episodes
# with vectors, 20,000 messages, 5,000 facts and 200 checkpoints.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $episodes = $ENV{FORGET_EPISODES} // (($ENV{THOROUGH} // 0) == 1 ? 100000 : 500);
my ($messages, $facts, $checkpoints) = ($episodes / 5, $episodes / 20, $episodes / 500);
my $dimensions = $ENV{FORGET_DIMENSIONS} // 64;

my $node = start_primary('main');
$node->append_conf('postgresql.conf', "wal_consistency_checking = ''\nautovacuum = off\nfsync = off\nshared_buffers = 256MB\nmax_wal_size = 4GB\nmaintenance_work_mem = 128MB\nclient_min_messages = error");
$node->restart;

# The user, and copies of all its rows under other names. Where triggers and foreign keys would find nothing to say they are not asked.
$node->safe_psql('postgres', qq{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE FUNCTION words(n int) RETURNS text LANGUAGE sql IMMUTABLE AS \$\$
		SELECT string_agg((ARRAY['train','vienna','coffee','ticket','hotel','river','garden','letter','window','market','doctor','summer','bridge','planet','engine','silver'])[1 + hashint4(n * 31 + i) & 15]
			|| CASE WHEN i % 3 = 0 THEN (hashint4(n + i) & 1023)::text ELSE '' END, ' ') FROM generate_series(1, 12) i \$\$;
	INSERT INTO memory.episodes (user_id, id, content, kind, session_id, occurred_at, recorded_at, metadata)
		SELECT 'gone', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, words(n), (ARRAY['note', 'episodic', 'semantic'])[1 + n % 3], NULL,
			'2026-01-01'::timestamptz + n * interval '1 minute', '2026-06-01', jsonb_build_object('n', n % 10)
		FROM generate_series(1, $episodes) n;
	SET session_replication_role = replica;
	INSERT INTO memory.embeddings (user_id, episode_id, model, embedding)
		SELECT 'gone', ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 'default',
			(SELECT array_agg(sin(n * 1.7 + i * n)::float4) FROM generate_series(1, $dimensions) i)::vector
		FROM generate_series(1, $episodes) n;
	RESET session_replication_role;
	SELECT count(*) FROM generate_series(0, $messages / 50 - 1) s, memory.add_messages('session ' || s, (SELECT jsonb_agg(jsonb_build_object('message', jsonb_build_object('role', CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, 'content', words(-n)),
			'occurred_at', '2026-02-01'::timestamptz + n * interval '1 minute')) FROM generate_series(s * 50 + 1, s * 50 + 50) n), user_id => 'gone') m;
	SELECT count(f) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'person ' || n / 5, 'predicate', 'knows', 'object', words(n),
			'sources', jsonb_build_array('00000000-0000-7000-8000-' || lpad(n::text, 12, '0')))) FROM generate_series(1, $facts) n), user_id => 'gone') f;
	SELECT count(memory.put_checkpoint('session 0', jsonb_build_object('step', n, 'text', (SELECT string_agg(words(i), ' ') FROM generate_series(n, n + 20) i)), 'c' || n, user_id => 'gone'))
		FROM generate_series(1, greatest($checkpoints, 5)) n;
	SELECT count(memory.put_item('{topics}', 'k' || n, jsonb_build_object('a', words(n)), user_id => 'gone')), count(memory.set_block('notes/' || n, words(n), user_id => 'gone')) FROM generate_series(1, 50) n;
	SELECT memory.set_profile('{"likes": "trains"}', user_id => 'gone'), memory.set_summary('session 0', 'about trains', user_id => 'gone');
	SET session_replication_role = replica;
	DO \$\$
	DECLARE one record;
	BEGIN
		FOR one IN SELECT c.relname, string_agg(quote_ident(attname), ', ' ORDER BY attnum) FILTER (WHERE attname <> 'user_id') AS columns
			FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
			WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' GROUP BY c.oid HAVING bool_or(attname = 'user_id')
		LOOP
			EXECUTE format('INSERT INTO memory.%1\$I (user_id, %2\$s) SELECT who, %2\$s FROM memory.%1\$I t, (SELECT ''equal '' || n AS who FROM generate_series(1, 10) n) u WHERE t.user_id = ''gone''', one.relname, one.columns);
		END LOOP;
	END \$\$;
	RESET session_replication_role;
	VACUUM ANALYZE;
	CREATE FUNCTION answers(who text) RETURNS TABLE (what text, rows bigint, digest text) LANGUAGE sql AS \$\$
		SELECT 'words', count(*), md5(string_agg(r::text, E'\\n' ORDER BY n)) FROM memory.recall_scored('vienna train silver engine7', k => 200, user_id => who) WITH ORDINALITY AS r (id, n)
		UNION ALL SELECT 'vectors', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.recall_scored(embedding => (SELECT embedding FROM memory.embeddings WHERE user_id = who ORDER BY episode_id LIMIT 1), k => 200, user_id => who) r
		UNION ALL SELECT 'facts', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.facts(user_id => who, k => NULL) r
		UNION ALL SELECT 'recalled facts', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.recall_facts('garden letter', k => 100, user_id => who) r
		UNION ALL SELECT 'sessions', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.sessions(k => NULL, user_id => who) r
		UNION ALL SELECT 'messages', count(*), md5(string_agg(r::text, E'\\n' ORDER BY s.session_id, r.seq)) FROM memory.sessions(k => NULL, user_id => who) s, memory.messages(s.session_id, k => NULL, user_id => who) r
		UNION ALL SELECT 'checkpoints', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.checkpoints('session 0', k => NULL, full_rows => true, user_id => who) r
		UNION ALL SELECT 'blocks', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.blocks(user_id => who) r
		UNION ALL SELECT 'items', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.items(k => NULL, user_id => who) r
		UNION ALL SELECT 'export', count(*), md5(string_agg(r::text, E'\\n')) FROM memory.export_user(who) r \$\$;
});

sub answers
{
	return $node->safe_psql('postgres', "SELECT format('equal %s: %s', n, a) FROM generate_series(1, 10) n, answers('equal ' || n) a");
}

# The seconds that a statement takes, and those that its backend's processor time is.
sub timed
{
	my ($what, $sql) = @_;
	my $begun = time();
	my $answer = $node->safe_psql('postgres', "CREATE TEMP TABLE before AS SELECT cpu FROM cpu(); $sql; SELECT c.cpu - b.cpu FROM cpu() c, before b");
	my ($result, $cpu) = $answer =~ /(.*)\n(.*)/s;
	note(sprintf('%s: %s in %.2f s, %.2f s of processor time, load %s', $what, $result, time() - $begun, $cpu, (split / /, slurp_file('/proc/loadavg'))[0]));
	return $result;
}
$node->safe_psql('postgres', q{
	CREATE FUNCTION cpu() RETURNS TABLE (cpu float8) LANGUAGE sql VOLATILE AS $$
		SELECT (split_part(stat, ' ', 12)::float8 + split_part(stat, ' ', 13)::float8) / 100
		FROM (SELECT regexp_replace(pg_read_file('/proc/' || pg_backend_pid() || '/stat'), '\(.*\) ', '') AS stat) s $$});

my $before = answers();
my ($rows) = $before =~ /equal 1: \(messages,(\d+),/;
is($rows, $messages, 'there are messages');
like($before, qr/equal 10: \(words,200,/, 'and much is found');
is(scalar(() = $before =~ /^equal/mg), 100, 'ten answers of ten users');
my $receipt = timed('forget_user', "SELECT format('%s %s %s %s %s', r->>'episodes', r->>'embeddings', r->>'messages', r->>'facts', r->>'checkpoints') FROM memory.forget_user('gone') r");
is($receipt, join(' ', $episodes + $messages, $episodes, $messages, $facts, $checkpoints < 5 ? 5 : $checkpoints), 'all of a user is forgotten');
same_lines(answers(), $before, 'ten others are answered the same, to the byte');


my $begun = time();
$node->safe_psql('postgres', 'VACUUM (INDEX_CLEANUP ON)');
note(sprintf('VACUUM: %.2f s', time() - $begun));
same_lines(answers(), $before, 'and so they are after VACUUM');
cmp_ok(timed('scrub', 'SELECT memory.scrub()'), '>', 0, 'what is left in the files is written over');
same_lines(answers(), $before, 'and so they are after scrub()');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_class c, LATERAL memory.verify_index(c.oid) v WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'recall')}), '0', 'the indexes are whole');
$node->stop;
done_testing();
