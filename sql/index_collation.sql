-- A scope is found by the bytes of its values, so equal values must have equal bytes.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
CREATE COLLATION no_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
CREATE TABLE diary (id int, owner text COLLATE no_case, body text COLLATE no_case);
INSERT INTO diary VALUES (1, 'Ada', 'zebra'), (2, 'ada', 'a zebra'), (3, 'bea', 'Zebra');

CREATE INDEX ON diary USING recall (owner, body);
CREATE UNLOGGED TABLE unlogged_diary (LIKE diary);
CREATE INDEX ON unlogged_diary USING recall (owner, body);
\set VERBOSITY terse
CREATE INDEX CONCURRENTLY ON diary USING recall (lower(owner), body);
CREATE TABLE parts (LIKE diary) PARTITION BY LIST (id);
CREATE TABLE part PARTITION OF parts DEFAULT;
CREATE INDEX ON parts USING recall (owner, body);
DROP TABLE parts, unlogged_diary;
DROP INDEX IF EXISTS diary_lower_body_idx;

-- What can be equal to the searched text matters to no index: `=` is asked of the rows.
CREATE INDEX diary_recall ON diary USING recall (owner COLLATE "C", body);
CREATE FUNCTION on_every_plan(query text) RETURNS text LANGUAGE plpgsql SET search_path = public, memory AS $$
    DECLARE
        answers text[];
        answer text;
    BEGIN
        FOR i IN 1 .. 3 LOOP
            -- The table is dear to read, and not forbidden: 18 prefers whatever is not forbidden at any cost.
            PERFORM set_config('seq_page_cost', CASE WHEN i = 1 THEN '1' ELSE '1e6' END, true),
                set_config('enable_indexscan', (i = 2)::text, true), set_config('enable_bitmapscan', (i = 3)::text, true);
            EXECUTE query INTO answer;
            answers := answers || answer;
        END LOOP;
        RETURN answers::text;
    END $$;
SELECT on_every_plan($$SELECT string_agg(id::text, ',' ORDER BY id) FROM diary WHERE owner = 'ADA' AND body @@@ 'zebra'$$) AS either,
    on_every_plan($$SELECT string_agg(id::text, ',' ORDER BY id) FROM diary WHERE owner COLLATE "C" = 'ada' AND body @@@ 'zebra'$$) AS one,
    on_every_plan($$SELECT string_agg(id::text, ',' ORDER BY id) FROM diary WHERE owner COLLATE "C" = 'Ada' AND body @@@ 'zebra' AND body = 'ZEBRA'$$) AS text;

-- No way leads from such an index to one that is not.
ALTER TABLE diary ALTER COLUMN owner TYPE text COLLATE "C";
DROP INDEX diary_recall;
CREATE INDEX diary_recall ON diary USING recall (owner, body);
ALTER TABLE diary ALTER COLUMN owner TYPE text COLLATE no_case;
SELECT on_every_plan($$SELECT string_agg(id::text, ',' ORDER BY id) FROM diary WHERE owner = 'ada' AND body @@@ 'zebra'$$) AS of_bytes;
-- One that was made before this was refused is not built again, nor asked where another plan can be.
UPDATE pg_attribute SET attcollation = 'no_case'::regcollation WHERE attrelid IN ('diary'::regclass, 'diary_recall'::regclass) AND attname = 'owner';
UPDATE pg_index SET indcollation = format('%s %s', 'no_case'::regcollation::oid, 'no_case'::regcollation::oid)::oidvector WHERE indexrelid = 'diary_recall'::regclass;
\c
SET search_path = public, memory;
\set VERBOSITY terse
SELECT on_every_plan($$SELECT string_agg(id::text, ',' ORDER BY id) FROM diary WHERE owner = 'ada' AND body @@@ 'zebra'$$) AS of_letters;
SELECT id FROM diary WHERE owner = 'ada' ORDER BY body <@> 'zebra';
REINDEX INDEX diary_recall;
INSERT INTO diary VALUES (4, 'ADA', 'a table that has one can be written to');
DROP INDEX diary_recall;

DROP TABLE diary;
DROP FUNCTION on_every_plan;
DROP COLLATION no_case;
