# A dump carries everything: what init() made, what was remembered, and what users have added to it.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('main');
my $dumps = PostgreSQL::Test::Utils::tempdir();

# --- a database that has been lived in ----------------------------------------------------------

$node->safe_psql('postgres', q{
	CREATE ROLE owner; CREATE ROLE reader; CREATE ROLE "the writer's"; CREATE ROLE admin; CREATE ROLE later;
	CREATE DATABASE original OWNER owner;});
$node->safe_psql('original', q{
	CREATE SCHEMA extensions; GRANT USAGE ON SCHEMA extensions TO public;
	CREATE EXTENSION vector SCHEMA extensions;
	CREATE SCHEMA memory AUTHORIZATION owner;
	CREATE EXTENSION memory;
	SET ROLE owner;
	SELECT memory.init(3);
	SET memory.anonymous = 'allow';

	-- Users, anonymous or not, namespaces, texts of all kinds.
	SELECT memory.remember('number ' || n, 'answer ' || n, user_id => 'user ' || n % 7, session_id => 'session ' || n % 5,
		agent_id => 'agent', kind => CASE n % 2 WHEN 0 THEN 'note' ELSE 'turn' END, role => 'user',
		metadata => jsonb_build_object('n', n, 'tags', jsonb_build_array('a', n % 3)), importance => (n % 10 / 10.0)::real,
		occurred_at => '2026-01-01'::timestamptz + n * interval '1.000001 second', ttl => CASE WHEN n % 11 = 0 THEN interval '1 year' END,
		transcript => '[{"role": "tool", "content": null}]')
	FROM generate_series(1, 500) AS n;
	SELECT memory.remember(E'\\\\N \\\\. \t\r\n quotes '' " $$ \u00e9 \U0001F600 ' || n) FROM generate_series(1, 20) AS n;
	SET memory.namespace = 'an odd, {namespace}';
	SELECT memory.remember('elsewhere', user_id => 'o''dd "user"', embedding => '[0.1,-2e-20,3e30]');
	RESET memory.namespace;

	-- Vectors of two models, revisions, use, a text over the default memory.max_content.
	SELECT memory.remember('with a vector ' || n, user_id => 'ann', embedding => format('[%s,%s,1]', n, n / 3.0)::extensions.vector)
	FROM generate_series(1, 50) AS n;
	SET memory.embedding_model = 'another';
	INSERT INTO memory.embeddings (user_id, episode_id, embedding)
		SELECT user_id, id, '[1,2]' FROM memory.episodes WHERE user_id = 'ann' AND namespace = 'default';
	RESET memory.embedding_model;
	SELECT memory.revise(id, content || ', revised', user_id => 'ann') FROM memory.recall_recent(user_id => 'ann', k => 10);
	SELECT memory.revise(id, content || ', twice', user_id => 'ann') FROM memory.recall_recent(user_id => 'ann', k => 5);
	INSERT INTO memory.usage SELECT namespace, user_id, id, 3, now() FROM memory.episodes WHERE user_id = 'user 1';
	SET memory.max_content = '4MB';
	SELECT memory.remember(repeat('large ', 400000), repeat('answer ', 400000), user_id => 'user 2');
	RESET memory.max_content;

	-- Facts of both kinds of predicates, superseded, retracted, rejected, with sources and vectors; names of one entity.
	SELECT memory.define_predicate('likes', 'many', 'liked by');
	SELECT memory.assert_fact('ann', 'lives in', 'city ' || n % 4, 'ann', '2026-01-01'::timestamptz + (n * 7 % 40) * interval '1 day') FROM generate_series(1, 60) AS n;
	SELECT memory.assert_fact('ann', 'likes', 'thing ' || n % 9, 'ann', sources => ARRAY(SELECT id FROM memory.recall_recent(user_id => 'ann', k => 2)),
		metadata => jsonb_build_object('n', n), embedding => '[1,2,3]') FROM generate_series(1, 20) AS n;
	SELECT memory.retract_fact('ann', 'lives in', user_id => 'ann', valid_from => '2026-01-09', valid_until => '2026-01-12');
	SELECT memory.reject_fact('ann', 'likes', 'thing 3', 'a joke', 'ann'), memory.merge_entities('ann', 'Anne', 'ann');

	-- Runs in all statuses, summaries, profiles and policies.
	SELECT memory.save_run('session ' || n % 5, 'run ' || n, status => (ARRAY['running', 'completed', 'paused', 'cancelled', 'error'])[n % 5 + 1], state => jsonb_build_object('n', n, 'at', '[1.50, null]'::jsonb),
		requirements => '[{"ask": "when, ''exactly''?"}]', messages => jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'run ' || n)), user_id => 'ann') FROM generate_series(1, 20) n;
	SELECT memory.set_summary('session 1', E'what\\N was\nsaid', topics => ARRAY['a', 'b "c"', ''], user_id => 'ann');
	SELECT memory.set_profile('{"name": "Ann", "none": null}', 'replace', user_id => 'ann'), memory.set_profile('{"tone": "short"}', user_id => 'ann', agent_id => 'coach'), memory.set_policy(save_history => false, last_runs => 3, user_id => 'ann', agent_id => 'coach');

	-- A language of its own.
	SELECT memory.set_dictionary('german_stem');

	-- Access of three kinds, and default privileges of the owner's own.
	SELECT memory.grant_access('reader', 'reader'), memory.grant_access($$"the writer's"$$, 'writer'), memory.grant_access('admin', 'admin');
	ALTER DEFAULT PRIVILEGES IN SCHEMA memory GRANT SELECT ON TABLES TO later;
	ALTER DEFAULT PRIVILEGES IN SCHEMA memory GRANT USAGE ON SEQUENCES TO later;
	GRANT SELECT (content) ON memory.episodes TO later;

	-- What an application adds.
	ALTER TABLE memory.episodes ADD COLUMN mood text NOT NULL DEFAULT 'calm' CHECK (mood <> '');
	UPDATE memory.episodes SET mood = 'merry' WHERE user_id = 'user 3';
	COMMENT ON COLUMN memory.episodes.mood IS 'The application''s own';
	COMMENT ON TABLE memory.usage IS 'as we use it';
	CREATE INDEX tagged ON memory.episodes USING gin (metadata jsonb_path_ops);
	CREATE INDEX merry ON memory.episodes (user_id, length(content)) WHERE mood = 'merry';
	-- Codes of vectors, of few rows and of many, of which some are gone.
	SELECT memory.remember('coded ' || n, user_id => 'cody', model => 'wide', embedding => (SELECT array_agg(sin(n * 7.1 + i * i * 0.37)::real ORDER BY i)::extensions.vector FROM generate_series(1, 200) i))
	FROM generate_series(1, 300) n;
	DELETE FROM memory.episodes WHERE user_id = 'cody' AND content ~ '[1-5]$';
	CREATE INDEX nearest ON memory.embeddings USING hnsw ((embedding::extensions.vector(2)) extensions.vector_cosine_ops) WHERE model = 'another';
	CLUSTER memory.episodes USING episodes_by_time;
	CREATE STATISTICS memory.by_kind ON kind, role FROM memory.episodes;
	ALTER TABLE memory.episodes ALTER kind SET STATISTICS 500, ALTER content SET STORAGE EXTERNAL, ALTER kind SET DEFAULT 'note', SET (fillfactor = 80);
	ALTER TABLE memory.embeddings REPLICA IDENTITY FULL;
	ALTER TABLE memory.episodes ENABLE ROW LEVEL SECURITY;
	ALTER TABLE memory.usage ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;
	CREATE POLICY mine ON memory.episodes TO "the writer's", reader USING (user_id = memory.current_user_id());
	CREATE POLICY counted ON memory.usage AS RESTRICTIVE FOR UPDATE USING (accesses > 0) WITH CHECK (accesses < 100);
	CREATE FUNCTION memory.touch() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
	CREATE TRIGGER touched BEFORE UPDATE ON memory.episodes FOR EACH ROW EXECUTE FUNCTION memory.touch();
	CREATE VIEW memory.merry_ones AS SELECT * FROM memory.episodes WHERE mood = 'merry';
	CREATE TABLE memory.notes (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, namespace text DEFAULT memory_internal.default_namespace(), user_id text, episode uuid,
		FOREIGN KEY (namespace, user_id, episode) REFERENCES memory.episodes);
	INSERT INTO memory.notes (user_id, episode) SELECT user_id, id FROM memory.episodes WHERE user_id = 'user 4';
	RESET ROLE;
	CREATE PUBLICATION part FOR TABLE memory.episodes (namespace, user_id, id, content) WHERE (kind <> 'secret'), memory.embeddings;
	CREATE PUBLICATION whole FOR TABLES IN SCHEMA memory;
});

