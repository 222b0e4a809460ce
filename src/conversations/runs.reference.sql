-- What docs/reference.md says of runs, policies, summaries and profiles, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Runs, policies, summaries, profiles', 'What an agent needs to go on where it stopped, and what it keeps of conversations. [Conversations](conversations.md) has the rules.');

INSERT INTO explained VALUES
('save_run', 'session_id', 'The session of the run; it is made when it is not there. NULL: the setting `memory.session_id`.'),
('*', 'run_id', 'The name of the run, one within the user: any text of at most 1 kB.'),
('save_run', 'status', '`running`, `completed`, `paused`, `cancelled` or `error`. NULL: as it was; of a new run `running`.'),
('save_run', 'state', 'The state, any JSON; with `state_path` the value of that place. NULL: as it was; of a new run `{}`.'),
('save_run', 'state_path', 'The keys that lead to one place of the state. Objects that are missing on the way are made; what is no object is not passed through.'),
('save_run', 'requirements', 'What the run waits for: an array of objects, or an object. `[]` when it waits for nothing any more. NULL: as it was; of a new run `[]`.'),
('save_run', 'messages', 'An array of the run''s messages, from its first one on. NULL: none.'),
('save_run', 'expected_status', 'The statuses that the run may have before. NULL: any, or none.'),
('save_run', 'agent_id', 'The agent that runs. NULL: as it was; where there was none, the setting `memory.agent_id`.'),
('runs', 'session_id', 'Only runs of this session. NULL: of all.'),
('runs', 'agent_id', 'Only runs of this agent. NULL: of all.'),
('runs', 'statuses', 'Only runs of these statuses. NULL: of all.'),
('runs', 'since', 'Not made before then. NULL: no limit.'),
('runs', 'until', 'Not made after then. NULL: no limit.'),
('runs', 'k', 'How many rows at most, 1 to 1,000,000. NULL: all.'),
('runs', 'skip', 'How many to leave out first: those of the pages before.'),
('delete_runs', 'run_ids', 'The names of the runs. Those that there are not are no error.'),
('set_summary', 'session_id', 'The session, which must be there. NULL: the setting `memory.session_id`.'),
('*', 'summary', 'What was said, in short.'),
('*', 'upto', 'The number of the last message that the summary covers. NULL: of the last one that there is.'),
('*', 'topics', 'What it is about. NULL: nothing is said of it.'),
('summary', 'upto', 'The number of the last message that it covers.'),
('summary', 'topics', 'What it is about; `{}` when nothing is said of it.'),
('summary', 'newer', 'How many messages there are beyond `upto`.'),
('summary', 'updated_at', 'When it was set.'),
('set_profile', 'traits', 'A JSON object. Each of its keys takes the place of the known one, whole.'),
('set_profile', 'mode', '`update`: traits that are not given, or null, stay. `replace`: the profile is what is given, null included.'),
('set_profile', 'agent_id', 'The agent whose profile of the user it is. NULL: the profile of the user, whatever the setting `memory.agent_id` says.'),
('profile', 'agent_id', 'The agent whose profile of the user it is. NULL: the profile of the user.'),
('set_policy', 'save_history', 'Whether the messages of runs are kept once they are completed. Others always are.'),
('set_policy', 'save_summary', 'Whether `set_summary` keeps what it is given.'),
('set_policy', 'save_profile', 'Whether `set_profile` keeps what it is given.'),
('set_policy', 'load_history', 'Whether prompts have messages. NULL everywhere: as `save_history`.'),
('set_policy', 'load_summary', 'Whether prompts have the summary. NULL everywhere: as `save_summary`.'),
('set_policy', 'load_profile', 'Whether prompts have the profile. NULL everywhere: as `save_profile`.'),
('set_policy', 'tool_messages', 'Whether messages of tools are among those of a prompt. NULL everywhere: they are.'),
('set_policy', 'last_runs', 'Of how many runs, the newest, a prompt has messages: 1 to 1,000,000. NULL everywhere: of all.'),
('set_policy', 'agent_id', 'The agent that it is for. NULL: all for which nothing else is said, whatever the setting `memory.agent_id` says.');

INSERT INTO example (function, statements) VALUES
('save_run', $$
SELECT memory.save_run('trip', 'r1', status => 'paused', state => '{"step": 1}', requirements => '[{"tool": "book", "confirm": true}]', user_id => 'ann', agent_id => 'travel');
SELECT memory.save_run('trip', 'r1', status => 'running', state => 'true', state_path => '{answers,book}', requirements => '[]', expected_status => '{paused}', user_id => 'ann');
$$),
('run', $$
SELECT session_id, agent_id, status, state, requirements FROM memory.run('r1', user_id => 'ann');
$$),
('runs', $$
SELECT memory.save_run('trip', 'r2', status => 'completed', user_id => 'ann');
SELECT run_id, status FROM memory.runs(session_id => 'trip', statuses => '{running,paused,cancelled,error}', user_id => 'ann');
$$),
('delete_runs', $$
SELECT memory.delete_runs('{r1,r2}', user_id => 'ann');
$$),
('set_summary', $$
SELECT memory.set_summary('trip', 'Ann looks for a night train to Vienna.', topics => '{travel}', user_id => 'ann');
$$),
('summary', $$
SELECT summary, upto, topics, newer FROM memory.summary('trip', user_id => 'ann');
$$),
('set_profile', $$
SELECT memory.set_profile('{"name": "Ann", "diet": "vegetarian"}', user_id => 'ann');
SELECT memory.set_profile('{"home": "Tokyo", "diet": null}', user_id => 'ann');
$$),
('profile', $$
SELECT memory.profile(user_id => 'ann');
$$),
('set_policy', $$
SELECT memory.set_policy(save_history => false, user_id => 'ann');
SELECT memory.set_policy(save_history => true, last_runs => 5, user_id => 'ann', agent_id => 'travel');
$$);
