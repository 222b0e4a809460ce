-- memory.set_dictionary: agents that speak another language than English.
\pset format unaligned
\pset footer off
\set VERBOSITY terse
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_dictionary_app, regress_dictionary_admin;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SET memory.user_id = 'eva';
SET memory.fuzzy = off; -- words of other dictionaries are near each other
SELECT count(memory.remember(t)) FROM unnest('{Die Rechnungen kamen zu spät.,Der Drucker druckt wieder.,Les factures sont arrivées.,Two late invoices}'::text[]) t;
SELECT count(memory.assert_fact('Eva', p, o)) FROM (VALUES ('bezahlt', 'keine Rechnungen'), ('paie', 'une facture')) v(p, o);
CREATE FUNCTION pg_temp.found(word text) RETURNS TABLE (episodes text, facts text, facts_then text) LANGUAGE sql AS $$
    SELECT (SELECT string_agg(content, ', ' ORDER BY content) FROM memory.recall(word)),
        (SELECT string_agg(object, ', ' ORDER BY object) FROM memory.recall_facts(word)),
        (SELECT string_agg(object, ', ' ORDER BY object) FROM memory.recall_facts(word, known_at => now()))
$$;
-- English stems do not find them.
SELECT * FROM pg_temp.found('Rechnung');
SELECT memory.set_dictionary('german_stem');
SELECT * FROM pg_temp.found('Rechnung');
SELECT x #>> '{lexical,terms,0,term}' AS term FROM memory.recall('Rechnung') r, memory.explain_recall(r.id, 'Rechnungen') x;
SELECT relname, reloptions FROM pg_class WHERE relname IN ('episodes_by_text', 'facts_by_text') ORDER BY 1;
SELECT c, memory.verify_index(c) FROM unnest('{memory.episodes_by_text,memory.facts_by_text}'::regclass[]) c;
-- What is written from now on is found so as well. Other options stay.
ALTER INDEX memory.episodes_by_text SET (k1 = 1.2);
SELECT memory.remember('Drei Rechnungen') IS NOT NULL AS remembered;
SELECT * FROM pg_temp.found('Rechnung');
SELECT memory.set_dictionary('french_stem');
SELECT * FROM pg_temp.found('factures');
SELECT reloptions FROM pg_class WHERE relname = 'episodes_by_text';
-- By whatever name: it is noted with its schema.
SET search_path = pg_temp, public;
CREATE TEXT SEARCH DICTIONARY public."of ours" (TEMPLATE = snowball, LANGUAGE = german);
SELECT memory.set_dictionary('"of ours"');
SET search_path = pg_catalog;
SELECT * FROM pg_temp.found('Rechnung');
RESET search_path;
-- What is set already is not built again.
SELECT pg_relation_filenode('memory.episodes_by_text') AS node \gset
SELECT memory.set_dictionary('public."of ours"');
SELECT pg_relation_filenode('memory.episodes_by_text') = :node AS same;
-- An index that init() makes anew speaks the same language.
DROP INDEX memory.facts_by_text;
SELECT memory.init();
SELECT * FROM pg_temp.found('Rechnung');
-- For the owner and admins.
CREATE ROLE regress_dictionary_app;
CREATE ROLE regress_dictionary_admin;
SELECT memory.grant_access('regress_dictionary_app', 'writer'), memory.grant_access('regress_dictionary_admin', 'admin');
SET ROLE regress_dictionary_app;
SELECT memory.set_dictionary('german_stem');
SELECT * FROM pg_temp.found('Rechnung');
SET ROLE regress_dictionary_admin;
SELECT memory.set_dictionary(NULL);
SELECT * FROM pg_temp.found('Rechnung');
SELECT relname, reloptions FROM pg_class WHERE relname IN ('episodes_by_text', 'facts_by_text') ORDER BY 1;
RESET ROLE;
-- One that there is not.
SELECT memory.set_dictionary('klingon_stem');
SELECT memory.set_dictionary(4294967295::oid::regdictionary);
DROP TEXT SEARCH DICTIONARY public."of ours";
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
DROP ROLE regress_dictionary_app, regress_dictionary_admin;
