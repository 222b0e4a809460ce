-- Whose checkpoints are whose: another user's are not found, by no argument of no function; under protect() by no setting, either.
-- And what is stored, when it is damaged: an error, and never wrong bytes.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE FUNCTION pg_temp.refused(statement text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE state text; message text; hint text; answer text;
BEGIN
    EXECUTE 'SELECT string_agg(a::text, '' '') FROM ' || statement || ' a' INTO answer;
    RETURN coalesce('answered ' || answer, 'no row');
EXCEPTION WHEN OTHERS THEN
    GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT;
    RETURN concat_ws(' | ', state, message, nullif(hint, ''));
END $$;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_users');
CREATE FUNCTION pg_temp.made(n bigint) RETURNS text LANGUAGE sql AS $$ SELECT string_agg(md5((CASE WHEN i % 50 = n % 50 THEN n ELSE 0 END)::text || '.' || i), '' ORDER BY i) FROM generate_series(1, 100) i $$;
CREATE FUNCTION pg_temp.put(session text, n bigint, owner text) RETURNS text LANGUAGE sql AS $$
    SELECT memory.put_checkpoint(session, to_jsonb(pg_temp.made(n)), 'c' || n, 'c' || n - 1, path => 'sub', refs => jsonb_build_object('p', n::text), part_names => '{p}', part_types => '{t}',
        part_data => ARRAY[convert_to(pg_temp.made(n + 100), 'UTF8')], user_id => owner) $$;
CREATE FUNCTION pg_temp.is_as_put(c memory.checkpoint) RETURNS boolean LANGUAGE sql AS $$
    SELECT c.state = to_jsonb(pg_temp.made(n)) AND c.part_data = ARRAY[convert_to(pg_temp.made(n + 100), 'UTF8')] FROM CAST(substr(c.id, 2) AS bigint) n $$;

-- === users ===================================================================================
-- Two users put the same under the same names: each has all of it stored, and what one drops the other keeps.
SELECT count(pg_temp.put('s', n, u)), count(memory.put_writes('s', 'c' || n, 't', '{0}', '{n}', '{t}', '{"\\x01"}', path => 'sub', user_id => u)) FROM unnest('{ann,bob}'::text[]) u, generate_series(1, 5) n;
SELECT user_id, count(*) AS versions, count(*) FILTER (WHERE chain = '{}') AS keyframes, sum(length(data)) AS bytes FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_users' GROUP BY 1 ORDER BY 1;
-- A chain is of versions of its own user and store.
SELECT count(*) AS links, count(*) FILTER (WHERE EXISTS (SELECT FROM memory.checkpoint_bytes b WHERE (b.namespace, b.user_id, b.store, b.number) = (v.namespace, v.user_id, v.store, one))) AS own
    FROM memory.checkpoint_bytes v, unnest(chain) one WHERE namespace = 'checkpoints_users';
SELECT count(DISTINCT key) AS keys, count(DISTINCT t.store) AS stores FROM memory.sessions s FULL JOIN memory.checkpoint_stores t ON (t.namespace, t.user_id, t.store) = (s.namespace, s.user_id, s.key) WHERE coalesce(s.namespace, t.namespace) = 'checkpoints_users';
SELECT memory.prune_checkpoints('{s}', 0, user_id => 'bob'), memory.delete_session('s', user_id => 'bob'), memory.delete_session('s', user_id => 'bob');
SELECT count(*), bool_and(pg_temp.is_as_put(c)) FROM memory.checkpoints('s', full_rows => true) c;
SELECT count(pg_temp.put('s', n, 'bob')) FROM generate_series(1, 2) n;
-- What another user has is not found; messages are those of a session that is not there.
SELECT call, pg_temp.refused('memory.' || call || $$, user_id => 'carl')$$) FROM unnest(ARRAY[$$checkpoint('s', path => 'sub'$$, $$checkpoint('s', 'c1', 'sub'$$, $$checkpoint(id => 'c1', path => 'sub'$$, $$checkpoints('s'$$, $$checkpoints(k => NULL$$, $$checkpoints('s', path => 'sub', before => 'c9'$$,
    $$checkpoints('s', path => 'sub', ancestors_of => 'c5'$$, $$writes('s', 'c1', path => 'sub'$$, $$session('s'$$, $$prune_checkpoints('{s}', 0$$, $$prune_checkpoints(keep => 0$$, $$delete_session('s', 'sub'$$, $$delete_session('s'$$, $$fork_session('s', 'f'$$, $$fork_session('nothing', 'f'$$]) call;

-- === protect() ===============================================================================
CREATE ROLE regress_checkpoints_app;
SELECT memory.grant_access('regress_checkpoints_app', 'writer');
SELECT memory.protect();
SET ROLE regress_checkpoints_app;
SELECT user_id FROM memory.set_scope('bob', namespace => 'checkpoints_users');
-- Bob's own are there; those of ann are not, whatever is passed, and nothing that writes is done for her.
SELECT (SELECT string_agg(id, ' ') FROM memory.checkpoints('s')) AS bob, (SELECT count(*) FROM memory.checkpoints('s', user_id => 'ann')) AS ann, (SELECT count(*) FROM memory.checkpoints(user_id => 'ann')) AS "all of ann", (SELECT count(*) FROM memory.writes('s', 'c1', path => 'sub', user_id => 'ann')) AS writes;
SELECT call, pg_temp.refused('memory.' || call || $$, user_id => 'ann')$$) FROM unnest(ARRAY[$$checkpoint('s', path => 'sub'$$, $$checkpoint('s', 'c1', 'sub'$$, $$checkpoint(id => 'c1', path => 'sub'$$, $$checkpoints('s', path => 'sub', before => 'c9'$$, $$checkpoints('s', path => 'sub', ancestors_of => 'c5'$$, $$session('s'$$, $$sessions(k => NULL$$,
    $$put_checkpoint('s', '1', 'c1'$$, $$put_checkpoint('new', '1'$$, $$put_writes('s', 'c1', 't', '{0}', '{n}', '{t}', '{"\\x01"}'$$, $$prune_checkpoints('{s}', 0$$, $$prune_checkpoints(keep => 0$$, $$prune_checkpoints(before => 'infinity'$$, $$delete_session('s', 'sub'$$, $$delete_session('s'$$, $$fork_session('s', 'f'$$]) call;
-- The tables, too, have nothing of hers.
SELECT (SELECT string_agg(DISTINCT user_id, ' ') FROM memory.sessions) AS sessions, (SELECT string_agg(DISTINCT user_id, ' ') FROM memory.checkpoints) AS checkpoints, (SELECT string_agg(DISTINCT user_id, ' ') FROM memory.checkpoint_parts) AS parts,
    (SELECT string_agg(DISTINCT user_id, ' ') FROM memory.checkpoint_bytes) AS bytes, (SELECT string_agg(DISTINCT user_id, ' ') FROM memory.checkpoint_stores) AS stores;
WITH gone AS (DELETE FROM memory.checkpoint_bytes RETURNING user_id) SELECT DISTINCT user_id FROM gone;
-- Nor does a session without a user see or write anything.
RESET memory.user_id;
SELECT pg_temp.refused($$memory.checkpoints('s')$$), pg_temp.refused($$memory.checkpoints('s', user_id => 'ann')$$), pg_temp.refused($$memory.prune_checkpoints(keep => 0)$$), pg_temp.refused($$memory.put_checkpoint('s', '1')$$);
RESET ROLE;
SELECT memory.unprotect();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_users');
SELECT count(*), bool_and(pg_temp.is_as_put(c)) FROM memory.checkpoints('s', full_rows => true) c;
-- What bob deleted by hand is missing, and said to be.
SELECT pg_temp.refused($$memory.checkpoint('s', 'c1', 'sub', 'bob')$$);
SELECT memory.delete_session('s', user_id => 'bob');
-- A reader reads, and nothing else.
SELECT memory.grant_access('regress_checkpoints_app', 'reader');
SET ROLE regress_checkpoints_app;
SELECT count(*) FROM memory.checkpoints('s', full_rows => true);
SELECT call, left(pg_temp.refused('memory.' || call), 5) FROM unnest(ARRAY[$$put_checkpoint('s', '1')$$, $$put_writes('s', 'c1', 't', '{0}', '{n}', '{t}', '{"\\x01"}')$$, $$prune_checkpoints(keep => 0)$$, $$delete_session('s')$$, $$fork_session('s', 'f')$$]) call;
RESET ROLE;
SELECT memory.revoke_access('regress_checkpoints_app');
DROP ROLE regress_checkpoints_app;

-- === damage ==================================================================================
-- A damage is made and undone; meanwhile each checkpoint is read as it was put, or is an error that names it: this says of how many, and the error of the last.
CREATE FUNCTION pg_temp.damaged(change text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE one record; c memory.checkpoint; good int = 0; bad int = 0; wrong int = 0; said text = 'none';
BEGIN
    BEGIN
        EXECUTE change;
        FOR one IN SELECT id FROM memory.checkpoints('s', k => NULL) LOOP
            BEGIN
                SELECT * INTO STRICT c FROM memory.checkpoint('s', one.id, 'sub');
                IF pg_temp.is_as_put(c) THEN good := good + 1; ELSE wrong := wrong + 1; END IF;
            EXCEPTION WHEN data_corrupted OR object_not_in_prerequisite_state THEN
                IF SQLERRM ~ ('^checkpoint "' || one.id || '" of session "s"') THEN bad := bad + 1; ELSE wrong := wrong + 1; END IF;
                said := SQLSTATE || ' ' || SQLERRM;
            END;
        END LOOP;
        RAISE EXCEPTION USING ERRCODE = 'P0003';
    EXCEPTION WHEN too_many_rows THEN
    END;
    RETURN concat(good, ' good, ', bad, ' errors, ', wrong, ' wrong; ', said);
END $$;
CREATE FUNCTION pg_temp.place(n int) RETURNS bigint LANGUAGE sql AS $$ SELECT state FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE s.namespace = 'checkpoints_users' AND c.id = 'c' || n $$;
SELECT number, chain FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_users' AND number IN (pg_temp.place(1), pg_temp.place(3)) ORDER BY 1;
SELECT what, pg_temp.damaged(format($$UPDATE memory.checkpoint_bytes SET %s WHERE namespace = 'checkpoints_users' AND number = pg_temp.place(%s)$$, change, n)) FROM (VALUES
    ('nothing', 'data = data', 1), ('a byte of the keyframe', 'data = set_byte(data, 1000, 32)', 1), ('the keyframe is shorter', 'data = substr(data, 1, 3000)', 1), ('it is longer', $$data = data || '\x20'$$, 1),
    ('a byte of a delta', 'data = set_byte(data, 20, 32)', 3), ('a delta is shorter', 'data = substr(data, 1, 10)', 3), ('it is longer', $$data = data || '\x00'$$, 3), ('it is of another format', 'data = set_byte(data, 0, 2)', 3), ('it is empty', $$data = '\x'$$, 3),
    ('a chain leads elsewhere', 'chain = ARRAY[pg_temp.place(2)]', 3), ('it leads nowhere', 'chain = ARRAY[999999]', 3), ('it leads to itself', 'chain = ARRAY[number]', 3), ('it is none', $$chain = '{}'$$, 3),
    ('another size', 'size = size - 1', 3), ('no size', 'size = -1', 3), ('an enormous size', 'size = 9223372036854775807', 3), ('another checksum', 'checksum = checksum # 1', 5)) v (what, change, n);
SELECT pg_temp.damaged(format($$DELETE FROM memory.checkpoint_bytes WHERE namespace = 'checkpoints_users' AND number = pg_temp.place(%s)$$, 3));
-- Each byte of a delta, and every hundredth of a keyframe: never anything wrong.
SELECT count(*), count(*) FILTER (WHERE said ~ ' 0 wrong; ') AS "nothing wrong", count(*) FILTER (WHERE said ~ ' errors, ' AND said !~ ', 0 errors, ') AS "an error" FROM (
    SELECT pg_temp.damaged(format($$UPDATE memory.checkpoint_bytes SET data = set_byte(data, %s, get_byte(data, %s) # 85) WHERE namespace = 'checkpoints_users' AND number = %s$$, at, at, number)) AS said
    FROM memory.checkpoint_bytes, LATERAL generate_series(0, length(data) - 1, CASE WHEN chain = '{}' THEN 100 ELSE 1 END) at WHERE namespace = 'checkpoints_users' AND number IN (pg_temp.place(1), pg_temp.place(3))) d;
-- A put on what is damaged, and a prune that would have to write it anew, are errors that name it, too, and change nothing; what does not need it goes on.
BEGIN;
UPDATE memory.checkpoint_bytes SET data = set_byte(data, 20, 32) WHERE namespace = 'checkpoints_users' AND number = pg_temp.place(3);
SELECT pg_temp.refused($$memory.put_checkpoint('s', to_jsonb(pg_temp.made(9)), 'c9', 'c3', path => 'sub')$$);
SELECT pg_temp.refused($$memory.prune_checkpoints('{s}', 0, protect => '{c3,c4,c5}')$$);
SELECT string_agg(id, ' ') FROM memory.checkpoints('s');
SELECT memory.put_checkpoint('s', to_jsonb(pg_temp.made(9)), 'c9', 'c2', path => 'sub'), memory.put_checkpoint('s', to_jsonb(pg_temp.made(10)), 'c10'), memory.prune_checkpoints('{s}', 0, protect => '{c1,c2,c9,c10}');
SELECT string_agg(path || '/' || id, ' ') FROM memory.checkpoints('s', full_rows => true);
ROLLBACK;
SELECT bool_and(memory.delete_session(session_id)) FROM memory.sessions WHERE namespace = 'checkpoints_users';
SELECT memory.set_scope();
