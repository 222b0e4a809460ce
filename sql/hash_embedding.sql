-- hash_embedding: a vector for a text, without a model.
\pset format unaligned
\pset footer off
\pset null '~'
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET memory.namespace = 'test of hash_embedding';
SET memory.user_id = 'ann';
SET memory.embedding_model = 'hash_embedding';
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql

-- Of unit length, in as many dimensions as asked for, whatever the text.
CREATE TEMP VIEW text_of_all_kinds AS
SELECT * FROM unnest(ARRAY['The quick brown fox', 'x', '', '   ', '!?', 'मुझे चाय पसंद है', '東京に住んでいます', 'ฉันชอบกาแฟ',
    E'\U0001F600\u200d\U0001F600', repeat('very long ', 10000), E'\u0301', 'DROP TABLE; --']) AS text;
SELECT vector_dims(memory.hash_embedding('a text')) AS "384, if it is not said";
SELECT d AS dimensions, bool_and(vector_dims(memory.hash_embedding(text, d)) = d) AS "as many",
       bool_and(abs(vector_norm(memory.hash_embedding(text, d)) - 1) < 1e-5) AS "of unit length"
FROM text_of_all_kinds, unnest(ARRAY[1, 2, 3, 64, 384, 1536, 16000]) AS d GROUP BY d ORDER BY d;

-- The same text gives the same vector, whoever asks.
SELECT bool_and(memory.hash_embedding(text)::text = memory.hash_embedding(text || '')::text) AS "the same" FROM text_of_all_kinds;
SELECT provolatile = 'i' AS immutable, proparallel = 's' AS "parallel safe", proisstrict AS strict
FROM pg_proc WHERE oid = 'memory.hash_embedding(text, bigint)'::regprocedure;
SELECT memory.hash_embedding(NULL) AS "of NULL", memory.hash_embedding('a text', NULL) AS "in NULL dimensions";
-- And whatever the machine and the version.
SELECT memory.hash_embedding('Dinner at eight', 4);
-- A text without words is the first unit vector.
SELECT memory.hash_embedding('', 3), memory.hash_embedding(' .,;', 3);

-- What shares words is nearer than what does not; and what shares parts of words, a little.
CREATE FUNCTION pg_temp.similarity(a text, b text) RETURNS float8 LANGUAGE sql AS
    'SELECT 1 - (memory.hash_embedding(a) <=> memory.hash_embedding(b))';
SELECT text, near, far, pg_temp.similarity(text, near) > pg_temp.similarity(text, far) + 0.1 AS nearer
FROM (VALUES ('I live in Berlin', 'She lives in Berlin', 'The invoice is late'),
             ('my favourite colour is green', 'what is my favourite colour?', 'dinner at eight on friday'),
             ('invoice', 'invoices', 'photograph'),
             ('authentication', 'authenticate', 'breakfast'),
             ('東京に住んでいます', '東京に行きます', '犬が好きです'),
             ('Ich wohne in München', 'in münchen wohnen', 'Guten Appetit')) AS v(text, near, far);
SELECT round(pg_temp.similarity('The Quick  Brown FOX', 'the quick brown fox')::numeric, 3) AS "case and spaces do not count";
SELECT bool_and(abs(pg_temp.similarity(a.text, b.text)) < 0.25) AS "what shares nothing is far"
FROM (VALUES ('The quick brown fox'), ('dinner at eight'), ('my password')) AS a(text),
     (VALUES ('zwölf Boxkämpfer'), ('ключ под ковриком'), ('invoice 4711')) AS b(text);

-- It serves as an embedding.
SELECT memory.init(384);
SELECT count(memory.remember(text, embedding => memory.hash_embedding(text)))
FROM unnest(ARRAY['I live in Berlin', 'The invoice is late', 'Dinner at eight']) AS text;
SELECT e.content FROM memory.episodes e JOIN memory.embeddings v ON v.episode_id = e.id
WHERE e.namespace = 'test of hash_embedding' ORDER BY v.embedding <=> memory.hash_embedding('is the invoice late?') LIMIT 1;

-- Dimensions that pgvector does not have are refused.
SELECT pg_temp.refused(format('SELECT memory.hash_embedding(''a text'', %s)', n)) AS refused
FROM unnest(ARRAY[0, -1, 16001, 2147483647]) AS n;
