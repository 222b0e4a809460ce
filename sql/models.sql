-- Which model does what in a namespace, and the one that the database has itself: hash embeds episodes as they are written and
-- queries as they are asked.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
CREATE FUNCTION pg_temp.uuid(n int) RETURNS uuid LANGUAGE sql IMMUTABLE
    RETURN ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql

-- What is refused.
SELECT given, pg_temp.refused(format('SELECT memory.use_model(%s)', given)) AS refused FROM unnest(ARRAY[
    $$NULL, 'm'$$, $$'dream', 'm'$$, $$'embed', NULL$$, $$'embed', ''$$, format('%L, %L', 'embed', repeat('m', 513)),
    $$'embed', 'm', ''$$, $$'embed', 'm', 'ftp://there'$$, $$'embed', 'hash', 'http://there'$$, $$'extract', 'hash'$$,
    $$'embed', 'm', options => '[]'$$, $$'embed', 'm', options => '{"dimension": 3}'$$, $$'embed', 'm', options => '{"dimensions": "3"}'$$,
    $$'embed', 'm', options => '{"dimensions": 0}'$$, $$'embed', 'm', options => '{"dimensions": 16001}'$$, $$'embed', 'm', options => '{"dimensions": 2.5}'$$,
    $$'embed', 'm', options => '{"alpha": 1.5}'$$, $$'embed', 'm', options => '{"alpha": null}'$$,
    $$'embed', 'm', options => '{"jobs": 0}'$$, $$'summarize', 'm', options => '{"every": 0}'$$, $$'profile', 'm', options => '{"every": 2.5}'$$, $$'profile', 'm', options => '{"every": "20"}'$$]) given;
SELECT pg_temp.refused($$SELECT memory.drop_model('dream')$$) AS refused, pg_temp.refused($$SELECT memory.drop_model(NULL)$$) AS refused;
SELECT count(*) FROM memory.used_models();

-- What is kept, for the namespace of the session.
SELECT memory.use_model('embed', 'mini', 'https://models.example/v1', '{"dimensions": 3, "alpha": 0.6}');
SELECT memory.use_model('extract', 'large', NULL, '{"temperature": 0}');
SET memory.namespace = 'other';
SELECT memory.use_model('embed', 'maxi');
RESET memory.namespace;
SELECT memory.use_model('extract', 'larger');
SELECT * FROM memory.used_models();
SELECT * FROM memory.models;
SELECT memory.drop_model('extract'), memory.drop_model('extract');
SELECT task, model FROM memory.used_models() WHERE namespace = 'default';

-- The model that embeds in the namespace is the one of calls that name none.
SELECT memory.remember('a vector from elsewhere', user_id => 'ada', id => pg_temp.uuid(1), embedding => '[1,0,0]') IS NOT NULL AS remembered;
INSERT INTO memory.embeddings (user_id, episode_id, model, embedding) VALUES ('ada', pg_temp.uuid(1), 'second', '[0,1]');
SELECT model, embedding FROM memory.embeddings ORDER BY model;
SELECT pg_temp.refused($$SELECT memory.remember('x', embedding => '[1,2]')$$) AS refused;
SELECT vector_score FROM memory.recall_scored(embedding => '[1,0,0]', user_id => 'ada');
SELECT content FROM memory.recall_semantic('[1,0,0]', user_id => 'ada');
SELECT vector_score FROM memory.recall_scored(embedding => '[0,1]', user_id => 'ada', model => 'second');
-- Its weight, where the call says none: what was told; of a model that is declared; of others.
SELECT round((x ->> 'alpha')::numeric, 6) AS told FROM memory.explain_recall(pg_temp.uuid(1), 'vector', '[1,0,0]', user_id => 'ada') x;
SELECT round((x ->> 'alpha')::numeric, 6) AS unknown FROM memory.explain_recall(pg_temp.uuid(1), 'vector', '[0,1]', user_id => 'ada', model => 'second') x;
SELECT memory.use_model('embed', 'mini');
SELECT round((x ->> 'alpha')::numeric, 6) AS declared FROM memory.explain_recall(pg_temp.uuid(1), 'vector', '[1,0,0]', user_id => 'ada') x;
SELECT round((x ->> 'alpha')::numeric, 6) AS called FROM memory.explain_recall(pg_temp.uuid(1), 'vector', '[1,0,0]', user_id => 'ada', alpha => 0.7) x;
SELECT memory.drop_model('embed');
SELECT count(*) AS by_default FROM memory.recall_scored(embedding => '[1,0,0]', user_id => 'ada');
DELETE FROM memory.episodes;

