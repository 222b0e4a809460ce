-- What docs/reference.md says of models and jobs, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Models and jobs', 'Which model does what in a namespace, and how those outside of the database are asked ([jobs.md](jobs.md)).');

INSERT INTO explained VALUES
('use_model', 'task', '`embed`, `extract`, `summarize` or `profile`.'),
('use_model', 'model', 'Its name. `hash` is the database''s own (`memory.hash_embedding`) and does `embed`. Any other is asked by a worker.'),
('use_model', 'url', 'Where the model is asked, beginning with http:// or https://. NULL: the worker knows. NULL for `hash`.'),
('use_model', 'options', 'A JSON object. For `embed`: `dimensions` declares how many its vectors have (`hash`: 384 where nothing is declared), `alpha` is the weight of its vectors where a recall says none, `jobs` false says that the application brings the vectors and no worker is asked. For `summarize` and `profile`: `every` is how many new messages of a session, or episodes of a user, make a job (20). Other options of these two and of `extract` are the worker''s.'),
('drop_model', 'task', 'As for `use_model`.'),
('used_models', 'namespace', 'The namespace.'),
('used_models', 'task', 'The task.'),
('used_models', 'model', 'The model that does it.'),
('used_models', 'url', 'Where it is asked.'),
('used_models', 'options', 'As given.'),
('used_models', 'waiting', 'How many jobs wait, or are under way.'),
('used_models', 'failed', 'How many have failed for good, until `retry_jobs`.'),
('used_models', 'done', 'How many are done, of all users.'),
('next_jobs', 'k', 'How many at the most; no more than 1,000, and NULL is as many.'),
('next_jobs', 'tasks', 'Only these; NULL is all. What is due is shared out among them evenly.'),
('next_jobs', 'lease', 'For how long they are claimed; NULL is five minutes. Then they are due again.'),
('finish_job', 'id', 'Of the claim, from `next_jobs`.'),
('finish_job', 'result', 'What the model has answered, as the task wants it: `{"embeddings": [[…]]}`, `{"facts": […]}`, `{"summary": "…", "topics": […]}`, `{"traits": {…}}`.'),
('finish_job', 'embedding', 'For `embed`: the vector, where the payload has one text.'),
('fail_job', 'id', 'As for `finish_job`.'),
('fail_job', 'error', 'Why; the first 1,000 characters are kept in `memory.jobs`.'),
('fail_job', 'retry_in', 'When it is due again: what the service has asked for (Retry-After). NULL: after 2^attempts seconds, at most an hour.'),
('retry_jobs', 'task', 'Of this task; NULL is of all.');

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
$$),
('next_jobs', $$
SET memory.namespace = 'support';
SELECT memory.use_model('embed', 'mini', 'https://models.example/v1', '{"dimensions": 3}');
SELECT memory.remember('Refunds take a week.', user_id => 'ann', id => '00000000-0000-0000-0000-00000000000a');
SELECT task, user_id, model, url, payload, attempts FROM memory.next_jobs() WHERE target = '00000000-0000-0000-0000-00000000000a';
$$),
('finish_job', $$
SELECT memory.remember('Refunds take two weeks.', user_id => 'ann', id => '00000000-0000-0000-0000-00000000000a');
SELECT memory.finish_job(id, embedding => '[0.1, 0.2, 0.3]') FROM memory.next_jobs() WHERE target = '00000000-0000-0000-0000-00000000000a';
$$),
('fail_job', $$
SELECT memory.remember('Refunds take three weeks.', user_id => 'ann', id => '00000000-0000-0000-0000-00000000000a');
SELECT memory.fail_job(id, 'HTTP 429 Too Many Requests', retry_in => '30 seconds') FROM memory.next_jobs() WHERE target = '00000000-0000-0000-0000-00000000000a';
SELECT attempts, error FROM memory.jobs WHERE target = '00000000-0000-0000-0000-00000000000a';
$$),
('retry_jobs', $$
SELECT memory.retry_jobs('embed');
$$);
