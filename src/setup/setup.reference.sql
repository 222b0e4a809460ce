-- What docs/reference.md says of functions that set memory up, beyond their comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Setting up', 'Once for a database. The examples go on where the one before has stopped.');

INSERT INTO explained VALUES
('init', 'dimensions', 'How many dimensions the embeddings of the current model have, 1 to 16,000. NULL declares nothing: tables are made, embeddings of any size are taken.'),
('init', 'partitions', 'How many partitions every table of users has, 1 to 64; see [scale](scale.md#partitions-of-one-server). Without rows, tables that are there otherwise are made anew, and with them what was changed of them by hand goes; with rows it is an error. NULL: as many as the others have, or none.'),
('create_vector_index', 'concurrently', 'True: nothing is built; the rows are the statements to run. No function can run CREATE INDEX CONCURRENTLY.'),
('create_vector_index', 'dimensions', 'As for `init`. NULL: those that were declared, else those of the embeddings that are stored.'),
('set_dictionary', 'dictionary', 'A text search dictionary, as `\dFd` lists them, for the words of its script. NULL: the default, `english_stem` for Latin.');

INSERT INTO example (function, statements) VALUES
('init', $$
SELECT memory.init(3);   -- embeddings of the model 'default' have 3 dimensions
SELECT * FROM memory.models;
$$),
('create_vector_index', $$
SET memory.embedding_model = 'mini';
SELECT memory.create_vector_index(2);
RESET memory.embedding_model;
SELECT indexrelid::regclass AS index, pg_get_expr(indpred, indrelid) AS rows_of FROM pg_index
WHERE indrelid = 'memory.embeddings'::regclass AND indpred IS NOT NULL ORDER BY 2;
$$),
('set_dictionary', $$
SELECT memory.set_dictionary('german_stem');   -- episodes and facts are found by German stems
SELECT memory.set_dictionary(NULL);            -- by English ones again
SELECT token FROM memory.tokens('Die Rechnungen kamen zu spät.', 'german_stem');
$$);
