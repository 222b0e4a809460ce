-- Scope: the namespace and user of a call. Access: roles' privileges, and row-level security.

CREATE FUNCTION memory.current_user_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_current_user_id';
COMMENT ON FUNCTION memory.current_user_id() IS
'The setting memory.user_id; NULL when it is unset.';

CREATE FUNCTION memory.set_scope(user_id text DEFAULT NULL, agent_id text DEFAULT NULL,
    session_id text DEFAULT NULL, namespace text DEFAULT NULL, is_local boolean DEFAULT false,
    model text DEFAULT NULL)
    RETURNS TABLE (namespace text, user_id text, agent_id text, session_id text, model text)
    LANGUAGE C VOLATILE PARALLEL UNSAFE ROWS 1
    AS 'MODULE_PATHNAME', 'memory_set_scope';
COMMENT ON FUNCTION memory.set_scope(text, text, text, text, boolean, text) IS
'Sets the scope of the calls that follow, and returns it: memory.user_id, agent_id, session_id, namespace and embedding_model, all five. A NULL resets its setting to the default of the role or database. Without is_local the scope stays until the session ends or sets another: behind a pooler in transaction mode the next client has it. With is_local it ends with the transaction; without a transaction block, with the statement, of which a call in the select list warns. In FROM a statement carries its own scope.';

CREATE FUNCTION memory.scope()
    RETURNS TABLE (namespace text, user_id text, agent_id text, session_id text, model text)
    LANGUAGE C STABLE PARALLEL SAFE ROWS 1
    AS 'MODULE_PATHNAME', 'memory_scope';
COMMENT ON FUNCTION memory.scope() IS
'The scope of calls that name none: the five settings, NULL where unset.';

-- Defaults of our tables' columns, so that INSERT and COPY fall into the same scope as remember().

CREATE FUNCTION memory_internal.default_namespace() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_namespace';
COMMENT ON FUNCTION memory_internal.default_namespace() IS
'The default namespace of rows written by INSERT or COPY: the setting memory.namespace.';

CREATE FUNCTION memory_internal.default_user_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_user_id';
COMMENT ON FUNCTION memory_internal.default_user_id() IS
'The default user_id of rows written by INSERT or COPY: the setting memory.user_id, else '''', the anonymous user (an error when memory.anonymous is deny).';

CREATE FUNCTION memory_internal.default_agent_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_agent_id';
COMMENT ON FUNCTION memory_internal.default_agent_id() IS
'The default agent_id of rows written by INSERT or COPY: the setting memory.agent_id, else NULL.';

CREATE FUNCTION memory_internal.default_session_id() RETURNS text
    LANGUAGE C STABLE PARALLEL SAFE
    AS 'MODULE_PATHNAME', 'memory_default_session_id';
COMMENT ON FUNCTION memory_internal.default_session_id() IS
'The default session_id of rows written by INSERT or COPY: the setting memory.session_id, else NULL.';

-- Privileges. By default only the owner of the tables may read and write them.

CREATE FUNCTION memory.grant_access(role regrole, access text) RETURNS void
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_grant_access';
COMMENT ON FUNCTION memory.grant_access(regrole, text) IS
'Gives a role one kind of access to the tables of memory, in place of what it had: ''reader'' (SELECT), ''writer'' (also INSERT, UPDATE and DELETE, except on memory.predicates and memory.models, which belong to no user), ''admin'' (everything, with the right to grant it) or ''worker'' (does jobs, by memory.next_jobs and its kin, and reads no table). All tables in schema memory of the owner of memory.episodes are included, also those created later. Only the owner or an admin may call it; the grants are the owner''s.';

CREATE FUNCTION memory.revoke_access(role regrole) RETURNS void
    LANGUAGE C VOLATILE STRICT PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_revoke_access';
COMMENT ON FUNCTION memory.revoke_access(regrole) IS
'Takes all access to the tables of memory from a role, also to those created later, and default privileges that a former owner has given. An error if something is left that the caller may not take. Only the owner or an admin may call it.';

CREATE FUNCTION memory.protect(identity text DEFAULT 'memory.current_user_id()') RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_protect';
COMMENT ON FUNCTION memory.protect(text) IS
'Turns on row-level security for all tables in schema memory with a user_id that the owner of memory.episodes has. Afterwards a session sees and writes only the rows of the user that the SQL expression yields (current_user::text, auth.uid()::text, ...), whatever user_id it passes, and none where the expression is NULL or empty. That binds the owner, too; superusers and roles with BYPASSRLS are exempt. The expression names no column, is not volatile, can be evaluated now and does not read these tables. A second call replaces it. For the owner of the tables.';

CREATE FUNCTION memory.unprotect() RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_unprotect';
COMMENT ON FUNCTION memory.unprotect() IS
'Drops the policies of memory.protect(). Row-level security stays enabled on tables that have other policies. Only the owner of the tables may call it.';
