-- What docs/reference.md says of models, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Models', 'Which model does what in a namespace.');

INSERT INTO explained VALUES
('use_model', 'task', '`embed`, `extract`, `summarize` or `profile`.'),
('use_model', 'model', 'Its name. `hash` is the database''s own (`memory.hash_embedding`) and does `embed`. Others are kept here; the program that asks them is still to come.'),
('use_model', 'url', 'Where the model is asked, beginning with http:// or https://. NULL for `hash`.'),
('use_model', 'options', 'A JSON object. For `embed`: `dimensions` declares how many its vectors have (`hash`: 384 where nothing is declared), `alpha` is the weight of its vectors where a recall says none. Those of the other tasks are kept as they are.'),
('drop_model', 'task', 'As for `use_model`.'),
('used_models', 'namespace', 'The namespace.'),
('used_models', 'task', 'The task.'),
('used_models', 'model', 'The model that does it.'),
('used_models', 'url', 'Where it is asked.'),
('used_models', 'options', 'As given.'),
('used_models', 'waiting', '0: jobs are still to come.'),
('used_models', 'failed', '0: jobs are still to come.'),
('used_models', 'done', '0: jobs are still to come.');

INSERT INTO example (function, statements) VALUES
('use_model', $$
SET memory.namespace = 'support';
SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 64}');
SELECT memory.remember('Invoices are paid within thirty days.', user_id => 'ann', id => '00000000-0000-0000-0000-000000000009');
SELECT content, match FROM memory.recall_scored('paying an invoice', user_id => 'ann');
$$),
('used_models', $$
SELECT namespace, task, model, options FROM memory.used_models();
$$),
('drop_model', $$
SELECT memory.drop_model('embed');
RESET memory.namespace;
SELECT count(*) FROM memory.used_models();
$$);