-- hash: every way of writing.
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 64}');
SELECT memory.remember('a train at night', user_id => 'ada', id => pg_temp.uuid(1)) IS NOT NULL AS remembered;
SELECT count(*) FROM memory.remember_many('[{"content": "trains are late", "id": "00000000-0000-0000-0000-000000000002"}, {"content": "coffee", "response": "black", "id": "00000000-0000-0000-0000-000000000003"}]', 'ada');
INSERT INTO memory.episodes (user_id, id, content) VALUES ('ada', pg_temp.uuid(4), 'inserted trains'), ('ada', pg_temp.uuid(5), 'tea');
COPY memory.episodes (user_id, id, content, response) FROM stdin;
ada	00000000-0000-0000-0000-000000000006	copied trains	yes
\.
CREATE TEMP VIEW wrong_vectors AS
SELECT e.id, v.embedding IS NULL AS missing FROM memory.episodes e LEFT JOIN memory.embeddings v ON v.namespace = e.namespace AND v.user_id = e.user_id AND v.episode_id = e.id AND v.model = 'hash'
WHERE v.embedding IS DISTINCT FROM memory.hash_embedding(memory_internal.episode_text(e.content, e.response), 64);
SELECT count(*) AS episodes, (SELECT count(*) FROM wrong_vectors) AS wrong FROM memory.episodes;
-- And of changing: the vector is that of the new text.
SELECT memory.revise(pg_temp.uuid(1), 'a bus at noon', user_id => 'ada');
SELECT memory.remember('bicycles', user_id => 'ada', id => pg_temp.uuid(2)) = pg_temp.uuid(2) AS replaced;
UPDATE memory.episodes SET response = 'green' WHERE id = pg_temp.uuid(5);
SELECT count(*) AS vectors, (SELECT count(*) FROM wrong_vectors) AS wrong FROM memory.embeddings;
-- A vector that comes with the episode is its own; one by another model is beside it, and goes with the old text.
SELECT memory.remember('given', user_id => 'ada', id => pg_temp.uuid(7), embedding => memory.hash_embedding('something else', 64)) IS NOT NULL AS remembered;
SELECT memory.remember('given, too', user_id => 'ada', id => pg_temp.uuid(8), embedding => '[1,2,3]', model => 'mini') IS NOT NULL AS remembered;
SELECT right(episode_id::text, 1) AS id, model, embedding = memory.hash_embedding('something else', 64) AS given FROM memory.embeddings WHERE episode_id IN (pg_temp.uuid(7), pg_temp.uuid(8)) ORDER BY 1, 2;
SELECT memory.revise(pg_temp.uuid(8), 'given no more', user_id => 'ada');
SELECT model FROM memory.embeddings WHERE episode_id = pg_temp.uuid(8);
DELETE FROM memory.episodes WHERE id IN (pg_temp.uuid(7), pg_temp.uuid(8));
-- Queries: as with the vector that hash_embedding makes, at the weight .1; none without weight.
SELECT count(*) AS answers, count(*) FILTER (WHERE match = 'both') > 0 AS hybrid FROM memory.recall_scored('trains', user_id => 'ada');
SELECT count(*) AS differ FROM memory.recall_scored('trains', user_id => 'ada') a FULL JOIN memory.recall_scored('trains', memory.hash_embedding('trains', 64), user_id => 'ada', alpha => 0.1, model => 'hash') b USING (id, score)
WHERE a.id IS NULL OR b.id IS NULL;
SELECT count(*) AS differ FROM memory.recall('trains', user_id => 'ada') a FULL JOIN memory.recall_scored('trains', user_id => 'ada') b USING (id, score) WHERE a.id IS NULL OR b.id IS NULL;
SELECT DISTINCT match FROM memory.recall_scored('trains', user_id => 'ada', alpha => 0);
SELECT DISTINCT match FROM memory.recall_scored('trains', user_id => 'ada', model => 'mini');
SELECT round((x ->> 'alpha')::numeric, 6) AS alpha, x -> 'vector' -> 'rank' IS NOT NULL AS has_vector FROM memory.explain_recall(pg_temp.uuid(4), 'trains', user_id => 'ada') x;
-- What the transaction has just said holds for its next statement, and in a savepoint that is rolled back no more.
BEGIN;
SAVEPOINT before;
SELECT memory.drop_model('embed');
SELECT memory.remember('without', user_id => 'bob') IS NOT NULL AS remembered;
ROLLBACK TO before;
SELECT memory.remember('with', user_id => 'bob') IS NOT NULL AS remembered;
COMMIT;
SELECT content, count(v.*) AS vectors FROM memory.episodes e LEFT JOIN memory.embeddings v ON v.user_id = e.user_id AND v.episode_id = e.id WHERE e.user_id = 'bob' GROUP BY 1;
DO $$
BEGIN
    BEGIN
        PERFORM memory.drop_model('embed');
        PERFORM memory.recall('with', user_id => 'bob');
        RAISE EXCEPTION USING ERRCODE = 'ZZZZZ';
    EXCEPTION WHEN SQLSTATE 'ZZZZZ' THEN NULL;
    END;
    INSERT INTO memory.episodes (user_id, content) VALUES ('eve', 'in a block');
