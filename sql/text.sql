-- Words of every language: tokens, highlight, bm25_rank.
-- Unaligned: psql of later majors counts the width of emoji anew.
\pset format unaligned
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
RESET client_min_messages;

CREATE FUNCTION words(text, dictionary regdictionary DEFAULT NULL) RETURNS text LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT string_agg(token, ' ' ORDER BY ordinal, start_offset, end_offset, token COLLATE "C") FROM memory.tokens($1, $2);
END;

-- Offsets count characters, from 0; a token's piece of the text is what it stands for.
SELECT t.*, substr(s, (start_offset + 1)::int, (end_offset - start_offset)::int) AS piece
FROM (VALUES ('Größe, naïve café: 東京都!')) v(s), memory.tokens(s) t ORDER BY ordinal, start_offset, end_offset;

-- Stems, stop words, folding.
SELECT words('The runners were running'), words('to be or not to be'), words('l''avion d''Émile'), words('İstanbul'),
       words('ß ẞ ss'), words('ＦＵＬＬ　ｗｉｄｔｈ'), words('ﬁne ﬂow'), words('soft' || U&'\00AD' || 'hyphen'), words('Tiếng Việt má mà mạ');
SELECT words('поезда'), words('τα τρένα'), words('القطارات'), words('ट्रेनें'), words('გამარჯობა');
-- A dictionary serves its own script; the others keep their defaults.
SELECT words('Die Häuser и поезда', 'german_stem'), words('Die Häuser и поезда', 'simple'), words('Die Häuser и поезда');

-- Identifiers, whole and in parts.
SELECT words('ada@example.org'), words('foo_bar-9'), words('v1.2.3'), words('getUserName HTTPServer'), words('C++ and C#');
SELECT words('https://example.org/a-b?c=1');
SELECT words('550e8400-e29b-41d4-a716-446655440000');
SELECT words('+44 (0)20 7946 0958'), words('020-7946-0958');
SELECT words('👩🏽‍💻'), words('🇩🇪🇫🇷'), words('❤️');

