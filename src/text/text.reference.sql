-- What docs/reference.md says of texts, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Text and ranking', 'For any text and any ranking. [Words](text.md) says how texts become terms, [ranking](rank.md) has the formulas.');

INSERT INTO explained VALUES
('*', 'dictionary', 'A text search dictionary for the words of its script. NULL: the setting of the library, `english_stem` for Latin.'),
('tokens', '$1', 'The text.'),
('tokens', 'token', 'The term.'),
('tokens', 'ordinal', 'The unit of the text that it stands for, counted from 0; units without a term count, too.'),
('tokens', 'start_offset', 'Its first character, from 0.'),
('tokens', 'end_offset', 'The character behind its last.'),
('highlight', '$1', 'The text.'),
('highlight', 'query', 'Words to find, as for `memory.query`.'),
('highlight', 'start_tag', 'What stands before a word that is found.'),
('highlight', 'end_tag', 'What stands behind it.'),
('highlight', 'max_fragments', 'How many fragments at most. 0: the whole text.'),
('highlight', 'fragment_length', 'How long a fragment is, about, in bytes of UTF-8: 1 to 1,000,000. It ends at white space, and is longer if one place is.'),
('hash_embedding', '$1', 'The text.'),
('hash_embedding', 'dimensions', 'How many dimensions the vector has, 1 to 16,000.'),
('clean_json', '$1', 'JSON as a program writes it.');

INSERT INTO example (function, statements) VALUES
('tokens', $$
SELECT * FROM memory.tokens('The trains of ACME-42');
$$),
('highlight', $$
SELECT memory.highlight('A late start. We waited for an hour in the rain. Then the night train to Vienna was late as well, and it was full.',
    'late train', '[', ']', max_fragments => 1, fragment_length => 40);
$$),
('hash_embedding', $$
SELECT round((1 - (memory.hash_embedding('night trains') <=> memory.hash_embedding('the night train')))::numeric, 2) AS alike,
       round((1 - (memory.hash_embedding('night trains') <=> memory.hash_embedding('coffee')))::numeric, 2) AS unlike;
$$),
('clean_json', $$
SELECT memory.clean_json('{"tool": "done\u0000", "face": "\ud83d\ude00", "cut": "\ud83d"}');
$$);