END $$;
SELECT count(*) AS vectors FROM memory.embeddings WHERE user_id = 'eve';
-- Other namespaces have their own.
SET memory.namespace = 'other';
SELECT memory.remember('not embedded here', user_id => 'ada') IS NOT NULL AS remembered;
SELECT count(*) FROM memory.embeddings WHERE namespace = 'other';
RESET memory.namespace;

-- A writer writes and recalls, and says nothing about models; nor does one under protect().
CREATE ROLE regress_models_writer;
CREATE ROLE regress_models_reader;
SELECT memory.grant_access('regress_models_writer', 'writer'), memory.grant_access('regress_models_reader', 'reader');
SELECT memory.protect();
SET ROLE regress_models_writer;
SET memory.user_id = 'cid';
SELECT memory.remember('trains of a writer') IS NOT NULL AS remembered;
SELECT match FROM memory.recall_scored('writers of trains');
SELECT pg_temp.refused($$SELECT memory.use_model('embed', 'mini')$$) AS refused, pg_temp.refused($$SELECT memory.drop_model('embed')$$) AS refused;
SELECT pg_temp.refused($$DELETE FROM memory.model_tasks$$) AS refused;
SET ROLE regress_models_reader;
SELECT namespace, task, model, options, waiting, failed, done FROM memory.used_models();
SELECT match FROM memory.recall_scored('writers of trains');
RESET ROLE;
RESET memory.user_id;
SELECT memory.unprotect();
SELECT memory.grant_access('regress_models_writer', 'admin');
SET ROLE regress_models_writer;
SELECT memory.use_model('summarize', 'large');
RESET ROLE;
SELECT task, model FROM memory.used_models() WHERE namespace = 'default';
SELECT memory.revoke_access('regress_models_writer'), memory.revoke_access('regress_models_reader');
DROP ROLE regress_models_writer, regress_models_reader;

-- Lines of another database, with vectors of 64 dimensions: where the database embeds with others it makes them anew.
SELECT memory.put_item('{notes}', 'k', '"an item"', 'gus') AS put, memory.assert_fact('Gus', 'likes', 'trains', 'gus') IS NOT NULL AS asserted, memory.remember('moved trains', user_id => 'gus') IS NOT NULL AS remembered;
SELECT array_agg(line) AS lines FROM memory.export_user('gus') line \gset
SELECT memory.import_user(:'lines', 'same') AS same_dimensions;
SELECT memory.drop_model('embed');
DELETE FROM memory.embeddings; DELETE FROM memory.fact_embeddings; DELETE FROM memory.item_embeddings; DELETE FROM memory.models;
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 128}');
SELECT memory.import_user(:'lines', 'moved') -> 'unchanged' AS passed_over;
SELECT 'episode' AS of, embedding = memory.hash_embedding('moved trains', 128) AS made FROM memory.embeddings WHERE user_id = 'moved'
UNION ALL SELECT 'fact', embedding = memory.hash_embedding('Gus likes trains', 128) FROM memory.fact_embeddings WHERE user_id = 'moved'
UNION ALL SELECT 'item', embedding = memory.hash_embedding('an item', 128) FROM memory.item_embeddings WHERE user_id = 'moved';
-- Twice is once; where another model is used, dimensions that differ are refused.
SELECT memory.import_user(:'lines', 'moved') -> 'written' AS written;
SELECT memory.drop_model('embed');
SELECT pg_temp.refused(format('SELECT memory.import_user(%L, %L)', :'lines', 'refused')) AS refused;

-- Tables of an installation that had no models: what needs the new table says so, the rest works, and init() brings it.
DROP TABLE memory.model_tasks;
SELECT memory.remember('before the table', user_id => 'dan') IS NOT NULL AS remembered;
SELECT match FROM memory.recall_scored('table', user_id => 'dan');
SELECT pg_temp.refused('SELECT * FROM memory.used_models()') AS refused;
SELECT memory.init();
SELECT count(*) FROM memory.used_models();
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
