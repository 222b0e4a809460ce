-- What docs/reference.md says of checkpoints, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Checkpoints', 'The state of an agent at every step, to resume, to rewind and to fork. [Checkpoints](checkpoints.md) says how they are stored.');

INSERT INTO explained VALUES
('put_checkpoint', 'session_id', 'The session; it is made when it is not there. NULL: the setting `memory.session_id`.'),
('put_writes', 'session_id', 'The session; it is made when it is not there. NULL: the setting `memory.session_id`.'),
('writes', 'session_id', 'The session.'),
('put_checkpoint', 'state', 'The state. It is compared with the one before, and only what changed is stored.'),
('put_checkpoint', 'id', 'Its name; one that is there is replaced. NULL: a new UUIDv7.'),
('*', 'parent', 'The name of the checkpoint it follows, which need not be there.'),
('put_checkpoint', 'metadata', 'A JSON object for filters; `run_id` in it is what `prune_checkpoints(run_ids)` compares with.'),
('put_checkpoint', 'path', 'Empty for the session''s own checkpoints; other names are of sub-agents.'),
('put_writes', 'path', 'Empty for the session''s own checkpoints; other names are of sub-agents.'),
('writes', 'path', 'Empty for the session''s own checkpoints; other names are of sub-agents.'),
('checkpoint', 'path', 'Empty for the session''s own checkpoints; other names are of sub-agents.'),
('put_checkpoint', 'keep', 'How many of the path are kept, this one included; 0 is all. NULL: the setting `memory.checkpoints_kept`.'),
('put_checkpoint', 'refs', 'What the checkpoint consists of besides the state: for each part the version, as a string.'),
('put_checkpoint', 'part_names', 'The parts whose data are given; each is in `refs`.'),
('put_checkpoint', 'part_types', 'What their data are, in the application''s words.'),
('put_checkpoint', 'part_data', 'The data of the versions in `refs`; NULL for a part that is known to be empty. A version that is there already stays as it is.'),
('*', 'checkpoint', 'The id of a checkpoint of the session and path.'),
('put_writes', 'task', 'The task that writes.'),
('writes', 'task', 'Of this task alone. NULL: of all; as a column, the task.'),
('*', 'idx', 'The place among the task''s writes.'),
('*', 'names', 'What is written to.'),
('*', 'types', 'What the data are, in the application''s words.'),
('*', 'data', 'What is written.'),
('*', 'task_path', 'Where the task stands, in the application''s words.'),
('put_writes', 'replace', 'Whether places that the task has written already are written anew.'),
('writes', 'name', 'What is written to.'),
('writes', 'type', 'What the data are.'),
('checkpoint', 'id', 'The checkpoint. NULL: the newest of session and path.'),
('checkpoint', 'session_id', 'The session. NULL: any, and `id` says which.'),
('checkpoints', 'session_id', 'The session. NULL: all.'),
('checkpoints', 'path', 'Of this path alone. NULL: of all; `before` and `ancestors_of` are then of the empty one.'),
('checkpoints', 'before', 'Only those written before this checkpoint of session and path (the empty one where `path` is NULL); one that is not there counts by its text.'),
('checkpoints', 'ancestors_of', 'The chain of parents of this checkpoint, without itself, up to the first that is gone.'),
('checkpoints', 'full_rows', 'Whether state, parts and writes are returned, too.'),
('prune_checkpoints', 'session_ids', 'Of these sessions. NULL: of all.'),
('prune_checkpoints', 'keep', 'Not the newest so many of each path; 0 keeps none.'),
('prune_checkpoints', 'run_ids', 'Of these runs (`metadata.run_id`).'),
('prune_checkpoints', 'before', 'First written before this time.'),
('prune_checkpoints', 'protect', 'Ids that stay, whatever else is said.');

INSERT INTO example (function, statements) VALUES
('put_checkpoint', $$
SELECT memory.put_checkpoint('trip', '{"step": 1}', 'c1', refs => '{"draft": "1"}', part_names => '{draft}', part_types => '{text}', part_data => ARRAY['\x41'::bytea], user_id => 'ann');
$$),
('put_writes', $$
SELECT memory.put_checkpoint('trip', '{"step": 2}', 'c2', parent => 'c1', refs => '{"draft": "1"}', metadata => '{"run_id": "r1"}', user_id => 'ann');
SELECT memory.put_writes('trip', 'c2', 'task-1', '{0}', '{draft}', '{text}', ARRAY['\x42'::bytea], user_id => 'ann');
$$),
('writes', $$
SELECT task, idx, name, data FROM memory.writes('trip', 'c2', user_id => 'ann');
$$),
('checkpoint', $$
SELECT id, parent, state, part_names, part_data, write_names FROM memory.checkpoint('trip', user_id => 'ann');
$$),
('checkpoints', $$
SELECT id, metadata FROM memory.checkpoints('trip', user_id => 'ann');
$$),
('prune_checkpoints', $$
SELECT memory.prune_checkpoints('{trip}', keep => 1, user_id => 'ann');
$$);
