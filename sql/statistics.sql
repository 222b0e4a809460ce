-- The planner's statistics hold nothing of what users say: neither of the tables, for whoever may read those, nor of
-- the indexes, to which row security does not apply; and nothing that was deleted goes on there.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP ROLE IF EXISTS regress_statistics_owner;
CREATE ROLE regress_statistics_owner;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE SCHEMA memory AUTHORIZATION regress_statistics_owner;
CREATE EXTENSION memory CASCADE;
SET ROLE regress_statistics_owner;
SET memory.user_id = 'ada';
SELECT memory.init(3);

-- Every text says "secret".
SELECT count(memory.remember('secret ' || n, 'the secret answer ' || n, session_id => 'secret session ' || n % 5, agent_id => 'secret agent', kind => 'secret kind',
    role => 'secret role', metadata => jsonb_build_object('secret', n), transcript => '["secret"]', embedding => format('[%s,4711,1]', n)::public.vector)) FROM generate_series(1, 60) n;
SELECT count(memory.revise(id, 'secret again')) FROM memory.recall_recent(k => 20);
SELECT memory.define_predicate('secret thing', 'many', 'secret inverse');
SELECT memory.define_predicate('secret other', 'many', 'secret inverse');
SELECT count(memory.assert_fact('secret ' || n % 3, 'secret thing', 'secret ' || n, metadata => '{"secret": 1}', embedding => format('[%s,4711,1]', n)::public.vector)) FROM generate_series(1, 60) n;
SELECT count(memory.reject_fact('secret ' || n, 'secret thing', 'secret x', 'secret reason')) FROM generate_series(1, 10) n;
SELECT count(memory.merge_entities('secret ' || n % 2, 'secret alias ' || n)) FROM generate_series(1, 10) n;
INSERT INTO memory.usage SELECT namespace, user_id, id, 3, now() FROM memory.episodes;

-- What ANALYZE has kept, of which relations: all of it, and that with a secret in it.
RESET ROLE;
CREATE TEMP VIEW kept AS
    SELECT starelid::regclass::text AS relation, attname, s::text AS statistics
    FROM pg_statistic s JOIN pg_class c ON c.oid = starelid JOIN pg_attribute a ON attrelid = starelid AND attnum = staattnum
    WHERE relnamespace = 'memory'::regnamespace;
CREATE TEMP VIEW secrets AS SELECT relation, attname FROM kept WHERE statistics ~* 'secret|\y4711\y';

ANALYZE;
SELECT count(*) > 30 AS "something is kept", count(*) FILTER (WHERE relation ~ 'by_text|nearest|one_belief') AS "of index expressions" FROM kept;
TABLE secrets;
SELECT count(*) AS "as the views show it" FROM pg_stats WHERE schemaname = 'memory' AND pg_stats::text ~* 'secret|\y4711\y';
SELECT count(*) AS "of two columns" FROM pg_stats_ext WHERE schemaname = 'memory';

-- A database that was analyzed before: init() removes what is there, and so that it does not come back. The tables'
-- owner need be no more than that.
CREATE FUNCTION pg_temp.reset_targets() RETURNS void LANGUAGE plpgsql AS $$
DECLARE command text;
BEGIN
    FOR command IN
        SELECT format('ALTER TABLE memory.%I ALTER %I SET STATISTICS -1', relname, attname) FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
        WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND attnum > 0 AND coalesce(attstattarget, -1) = 0 UNION ALL
        SELECT format('ALTER INDEX memory.%I ALTER %s SET STATISTICS -1', relname, attnum) FROM pg_class c JOIN pg_attribute a ON attrelid = c.oid
        WHERE relnamespace = 'memory'::regnamespace AND relkind = 'i' AND coalesce(attstattarget, -1) = 0
    LOOP EXECUTE command; END LOOP;
END $$;
SELECT pg_temp.reset_targets();
ANALYZE;
SELECT relation, string_agg(attname, ' ' ORDER BY attname) AS "kept before" FROM secrets GROUP BY 1 ORDER BY 1;
SET ROLE regress_statistics_owner;
SELECT memory.init();
RESET ROLE;
TABLE secrets;
ANALYZE;
TABLE secrets;
SELECT count(*) > 30 AS "something is kept", count(*) FILTER (WHERE relation ~ 'by_text|nearest|one_belief') AS "of index expressions" FROM kept;

-- SET STATISTICS 0 by hand keeps what is there; init() removes that, too.
SELECT pg_temp.reset_targets();
ANALYZE;
ALTER TABLE memory.facts ALTER statement SET STATISTICS 0;
SELECT relation, attname FROM secrets WHERE attname = 'statement';
SELECT memory.init();
TABLE secrets;

-- A target that somebody has set is kept: this is the owner's to decide. So are statistics of one's own.
ALTER TABLE memory.episodes ALTER kind SET STATISTICS 50;
CREATE STATISTICS memory.mine (mcv) ON kind, importance FROM memory.episodes;
SELECT memory.init();
ANALYZE memory.episodes;
TABLE secrets;
SELECT count(*) AS "the owner's own" FROM pg_statistic_ext WHERE stxnamespace = 'memory'::regnamespace;
DROP STATISTICS memory.mine;
ALTER TABLE memory.episodes ALTER kind SET STATISTICS 0;

-- Every column that has statistics is one that is meant to: a new table says what its words are.
SELECT c.relname, a.attname, format_type(atttypid, atttypmod) AS "of a type that holds words"
FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND attnum > 0 AND NOT attisdropped
WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND coalesce(attstattarget, -1) <> 0 AND attname NOT IN ('namespace', 'user_id', 'model', 'cardinality')
  AND atttypid NOT IN ('uuid'::regtype, 'timestamptz'::regtype, 'int4'::regtype, 'int8'::regtype, 'float4'::regtype, 'float8'::regtype, 'bool'::regtype)
ORDER BY relname, attnum;
SELECT c.relname AS "an index", pg_get_indexdef(indexrelid, attnum, true) AS "whose expression has statistics"
FROM pg_index i JOIN pg_class c ON c.oid = indexrelid JOIN pg_attribute a ON a.attrelid = c.oid
WHERE relnamespace = 'memory'::regnamespace AND indkey[attnum - 1] = 0 AND coalesce(attstattarget, -1) <> 0;

DROP EXTENSION memory CASCADE;
DROP OWNED BY regress_statistics_owner CASCADE;
DROP ROLE regress_statistics_owner;
