-- What docs/reference.md says of conversations, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Conversations', 'The messages of a session, numbered in the order in which they were committed. What users and assistants say is recalled like any episode; [the guide](guide.md#conversations) tells more.');

INSERT INTO explained VALUES
('add_messages', 'session_id', 'The name of the session, which is made where it is missing. NULL: the setting `memory.session_id`.'),
('add_messages', 'messages', 'A JSON array of objects, in whatever form a framework has them; they come back equal. An element with an object under `message` is a wrapper: `role`, `content`, `key` and `occurred_at` beside it win over what the message says.'),
('add_messages', 'agent_id', 'The agent whose episodes they become. NULL: the setting `memory.agent_id`. At most 512 bytes.'),
('add_messages', 'run_id', 'The run that they belong to. NULL: none.'),
('add_messages', 'path', 'Empty for the conversation; another for a sub-agent, whose messages have numbers of their own.'),
('add_messages', 'key_field', 'The field of a message that has its key, `id` or `uuid` as a rule. A message whose key is in the log takes the place of that one. NULL: all are new, but for wrappers with a `key`.'),
('add_messages', 'expected_seq', 'The number that the last message must have, 0 where there must be none. NULL: whatever it is.'),
('add_messages', 'operation', 'A name for this call: the same again changes nothing. NULL: none.'),
('add_messages', 'seq', 'The number of the message.'),
('add_messages', 'id', 'Its id.'),
('messages', 'session_id', 'The session. NULL: all of the user, in the order of `occurred_at`.'),
('messages', 'k', 'How many messages at most, 1 to 1,000,000, those that `around` adds apart; NULL: all.'),
('messages', 'after', 'Only messages with greater numbers. NULL: no limit.'),
('messages', 'before', 'Only messages with smaller numbers. NULL: no limit.'),
('messages', 'since', 'Not before then. NULL: no limit.'),
('messages', 'until', 'Not after then. NULL: no limit.'),
('messages', 'runs', 'Only messages of the last so many runs, cancelled and failed ones skipped; of messages of role system the first. NULL: all.'),
('messages', 'roles', 'Only messages of these roles: user, assistant, system, tool, other. NULL: all.'),
('messages', 'keys', 'Only messages of these keys. NULL: all.'),
('messages', 'around', 'So many messages before and after each of those found, whatever else is asked for but `tool_messages`.'),
('messages', 'tool_messages', 'False: without messages of role tool, and without those of assistants that have no text.'),
('messages', 'path', 'Empty for the conversation; another for a sub-agent.'),
('drop_messages', 'last', 'Of the newest so many. NULL: of all.'),
('drop_messages', 'after', 'Those with greater numbers. NULL: all.'),
('drop_messages', 'keys', 'Those of these keys. NULL: all.'),
('drop_messages', 'ids', 'Those of these ids. NULL: all.'),
('drop_messages', 'path', 'Empty for the conversation; another for a sub-agent.'),
('fork_session', 'session_id', 'The session to fork.'),
('fork_session', 'new_session', 'The name of the fork; it must be free. NULL: a new UUIDv7.'),
('fork_session', 'upto_seq', 'The last message that the fork has; of a `remember` that it divides, what comes before. NULL: all.'),
('fork_session', 'upto_checkpoint', 'The last checkpoint, of the empty path, that the fork has. NULL: all.'),
('fork_session', 'metadata', 'The fork''s metadata. NULL: as the original''s.'),
('delete_session', 'session_id', 'The session.'),
('delete_session', 'path', 'Of this path alone, whose numbers begin anew. Empty: the whole session.');

INSERT INTO example (function, statements) VALUES
('add_messages', $$
SELECT seq FROM memory.add_messages('trip', '[{"role": "system", "content": "Be brief."}, {"id": "m1", "role": "user", "content": "A table by the window?"}]', user_id => 'ann', key_field => 'id');
SELECT seq FROM memory.add_messages('trip', '[{"id": "m1", "role": "user", "content": "A table outside?"}, {"role": "assistant", "content": "At eight."}]', user_id => 'ann', key_field => 'id', expected_seq => 2);
$$),
('messages', $$
SELECT seq, role, key, content FROM memory.messages('trip', user_id => 'ann');
$$),
('drop_messages', $$
SELECT seq, content FROM memory.drop_messages('trip', last => 1, user_id => 'ann');
$$),
('fork_session', $$
SELECT memory.fork_session('trip', 'trip, replanned', upto_seq => 1, user_id => 'ann');
SELECT seq, role, message FROM memory.messages('trip, replanned', user_id => 'ann');
$$),
('delete_session', $$
SELECT memory.delete_session('trip, replanned', user_id => 'ann');
$$);
