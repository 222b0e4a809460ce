-- Under protect() a recall reads about what it reads without: a user's rows are seen or hidden as one, and not one by one (docs/recall.md, "Which rows there are").
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/begun.sql
\i :source/sql/shared/blocks.sql
SELECT memory.set_scope('ann', namespace => 'regress_protect_cost');
INSERT INTO memory.episodes (id, session_id, kind, content, occurred_at)
SELECT ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 's' || n / 50, CASE n % 10 WHEN 0 THEN 'hidden' ELSE 'episodic' END,
    (SELECT string_agg('w' || substr(md5((n * 100 + w)::text), 1, 1 + w % 4), ' ') FROM generate_series(1, 30) w), '2026-01-01'::timestamptz + n * interval '1 minute'
FROM generate_series(1, 3000) n;
VACUUM ANALYZE memory.episodes;
CREATE FUNCTION pg_temp.recalled() RETURNS text LANGUAGE sql AS $$ SELECT string_agg(format('%s %s', right(id::text, 4), round(score::numeric, 6)), ', ' ORDER BY score DESC, id) FROM memory.recall_scored('wa w1 wab', k => 20) $$;
SELECT pg_temp.recalled() AS plain, pg_temp.blocks($$SELECT * FROM memory.recall_scored('wa w1 wab')$$) AS blocks \gset
CREATE ROLE regress_protect_cost_app;
SELECT memory.grant_access('regress_protect_cost_app', 'reader');
SELECT memory.protect();
SET ROLE regress_protect_cost_app;
SELECT pg_temp.recalled() = :'plain' AS same, pg_temp.blocks($$SELECT * FROM memory.recall_scored('wa w1 wab')$$) <= 2 * :blocks AS "at most twice";
SELECT count(*) FROM memory.recall_scored('wa w1 wab', user_id => 'bob');
SELECT pg_temp.blocks($$SELECT memory.explain_recall('00000000-0000-7000-8000-000000000001', 'wa w1 wab')$$) <= 3 * :blocks AS "explained, too";
RESET ROLE;
-- Policies that ask for more of a row are asked about every row: by a column, by one in a subquery, by chance.
CREATE FUNCTION pg_temp.kinds(policy text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE kinds text;
BEGIN
    RESET ROLE;
    EXECUTE format('CREATE POLICY more ON memory.episodes AS RESTRICTIVE USING (%s)', policy);
    SET ROLE regress_protect_cost_app;
    SELECT concat_ws(' ', count(*) > 0, string_agg(DISTINCT kind, ' ')) INTO kinds FROM memory.recall_scored('wa w1 wab', k => 50);
    RESET ROLE;
    DROP POLICY more ON memory.episodes;
    RETURN kinds;
END $$;
SELECT policy, pg_temp.kinds(policy) FROM unnest(ARRAY['true', 'user_id = ''ann''', 'kind <> ''hidden''', '(SELECT kind) = ''episodic''', 'EXISTS (SELECT FROM (SELECT kind AS k) q WHERE k = ''episodic'')',
    'episodes.* IS NOT NULL OR kind = ''episodic''', 'kind = ''episodic'' OR random() < 0', 'user_id <> ''ann''']) policy;
RESET ROLE;
SELECT memory.unprotect();
SELECT memory.revoke_access('regress_protect_cost_app');
DROP ROLE regress_protect_cost_app;
SELECT memory.forget_user('ann') -> 'episodes' AS episodes;
SELECT memory.set_scope();
