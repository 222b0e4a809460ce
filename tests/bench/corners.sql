-- What tests/bench/parts/corners.sh measures: tables, the calls, and a loop that times each of them.
SET client_min_messages = warning;
SET synchronous_commit = off;

-- Episodes; a table of an application with an index of its own, and the same table as it is before any VACUUM.
INSERT INTO memory.episodes (user_id, session_id, role, kind, content, metadata, occurred_at)
    SELECT tenant, 's' || n / 50, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, (ARRAY['episodic', 'semantic'])[1 + n % 2], body,
        jsonb_build_object('topic', n % 20), timestamptz '2026-01-01' + n * interval '10 seconds'
    FROM (SELECT tenant, body, row_number() OVER (PARTITION BY tenant ORDER BY id) AS n FROM texts) t;
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'person ' || n % 2000, 'predicate', 'likes ' || n / 2000,
    'object', left(body, 60))) FROM (SELECT body, row_number() OVER (ORDER BY id) AS n FROM texts ORDER BY id LIMIT 20000) t), '1') \g /dev/null
CREATE TABLE notes AS SELECT id, tenant::text AS tenant, body FROM texts ORDER BY id;
CREATE INDEX ON notes USING recall (tenant, body);
CREATE TABLE shared_notes AS TABLE notes;
CREATE INDEX ON shared_notes USING recall (body);
CHECKPOINT;
VACUUM ANALYZE;
CREATE TABLE fresh_notes (LIKE notes) WITH (autovacuum_enabled = false);
INSERT INTO fresh_notes TABLE notes;
CREATE INDEX ON fresh_notes USING recall (tenant, body);
ANALYZE fresh_notes;
CREATE TABLE scattered AS SELECT ctid AS place FROM shared_notes ORDER BY md5(id::text) LIMIT 1000;
CREATE ROLE bench_app;
SELECT memory.grant_access('bench_app', 'reader') \g /dev/null
GRANT SELECT ON queries TO bench_app;

