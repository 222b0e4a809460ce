-- What goes into a prompt.

CREATE FUNCTION memory.context(query text DEFAULT NULL, max_tokens bigint DEFAULT 2000, session_id text DEFAULT NULL,
    user_id text DEFAULT NULL, embedding vector DEFAULT NULL, half_life interval DEFAULT NULL)
    RETURNS text
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_context';
COMMENT ON FUNCTION memory.context(text, bigint, text, text, vector, interval) IS
'A section for a prompt, of at most max_tokens tokens: pinned blocks, episodes that answer the query, the summary of a session, current facts, and the newest messages of the session. Each memory stands in a fence that its text cannot end, with the id to cite it by. Pinned blocks are never left out: where they alone are over the budget, it is an error (54000). Empty where there is nothing to show.';

CREATE FUNCTION memory.overview(user_id text DEFAULT NULL) RETURNS jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_overview';
COMMENT ON FUNCTION memory.overview(text) IS
'What there is of this user at a glance: {"episodes": n, "kinds": {kind: n, ...}, "facts": n, "sample_facts": [{id, subject, predicate, object, valid_from}, ...], "sessions": [{session_id, agent_id, messages, updated_at}, ...], "last_seen": time}. Facts are those believed and true now; of facts and sessions the newest ten are shown. Times are in UTC.';

CREATE FUNCTION memory.load_session(session_id text, user_id text DEFAULT NULL, agent_id text DEFAULT NULL) RETURNS jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_load_session';
COMMENT ON FUNCTION memory.load_session(text, text, text) IS
'What an agent needs to go on with a session, as far as the policy allows: {"messages": [as they were given, the newest 20 or those of the policy''s last runs, oldest first], "summary": text, "profile": traits, "metadata": the session''s, "prompt": as memory.context writes it}. What the policy turns off, or what is not there, is an empty array or null.';
