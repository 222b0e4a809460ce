-- What docs/reference.md says of scope and access, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Scope and access',
'Whose memory a call is about, and which roles may read and write. [Security](security.md) says what that protects against.');

INSERT INTO explained VALUES
('*', 'user_id', 'The user whose memory the call is about. NULL: the setting `memory.user_id`; where that is unset, the anonymous user.'),
('set_scope', 'user_id', 'The setting `memory.user_id`. As an argument, NULL resets it, as the others.'),
('set_scope', 'agent_id', 'The setting `memory.agent_id`.'),
('set_scope', 'session_id', 'The setting `memory.session_id`.'),
('set_scope', 'namespace', 'The setting `memory.namespace`.'),
('set_scope', 'is_local', 'true: until the transaction ends; without a transaction block, until the statement ends. false: until the session ends or sets another.'),
('set_scope', 'model', 'The setting `memory.embedding_model`.'),
('scope', 'model', 'The model that embeddings come from.'),
('scope', 'namespace', 'The namespace; `default` unless it is set.'),
('scope', 'user_id', 'The user; NULL is the anonymous one.'),
('scope', 'agent_id', 'The agent that writes are by.'),
('scope', 'session_id', 'The session that writes are in.'),
('*', 'role', 'The role, by name. What it inherits from other roles is not touched.'),
('grant_access', 'access', '`reader`, `writer`, `admin` or `worker`.'),
('protect', 'identity', 'An SQL expression that yields the session''s user as text. It is evaluated here once, so that a mistake is an error now.');

INSERT INTO example (function, statements) VALUES
('set_scope', $$
SELECT * FROM memory.set_scope(user_id => 'ann', agent_id => 'planner');
$$),
('scope', $$
SET memory.session_id = 'monday';
SELECT user_id, session_id FROM memory.scope();
$$),
('current_user_id', $$
SELECT memory.set_scope();   -- nothing is left of the scope
SELECT memory.current_user_id();
$$),
('grant_access', $$
CREATE ROLE my_app;
SELECT memory.grant_access('my_app', 'writer');
SELECT has_table_privilege('my_app', 'memory.episodes', 'INSERT') AS writes, has_table_privilege('my_app', 'memory.models', 'INSERT') AS writes_models;
$$),
('revoke_access', $$
SELECT memory.revoke_access('my_app');
SELECT has_table_privilege('my_app', 'memory.episodes', 'SELECT') AS reads;
$$),
('protect', $$
SELECT memory.protect('current_user::text');
SELECT relname, relrowsecurity FROM pg_class WHERE oid IN ('memory.episodes'::regclass, 'memory.facts'::regclass, 'memory.models'::regclass) ORDER BY 1;
$$),
('unprotect', $$
SELECT memory.unprotect();
SELECT relname, relrowsecurity FROM pg_class WHERE oid = 'memory.episodes'::regclass;
$$);
