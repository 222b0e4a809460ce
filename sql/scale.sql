-- memory.shard_of: which of many databases has a user (docs/scale.md).
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_memory_scale_latin1;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql

-- The published values.
SELECT left(user_id, 10) AS user_id, memory.shard_of(user_id, 1) AS of_1, memory.shard_of(user_id, 4) AS of_4, memory.shard_of(user_id, 64) AS of_64,
    memory.shard_of(user_id, 1024) AS of_1024, memory.shard_of(user_id, 4611686018427387904) AS of_most
FROM (VALUES (NULL), ('ada'), ('bob'), ('Zoë'), ('東京'), ('0'), (repeat('x', 1000))) users (user_id);

-- Anything else that knows SHA-256 answers the same, PostgreSQL's own function for one.
SELECT count(*) AS users, count(*) FILTER (WHERE memory.shard_of(user_id, shards) = ('x' || encode(substr(sha256(convert_to(user_id, 'UTF8')), 1, 8), 'hex'))::bit(64)::bigint & (shards - 1)) AS the_same
FROM (SELECT repeat('ü', n % 70) || n AS user_id, (1::bigint << n % 63) AS shards FROM generate_series(1, 10000) n) users;

-- Twice as many split each in two; neither tables nor settings are asked.
SELECT count(*) AS users FROM generate_series(1, 1000) n, generate_series(0, 61) bits
WHERE memory.shard_of('user ' || n, 1::bigint << bits + 1) % (1::bigint << bits) <> memory.shard_of('user ' || n, 1::bigint << bits);
SET memory.user_id = 'ada';
SET memory.anonymous = 'deny';
SELECT memory.shard_of(NULL, 64) AS anonymous, memory.shard_of(user_id => 'ada', shards => 64) AS ada;
RESET memory.user_id;
RESET memory.anonymous;
CREATE TABLE users (user_id text);
CREATE INDEX ON users (memory.shard_of(user_id, 64)); -- immutable
DROP TABLE users;

-- Refused.
SELECT pg_temp.refused(format('SELECT memory.shard_of(%s)', arguments))
FROM unnest(ARRAY['$$ada$$, 0', '$$ada$$, 3', '$$ada$$, -4', '$$ada$$, 63', '$$ada$$, 9223372036854775807', '$$ada$$, (-9223372036854775808)::bigint',
    '$$ada$$, NULL', 'NULL, NULL', '$$$$, 4']) AS arguments;

-- By the bytes in UTF-8, whatever the database's encoding is.
CREATE DATABASE regress_memory_scale_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;
\c regress_memory_scale_latin1
SET client_min_messages = warning;
SET client_encoding = 'UTF8';
CREATE EXTENSION memory CASCADE;
SELECT memory.shard_of('Zoë', 64) AS of_64, memory.shard_of('Zoë', 1024) AS of_1024;
\c postgres
DROP DATABASE regress_memory_scale_latin1;
