-- What docs/reference.md says of the recall index, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('The index', 'Access method `recall` for any table: `USING recall (scope columns, text)`. [The index](index.md) says how it works, [queries](query.md) what they mean.');

INSERT INTO explained VALUES
('query', '$1', 'The words. At most `memory.max_query`.'),
('websearch_query', '$1', 'What was typed. At most `memory.max_query`.'),
('*', 'index', 'A recall index.'),
('index_stats', 'tenants', 'Values of the scope columns.'),
('index_stats', 'tiny_tenants', 'Those of them whose records are in the directory.'),
('index_stats', 'documents', 'Rows with a text, dead ones that VACUUM has not yet taken included.'),
('index_stats', 'tokens', 'Their length, in all.'),
('index_stats', 'leaf_pages', 'Pages of the directory that hold tenants.'),
('index_stats', 'log_pages', 'Pages of records, root pages included.'),
('index_stats', 'segments', 'Segments that are read.'),
('index_stats', 'segment_pages', 'Their pages.'),
('index_stats', 'retired_pages', 'Pages that wait for the last snapshot that might read them.'),
('index_stats', 'pages', 'All pages of the file.'),
('index_stats', 'record_bytes', 'Bytes of all records.'),
('index_stats', 'free_pages', 'Pages to be used again.'),
('index_stats', 'lost_pages', 'Pages of an interrupted statement, until VACUUM.');

INSERT INTO example (function, statements) VALUES
('query', $$
CREATE TABLE notes (customer int, body text);
INSERT INTO notes VALUES (42, 'The invoice came late.'), (42, 'Invoices are late, late again.'), (42, 'A new printer.'), (7, 'Late.');
CREATE INDEX notes_recall ON notes USING recall (customer, body);
SELECT body, round((-(body <@> memory.query('late invoices')))::numeric, 4) AS score FROM notes
WHERE customer = 42 AND body @@@ memory.query('late invoices') ORDER BY body <@> memory.query('late invoices') LIMIT 10;
$$),
('websearch_query', $$
SELECT body FROM notes WHERE customer = 42 AND body @@@ memory.websearch_query('+invoice* -again "came late"');
$$),
('index_stats', $$
SELECT tenants, tiny_tenants, documents, tokens, leaf_pages, log_pages, segments FROM memory.index_stats('notes_recall');
$$),
('verify_index', $$
SELECT count(*) AS faults FROM memory.verify_index('notes_recall');
$$);
