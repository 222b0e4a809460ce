-- Databases of other encodings than UTF-8.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
DROP DATABASE IF EXISTS regress_memory_latin1;
DROP DATABASE IF EXISTS regress_memory_ascii;
DROP DATABASE IF EXISTS regress_memory_japan;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.hash_embedding('Müller im Café', 8) AS of_utf8 \gset

-- LATIN1: the same texts have the same vectors; sizes are in bytes of the database's encoding.
CREATE DATABASE regress_memory_latin1 ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0;
\c regress_memory_latin1
SET client_min_messages = warning;
SET client_encoding = 'UTF8';
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT memory.hash_embedding('Müller im Café', 8) = :'of_utf8' AS "the same vector";
SELECT memory.remember('Müller im Café', user_id => 'Zoë', metadata => '{"où": "\u00e0"}') AS id \gset
SELECT content, octet_length(content) AS bytes, user_id, metadata FROM memory.get(:'id', 'Zoë');
SELECT memory.remember_many('[{"content": "\u00fcber", "user_id": "Zo\u00eb"}]') IS NOT NULL AS remembered;
SELECT content FROM memory.recall_recent(user_id => 'Zoë', k => 1);
SET memory.max_content = '1kB';
SELECT memory.remember(repeat('é', 1024), user_id => 'Zoë') IS NOT NULL AS remembered;
SELECT memory.remember(repeat('é', 1025), user_id => 'Zoë');
SELECT memory.remember_many('[{"Über": 1}]');
\set VERBOSITY sqlstate
SELECT memory.remember_many('[{"content": "\u6771\u4eac"}]');
\set VERBOSITY default

-- The normal form of a character may be one that LATIN1 lacks: µ is U+03BC, ½ is 1⁄2 with U+2044. It is written as
-- its number where it must be written, and is no reason to refuse a text.
SELECT memory.remember('take 5 µg, ½ a tablet', user_id => 'Zoë') IS NOT NULL AS remembered;
SELECT content FROM memory.recall_scored('µg', user_id => 'Zoë');
SELECT memory.highlight('take 5 µg', 'µg');
SELECT token FROM memory.tokens('5 µg') AS t(token);
SELECT memory.assert_fact('5 µg', 'µ is', '½', user_id => 'Zoë') IS NOT NULL AS asserted;
SELECT subject, predicate, object FROM memory.facts('5 µg', user_id => 'Zoë');
SELECT subject_key, object_key FROM memory.facts WHERE user_id = 'Zoë';

-- Blocks: characters are counted, and histories are of characters, whatever bytes they have.
SELECT memory.set_block('b', 'Zoë à Paris', 'Zoë', char_limit => 11), memory.edit_block('b', 'Alès', old => 'Paris', user_id => 'Zoë');
SELECT version, content, octet_length(content) AS bytes FROM memory.block_history('b', user_id => 'Zoë');

-- The extension's own texts are in no encoding but ASCII.
CREATE DATABASE regress_memory_japan ENCODING 'EUC_JP' LOCALE 'C' TEMPLATE template0;
\c regress_memory_japan
SET client_min_messages = warning;
SET client_encoding = 'UTF8';
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT memory.remember('東京タワー ① ５ｇ') IS NOT NULL AS remembered;
SELECT content FROM memory.recall_scored('東京');
-- A text is found by whole characters: the bytes of △ stand in those of あい.
SELECT memory.set_block('b', 'あい', char_limit => 4), memory.append_block('b', 'うえ');
SELECT convert_to('△', 'EUC_JP') AS part, position(convert_to('△', 'EUC_JP') IN convert_to('あい', 'EUC_JP')) AS "in the bytes";
SELECT memory.edit_block('b', 'x', old => '△');
SELECT memory.edit_block('b', 'お', old => 'い');
SELECT version, content FROM memory.block_history('b');
SELECT kept_before, taken, kept_behind FROM memory.block_versions ORDER BY version;

-- SQL_ASCII: bytes of whatever encoding are kept, and none of them is a reason to fail.
CREATE DATABASE regress_memory_ascii ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0;
\c regress_memory_ascii
SET client_min_messages = warning;
CREATE EXTENSION memory CASCADE;
SELECT memory.init();
SELECT memory.remember(convert_from('\xff80c328fe', 'SQL_ASCII'), user_id => convert_from('\xe9', 'SQL_ASCII')) AS id \gset
SELECT convert_to(content, 'SQL_ASCII') AS bytes FROM memory.get(:'id', convert_from('\xe9', 'SQL_ASCII'));
SELECT abs(vector_norm(memory.hash_embedding(convert_from('\xff80c328fe', 'SQL_ASCII'))) - 1) < 1e-5 AS "of unit length";
SELECT memory.set_block('b', convert_from('\x80ff80c3', 'SQL_ASCII')), memory.edit_block('b', convert_from('\x81', 'SQL_ASCII'), old => convert_from('\xff', 'SQL_ASCII'));
SELECT version, convert_to(content, 'SQL_ASCII') AS bytes FROM memory.block_history('b');
SELECT memory.hash_embedding('Muller', 8) IS NOT NULL AS "of ASCII";

\c postgres
DROP DATABASE regress_memory_latin1;
DROP DATABASE regress_memory_ascii;
DROP DATABASE regress_memory_japan;
