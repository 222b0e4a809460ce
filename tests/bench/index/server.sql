-- What PostgreSQL's engines are measured with: each statement runs in a loop of PL/pgSQL, prepared as
-- in any client, between two readings of the clock. The client and its protocol are left out.

CREATE FUNCTION milliseconds_since(began timestamptz) RETURNS float8 LANGUAGE sql VOLATILE AS
'SELECT 1000 * extract(epoch FROM clock_timestamp() - began)::float8';

-- Makes NAME(budget): the milliseconds of each of the queries, until the budget of seconds is spent.
-- The statement returns ids; it reads the variables who, words and lexemes.
CREATE PROCEDURE make_timed(name text, queries text, statement text) LANGUAGE plpgsql AS $make$
BEGIN
    EXECUTE format($create$
        CREATE FUNCTION %I(budget float8) RETURNS SETOF float8 LANGUAGE plpgsql AS $body$
        DECLARE
            who int; words text; lexemes tsquery; found int[];
            started timestamptz := clock_timestamp(); began timestamptz; ended timestamptz;
        BEGIN
            FOR who, words, lexemes IN SELECT q.tenant, q.words, q.lexemes FROM %s q ORDER BY n LOOP
                began := clock_timestamp();
                SELECT array_agg(id) INTO found FROM (%s) top;
                ended := clock_timestamp();
                RETURN NEXT extract(epoch FROM ended - began) * 1000;
                EXIT WHEN ended > started + budget * interval '1 second';
            END LOOP;
        END $body$ $create$, name, queries, statement);
END $make$;

-- Inserts the rows kept for it into a table, a transaction each; their milliseconds come to the
-- table `inserted`, with all WAL that was written.
CREATE TABLE inserted (engine text, milliseconds float8);
CREATE TABLE inserted_wal (engine text, bytes float8);
CREATE PROCEDURE make_inserts(engine text, target text) LANGUAGE plpgsql AS $make$
BEGIN
    EXECUTE format($create$
        CREATE PROCEDURE %I() LANGUAGE plpgsql AS $body$
        DECLARE
            row record; began timestamptz; times float8[] := '{}';
            first_wal pg_lsn := pg_current_wal_insert_lsn(); wal numeric;
        BEGIN
            FOR row IN SELECT * FROM texts_to_insert ORDER BY id LOOP
                began := clock_timestamp();
                INSERT INTO %s VALUES (row.id, row.tenant, row.body);
                COMMIT;
                times := times || (1000 * extract(epoch FROM clock_timestamp() - began))::float8;
            END LOOP;
            wal := pg_current_wal_insert_lsn() - first_wal;
            INSERT INTO inserted SELECT %L, unnest(times);
            INSERT INTO inserted_wal SELECT %L, wal / cardinality(times);
        END $body$ $create$, 'insert_' || engine, target, engine, engine);
END $make$;

-- Scores of all matching documents of a tenant, from the index and by brute force: how many there
-- are, and how many of them differ or are in one list only.
CREATE FUNCTION compare_scores(who int, words text, OUT compared bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
BEGIN
    WITH indexed AS MATERIALIZED (
        SELECT id, -(body OPERATOR(memory.<@>) memory.query(words)) AS score FROM documents
        WHERE tenant = who AND body OPERATOR(memory.@@@) memory.query(words)
        ORDER BY body OPERATOR(memory.<@>) memory.query(words)),
    given AS (SELECT array_agg(id) AS ids, array_agg(body) AS bodies FROM documents WHERE tenant = who),
    brute AS (SELECT b.id, b.score FROM given, memory.bm25_rank(ids, bodies, words) b)
    SELECT count(*), count(*) FILTER (WHERE (abs(i.score - b.score) <= 1e-6) IS NOT TRUE) INTO compared, wrong
    FROM indexed i FULL JOIN brute b USING (id);
END $$;
