-- What functions written with MEMORY_CALL say of their arguments is what their declarations say.
\set ECHO none
\getenv door PG_ABS_SRCDIR
\i :door/door_test.sql
\getenv in_source MEMORY_CALLS
SET client_min_messages = warning;
CREATE EXTENSION memory CASCADE;
CREATE FUNCTION door.signatures() RETURNS TABLE (symbol text, names text[], types text[])
    LANGUAGE c AS '$libdir/memory', 'memory_signatures';
\set ECHO all
\pset format unaligned

-- All functions of the source are in the list.
SELECT count(*) = :in_source AND count(*) = count(DISTINCT symbol) AS complete FROM door.signatures();

-- The functions of the extension that a list of arguments is made for: names and types, in their order.
CREATE VIEW declared AS
SELECT p.oid::regprocedure AS function, p.prosrc AS symbol,
       coalesce((SELECT array_agg(p.proargnames[n] ORDER BY n) FROM generate_subscripts(p.proargtypes::oid[], 1) AS g (zero),
           LATERAL (SELECT zero + 1) AS one (n)), '{}') AS names,
       ARRAY(SELECT t.type::regtype FROM unnest(p.proargtypes::oid[]) WITH ORDINALITY AS t (type, n) ORDER BY n) AS types
FROM pg_proc p WHERE p.probin = '$libdir/memory' AND p.prosrc IN (SELECT symbol FROM door.signatures())
    AND p.pronamespace IN ('memory'::regnamespace, 'memory_internal'::regnamespace);
SELECT function, d.names, s.names, d.types, s.types FROM declared d JOIN door.signatures() s USING (symbol)
WHERE d.names <> s.names OR d.types <> ARRAY(SELECT type::regtype FROM unnest(s.types) WITH ORDINALITY AS t (type, n) ORDER BY n);
-- Each is declared.
SELECT symbol FROM door.signatures() EXCEPT SELECT symbol FROM declared;
