-- How long a user of 100,000 episodes takes to leave a database and to enter it under another name (docs/moving.md):
--     tools/stage && tools/server start && . build/server.env && createdb moving && psql -d moving -f tests/bench/moving.sql
SET client_min_messages = error;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
\timing on
\echo remember_many
SELECT count(*) FROM memory.remember_many((
    SELECT jsonb_agg(jsonb_build_object('content', 'note ' || i || ' about trains to ' || (ARRAY['Vienna', 'Paris', 'Rome', 'Oslo'])[i % 4 + 1] || ' and ' || md5(i::text) || ' things that were said',
        'session_id', 's' || i % 100, 'embedding', (SELECT jsonb_agg(hashint4(i * 64 + j) % 1000 / 1000.0) FROM generate_series(1, 64) j))) FROM generate_series(1, 100000) i), user_id => 'ann');
\echo export_user
CREATE TEMP TABLE line AS SELECT * FROM memory.export_user('ann') WITH ORDINALITY l (line, n);
\echo import_user, 10,000 lines a call
SELECT count(memory.import_user(lines, user_id => 'bob')) FROM (SELECT array_agg(line ORDER BY n) AS lines FROM line GROUP BY (n - 1) / 10000 ORDER BY (n - 1) / 10000) p;
\echo import_user again
SELECT count(memory.import_user(lines, user_id => 'bob')) FROM (SELECT array_agg(line ORDER BY n) AS lines FROM line GROUP BY (n - 1) / 10000 ORDER BY (n - 1) / 10000) p;
\timing off
SELECT count(*) AS lines, pg_size_pretty(sum(octet_length(line::text))) AS size,
    (SELECT count(*) FROM memory.export_user('bob') WITH ORDINALITY l (copy, n) JOIN line USING (n) WHERE copy - 'user_id' = line - 'user_id') AS the_same FROM line;
SELECT memory.verify_index('memory.episodes_by_text');