$node->safe_psql('original', 'VACUUM memory.embeddings');
cmp_ok($node->safe_psql('original', q{SELECT segment_pages FROM memory.index_stats('memory.embeddings_by_code')}), '>', 0, 'some codes are in a packed run');

# What is answered by codes. A copy's index has been built of its rows.
sub by_codes
{
	my ($database) = @_;
	return $node->safe_psql($database, q{
		SELECT n, r.* FROM generate_series(1, 20) n, LATERAL memory.recall_semantic(
			(SELECT array_agg(sin(n * 3.3 + i * i * 0.37)::real ORDER BY i)::extensions.vector FROM generate_series(1, 200) i), 5, -1, user_id => 'cody', model => 'wide') r;
		SELECT n, r.* FROM generate_series(1, 5) n, LATERAL memory.recall_semantic(format('[%s,1,-1]', n)::extensions.vector, 5, -1, user_id => 'ann') r;
		SELECT 'wrong: ' || p FROM memory.verify_index('memory.embeddings_by_code') p});
}

my %original = (
	by_codes => by_codes('original'),
	schema => schema_of($node, 'original'),
	rows => rows_of($node, 'original'),
	dump => dump_of($node, 'original'));
cmp_ok(scalar(split /\n/, $original{schema}), '>', 100, 'there is a schema to compare');
cmp_ok(scalar(split /\n/, $original{rows}), '>', 700, 'and rows');
is(scalar(() = $original{by_codes} =~ /\|coded \d+\|/g), 100, 'and answers by codes');
unlike($original{by_codes}, qr/wrong/, 'which are sound');

