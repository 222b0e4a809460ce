-- What docs/reference.md says of ranking, beyond the functions' comments (tools/reference.sql).
INSERT INTO explained VALUES
('bm25_rank', 'ids', 'What the texts are known by: an array of any type, as long as texts.'),
('bm25_rank', 'texts', 'The texts, which are the whole corpus. NULL elements are none.'),
('bm25_rank', 'query', 'Words to find, as for `memory.query`.'),
('bm25_rank', 'k1', 'How much repetitions of a word count, 0 or more.'),
('bm25_rank', 'b', 'How much a long text is held against itself, 0 to 1.'),
('bm25_rank', 'id', 'Of the text.'),
('bm25_rank', 'score', 'The BM25 score, above 0.'),
('bm25_rank', 'rank', 'The place, from 1.'),
('*', 'rank', 'A place in one ranked list, from 1. NULL: not in that list.'),
('*', 'weight', 'The weight of that list; finite.'),
('rrf(bigint, double precision, bigint)', 'k', 'What is added to each rank, 0 or more.');

INSERT INTO example (function, statements) VALUES
('bm25_rank', $$
SELECT id, round(score::numeric, 6) AS score, rank
FROM memory.bm25_rank(ARRAY[1, 2, 3], ARRAY['the cat sat on the mat', 'dogs run fast', 'cats love fish'], 'cat', k1 => 1.5, b => 0.75);
$$),
('rrf(bigint)', $$
SELECT id, round(memory.rrf(rank)::numeric, 6) AS score FROM (VALUES ('a', 1), ('b', 2), ('b', 1), ('c', 2)) lists (id, rank)
GROUP BY id ORDER BY score DESC, id;
$$),
('rrf(bigint, double precision)', $$
SELECT id, round(memory.rrf(rank, weight)::numeric, 6) AS score FROM (VALUES ('a', 1, 0.7), ('b', 2, 0.7), ('b', 1, 0.3)) lists (id, rank, weight)
GROUP BY id ORDER BY score DESC;
$$),
('rrf(bigint, double precision, bigint)', $$
SELECT id, round(memory.rrf(rank, 1, 0)::numeric, 6) AS score FROM (VALUES ('a', 1), ('b', 2), ('b', 2)) lists (id, rank)
GROUP BY id ORDER BY id;
$$);
