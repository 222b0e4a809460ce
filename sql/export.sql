-- memory.export_user() and memory.import_user(): a user as lines of JSON, out and in (docs/moving.md).
\pset format unaligned
\pset footer off
\pset null NULL
\set VERBOSITY terse
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope(namespace => 'regress_export');

-- What an import of these lines is refused with.
CREATE FUNCTION pg_temp.refused_import(lines jsonb[], who text DEFAULT NULL) RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.refused(format('SELECT memory.import_user(%L, %L)', lines, who)) $$;
-- All lines of a user, as one text and as they are.
CREATE FUNCTION pg_temp.exported(who text) RETURNS text LANGUAGE sql AS $$
    SELECT coalesce(string_agg(line::text, E'\n'), '') FROM memory.export_user(who) line $$;
CREATE FUNCTION pg_temp.lines(who text) RETURNS jsonb[] LANGUAGE sql AS $$
    SELECT ARRAY(SELECT memory.export_user(who)) $$;

-- === lines ===================================================================================
-- A user without rows has no line, whoever it is.
SELECT count(*) FROM memory.export_user('ada');
SELECT memory.remember('night trains', 'sleepers', user_id => 'ada', kind => 'note', role => 'user', importance => 0.1, occurred_at => '2026-01-02 03:04:05.000006+01',
    metadata => '{"price": 1.50, "tags": [null, "é"], "b": {}}', transcript => '[{"role": "tool", "content": null}]', embedding => '[0.1,-0,3e30]', id => '00000000-0000-7000-8000-000000000001');
