-- INSERT and COPY into the tables: the same defaults and checks as remember().
\pset format unaligned
\pset footer off
\pset null '~'
\set SHOW_CONTEXT never
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of bulk';
SET memory.user_id = 'ann';
SET memory.agent_id = 'loader';
SET memory.session_id = 'monday';
SET TimeZone = 'UTC';
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql

-- A row that says nothing but its text is what remember() of that text is.
INSERT INTO memory.episodes (content) VALUES ('inserted');
COPY memory.episodes (content) FROM STDIN;
copied
copied too
\.
SELECT memory.remember('remembered') IS NOT NULL AS remembered;
SELECT content, user_id, session_id, agent_id, kind, role, response, importance, metadata, transcript, expires_at
FROM memory.recall_recent() ORDER BY content;
SELECT count(DISTINCT id) AS ids, bool_and(id::text ~ '^.{14}7.{4}[89ab]') AS v7, bool_and(occurred_at = recorded_at) AS "all now",
       bool_and(namespace = 'test of bulk') AS "in this namespace"
FROM memory.episodes WHERE user_id = 'ann' AND namespace = 'test of bulk';
-- Ids increase, here too.
COPY memory.episodes (content, session_id) FROM STDIN;
1	order
2	order
3	order
\.
SELECT array_agg(content ORDER BY id) AS "in order" FROM memory.recall_recent(session_id => 'order');
-- A row may say everything.
COPY memory.episodes (namespace, user_id, id, session_id, agent_id, kind, role, content, response, occurred_at, importance, metadata, transcript) FROM STDIN;
test of bulk	bob	00000000-0000-7000-8000-0000000000dd	tuesday	critic	note	user	How late is it?	Half past four.	2026-01-02 03:04:05+02	0.25	{"n": 1}	[]
\.
SELECT user_id, session_id, agent_id, kind, role, content, response, occurred_at, importance, metadata, transcript
FROM memory.get('00000000-0000-7000-8000-0000000000dd', 'bob');
-- Without a user, it is the anonymous one's.
RESET memory.user_id;
INSERT INTO memory.episodes (content) VALUES ('of nobody in particular') RETURNING user_id = '' AS anonymous, content;

-- The rules of remember() hold.
SELECT pg_temp.refused(format('INSERT INTO memory.episodes (content, %s) VALUES (''a'', %s)', col, value)) AS refused
FROM (VALUES ('importance', '1.01'), ('importance', '-0.01'), ('importance', $$'NaN'$$), ('importance', 'NULL'),
             ('metadata', $$'[]'$$), ('metadata', $$'"text"'$$), ('metadata', 'NULL'), ('kind', $$''$$), ('kind', 'NULL'),
             ('occurred_at', $$'infinity'$$), ('occurred_at', 'NULL'), ('namespace', $$''$$), ('user_id', 'NULL'),
             ('namespace', $$repeat('x', 513)$$), ('user_id', $$repeat('x', 513)$$), ('session_id', $$repeat('x', 1025)$$),
             ('agent_id', $$repeat('x', 513)$$)) AS v(col, value);
SELECT pg_temp.refused($$INSERT INTO memory.episodes (content) VALUES ('')$$) AS refused
UNION ALL SELECT pg_temp.refused($$INSERT INTO memory.episodes (content, response) VALUES ('', '')$$)
UNION ALL SELECT pg_temp.refused($$INSERT INTO memory.episodes (response) VALUES ('an answer')$$)
UNION ALL SELECT pg_temp.refused($$UPDATE memory.episodes SET importance = 2$$)
UNION ALL SELECT pg_temp.refused($$INSERT INTO memory.episode_revisions SELECT namespace, user_id, '00000000-0000-7000-8000-00000000dead', 1, 'a', NULL, now(), now() FROM memory.episodes LIMIT 1$$);
INSERT INTO memory.episodes (content, response) VALUES ('', 'an answer');
-- One bad row, and nothing of the COPY is there.
\set VERBOSITY terse
COPY memory.episodes (content, importance) FROM STDIN;
good	1
bad	2
\.
\set VERBOSITY default
SELECT count(*) FROM memory.episodes WHERE content IN ('good', 'bad') AND namespace = 'test of bulk';

