-- What docs/reference.md says of prompts, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Context', 'What a prompt is given of all that is remembered. [Conversations](conversations.md#context) has the layout, the fences and the rules of the budget.');

INSERT INTO explained VALUES
('context', 'query', 'What the prompt is about: episodes and facts are ranked by it. NULL or blank, and without an embedding: the newest.'),
('context', 'max_tokens', 'The budget: code points ÷ 4, rounded up, of the whole answer. Up to half of it is for recalled episodes. 0 leaves room for nothing, NULL is no limit.'),
('context', 'session_id', 'The session whose summary and newest messages are shown, as far as its agent''s policy allows. NULL: none.'),
('load_session', 'agent_id', 'The agent whose policy holds, and whose profile it is. NULL: the session''s.'),
('context', 'embedding', 'The query as a vector, by the model in use. NULL: the words alone rank, unless the database embeds by itself (`use_model`).'),
('context', 'half_life', 'The age at which an episode''s score counts half. NULL: 30 days for episodes of kind `episodic`; the others'' scores do not fade.');

INSERT INTO example (function, statements) VALUES
('context', $$
SELECT memory.remember('My train leaves at nine.', role => 'user', user_id => 'mia', id => '00000000-0000-7000-8000-0000000000a1', occurred_at => '2026-03-01');
SELECT memory.assert_fact('Mia', 'lives in', 'Rome', user_id => 'mia', valid_from => '2026-01-15', id => '00000000-0000-7000-8000-0000000000f1');
SELECT memory.context('When does the train leave?', user_id => 'mia');
$$),
('load_session', $$
SELECT count(*) FROM memory.add_messages('monday', '[{"role": "user", "content": "When is my train?"}]', user_id => 'mia');
SELECT memory.set_summary('monday', 'Mia asks about her train.', user_id => 'mia');
SELECT jsonb_pretty(memory.load_session('monday', user_id => 'mia') - 'prompt') AS session;
$$),
('overview', $$
SELECT jsonb_pretty(memory.overview(user_id => 'mia') - '{sessions,last_seen}'::text[]) AS overview;
$$);
