-- Synonyms and stop words per index: PostgreSQL's own dictionaries, asked one after another.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
-- A file of synonyms in the server's folder tsearch_data: this one is PostgreSQL's example, "postgres pgsql" among its lines.
CREATE TEXT SEARCH DICTIONARY public.words_alike (TEMPLATE = synonym, synonyms = synonym_sample);
CREATE TEXT SEARCH DICTIONARY public.alike_then_stems (TEMPLATE = memory.chain, dictionaries = 'public.words_alike, english_stem');
CREATE TABLE notes (id int PRIMARY KEY, customer int, body text);
INSERT INTO notes VALUES (1, 42, 'Upgrading Postgres on Monday'), (2, 42, 'pgsql upgrades are done'), (3, 42, 'PostgreSQL'), (4, 42, 'a printer'), (5, 42, 'the der les');
CREATE INDEX notes_recall ON notes USING recall (customer, body) WITH (dictionary = 'public.alike_then_stems');
SELECT token FROM memory.tokens('PostgreSQL upgrades of the printers', 'alike_then_stems');
-- Both sides: the synonyms meet, and what they do not know is stemmed. By the index and without it.
SELECT id, round((body <@> memory.query('postgres upgrade'))::numeric, 3) AS score FROM notes
WHERE customer = 42 AND body @@@ memory.query('postgres upgrade') ORDER BY body <@> memory.query('postgres upgrade'), id;
SET enable_indexscan = off; SET enable_bitmapscan = off;
SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.query('postgres upgrade') ORDER BY id;
SELECT id FROM notes WHERE customer = 42 AND memory.found(body, '+pgsql -upgrade') ORDER BY id;
RESET enable_indexscan; RESET enable_bitmapscan;
SELECT memory.highlight('Upgrading Postgres', 'postgresql', '[', ']', dictionary => 'public.alike_then_stems');
SELECT memory.verify_index('notes_recall');

-- Stop words of one's own: those of Snowball's option, or of a dictionary that knows nothing else (accept = false).
CREATE TEXT SEARCH DICTIONARY public.no_german (TEMPLATE = simple, stopwords = german, accept = false);
ALTER TEXT SEARCH DICTIONARY public.alike_then_stems (dictionaries = 'public.no_german, public.words_alike, english_stem');
SELECT token FROM memory.tokens('the der les Postgres', 'alike_then_stems');
-- What the index was built by has changed, and it says so.
SET client_min_messages = warning;
SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.query('postgres') AND pg_catalog.length(body) > 0 ORDER BY id;
REINDEX INDEX notes_recall;
SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.query('postgres') ORDER BY id;
-- So does a change of a dictionary that the chain asks.
ALTER TEXT SEARCH DICTIONARY public.no_german (stopwords = french);
SELECT token FROM memory.tokens('the der les Postgres', 'alike_then_stems');
SET enable_seqscan = off;
SELECT id FROM notes WHERE customer = 42 AND body @@@ memory.query('postgres') ORDER BY id;
RESET enable_seqscan;

-- The language is that of the first member with one; other scripts keep theirs.
CREATE TEXT SEARCH DICTIONARY public.russian_chain (TEMPLATE = memory.chain, dictionaries = 'public.words_alike, russian_stem, english_stem');
SELECT token FROM memory.tokens('поезда trains', 'russian_chain');
-- Episodes, facts and items of agents.
SELECT memory.set_dictionary('public.alike_then_stems');
SELECT memory.remember('Postgres is installed', user_id => 'eva') IS NOT NULL AS remembered;
SELECT content FROM memory.recall('pgsql', user_id => 'eva');
SELECT memory.set_dictionary(NULL);
DELETE FROM memory.episodes WHERE user_id = 'eva';

-- Refused: what is no chain.
SELECT d, pg_temp.refused(format('CREATE TEXT SEARCH DICTIONARY public.bad (TEMPLATE = memory.chain%s)', d)) FROM unnest(ARRAY['', ', dictionaries = ''''',
    ', dictionaries = ''words_alike''', ', dictionaries = ''public.words_alike,,english_stem''', ', dictionaries = ''a.b.c.d''', ', dictionaries = ''no_such''',
    ', dictionaries = ''public.alike_then_stems''', ', words = ''english_stem''', ', dictionaries = ''simple'', "Dictionaries" = ''simple''',
    ', dictionaries = ''simple,simple,simple,simple,simple,simple,simple,simple,simple''']) d;
SELECT pg_temp.refused('ALTER TEXT SEARCH DICTIONARY public.alike_then_stems (dictionaries = ''public.russian_chain'')');
-- A member that is gone or not there yet, as in a dump, which has dictionaries in the order of their names: a warning, and an error in use.
DROP TEXT SEARCH DICTIONARY public.no_german;
SELECT pg_temp.refused($$SELECT memory.tokens('a', 'alike_then_stems')$$);
ALTER TEXT SEARCH DICTIONARY public.alike_then_stems (dictionaries = 'public.words_alike, english_stem');
SELECT token FROM memory.tokens('Postgres trains', 'alike_then_stems');
CREATE TEXT SEARCH DICTIONARY public.early (TEMPLATE = memory.chain, dictionaries = 'public.late, english_stem');
SELECT pg_temp.refused($$SELECT ts_lexize('public.early', 'trains')$$);
CREATE TEXT SEARCH DICTIONARY public.late (TEMPLATE = synonym, synonyms = synonym_sample);
SELECT ts_lexize('public.early', 'trains'), ts_lexize('public.early', 'postgres'), ts_lexize('public.early', 'the');
DROP TABLE notes;
DROP TEXT SEARCH DICTIONARY public.early, public.late, public.russian_chain, public.alike_then_stems, public.words_alike;
