-- Run by sql/leaks.sql in a session of its own: 10,000 statements that fail at top level, with every
-- kind of holding and failure in turn, after as many that fill PostgreSQL's caches.
SET log_min_messages = fatal;
CREATE TEMP TABLE failing AS
    SELECT format('SELECT door.fail_holding(%L, %L)', what, how) AS statement,
           row_number() OVER () AS turn, count(*) OVER () AS turns
    FROM unnest(string_to_array(door.holdings(), ',')) AS what,
         unnest('{postgres,catalog,sql,error,int,bad_alloc,exhausted context,long error}'::text[]) AS how;
SELECT f.statement FROM generate_series(1, 10000) AS i JOIN failing f ON f.turn = 1 + i % f.turns \gexec
SELECT coalesce(door.note_usage(), 'warm') AS memory;
SELECT f.statement FROM generate_series(1, 10000) AS i JOIN failing f ON f.turn = 1 + i % f.turns \gexec
SELECT door.growth() < 50000 AS memory_is_as_before;
SELECT * FROM door.leftovers;
