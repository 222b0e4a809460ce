-- memory.scrub(): who may call it, what it says of what it has to leave, and that it changes no answer. What is left in the files is
-- tests/tap/t/090_forget.pl's.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
\i :source/sql/shared/forgotten.sql
SELECT namespace FROM memory.set_scope(namespace => 'scrub');

-- Only the tables' owner may: no writer, and no admin.
CREATE ROLE regress_memory_scrubber;
SELECT memory.grant_access('regress_memory_scrubber', 'writer');
SET ROLE regress_memory_scrubber;
SELECT pg_temp.refused('SELECT memory.scrub()');
RESET ROLE;
SELECT memory.grant_access('regress_memory_scrubber', 'admin');
SET ROLE regress_memory_scrubber;
SELECT pg_temp.refused('SELECT memory.scrub()');
RESET ROLE;

-- From here on, of what is left in the files all is this test's.
CALL forgetting.make('twin');
SELECT memory.remember('gone soon', user_id => 'ada', id => forgetting.episode(4));
VACUUM (INDEX_CLEANUP ON);
SELECT memory.scrub() >= 0 AS done;

-- Rows that VACUUM has not removed are said, and stay as they are.
CREATE TEMP TABLE before AS SELECT md5(string_agg(line::text, E'\n' ORDER BY n)) AS lines FROM memory.export_user('twin') WITH ORDINALITY AS e (line, n);
SELECT memory.forget(user_id => 'ada', id => forgetting.episode(4)) ->> 'episodes' AS episodes;
SELECT memory.scrub();
VACUUM (INDEX_CLEANUP ON) memory.episodes;
SELECT memory.scrub() > 0 AS wrote;
-- Nothing is left to do.
SELECT memory.scrub();
-- Answers are what they were.
SELECT lines = (SELECT md5(string_agg(line::text, E'\n' ORDER BY n)) FROM memory.export_user('twin') WITH ORDINALITY AS e (line, n)) AS same FROM before;
SELECT content FROM memory.recall('zebras', user_id => 'twin', k => 2);

-- An index of the owner's, of an access method whose pages are not known here, is named.
CREATE INDEX of_the_owners ON memory.episodes USING gin (metadata);
SELECT memory.scrub();
DROP INDEX memory.of_the_owners;

-- Clean up
SELECT memory.forget_user('twin') ->> 'facts' AS facts;
DROP SCHEMA forgetting CASCADE;
DROP OWNED BY regress_memory_scrubber;
DROP ROLE regress_memory_scrubber;