# --- and its copies -----------------------------------------------------------------------------

# The copy says, does and allows what the original does.
sub is_a_copy
{
	my ($database, $how) = @_;
	same_lines(schema_of($node, $database), $original{schema}, "$how: the schema is the same");
	same_lines(rows_of($node, $database), $original{rows}, "$how: every row is the same");
	same_lines(dump_of($node, $database), $original{dump}, "$how: its dump is the dump of the original");
	same_lines(by_codes($database), $original{by_codes}, "$how: codes give the same answers, and are those of the vectors");
}

# The next remember() works, with all that goes with it. This changes the database.
sub lives_on
{
	my ($database, $how) = @_;
	is($node->safe_psql($database, q{
		SET ROLE owner;
		SELECT memory.remember('the next one', user_id => 'ann', embedding => '[7,8,9]') IS NOT NULL;
		SELECT content, kind FROM memory.recall_recent(k => 1, user_id => 'ann');
		SELECT mood, recorded_at = occurred_at FROM memory.episodes WHERE content = 'the next one';
		SELECT user_id FROM memory.notes WHERE id = (SELECT max(id) FROM memory.notes);
		INSERT INTO memory.notes (user_id) VALUES ('ann') RETURNING namespace;
		SELECT memory.assert_fact('ann', 'lives in', 'elsewhere', 'ann', '2026-01-01', 'infinity') IS NOT NULL;
		SELECT count(*), min(object) FROM memory.facts('ann', 'lives in', user_id => 'ann', valid_at => NULL);
		SELECT memory.assert_fact('ann', 'likes', 'Thing 3', 'ann') IS NULL;
		SELECT neighbor FROM memory.neighbors('anne', user_id => 'ann') LIMIT 1;
		SELECT object FROM memory.recall_facts('thing 5', user_id => 'ann', k => 1);
	}), "t\nthe next one|episodic\ncalm|t\nuser 4\ndefault\nt\n1|elsewhere\nt\nthing 2\nthing 5", "$how: the next remember and the next fact work");
	for (
		[ q{SELECT memory.remember(repeat('x', 1100000), user_id => 'ann')}, qr/content is longer than 1048576 bytes/ ],
		[ q{INSERT INTO memory.episodes (user_id, content) VALUES ('ann', repeat('x', 1100000))}, qr/content is longer than 1048576 bytes/ ],
		[ q{SELECT memory.remember('a', user_id => 'ann', embedding => '[1,2]')}, qr/embedding has 2 dimensions/ ],
		[ q{SET ROLE reader; SELECT memory.remember('a', user_id => 'ann')}, qr/permission denied for table episodes/ ],
		[ q{SET ROLE later; SELECT * FROM memory.usage}, qr/permission denied/ ])
	{
		my ($sql, $expected) = @$_;
		my ($status, $out, $err) = $node->psql($database, "SET client_min_messages = error; $sql");
		like($err, $expected, "$how: $sql");
	}
	is($node->safe_psql($database, q{
		SET ROLE "the writer's";
		SET memory.user_id = 'user 5';
		SELECT count(*) FROM memory.episodes;
		SELECT memory.remember('by the writer') IS NOT NULL;
		RESET ROLE; SET ROLE owner;
		CREATE TABLE memory.later (a int);
		SELECT has_table_privilege('later', 'memory.later', 'SELECT'), has_table_privilege('admin', 'memory.later', 'DELETE WITH GRANT OPTION');
		SELECT memory.init();
	}), "71\nt\nt|t\n", "$how: policies, grants and default privileges hold");
}

