-- Trigger functions may be executed by everybody who makes a trigger: on a table of any kind, with columns of any type.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of trigger functions';
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
DROP ROLE IF EXISTS regress_trigger_reader;
CREATE ROLE regress_trigger_reader;
SELECT memory.grant_access('regress_trigger_reader', 'reader');
SET ROLE regress_trigger_reader;

-- Whatever kind of relation it is, and whatever its columns are: nothing of it is read. A number in the place of a text was
-- an address that was read.
CREATE TABLE pg_temp.numbers (user_id text, content bigint, response bigint, model bigint, embedding bigint);
CREATE TABLE pg_temp.texts (user_id bigint, content int, response "char", model text, embedding text);
CREATE TABLE pg_temp.same (LIKE memory.episodes);
CREATE TABLE pg_temp.same_vectors (LIKE memory.embeddings);
CREATE TABLE pg_temp.none (a int);
CREATE TABLE pg_temp.dropped (user_id text, content text, response text, model text, embedding public.vector);
ALTER TABLE pg_temp.dropped DROP content, DROP embedding;
CREATE TABLE pg_temp.whole (user_id text, content bigint, response bigint, model bigint, embedding bigint) PARTITION BY LIST (user_id);
CREATE TABLE pg_temp.episodes PARTITION OF pg_temp.whole DEFAULT;
CREATE TABLE pg_temp.embeddings (model bigint, embedding bigint);
CREATE VIEW pg_temp.shown AS SELECT 'u'::text AS user_id, 1311768467294899695 AS content, 2::bigint AS response,
    1311768467294899695 AS model, 1::bigint AS embedding;
CREATE FUNCTION pg_temp.fires(relation regclass, function regprocedure, at text, act text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    EXECUTE format('CREATE TRIGGER %I %s ON %s FOR EACH ROW EXECUTE FUNCTION %s', relation || at || function, at, relation, function);
    RETURN pg_temp.refused(format(act, relation));
END $$;
SELECT function, relation, pg_temp.fires(relation, function, 'AFTER INSERT', format('INSERT INTO %%s VALUES (%s)', row))
FROM unnest('{memory_internal.refuse_episode(),memory_internal.refuse_embedding()}'::regprocedure[]) AS function, (VALUES
    ('pg_temp.numbers'::regclass, '''u'', 1311768467294899695, 2, 1311768467294899695, 3'),
    ('pg_temp.texts', '4711, 2, ''x'', ''m'', ''e'''),
    ('pg_temp.same', ''''', '''', ''00000000-0000-7000-8000-000000000001'', NULL, NULL, ''k'', NULL, '''', NULL, now(), now(), NULL, 1, ''{}'', NULL'),
    ('pg_temp.same_vectors', ''''', '''', ''00000000-0000-7000-8000-000000000001'', ''m'', ''[1]'''),
    ('pg_temp.none', '1'),
    ('pg_temp.dropped', '''u'', ''r'', ''m'''),
    ('pg_temp.whole', '''u'', 1311768467294899695, 2, 1311768467294899695, 3'),
    ('pg_temp.episodes', '''u'', 1311768467294899695, 2, 1311768467294899695, 3'),
    ('pg_temp.embeddings', '1311768467294899695, 3')) AS r (relation, row);
SELECT at, pg_temp.fires('pg_temp.numbers', 'memory_internal.refuse_embedding()', at, act) FROM (VALUES
    ('BEFORE INSERT', 'INSERT INTO %s (model) VALUES (1311768467294899695)'),
    ('BEFORE INSERT OR UPDATE', 'INSERT INTO %s (model) VALUES (1311768467294899695)'),
    ('AFTER INSERT OR DELETE', 'INSERT INTO %s (model) VALUES (1311768467294899695)')) AS v (at, act);
SELECT pg_temp.fires('pg_temp.shown', 'memory_internal.refuse_embedding()', 'INSTEAD OF INSERT', 'INSERT INTO %s (model) VALUES (1311768467294899695)');
RESET ROLE;

-- On the tables that they are for, their columns are looked at before they are read.
BEGIN;
DROP TRIGGER memory_dimensions_fit ON memory.embeddings;
ALTER TABLE memory.embeddings ALTER embedding TYPE text;
CREATE TRIGGER "A" AFTER INSERT ON memory.embeddings FOR EACH ROW EXECUTE FUNCTION memory_internal.refuse_embedding();
SELECT pg_temp.refused($$INSERT INTO memory.embeddings (episode_id, model, embedding) VALUES ('00000000-0000-7000-8000-000000000001', 'm', 'e')$$);
ROLLBACK;
BEGIN;
CREATE TRIGGER "A" AFTER INSERT ON memory.usage FOR EACH ROW EXECUTE FUNCTION memory_internal.refuse_episode();
SELECT pg_temp.refused($$INSERT INTO memory.usage (namespace, user_id, episode_id) VALUES ('n', 'u', '00000000-0000-7000-8000-000000000001')$$);
ROLLBACK;

DROP OWNED BY regress_trigger_reader;
DROP ROLE regress_trigger_reader;