-- $1 is the user, $2 the words of a query; {"words": …} stands for other forms of them.
CREATE TABLE calls (n serial, name text, statement text, plain text);
INSERT INTO calls (name, statement) VALUES
    ('index: words', 'SELECT id FROM notes WHERE tenant = $1 AND body @@@ query($2) ORDER BY body <@> query($2) LIMIT 10'),
    ('index, shared: words', 'SELECT id FROM shared_notes WHERE body @@@ query($2) ORDER BY body <@> query($2) LIMIT 10'),
    ('index, shared: words, and 1,000 rows by their places', 'SELECT * FROM (SELECT id FROM shared_notes WHERE body @@@ query($2) ORDER BY body <@> query($2) LIMIT 10) best
        UNION ALL SELECT id FROM shared_notes WHERE ctid = ANY (ARRAY(SELECT place FROM scattered))'),
    ('recall', 'SELECT id FROM memory.recall_scored($2, user_id => $1)'),
    ('recall, no signals', 'SELECT id FROM memory.recall_scored($2, user_id => $1)'),
    ('recall_recent', 'SELECT id FROM memory.recall_recent(user_id => $1)'),
    ('recall_facts', 'SELECT id FROM memory.recall_facts($2, user_id => ''1'')'),
    ('facts of a subject', 'SELECT id FROM memory.facts(''person 7'', user_id => ''1'')'),
    ('recall, and the newest episode', 'SELECT r.id FROM memory.recall_recent(user_id => $1, k => 1) n, memory.recall_scored($2, user_id => $1) r'),
    ('what overview shows, by plain SQL', 'SELECT (SELECT jsonb_object_agg(kind, n) FROM (SELECT kind, count(*) AS n FROM memory.episodes WHERE namespace = ''default'' AND user_id = $1 GROUP BY kind) k),
        (SELECT count(*) FROM memory.facts WHERE namespace = ''default'' AND user_id = $1 AND known_until = ''infinity'' AND valid_from <= now() AND valid_until > now()),
        (SELECT jsonb_agg(f) FROM (SELECT id, subject, predicate, object FROM memory.facts WHERE namespace = ''default'' AND user_id = $1 AND known_until = ''infinity'' AND valid_from <= now() AND valid_until > now() ORDER BY valid_from DESC LIMIT 10) f),
        (SELECT jsonb_agg(s) FROM (SELECT session_id, updated_at FROM memory.sessions WHERE namespace = ''default'' AND user_id = $1 ORDER BY updated_at DESC LIMIT 10) s),
        (SELECT max(occurred_at) FROM memory.episodes WHERE namespace = ''default'' AND user_id = $1)'),
    ('sizes of the same relations', 'SELECT sum(pg_table_size(oid)) FROM pg_class WHERE relnamespace = ''memory''::regnamespace AND relkind = ANY (''{r,i}''::"char"[])');
INSERT INTO calls (name, statement, plain)
SELECT format(name, place), format(replace(statement, '{table}', relation), scope), plain FROM
    (VALUES ('index', 'notes', 'tenant = $1 AND', 'index: words'), ('index, shared', 'shared_notes', '', 'index, shared: words')) places (place, relation, scope, plain),
    (VALUES ('%s: websearch, no marks', 'SELECT id FROM {table} WHERE %s body @@@ websearch_query($2) ORDER BY body <@> query($2) LIMIT 10'),
        ('%s: websearch, +each +word', 'SELECT id FROM {table} WHERE %s body @@@ websearch_query(regexp_replace($2, ''(\S+)'', ''+\1'', ''g'')) ORDER BY body <@> query($2) LIMIT 10'),
        ('%s: websearch, -last word', 'SELECT id FROM {table} WHERE %s body @@@ websearch_query(regexp_replace($2, ''(\S+)$'', ''-\1'')) ORDER BY body <@> query($2) LIMIT 10'),
        ('%s: websearch, "first two"', 'SELECT id FROM {table} WHERE %s body @@@ websearch_query(regexp_replace($2, ''^(\S+ \S+)'', ''"\1"'')) ORDER BY body <@> query($2) LIMIT 10'),
        ('%s: websearch, ordered by the phrase', 'SELECT id FROM {table} WHERE %s true ORDER BY body <@> websearch_query(regexp_replace($2, ''^(\S+ \S+)'', ''"\1"'')) LIMIT 10'),
        ('%s: websearch, first three letters*', 'SELECT id FROM {table} WHERE %s body @@@ websearch_query(regexp_replace($2, ''^(\S{3})\S*'', ''\1*'')) ORDER BY body <@> query($2) LIMIT 10'),
        ('%s: filter alone, first 10', 'SELECT id FROM {table} WHERE %s body @@@ query($2) LIMIT 10'),
        ('%s: the words of twenty queries in one', 'SELECT id FROM {table} WHERE %s body @@@ query((SELECT string_agg(words, '' '') FROM (SELECT words FROM queries ORDER BY n LIMIT 20) q)) ORDER BY body <@> query((SELECT string_agg(words, '' '') FROM (SELECT words FROM queries ORDER BY n LIMIT 20) q)) LIMIT 10'),
        ('%s: twenty queries one after another', 'SELECT r.id FROM (SELECT words FROM queries ORDER BY n LIMIT 20) q, LATERAL (SELECT id FROM {table} WHERE %s body @@@ query(q.words) ORDER BY body <@> query(q.words) LIMIT 10) r'),
        ('%s: the first 1,000', 'SELECT id FROM {table} WHERE %s body @@@ query($2) ORDER BY body <@> query($2) LIMIT 1000'),
        ('%s: min_relevance .5, all', 'SELECT id FROM {table} WHERE %s true ORDER BY body <@> query($2, 0.5)')) forms (name, statement);
INSERT INTO calls (name, statement, plain) VALUES
    ('index: words, before any VACUUM', 'SELECT id FROM fresh_notes WHERE tenant = $1 AND body @@@ query($2) ORDER BY body <@> query($2) LIMIT 10', 'index: words'),
    ('recall under protect()', 'SELECT id FROM memory.recall_scored($2, user_id => $1)', 'recall'),
    ('recall_recent under protect()', 'SELECT id FROM memory.recall_recent(user_id => $1)', 'recall_recent'),
    ('recall, k => 100', 'SELECT id FROM memory.recall_scored($2, user_id => $1, k => 100)', 'recall'),
    ('recall, skip => 1000', 'SELECT id FROM memory.recall_scored($2, user_id => $1, skip => 1000)', 'recall'),
    ('recall, filter', 'SELECT id FROM memory.recall_scored($2, user_id => $1, filter => ''{"topic": 7}'')', 'recall'),
    ('recall, filter by $gt', 'SELECT id FROM memory.recall_scored($2, user_id => $1, filter => ''{"topic": {"$gt": 7}}'')', 'recall'),
    ('recall, since', 'SELECT id FROM memory.recall_scored($2, user_id => $1, since => ''2026-01-02'')', 'recall'),
    ('recall, one session', 'SELECT id FROM memory.recall_scored($2, user_id => $1, session_id => ''s1'')', 'recall'),
    ('recall, diversity .5', 'SELECT id FROM memory.recall_scored($2, user_id => $1, diversity => 0.5)', 'recall'),
    ('recall, no context', 'SELECT id FROM memory.recall_scored($2, user_id => $1, context_weight => 0)', 'recall'),
    ('recall_recent, one session', 'SELECT id FROM memory.recall_recent(user_id => $1, session_id => ''s1'')', 'recall_recent'),
    ('recall_recent, filter', 'SELECT id FROM memory.recall_recent(user_id => $1, filter => ''{"topic": 7}'')', 'recall_recent'),
    ('explain_recall', 'SELECT memory.explain_recall((SELECT id FROM memory.recall_recent(user_id => $1, k => 1)), $2, user_id => $1)', 'recall, and the newest episode'),
    ('context', 'SELECT memory.context($2, user_id => $1)', 'recall'),
    ('overview', 'SELECT memory.overview(user_id => $1)', 'what overview shows, by plain SQL'),
    ('facts, valid and known last year', 'SELECT id FROM memory.facts(''person 7'', user_id => ''1'', valid_at => ''2025-01-01'', known_at => ''2027-01-01'')', 'facts of a subject'),
    ('recall_facts, known now', 'SELECT id FROM memory.recall_facts($2, user_id => ''1'', known_at => now())', 'recall_facts'),
    ('status', 'SELECT * FROM memory.status', 'sizes of the same relations');
-- As many words in one query as in twenty: what a word more costs is no corner.
UPDATE calls SET plain = replace(name, 'the words of twenty queries in one', 'twenty queries one after another') WHERE name LIKE '%: the words of twenty queries in one';
UPDATE calls SET plain = NULL WHERE name LIKE '%: twenty queries one after another';
UPDATE calls SET plain = 'recall, no signals' WHERE name = 'recall';
-- A thousand rows are read, whichever they are.
UPDATE calls SET plain = 'index, shared: words, and 1,000 rows by their places' WHERE name = 'index, shared: the first 1,000';
DELETE FROM calls c WHERE name NOT LIKE '%' || current_setting('bench.calls') || '%'
    AND NOT EXISTS (SELECT FROM calls o WHERE o.plain = c.name AND o.name LIKE '%' || current_setting('bench.calls') || '%');

-- Each query once unseen, then timed; the buffers of every tenth. After ten seconds the rest of the queries is left out.
CREATE TABLE times (call int, ms float8, buffers bigint);
GRANT SELECT ON calls TO bench_app;
GRANT INSERT ON times TO bench_app;
CREATE PROCEDURE measure(call calls) LANGUAGE plpgsql AS $$
DECLARE
    ask queries; began timestamptz; ms float8; plan json; buffers bigint; started timestamptz := clock_timestamp();
    explained text := 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, FORMAT JSON) SELECT count(answer) FROM (' || call.statement || ') answer';
    timed text := 'SELECT count(answer) FROM (' || call.statement || ') answer';
BEGIN
    EXECUTE 'SET LOCAL memory.recall_signals = ' || CASE WHEN call.name LIKE '%no signals' THEN 'none' ELSE 'DEFAULT' END;
    FOR ask IN SELECT * FROM queries ORDER BY n LOOP
        PERFORM set_config('memory.user_id', ask.tenant::text, true);
        EXECUTE timed USING ask.tenant::text, ask.words;
        began := clock_timestamp();
        EXECUTE timed USING ask.tenant::text, ask.words;
        ms := 1000 * extract(epoch FROM clock_timestamp() - began);
        buffers := NULL;
        IF ask.n % 10 = 1 THEN
            EXECUTE explained INTO plan USING ask.tenant::text, ask.words;
            buffers := (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::bigint + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::bigint;
        END IF;
        INSERT INTO times VALUES (call.n, ms, buffers);
        EXIT WHEN clock_timestamp() > started + interval '10 seconds';
    END LOOP;
END $$;
DO $$ DECLARE call calls; BEGIN
    FOR call IN SELECT * FROM calls WHERE name NOT LIKE '%protect()%' ORDER BY n LOOP CALL measure(call); END LOOP;
END $$;
SELECT memory.protect() \g /dev/null
SET ROLE bench_app;
DO $$ DECLARE call calls; BEGIN
    FOR call IN SELECT * FROM calls WHERE name LIKE '%protect()%' ORDER BY n LOOP CALL measure(call); END LOOP;
END $$;
RESET ROLE;
SELECT memory.unprotect() \g /dev/null

\pset format unaligned
\pset tuples_only on
WITH figures AS (
    SELECT c.*, percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS p50, percentile_disc(0.99) WITHIN GROUP (ORDER BY ms) AS p99, avg(buffers) AS pages
    FROM calls c JOIN times t ON t.call = c.n GROUP BY c.n, c.name, c.statement, c.plain)
SELECT format('| %s | %s / %s | %s | %s | %s / %s | %s | %s | %s |', f.name, round(f.p50::numeric, 3), round(f.p99::numeric, 2), round(f.pages), p.name, round(p.p50::numeric, 3),
    round(p.p99::numeric, 2), round(p.pages), round((f.p50 / nullif(p.p50, 0))::numeric, 1), round(f.pages / nullif(p.pages, 0), 1))
FROM figures f JOIN figures p ON p.name = f.plain ORDER BY f.p50 / nullif(p.p50, 0) DESC NULLS LAST, f.n;
DROP OWNED BY bench_app;
DROP ROLE bench_app;
