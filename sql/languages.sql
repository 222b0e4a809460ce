-- Rows of several languages in one table: an index for each language with its dictionary, on what is of that language (docs/text.md, "A language per row").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql
CREATE TABLE public.regress_letters (id int PRIMARY KEY, customer text NOT NULL, language text NOT NULL, body text NOT NULL);
INSERT INTO public.regress_letters VALUES
    (1, 'ann', 'en', 'The invoices of both houses are late'), (2, 'ann', 'de', 'Die Rechnungen der Häuser sind zu spät'), (3, 'ann', 'de', 'Eine Rechnung für das Haus, und die Katze'),
    (4, 'ann', 'fr', 'Les factures des maisons arrivent tard'), (5, 'ann', 'en', 'To die in an invoice'), (6, 'ann', 'nl', 'De rekeningen van de huizen'), (7, 'bob', 'de', 'Rechnungen, Rechnungen');
INSERT INTO public.regress_letters SELECT n, 'ann', (ARRAY['en', 'de', 'fr', 'nl'])[1 + n % 4], 'filler ' || n FROM generate_series(100, 400) n;
CREATE INDEX regress_letters_de ON public.regress_letters USING recall (customer, (CASE language WHEN 'de' THEN body END)) WITH (dictionary = 'german_stem') WHERE language = 'de';
CREATE INDEX regress_letters_fr ON public.regress_letters USING recall (customer, (CASE language WHEN 'fr' THEN body END)) WITH (dictionary = 'french_stem') WHERE language = 'fr';
CREATE INDEX regress_letters_rest ON public.regress_letters USING recall (customer, (CASE WHEN language <> ALL ('{de,fr}') THEN body END)) WHERE language <> ALL ('{de,fr}');
VACUUM ANALYZE public.regress_letters;
-- A function a language, which the planner puts in its place, so that queries are short.
CREATE FUNCTION public.regress_de(l public.regress_letters) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT CASE l.language WHEN 'de' THEN l.body END $$;
CREATE FUNCTION public.regress_fr(l public.regress_letters) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT CASE l.language WHEN 'fr' THEN l.body END $$;
CREATE FUNCTION public.regress_rest(l public.regress_letters) RETURNS text IMMUTABLE LANGUAGE sql AS $$ SELECT CASE WHEN l.language <> ALL ('{de,fr}') THEN l.body END $$;
-- Each row by the stems of its own language, whatever plan is taken.
CREATE FUNCTION pg_temp.found(words text) RETURNS TABLE (de text, fr text, rest text) LANGUAGE sql AS $$
    SELECT (SELECT string_agg(id::text, ' ' ORDER BY score DESC, id) FROM (SELECT l.id, - (public.regress_de(l) OPERATOR(memory.<@>) memory.query(words)) AS score FROM public.regress_letters l
            WHERE customer = 'ann' AND language = 'de' AND public.regress_de(l) OPERATOR(memory.@@@) memory.query(words) ORDER BY public.regress_de(l) OPERATOR(memory.<@>) memory.query(words) LIMIT 10) r),
        (SELECT string_agg(id::text, ' ' ORDER BY id) FROM public.regress_letters l WHERE customer = 'ann' AND language = 'fr' AND public.regress_fr(l) OPERATOR(memory.@@@) memory.query(words)),
        (SELECT string_agg(id::text, ' ' ORDER BY id) FROM public.regress_letters l WHERE customer = 'ann' AND language <> ALL ('{de,fr}') AND public.regress_rest(l) OPERATOR(memory.@@@) memory.query(words)) $$;
SELECT words, f.* FROM unnest('{Rechnung,Haus,facture,maison,invoice,die,filler}'::text[]) words, pg_temp.found(words) f WHERE words <> 'filler';
EXPLAIN (COSTS off) SELECT id FROM public.regress_letters l WHERE customer = 'ann' AND language = 'de' ORDER BY public.regress_de(l) OPERATOR(memory.<@>) memory.query('Rechnung') LIMIT 3;
BEGIN;
SET LOCAL enable_indexscan = off;
SET LOCAL enable_bitmapscan = off;
SELECT string_agg(id::text, ' ' ORDER BY id) FROM public.regress_letters l WHERE customer = 'ann' AND language = 'de' AND public.regress_de(l) OPERATOR(memory.@@@) memory.query('Rechnung');
SELECT string_agg(id::text, ' ' ORDER BY id) FROM public.regress_letters l WHERE customer = 'ann' AND language = 'fr' AND public.regress_fr(l) OPERATOR(memory.@@@) memory.query('maison');
ROLLBACK;
-- All languages at once: each by its own statistics, so their places are fused, and not their scores.
WITH ranked AS (
    SELECT id, row_number() OVER (ORDER BY score DESC, id) AS place FROM (SELECT l.id, - (public.regress_de(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture')) AS score FROM public.regress_letters l
        WHERE customer = 'ann' AND language = 'de' AND public.regress_de(l) OPERATOR(memory.@@@) memory.query('invoice Rechnung facture') ORDER BY public.regress_de(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture') LIMIT 10) de
    UNION ALL
    SELECT id, row_number() OVER (ORDER BY score DESC, id) FROM (SELECT l.id, - (public.regress_fr(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture')) AS score FROM public.regress_letters l
        WHERE customer = 'ann' AND language = 'fr' AND public.regress_fr(l) OPERATOR(memory.@@@) memory.query('invoice Rechnung facture') ORDER BY public.regress_fr(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture') LIMIT 10) fr
    UNION ALL
    SELECT id, row_number() OVER (ORDER BY score DESC, id) FROM (SELECT l.id, - (public.regress_rest(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture')) AS score FROM public.regress_letters l
        WHERE customer = 'ann' AND language <> ALL ('{de,fr}') AND public.regress_rest(l) OPERATOR(memory.@@@) memory.query('invoice Rechnung facture') ORDER BY public.regress_rest(l) OPERATOR(memory.<@>) memory.query('invoice Rechnung facture') LIMIT 10) rest)
SELECT id, place, body FROM ranked JOIN public.regress_letters USING (id) ORDER BY place, id;
-- Two partial indexes on the column itself do not do: the dictionary of the first is that of the column, and a query of the second's rows goes by it, too.
CREATE INDEX regress_letters_1 ON public.regress_letters USING recall (customer, body) WITH (dictionary = 'french_stem') WHERE language = 'fr';
CREATE INDEX regress_letters_2 ON public.regress_letters USING recall (customer, body) WITH (dictionary = 'german_stem') WHERE language = 'de';
SELECT string_agg(id::text, ' ' ORDER BY id) AS "by French stems" FROM public.regress_letters WHERE customer = 'ann' AND language = 'de' AND body OPERATOR(memory.@@@) memory.query('Rechnung');
DROP TABLE public.regress_letters CASCADE;