UPDATE memory.episodes SET recorded_at = '2026-02-03 UTC' WHERE namespace = 'regress_export';
INSERT INTO memory.usage (namespace, user_id, episode_id, accesses, accessed_at) VALUES ('regress_export', 'ada', '00000000-0000-7000-8000-000000000001', 9007199254740993, '-infinity');
SELECT memory.export_user('ada');
-- No setting of the session changes a byte.
SELECT pg_temp.exported('ada') AS before \gset
SET timezone = 'Asia/Tokyo'; SET datestyle = 'German, DMY'; SET extra_float_digits = -5; SET bytea_output = 'escape';
SELECT pg_temp.exported('ada') = :'before' AS same;
RESET timezone; RESET datestyle; RESET extra_float_digits; RESET bytea_output;
-- The anonymous user is null.
SET memory.anonymous = 'allow';
SELECT memory.remember('who is it', id => '00000000-0000-7000-8000-000000000002');
SELECT line -> 'user_id' AS user_id, line -> 'content' AS content FROM memory.export_user() line;
-- What has expired is in no line, nor what hangs on it.
SELECT memory.remember('gone soon', user_id => 'old', ttl => '1 day', embedding => '[1,2,3]', id => '00000000-0000-7000-8000-000000000003');
SELECT memory.revise('00000000-0000-7000-8000-000000000003', 'gone now', user_id => 'old'), memory.assert_fact('ada', 'is', 'tired', 'old', sources => '{00000000-0000-7000-8000-000000000003}') IS NOT NULL AS asserted;
SELECT line ->> 'table' AS t, count(*) FROM memory.export_user('old') line GROUP BY 1 ORDER BY 1;
UPDATE memory.episodes SET expires_at = '2026-01-01' WHERE namespace = 'regress_export' AND id = '00000000-0000-7000-8000-000000000003';
SELECT line ->> 'table' AS t, count(*) FROM memory.export_user('old') line GROUP BY 1 ORDER BY 1;
-- Settings say whose it is, as for every call.
SET memory.user_id = 'ada';
SELECT count(*) FROM memory.export_user();
RESET memory.user_id;
SELECT pg_temp.refused('SELECT memory.export_user('''')');

-- === all kinds, under another name =============================================================
SELECT memory.define_predicate('likes', 'many', 'liked by');
SELECT count(memory.assert_fact('Ada', 'lives in', o, 'ada', valid_from => f::timestamptz, confidence => 0.3, embedding => '[1,2,3]', sources => '{00000000-0000-7000-8000-000000000001}'))
    FROM (VALUES ('Paris', '-infinity'), ('Tokyo', '2026-03-01'), ('Rome', '2026-02-01')) v (o, f);
SELECT count(memory.assert_fact('Ada', 'likes', o, 'ada')) FROM unnest('{tea,trains}'::text[]) o;
SELECT memory.retract_fact('Ada', 'likes', 'tea', 'ada'), memory.reject_fact('Ada', 'likes', 'noise', 'too loud', 'ada'), memory.merge_entities('Ada', 'Countess', 'ada');
SELECT count(*) FROM memory.add_messages('s', '[{"role": "user", "content": "trains to Vienna", "id": "k"}, {"role": "tool", "content": "x"}]', user_id => 'ada', agent_id => 'a', run_id => 'r', path => 'sub', key_field => 'id', operation => 'o');
SELECT memory.remember('with a place in a log', 'yes', user_id => 'ada', session_id => 's') IS NOT NULL AS remembered;
SELECT memory.save_run('s', 'r', state => '{"step": 1.0}', user_id => 'ada'), memory.set_summary('s', 'about trains', topics => '{a,"b c"}', user_id => 'ada'), memory.set_profile('{"home": null, "diet": "vegan"}', mode => 'replace', user_id => 'ada'), memory.set_policy(last_runs => 2, user_id => 'ada');
SELECT memory.put_checkpoint('s', jsonb_build_object('n', n, 'text', repeat('same ', 200)), id => 'c' || n, parent => 'c' || n - 1, refs => '{"m": "1"}', part_names => '{m}', part_types => '{bytes}', part_data => ARRAY['\x00ff10'::bytea], user_id => 'ada') FROM generate_series(1, 3) n;
SELECT memory.put_writes('s', 'c3', 't', '{0}', '{n}', '{t}', ARRAY['\x00'::bytea], user_id => 'ada'), memory.fork_session('s', 'fork', user_id => 'ada');
SELECT memory.set_block('soul', 'I am calm.', 'ada'), memory.set_block('soul', 'I am calm and kind.', 'ada', char_limit => 100), memory.append_block('/memories/a.md', 'trains', '', 'ada'), memory.put_item('{users,ada}', 'k', '{"likes": [1.50, null]}', 'ada', ttl => '1 year 2 days 3.5 seconds', embeddings => '{"[1,2,3]"}');
SELECT memory.import_user(pg_temp.lines('ada'), 'bob') - 'unchanged' AS written;
SELECT pg_temp.exported('bob') = replace(pg_temp.exported('ada'), '"user_id": "ada"', '"user_id": "bob"') AS the_same_bytes;
-- Every call answers as before.
SELECT (SELECT jsonb_agg(to_jsonb(r) - 'user_id') FROM memory.recall_scored('trains to Vienna', embedding => '[1,1,1]', user_id => 'bob', k => 20) r) = (SELECT jsonb_agg(to_jsonb(r) - 'user_id') FROM memory.recall_scored('trains to Vienna', embedding => '[1,1,1]', user_id => 'ada', k => 20) r) AS recalled,
    (SELECT jsonb_agg(to_jsonb(f) - 'user_id') FROM memory.facts(user_id => 'bob', valid_at => NULL) f) = (SELECT jsonb_agg(to_jsonb(f) - 'user_id') FROM memory.facts(user_id => 'ada', valid_at => NULL) f) AS facts,
    (SELECT jsonb_agg(to_jsonb(m)) FROM memory.messages('s', path => 'sub', user_id => 'bob') m) = (SELECT jsonb_agg(to_jsonb(m)) FROM memory.messages('s', path => 'sub', user_id => 'ada') m) AS messages,
    (SELECT jsonb_agg(to_jsonb(c) - 'user_id') FROM memory.checkpoints('fork', full_rows => true, user_id => 'bob') c) = (SELECT jsonb_agg(to_jsonb(c) - 'user_id') FROM memory.checkpoints('fork', full_rows => true, user_id => 'ada') c) AS checkpoints,
    (SELECT jsonb_agg(to_jsonb(h)) FROM memory.block_history('soul', user_id => 'bob') h) = (SELECT jsonb_agg(to_jsonb(h)) FROM memory.block_history('soul', user_id => 'ada') h) AS history;
SELECT * FROM memory.verify_index('memory.episodes_by_text');
-- The same again changes nothing; the setting may say whose it is.
SELECT line - 'written' - 'unchanged' AS rest, (SELECT sum(n::bigint) FROM jsonb_each_text(line -> 'written') j (t, n)) AS written, (SELECT sum(n::bigint) FROM jsonb_each_text(line -> 'unchanged') j (t, n)) AS unchanged
    FROM memory.import_user(pg_temp.lines('ada'), 'bob') line;
-- Without a name they are the lines' own; where the setting is another's, that must be said.
SELECT (memory.import_user(pg_temp.lines('ada')) -> 'written' ->> 'episodes')::int AS written;
SET memory.user_id = 'bob';
SELECT pg_temp.refused_import(pg_temp.lines('ada'));
SELECT (memory.import_user(pg_temp.lines('bob')) -> 'unchanged' ->> 'episodes')::int AS unchanged;
RESET memory.user_id;
-- In pieces, in the order of the export.
SELECT count(memory.import_user(piece, 'carl')) FROM (SELECT array_agg(line ORDER BY n) AS piece FROM memory.export_user('ada') WITH ORDINALITY l (line, n) GROUP BY n / 7 ORDER BY n / 7) p;
SELECT pg_temp.exported('carl') = replace(pg_temp.exported('ada'), '"user_id": "ada"', '"user_id": "carl"') AS the_same_bytes;
-- From the anonymous user, and to it.
SELECT memory.import_user(pg_temp.lines(NULL), 'dora') -> 'written' AS written;
SELECT memory.import_user(pg_temp.lines(NULL)) AS unchanged;

-- === no line of it ============================================================================
CREATE TEMP TABLE line AS SELECT line FROM memory.export_user('ada') line WHERE line ->> 'table' = 'episodes' LIMIT 1;
SELECT pg_temp.refused('SELECT memory.import_user(NULL)');
SELECT pg_temp.refused_import(ARRAY[NULL]::jsonb[]);
SELECT pg_temp.refused_import(ARRAY[[line, line]]) FROM line;
SELECT memory.import_user('{}', 'nobody yet');
SELECT pg_temp.refused_import(ARRAY[line, '7'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line, '{}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"format": 2}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"format": "1"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line - 'table'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"table": "pg_class"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"table": "models"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line - 'user_id'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"user_id": ""}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line, line || '{"user_id": "bob"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line - 'content'], 'eve') FROM line; -- torn
SELECT pg_temp.refused_import(ARRAY[line || '{"namespace": "default"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"content": 7}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"importance": "much"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"importance": []}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"importance": 2}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"id": "7"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"id": null}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"occurred_at": "soon"}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"metadata": []}'], 'eve') FROM line;
SELECT pg_temp.refused_import(ARRAY[line], '') FROM line;
SELECT pg_temp.refused_import(ARRAY(SELECT line || '{"data": "no base64"}' FROM memory.export_user('ada') line WHERE line ->> 'table' = 'checkpoint_bytes'), 'eve');
SELECT pg_temp.refused_import(ARRAY(SELECT line || '{"topics": "a"}' FROM memory.export_user('ada') line WHERE line ->> 'table' = 'summaries'), 'eve');
SELECT pg_temp.refused_import(ARRAY(SELECT line || '{"has_rejections": 1}' FROM memory.export_user('ada') line WHERE line ->> 'table' = 'timelines' LIMIT 1), 'eve');
-- A row before what it belongs to, another row under a key that is there, and what a trigger has kept out.
SELECT pg_temp.refused_import(ARRAY(SELECT line FROM memory.export_user('ada') line WHERE line ->> 'table' = 'usage'), 'eve');
SELECT pg_temp.refused_import(ARRAY[line || '{"content": "day trains"}'], 'bob') FROM line;
SELECT pg_temp.refused_import(ARRAY[line || '{"metadata": {"b": {}, "tags": [null, "é"], "price": 1.5}}'], 'bob') FROM line;
CREATE FUNCTION pg_temp.keep_out() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END';
CREATE TRIGGER keep_out BEFORE INSERT ON memory.episodes FOR EACH ROW EXECUTE FUNCTION pg_temp.keep_out();
SELECT pg_temp.refused_import(ARRAY[line], 'eve') FROM line;
DROP TRIGGER keep_out ON memory.episodes;
SET memory.max_content = '1kB';
SELECT pg_temp.refused_import(ARRAY[line || jsonb_build_object('content', repeat('long ', 300))], 'eve') FROM line;
RESET memory.max_content;
-- Nothing of it was written.
SELECT count(*) FROM memory.export_user('eve');

-- === predicates, which users share ==============================================================
-- They are defined where they are not, agreed upon where they are, and never changed.
SELECT pg_temp.lines('ada') AS lines \gset
SELECT memory.set_scope(namespace => 'regress_export_2');
SELECT memory.import_user(:'lines') -> 'written' -> 'facts' AS facts;
SELECT predicate, cardinality, inverse FROM memory.predicates WHERE namespace = 'regress_export_2';
SELECT subject, predicate, object FROM memory.facts('Ada', 'likes', user_id => 'ada');
SELECT memory.assert_fact('Ada', 'likes', 'maps', 'ada') IS NOT NULL AS asserted;
SELECT object FROM memory.facts('Ada', 'likes', user_id => 'ada') ORDER BY 1;
SELECT memory.set_scope(namespace => 'regress_export_3');
SELECT memory.define_predicate('likes', 'one');
SELECT pg_temp.refused_import(:'lines');
SELECT memory.set_scope(namespace => 'regress_export_4');
SELECT memory.define_predicate('lives in', 'many');
SELECT pg_temp.refused_import(:'lines');

-- === rights ===================================================================================
SELECT memory.set_scope(namespace => 'regress_export');
CREATE ROLE regress_export_reader; CREATE ROLE regress_export_writer;
SELECT memory.grant_access('regress_export_reader', 'reader'), memory.grant_access('regress_export_writer', 'writer');
SET ROLE regress_export_reader;
SELECT count(*) > 50 AS lines FROM memory.export_user('ada');
SELECT pg_temp.refused_import(:'lines', 'frank');
-- A writer may write what is a user's, and no definition that users share.
SET ROLE regress_export_writer;
SELECT memory.import_user(:'lines', 'frank') -> 'written' -> 'facts' AS facts;
SET memory.namespace = 'regress_export_5';
SELECT pg_temp.refused_import(:'lines', 'frank');
SET memory.namespace = 'regress_export';
-- Under protect() a session sees and writes its own user, whatever it passes.
RESET ROLE;
SELECT memory.protect();
SET ROLE regress_export_writer;
SET memory.user_id = 'gina';
SELECT count(*) FROM memory.export_user('ada');
SELECT pg_temp.refused_import(:'lines', 'ada');
SELECT memory.import_user(:'lines', 'gina') -> 'written' -> 'facts' AS facts;
SELECT count(*) > 50 AS lines FROM memory.export_user('gina');
RESET ROLE;
RESET memory.user_id;
SELECT memory.unprotect();
BEGIN READ ONLY;
SELECT count(*) > 50 AS lines FROM memory.export_user('ada');
ROLLBACK;

SELECT memory.revoke_access('regress_export_reader'), memory.revoke_access('regress_export_writer');
DROP ROLE regress_export_reader; DROP ROLE regress_export_writer;
DELETE FROM memory.sessions WHERE namespace LIKE 'regress_export%';
DELETE FROM memory.episodes WHERE namespace LIKE 'regress_export%';
DELETE FROM memory.facts WHERE namespace LIKE 'regress_export%';
DELETE FROM memory.predicates WHERE namespace LIKE 'regress_export%';
DELETE FROM memory.blocks WHERE namespace LIKE 'regress_export%';
DELETE FROM memory.items WHERE namespace LIKE 'regress_export%';
SELECT memory.set_scope();
