-- What docs/reference.md says of the recall index, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('The index', 'Access method `recall` for any table: `USING recall (scope columns, text)`; with a vector in the last place an index of [codes](codes.md#the-index). [The index](index.md) says how it works, [queries](query.md) what they mean.');

INSERT INTO explained VALUES
('query(text)', '$1', 'The words. At most `memory.max_query`.'),
('query(text, double precision)', '$1', 'The words. At most `memory.max_query`.'),
('query(text, double precision)', 'min_relevance', '0 to 1: the share of the most that the query could score. 0 or NULL: all rows of the scope come, those without a match last.'),
('websearch_query', '$1', 'What was typed. At most `memory.max_query`.'),
('score', '$1', 'The text column of a recall index.'),
('score', 'query', 'The words, as for `memory.query`. NULL: every score is NULL.'),
('found', '$1', 'A text. The dictionary is that of the recall index on it, where it is a column with one.'),
('found', 'query', 'What was typed, as for `memory.websearch_query`. NULL: unknown, so no row is found.'),
('*', 'index', 'A recall index.');

INSERT INTO example (function, statements) VALUES
('query(text)', $$
CREATE TABLE notes (customer int, body text);
INSERT INTO notes VALUES (42, 'The invoice came late.'), (42, 'Invoices are late, late again.'), (42, 'A new printer.'), (7, 'Late.');
CREATE INDEX notes_recall ON notes USING recall (customer, body);
SELECT body, round((body <@> memory.query('late invoices'))::numeric, 4) AS score FROM notes
WHERE customer = 42 AND body @@@ memory.query('late invoices') ORDER BY body <@> memory.query('late invoices') LIMIT 10;
$$),
('query(text, double precision)', $$
SELECT body FROM notes WHERE customer = 42 ORDER BY body <@> memory.query('late invoices', 0.3);
$$),
('websearch_query', $$
SELECT body FROM notes WHERE customer = 42 AND body @@@ memory.websearch_query('+invoice* -again "came late"');
$$),
('score', $$
SELECT body, round(memory.score(body, 'late invoices')::numeric, 4) AS score FROM notes
WHERE customer = 42 ORDER BY memory.score(body, 'late invoices') LIMIT 10;
$$),
('found', $$
SELECT body FROM notes WHERE customer = 42 AND memory.found(body, '+invoice* -again "came late"');
$$),
('index_stats', $$
SELECT tenants, tiny_tenants, documents, tokens, leaf_pages, log_pages, segments FROM memory.index_stats('notes_recall');
$$),
('verify_index', $$
SELECT count(*) AS faults FROM memory.verify_index('notes_recall');
$$);
