-- One set of labelled.py: the queries as they are, with fuzzy off and on; the same of the mistyped ones.
\ir labelled.sql
SELECT pg_temp.judged(false, false);
SELECT pg_temp.judged(false, true);
SELECT pg_temp.judged(true, false);
SELECT pg_temp.judged(true, true);
