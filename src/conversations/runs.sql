-- Runs, policies, summaries and profiles.

CREATE TYPE memory.run AS (
    run_id text,
    session_id text,
    agent_id text,
    status text,
    state jsonb,
    requirements jsonb,
    created_at timestamptz,
    updated_at timestamptz,
    user_id text
);
COMMENT ON TYPE memory.run IS
'A run as functions return it: one turn of an agent, from the request to its end, and what it needs to go on where it stopped.';
COMMENT ON COLUMN memory.run.run_id IS 'The name that the application gave it.';
COMMENT ON COLUMN memory.run.session_id IS 'The session that it belongs to.';
COMMENT ON COLUMN memory.run.agent_id IS 'The agent that runs.';
COMMENT ON COLUMN memory.run.status IS 'running, completed, paused, cancelled or error.';
COMMENT ON COLUMN memory.run.state IS 'Its state, as it was saved.';
COMMENT ON COLUMN memory.run.requirements IS 'What it waits for, as it was saved: an array of objects, or an object.';
COMMENT ON COLUMN memory.run.created_at IS 'When it was saved first.';
COMMENT ON COLUMN memory.run.updated_at IS 'When it was saved last.';
COMMENT ON COLUMN memory.run.user_id IS 'Whose run this is; NULL for the anonymous user.';

CREATE FUNCTION memory.save_run(session_id text, run_id text, status text DEFAULT NULL, state jsonb DEFAULT NULL,
    state_path text[] DEFAULT NULL, requirements jsonb DEFAULT NULL, messages jsonb DEFAULT NULL,
    expected_status text[] DEFAULT NULL, user_id text DEFAULT NULL, agent_id text DEFAULT NULL)
    RETURNS jsonb
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_save_run';
COMMENT ON FUNCTION memory.save_run(text, text, text, jsonb, text[], jsonb, jsonb, text[], text, text) IS
'Saves how far a run has come, and returns its whole state. A run that is not there is made, in its session; of one that is there, what is NULL stays as it was. With state_path one place of the state is set, and what others have set elsewhere in it stays. The n-th element of messages takes the place of the run''s n-th message, more are appended to the session. With expected_status it does so only where the run has one of these statuses: 40001 when it has another, or is not there.';

CREATE FUNCTION memory.run(run_id text, user_id text DEFAULT NULL) RETURNS SETOF memory.run
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_run';
COMMENT ON FUNCTION memory.run(text, text) IS
'The run of this user with this name; no row when there is none.';

CREATE FUNCTION memory.runs(session_id text DEFAULT NULL, agent_id text DEFAULT NULL, statuses text[] DEFAULT NULL,
    since timestamptz DEFAULT NULL, until timestamptz DEFAULT NULL, k bigint DEFAULT 20, skip bigint DEFAULT 0,
    user_id text DEFAULT NULL)
    RETURNS SETOF memory.run
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 20
    AS 'MODULE_PATHNAME', 'memory_runs';
COMMENT ON FUNCTION memory.runs(text, text, text[], timestamptz, timestamptz, bigint, bigint, text) IS
'The runs of this user that meet every condition given, those saved first last; runs of one time in the order of their names, byte by byte, so that pages do not overlap. Those to be resumed are runs(statuses => ''{running,paused,cancelled,error}'').';

CREATE FUNCTION memory.delete_runs(run_ids text[], user_id text DEFAULT NULL) RETURNS bigint
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_delete_runs';
COMMENT ON FUNCTION memory.delete_runs(text[], text) IS
'Deletes these runs with their messages, and returns how many runs there were.';

CREATE FUNCTION memory.set_summary(session_id text, summary text, upto bigint DEFAULT NULL, topics text[] DEFAULT NULL,
    user_id text DEFAULT NULL)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_summary';
COMMENT ON FUNCTION memory.set_summary(text, text, bigint, text[], text) IS
'Sets the summary of a session that is there, with its topics; the one before goes. Where the policy does not keep summaries, a NOTICE says so.';

CREATE FUNCTION memory.summary(session_id text, user_id text DEFAULT NULL)
    RETURNS TABLE (session_id text, summary text, upto bigint, topics text[], newer bigint, updated_at timestamptz)
    LANGUAGE C STABLE PARALLEL RESTRICTED ROWS 1
    AS 'MODULE_PATHNAME', 'memory_summary';
COMMENT ON FUNCTION memory.summary(text, text) IS
'The summary of a session, and how many messages it does not cover yet; no row when there is none.';

CREATE FUNCTION memory.set_profile(traits jsonb, mode text DEFAULT 'update', user_id text DEFAULT NULL,
    agent_id text DEFAULT NULL)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_profile';
COMMENT ON FUNCTION memory.set_profile(jsonb, text, text, text) IS
'Notes what is known of the user, trait by trait: traits that are not given stay, and a null erases none. With agent_id, in a profile of that agent''s. Where the policy does not keep profiles, a NOTICE says so.';

CREATE FUNCTION memory.profile(user_id text DEFAULT NULL, agent_id text DEFAULT NULL) RETURNS jsonb
    LANGUAGE C STABLE PARALLEL RESTRICTED
    AS 'MODULE_PATHNAME', 'memory_profile';
COMMENT ON FUNCTION memory.profile(text, text) IS
'The profile of the user, or the one that this agent has of the user; NULL when there is none.';

CREATE FUNCTION memory.set_policy(save_history boolean DEFAULT NULL, save_summary boolean DEFAULT NULL,
    save_profile boolean DEFAULT NULL, load_history boolean DEFAULT NULL, load_summary boolean DEFAULT NULL,
    load_profile boolean DEFAULT NULL, tool_messages boolean DEFAULT NULL, last_runs bigint DEFAULT NULL,
    user_id text DEFAULT NULL, agent_id text DEFAULT NULL)
    RETURNS void
    LANGUAGE C VOLATILE PARALLEL UNSAFE
    AS 'MODULE_PATHNAME', 'memory_set_policy';
COMMENT ON FUNCTION memory.set_policy(boolean, boolean, boolean, boolean, boolean, boolean, boolean, bigint, text, text) IS
'Says what of a user''s conversations is kept, and what of it is loaded into prompts; with agent_id, for that agent alone, which comes before what is said of the user. What is NULL stays as it was. Without a policy everything is kept and loaded.';