-- What is over memory.max_content is refused, by INSERT, COPY and UPDATE.
SET memory.max_content = '1kB';
INSERT INTO memory.episodes (content, response) VALUES (repeat('x', 1024), repeat('y', 1024));
INSERT INTO memory.episodes (content) VALUES (repeat('x', 1025));
INSERT INTO memory.episodes (content, response) VALUES ('a', repeat('é', 513));
UPDATE memory.episodes SET content = repeat('z', 1025) WHERE content LIKE 'xxx%' AND namespace = 'test of bulk';
COPY memory.episodes (content) FROM PROGRAM 'printf "short\n%01025d\n" 0';
SELECT length(content) AS content, length(response) AS response FROM memory.episodes
WHERE namespace = 'test of bulk' AND (length(content) > 100 OR length(response) > 100 OR content = 'short');
-- A smaller limit binds the texts written after it: what is there can be read, and changed in what is not text.
SET memory.max_content = '2kB';
INSERT INTO memory.episodes (content, user_id) VALUES (repeat('w', 2048), 'ann');
SET memory.max_content = '1kB';
UPDATE memory.episodes SET importance = 0.5 WHERE length(content) = 2048 AND namespace = 'test of bulk';
SELECT length(content), importance FROM memory.recall_recent(k => 1, user_id => 'ann');
RESET memory.max_content;

-- With memory.anonymous = deny there are no anonymous rows.
SET memory.anonymous = 'deny';
INSERT INTO memory.episodes (content) VALUES ('of whom?');
INSERT INTO memory.episodes (content, user_id) VALUES ('of whom?', '');
COPY memory.episodes (content) FROM STDIN;
of whom?
\.
COPY memory.episodes (content, user_id) FROM STDIN;
of ann	ann
of whom?	
\.
UPDATE memory.episodes SET user_id = '' WHERE user_id = 'bob' AND namespace = 'test of bulk';
SELECT count(*) AS "of whom?" FROM memory.episodes WHERE content LIKE 'of whom?' AND namespace = 'test of bulk';
INSERT INTO memory.episodes (content, user_id) VALUES ('of ann', 'ann') RETURNING content;
RESET memory.anonymous;

-- Embeddings: the default model, and the dimensions that its models row declares.
SET memory.user_id = 'emb';
SET memory.embedding_model = 'test of bulk';
INSERT INTO memory.episodes (content, id)
SELECT 'episode ' || n, ('00000000-0000-7000-8000-00000000000' || n)::uuid FROM generate_series(1, 3) AS n;
COPY memory.embeddings (episode_id, embedding) FROM STDIN;
00000000-0000-7000-8000-000000000001	[1,2]
\.
SELECT memory.init(2);
COPY memory.embeddings (episode_id, embedding) FROM STDIN;
00000000-0000-7000-8000-000000000002	[3,4]
\.
COPY memory.embeddings (episode_id, embedding, model) FROM STDIN;
00000000-0000-7000-8000-000000000001	[5,6,7]	test of bulk, undeclared
00000000-0000-7000-8000-000000000002	[5,6,8]	test of bulk, undeclared
\.
SELECT namespace, user_id, episode_id, model, embedding FROM memory.embeddings WHERE user_id = 'emb' AND namespace = 'test of bulk' ORDER BY model, episode_id;
SELECT pg_temp.refused(statement) AS refused FROM unnest(ARRAY[
    $$INSERT INTO memory.embeddings (episode_id, embedding) VALUES ('00000000-0000-7000-8000-000000000003', '[1,2,3]')$$,
    $$INSERT INTO memory.embeddings (episode_id, embedding) VALUES ('00000000-0000-7000-8000-000000000003', NULL)$$,
    $$UPDATE memory.embeddings SET embedding = '[1]' WHERE model = 'test of bulk'$$,
    $$UPDATE memory.embeddings SET model = 'test of bulk', episode_id = '00000000-0000-7000-8000-000000000003' WHERE model = 'test of bulk, undeclared' AND episode_id = '00000000-0000-7000-8000-000000000001'$$,
    $$INSERT INTO memory.embeddings (episode_id, embedding) VALUES ('00000000-0000-7000-8000-00000000dead', '[1,2]')$$,
    $$INSERT INTO memory.embeddings (episode_id, embedding, user_id) VALUES ('00000000-0000-7000-8000-000000000001', '[1,2]', 'ann')$$]) AS statement;
COPY memory.embeddings (episode_id, embedding, model) FROM STDIN;
00000000-0000-7000-8000-000000000003	[1,2]	test of bulk, more
00000000-0000-7000-8000-000000000003	[1]	test of bulk
\.
SELECT count(*) FROM memory.embeddings WHERE model = 'test of bulk, more';
-- They go with their episode.
DELETE FROM memory.episodes WHERE user_id = 'emb' AND namespace = 'test of bulk';
SELECT count(*) FROM memory.embeddings WHERE user_id = 'emb' AND namespace = 'test of bulk';
