-- What docs/reference.md says of episodes, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Episodes', 'What happened: messages, turns, notes. Written, given a new text, read by id or by time.');

INSERT INTO explained VALUES
('remember', 'content', 'What happened, in words: what is recalled. Not NULL; empty only where there is a response. At most `memory.max_content`.'),
('remember', 'response', 'The answer to content, for a turn. It is recalled together with content.'),
('remember', 'session_id', 'The session that it happened in, whose log it takes the next numbers of; its neighbours there lend it a part of their scores. NULL: the setting `memory.session_id`. At most 1 kB.'),
('remember', 'agent_id', 'The agent that writes it. NULL: the setting `memory.agent_id`. At most 512 bytes.'),
('remember', 'kind', 'A word of the application''s, for filters. Not empty.'),
('remember', 'role', 'The speaker, in the application''s words: `user`, `assistant`, …'),
('remember', 'metadata', 'A JSON object, for filters.'),
('remember', 'importance', '0 to 1; multiplies the score of a recall.'),
('remember', 'occurred_at', 'When it happened. Finite.'),
('remember', 'ttl', 'Time to live: after that time from now it is invisible. NULL: for ever.'),
('remember', 'embedding', 'The vector of content and response. NULL: none, unless the database embeds by itself (`use_model`); the episode is found by its words.'),
('remember', 'transcript', 'The whole exchange as JSON, returned as it was given and never searched. In the log of the session the objects of an array stand between content and response.'),
('remember', 'model', 'The model that the embedding is by. NULL: the model in use: that of the setting `memory.embedding_model`; where that is `default`, the one that `use_model` names.'),
('remember', 'id', 'An id of the application''s, which makes a retry harmless. NULL: a new UUIDv7.'),
('remember_many', 'episodes', 'A JSON array of objects. Keys are the arguments of `remember`, an embedding is an array of numbers; an unknown key is an error.'),
('remember_many', 'user_id', 'The user of elements that name none. NULL: as everywhere.'),
('remember_many', 'session_id', 'The session of elements that name none. NULL: the setting `memory.session_id`.'),
('revise', 'id', 'The episode.'),
('revise', 'content', 'The new content, as for `remember`.'),
('revise', 'response', 'The new response. NULL: none, whatever it was.'),
('get', 'id', 'The episode.'),
('recall_recent', 'kind', 'Only this kind. NULL: all.'),
('recall_recent', 'agent_id', 'Only this agent''s. NULL: all.'),
('recall_recent', 'session_id', 'Only this session. NULL: all.'),
('*', 'filter', 'What the metadata must be like: [the guide](guide.md#filters) has the language. NULL or `{}`: anything.'),
('*', 'k', 'How many rows at most, 1 to 1,000,000; NULL: all.');

INSERT INTO example (function, statements) VALUES
('remember', $$
SELECT memory.remember('Is there a night train to Vienna?', 'Yes, the 21:05.', user_id => 'ann', session_id => 'monday',
                       metadata => '{"topic": "travel"}', occurred_at => '2026-03-02 09:00+00', embedding => '[0.9,0.1,0]',
                       id => '00000000-0000-0000-0000-000000000001');
$$),
('remember_many', $$
SELECT memory.remember_many('[
  {"content": "Book it, please.", "session_id": "monday", "occurred_at": "2026-03-02T09:01:00Z", "embedding": [0.5, 0.5, 0], "id": "00000000-0000-0000-0000-000000000002"},
  {"content": "I never drink coffee after noon.", "occurred_at": "2026-03-03T15:00:00Z", "embedding": [0, 0.1, 1], "id": "00000000-0000-0000-0000-000000000003"},
  {"content": "The train to Vienna was late.", "occurred_at": "2026-03-05T08:00:00Z", "embedding": [1, 0, 0.1], "id": "00000000-0000-0000-0000-000000000004"}]',
  user_id => 'ann');
$$),
('revise', $$
SELECT memory.revise('00000000-0000-0000-0000-000000000003', 'I never drink coffee after eleven.', user_id => 'ann');
SELECT revision, content FROM memory.episode_revisions WHERE user_id = 'ann';
$$),
('get', $$
SELECT content, kind, occurred_at FROM memory.get('00000000-0000-0000-0000-000000000003', user_id => 'ann');
$$),
('recall_recent', $$
SELECT occurred_at, content FROM memory.recall_recent(k => 2, user_id => 'ann');
$$);