$node->safe_psql('postgres', 'CREATE DATABASE from_plain');
my $plain = "$dumps/plain.sql";
restore_ok($node, 'pg_dump', 'pg_dump', '-d', 'original', '-f', $plain);
restore_ok($node, 'psql', 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'from_plain', '-f', $plain);
is_a_copy('from_plain', 'pg_dump | psql');
lives_on('from_plain', 'pg_dump | psql');

$node->safe_psql('postgres', 'CREATE DATABASE from_custom');
my $custom = "$dumps/custom.dump";
restore_ok($node, 'pg_dump -Fc', 'pg_dump', '-Fc', '-d', 'original', '-f', $custom);
restore_ok($node, 'pg_restore -j2', 'pg_restore', '-j2', '--exit-on-error', '-d', 'from_custom', $custom);
is_a_copy('from_custom', 'pg_dump -Fc | pg_restore -j2');
lives_on('from_custom', 'pg_dump -Fc | pg_restore -j2');

# A restore goes through where the settings would refuse the rows today.
$node->safe_psql('postgres', q{
	CREATE DATABASE strict;
	ALTER DATABASE strict SET memory.anonymous = 'deny';
	ALTER DATABASE strict SET memory.max_content = '1kB';
	ALTER DATABASE strict SET memory.user_id = 'somebody';});
restore_ok($node, 'psql into stricter settings', 'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', 'strict', '-f', $plain);
same_lines(rows_of($node, 'strict'), $original{rows}, 'stricter settings: every row is the same');

# Rows alone go into tables that init() has made.
$node->safe_psql('postgres', q{CREATE DATABASE bare; ALTER DATABASE bare SET memory.max_content = '4MB';});
$node->safe_psql('bare', q{
	CREATE SCHEMA extensions; CREATE EXTENSION vector SCHEMA extensions; CREATE EXTENSION memory; SELECT memory.init();
	ALTER TABLE memory.episodes ADD COLUMN mood text;});
restore_ok($node, 'pg_restore --data-only', 'pg_restore', '--data-only', '--exit-on-error',
	(map { ('-t', $_) } qw(episodes models timelines fact_embeddings rejections entity_aliases predicates sessions messages session_paths session_operations profiles policies)), '-d', 'bare', $custom);
restore_ok($node, 'pg_restore --data-only', 'pg_restore', '--data-only', '--exit-on-error',
	(map { ('-t', $_) } qw(embeddings episode_revisions usage facts runs summaries)), '-d', 'bare', $custom);
restore_ok($node, 'pg_restore --data-only', 'pg_restore', '--data-only', '--exit-on-error', '-t', 'fact_sources', '-d', 'bare', $custom);
same_lines(rows_of($node, 'bare'), join("\n", grep { !/^notes/ } split /\n/, $original{rows}), 'rows alone: every one is the same');

# The original has not noticed.
same_lines(dump_of($node, 'original'), $original{dump}, 'the original is as it was');

$node->stop;
done_testing();
