-- Scope: whose memory a call is about, and who may touch it.

CREATE FUNCTION memory.current_user_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_current_user_id';
COMMENT ON FUNCTION memory.current_user_id() IS
'The setting memory.user_id; NULL when it is unset.';

CREATE FUNCTION memory.set_scope(user_id text DEFAULT NULL, agent_id text DEFAULT NULL,
    session_id text DEFAULT NULL, namespace text DEFAULT NULL, is_local boolean DEFAULT false)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_scope';
COMMENT ON FUNCTION memory.set_scope(text, text, text, text, boolean) IS
'Sets the whole scope of the calls that follow: memory.user_id, agent_id, session_id and namespace, for the session or, with is_local, for the transaction. What is NULL is reset to what the role or database says, else unset: nothing is left over from an earlier user of a pooled connection.';

CREATE FUNCTION memory.scope(OUT namespace text, OUT user_id text, OUT agent_id text, OUT session_id text)
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_scope';
COMMENT ON FUNCTION memory.scope() IS
'The scope of calls that name none: one row of the four settings, NULL where unset.';

-- Defaults of our tables' columns, so that INSERT and COPY fall into the same scope as remember().

CREATE FUNCTION memory_internal.default_namespace() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_namespace';
COMMENT ON FUNCTION memory_internal.default_namespace() IS
'The namespace that an INSERT or COPY without one writes to: the setting memory.namespace.';

CREATE FUNCTION memory_internal.default_user_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_user_id';
COMMENT ON FUNCTION memory_internal.default_user_id() IS
'The user that an INSERT or COPY without one writes for: the setting memory.user_id, else '''' (anonymous; an error when memory.anonymous is deny).';

CREATE FUNCTION memory_internal.default_agent_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_agent_id';
COMMENT ON FUNCTION memory_internal.default_agent_id() IS
'The agent that an INSERT or COPY without one writes for: the setting memory.agent_id, else NULL.';

CREATE FUNCTION memory_internal.default_session_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_session_id';
COMMENT ON FUNCTION memory_internal.default_session_id() IS
'The session that an INSERT or COPY without one writes in: the setting memory.session_id, else NULL.';

-- Who may read and write. By default nobody but the owner of the tables.

CREATE FUNCTION memory.grant_access(role regrole, access text) RETURNS void
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_grant_access';
COMMENT ON FUNCTION memory.grant_access(regrole, text) IS
'Gives a role exactly one kind of access to all tables that the owner of memory.episodes has in schema memory, in place of what it had: ''reader'' (SELECT), ''writer'' (also INSERT, UPDATE, DELETE, but for the tables that belong to no user, memory.predicates and memory.models) or ''admin'' (everything, and may grant it on). Tables created later by that owner, by init() or otherwise, are included. Only the owner or an admin may call it; the grants are the owner''s.';

CREATE FUNCTION memory.revoke_access(role regrole) RETURNS void
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_revoke_access';
COMMENT ON FUNCTION memory.revoke_access(regrole) IS
'Takes from a role all access to the tables of memory, those included that grant_access is about and that came later, and default privileges that a former owner has given; an error where something is left that the caller may not take. Only the owner or an admin may call it.';

CREATE FUNCTION memory.protect(identity text DEFAULT 'memory.current_user_id()') RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_protect';
COMMENT ON FUNCTION memory.protect(text) IS
'Turns row-level security on for all tables with a user_id that the owner of memory.episodes has in schema memory: afterwards a session sees and writes only the rows of the user that the SQL expression yields (current_user::text, auth.uid()::text, ...), whatever it passes, the owner of the tables included; nothing where the expression is NULL or empty. It names no column, is not volatile, can be evaluated now, and does not read these tables. Superusers and roles with BYPASSRLS are outside of it. Called again it replaces the expression. For the owner of the tables.';

CREATE FUNCTION memory.unprotect() RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_unprotect';
COMMENT ON FUNCTION memory.unprotect() IS
'Ends what memory.protect() began. Row-level security stays on for tables that have policies of their own. For the owner of the tables.';
