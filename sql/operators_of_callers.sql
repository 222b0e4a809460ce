-- What a statement of the library means does not depend on the caller's search_path: a wrapper that is
-- SECURITY DEFINER would run what its caller has put there.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP EXTENSION IF EXISTS memory CASCADE;
DROP SCHEMA IF EXISTS memory CASCADE;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
CREATE SCHEMA captured;
-- Every operator between these types, and some functions, that tell when they are called.
DO $$
DECLARE o record; types constant regtype[] = '{text,name,uuid,bool,int4,int8,float4,float8,oid,tid,jsonb,timestamptz,interval,text[],uuid[]}';
BEGIN
    FOR o IN SELECT oprname, oprleft::regtype AS l, oprright::regtype AS r, oprresult::regtype AS result, oid FROM pg_operator
        WHERE oprnamespace = 'pg_catalog'::regnamespace AND oprleft = ANY (types) AND oprright = ANY (types) LOOP
        EXECUTE format('CREATE FUNCTION captured.operator_%s(%s, %s) RETURNS %s LANGUAGE plpgsql AS %L', o.oid, o.l, o.r, o.result,
            format('BEGIN RAISE EXCEPTION USING MESSAGE = %L; END', 'captured: ' || o.l || ' ' || o.oprname || ' ' || o.r));
        EXECUTE format('CREATE OPERATOR captured.%s (LEFTARG = %s, RIGHTARG = %s, FUNCTION = captured.operator_%s)', o.oprname, o.l, o.r, o.oid);
    END LOOP;
    FOR o IN SELECT proname, pg_get_function_identity_arguments(oid) AS arguments, prorettype::regtype AS result FROM pg_proc
        WHERE pronamespace = 'pg_catalog'::regnamespace AND prokind = 'f' AND NOT proretset AND provariadic = 0 AND proname IN
        ('now', 'statement_timestamp', 'clock_timestamp', 'current_setting', 'hashtextextended', 'octet_length', 'hashtext', 'chr', 'quote_ident', 'pg_has_role', 'cardinality') LOOP
        EXECUTE format('CREATE FUNCTION captured.%I(%s) RETURNS %s LANGUAGE plpgsql AS %L', o.proname, o.arguments, o.result,
            format('BEGIN RAISE EXCEPTION USING MESSAGE = %L; END', 'captured: ' || o.proname));
    END LOOP;
END $$;
SELECT count(*) > 100 AS many FROM pg_operator WHERE oprnamespace = 'captured'::regnamespace;
CREATE ROLE regress_captured;
SET search_path = captured, pg_catalog;
SELECT memory.set_scope('cara');
\set later '0190163d-8694-739b-aea5-966c26f8ad90'
SELECT memory.remember('the zebra', 'striped', session_id => 's', embedding => '[1,2,3]', ttl => '1 day', id => :'later');
SELECT memory.remember('another zebra', session_id => 's', embedding => '[3,2,1]', id => :'later');
SELECT count(*) FROM memory.remember_many('[{"content": "a zebra", "session_id": "s", "embedding": [1,1,1]}]');
SELECT memory.revise(:'later', 'the zebra, again');
SELECT content FROM memory.get(:'later');
SELECT count(*) FROM memory.recall_recent('episodic');
SELECT count(*) FROM memory.recall('zebra', embedding => '[1,1,1]');
SELECT count(*) FROM memory.recall_scored('zebra', '[1,1,1]', session_id => 's', kinds => '{episodic}', filter => '{"$path": "$.a == 1"}', diversity => 0.5, fallback => 'recent');
SELECT count(*) FROM memory.recall_semantic('[1,1,1]', threshold => 0, kind => 'episodic');
SELECT jsonb_typeof(memory.explain_recall(:'later', 'zebra', '[1,1,1]'));
SELECT memory.define_predicate('knows', 'many', 'known by'), memory.define_predicate('knows', 'many', 'known by');
SELECT memory.assert_fact('Cara', 'knows', 'Dan', embedding => '[1,2,3]', sources => ARRAY[:'later'::uuid]) IS NULL AS missing;
SELECT memory.assert_fact('Cara', 'age', '40', valid_from => '2020-01-01', id => :'later');
SELECT memory.assert_fact('Cara', 'age', '41', valid_from => '2021-01-01') IS NULL AS missing;
SELECT count(*) FROM memory.assert_facts('[{"subject": "Dan", "predicate": "knows", "object": "Eve"}, {"subject": "Dan", "predicate": "knows", "object": "Fay"}]');
SELECT count(*) FROM memory.facts('Cara');
SELECT count(*) FROM memory.facts('Cara', known_at => '2030-01-01');
SELECT count(*) FROM memory.fact_history('Cara', 'age');
SELECT count(*) FROM memory.recall_facts('knows', '[1,2,3]');
SELECT count(*) FROM memory.recall_facts('knows', '[1,2,3]', known_at => '2030-01-01');
SELECT count(*) FROM memory.recall_graph('Dan');
SELECT count(*) FROM memory.neighbors('Dan');
SELECT count(*) FROM memory.neighbors('Dan', known_at => '2030-01-01');
SELECT count(*) FROM memory.traverse('{Cara}');
SELECT memory.merge_entities('Dan', 'Daniel'), memory.merge_entities('Danny', 'Dan');
SELECT memory.reject_fact('Dan', 'knows', 'Fay');
SELECT memory.retract_fact('Dan', 'knows', 'Eve');
SELECT memory.correct_fact(id, object => '42') IS NULL AS missing FROM memory.facts('Cara', 'age') LIMIT 1;
SELECT memory.define_predicate('knows', 'one');
SELECT memory.create_vector_index(3);
SELECT memory.init(3);
SELECT memory.protect('current_user::text'), memory.unprotect();
SELECT memory.grant_access('regress_captured', 'admin'), memory.revoke_access('regress_captured');
RESET search_path;
SET client_min_messages = error;
DROP SCHEMA captured CASCADE;
DROP ROLE regress_captured;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
