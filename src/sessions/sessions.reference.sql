-- What docs/reference.md says of sessions, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Sessions', 'A conversation, or a run of an agent, by the name that the application gives it. It is there once something is written into it.');

INSERT INTO explained VALUES
('*', 'session_id', 'The name of the session: any text of at most 1 kB, compared byte by byte.'),
('set_session', 'session_id', 'The name of the session: any text of at most 1 kB, compared byte by byte. NULL: the setting `memory.session_id`.'),
('set_session', 'metadata', 'A JSON object. Its keys take the place of those that the metadata has.'),
('set_session', 'agent_id', 'The agent that the session belongs to. NULL: as it was; where there was none, the setting `memory.agent_id`.'),
('set_session', 'mode', '`update`: keys that are not given stay. `replace`: the metadata are those that are given.'),
('set_session', 'expected_version', 'The version that the caller has read; 0: that there is no such session. NULL: whatever it is.'),
('message_text', 'message', 'A message as a framework writes it, of any shape.'),
('message_text', 'role', '`user`, `assistant`, `system` or `tool`; `other` where the shape is not known.'),
('message_text', 'content', 'Its text parts, one below the other, of a `user` and an `assistant`. NULL where they are blank, and for other roles: the message is kept, and not recalled.'),
('sessions', 'agent_id', 'Only sessions of this agent. NULL: all.'),
('sessions', 'ids', 'Only sessions of these names. NULL: all.'),
('sessions', 'filter', 'What the metadata must be like ([the guide](guide.md#filters)). NULL: anything.'),
('sessions', 'since', 'Not before then, by the time that sorts them. NULL: no limit.'),
('sessions', 'until', 'Not after then, by the time that sorts them. NULL: no limit.'),
('sessions', 'k', 'How many rows at most, 1 to 1,000,000. NULL: all.'),
('sessions', 'skip', 'How many to leave out first: those of the pages before.'),
('sessions', 'sort', '`updated`: what was written into last comes first; `created`: what was made last. `-updated`, `-created`: the other way round.');

INSERT INTO example (function, statements) VALUES
('set_session', $$
SELECT memory.set_session('friday', '{"title": "To Vienna", "open": true}', user_id => 'ann', agent_id => 'travel');
SELECT memory.set_session('friday', '{"open": false}', user_id => 'ann', expected_version => 1);
$$),
('session', $$
SELECT session_id, agent_id, version, metadata FROM memory.session('friday', user_id => 'ann');
$$),
('sessions', $$
SELECT memory.set_session('saturday', '{"title": "The way back", "open": true}', user_id => 'ann');
SELECT session_id, metadata ->> 'title' AS title FROM memory.sessions(user_id => 'ann', filter => '{"open": true}');
$$),
('message_text', $$
SELECT * FROM memory.message_text('{"role": "assistant", "content": [{"type": "thinking", "thinking": "Cheap?"}, {"type": "text", "text": "The 9:02 is cheapest."}]}');
$$);