-- Any string is legal.
SELECT words(''), words('   '), words('?!…'), words(NULL);
SELECT count(*), max(length(token)) <= 127 AS bounded FROM memory.tokens(repeat('x', 100000));
SELECT count(*) FROM memory.tokens(repeat('word ', 100000));
SELECT words(U&'\0041\030A'), words(U&'\00C5'), words(repeat(U&'\0301', 1000)) IS NULL AS only_marks;
SELECT words('שלום עולם'), words('abc עולם 123');
\set VERBOSITY terse
SELECT words('"\ud800"'::jsonb #>> '{}');
SELECT words('x', 'no_such_dictionary');
\set VERBOSITY default
-- Every token is inside the text, on characters of it, for texts of every script.
SELECT bool_and(start_offset >= 0 AND start_offset < end_offset AND end_offset <= length(s)) AS inside, count(*) > 100 AS many
FROM (SELECT string_agg(chr(c), '' ORDER BY (c * 7919) % 10007) AS s FROM generate_series(32, 12000) c WHERE c NOT BETWEEN 55296 AND 57343) v,
     memory.tokens(s);

-- highlight marks what the query finds, and leaves the text as it is.
SELECT memory.highlight('The trains were running late & <slow>', 'train run');
SELECT memory.highlight('去维也纳的夜车很晚', '夜车', '[', ']');
SELECT memory.highlight('mail ada@example.org now', 'ada@example.org', '[', ']');
SELECT memory.highlight('nothing here', 'train'), memory.highlight('', 'train'), memory.highlight('the train', ''), memory.highlight(NULL, 'x');
SELECT memory.highlight(repeat('Some words before it. ', 40) || 'Then a night train leaves. ' || repeat('Some words after it. ', 40), 'night train', '<mark>', '</mark>', 1);
\set VERBOSITY terse
SELECT memory.highlight('x', 'x', '[', ']', -1);
-- Megabytes around each letter: refused before any of it is made.
SELECT memory.highlight(repeat('x ', 1100), 'x', repeat('<', 1000000));
\set VERBOSITY default
-- By the dictionary of an index, and around the best place: the most different words of the query, then the most places.
SELECT memory.highlight('Die Häuser am Fluss', 'haus', '[', ']') AS english,
    memory.highlight('Die Häuser am Fluss', 'haus', '[', ']', dictionary => 'german_stem') AS german;
SELECT memory.highlight(repeat('A train. ', 30) || 'A night train, a night train. ' || repeat('A train. ', 30), 'night train', '[', ']', 1, fragment_length => 40);
SELECT memory.highlight(repeat('Nothing at all. ', 30) || 'A train. ' || repeat('Nothing at all. ', 30) || 'A train, a train. ' || repeat('Nothing. ', 30), 'train', '[', ']', 1, fragment_length => 30);
SELECT memory.highlight('One two three four', 'three', '[', ']', 1, fragment_length => 1) AS one_word,
    memory.highlight('One two', 'two', NULL, NULL, NULL, NULL, NULL) AS nulls_are_defaults, memory.highlight('One', NULL) AS nothing;
\set VERBOSITY terse
SELECT memory.highlight('x', 'x', fragment_length => 0);
SELECT memory.highlight('x', 'x', fragment_length => 1000001);
SELECT memory.highlight('x', 'x', dictionary => 'no_such_dictionary');
\set VERBOSITY default

-- bm25_rank: the golden numbers of BM25 with k1 = 1.5, b = 0.75 and plain tokens.
SELECT id, round(score::numeric, 12) AS score, rank
FROM memory.bm25_rank('{1,2,3}'::int[], '{the cat sat on the mat,dogs run fast,cats love fish}', 'cat', 1.5, 0.75, 'simple');
SELECT id, round(score::numeric, 12) AS score, rank
FROM memory.bm25_rank('{1,2,3}'::int[], '{the cat sat on the mat,dogs run fast,cats love fish}', 'fish dogs', 1.5, 0.75, 'simple');
-- With the defaults a cat is found by its plural; a query of stop words alone still finds something.
SELECT id, rank FROM memory.bm25_rank('{a,b,c}'::text[], '{the cat sat on the mat,dogs run fast,cats love fish}', 'cat');
SELECT id, rank FROM memory.bm25_rank('{a,b,c}'::text[], '{the cat sat on the mat,dogs run fast,to be or not to be}', 'to be');
-- A NULL text is no document; equal scores keep the order given; nothing in, nothing out.
SELECT id, rank FROM memory.bm25_rank('{1,2,3}'::int[], ARRAY['x', NULL, 'x'], 'x');
SELECT count(*) FROM memory.bm25_rank('{}'::int[], '{}', 'x');
SELECT count(*) FROM memory.bm25_rank('{1}'::int[], '{x}', '');
SELECT count(*) FROM memory.bm25_rank('{1}'::int[], NULL, 'x');
\set VERBOSITY terse
SELECT memory.bm25_rank('{1,2}'::int[], '{x}', 'x');
SELECT memory.bm25_rank('{1}'::int[], '{x}', 'x', k1 => -1);
SELECT memory.bm25_rank('{1}'::int[], '{x}', 'x', b => 'NaN');
\set VERBOSITY default

-- An index of the same rules has the same scores.
CREATE TABLE same (id int, body text);
INSERT INTO same SELECT n, (ARRAY['night', 'trains', 'and', 'windows', 'seats', 'late'])[1 + n % 6] || ' ' || repeat('train ', n % 4) || 'to Vienna ' || n
FROM generate_series(1, 200) n;
CREATE INDEX same_recall ON same USING recall (body);
SELECT count(*) AS rows, count(*) FILTER (WHERE abs(r.score + i.distance) > 1e-9) AS different
FROM (SELECT (memory.bm25_rank(array_agg(id), array_agg(body), 'late night trains')).* FROM same) r
JOIN (SELECT id, body OPERATOR(memory.<@>) memory.query('late night trains') AS distance FROM same
      ORDER BY body OPERATOR(memory.<@>) memory.query('late night trains') LIMIT 200) i USING (id);
DROP TABLE same;
DROP FUNCTION words;
