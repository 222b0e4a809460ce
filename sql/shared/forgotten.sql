\set ECHO none
-- What tests of forgetting share: schema forgetting, with a user's memories to be made, and what is left of them.
--     \getenv source PG_ABS_SRCDIR
--     \i :source/sql/shared/forgotten.sql
CREATE SCHEMA forgetting;
GRANT USAGE ON SCHEMA forgetting TO PUBLIC;
CREATE FUNCTION forgetting.episode(n int) RETURNS uuid IMMUTABLE LANGUAGE sql AS $$ SELECT ('00000000-0000-7000-8000-00000000000' || n)::uuid $$;
-- In the namespace of the session. `word` is in all that words can be in.
CREATE PROCEDURE forgetting.make(who text, word text DEFAULT 'zebras') LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('memory.agent_id', word || ' agent', true);
    PERFORM memory.add_messages('monday', jsonb_build_array(
                jsonb_build_object('message', jsonb_build_object('role', 'user', 'content', 'I like ' || word), 'key', word || ' key', 'occurred_at', '2026-03-02T09:00:00Z'),
                jsonb_build_object('message', jsonb_build_object('role', 'tool', 'content', word || ' found'), 'occurred_at', '2026-03-02T10:00:00Z'),
                jsonb_build_object('message', jsonb_build_object('role', 'assistant', 'content', 'Noted.'), 'occurred_at', '2026-03-02T13:00:00Z')),
            user_id => who, run_id => word || ' run', operation => word || ' operation'),
        memory.add_messages('monday', jsonb_build_array(jsonb_build_object('message', jsonb_build_object('role', 'user', 'content', word || ' of a sub-agent'), 'occurred_at', '2026-03-02T09:30:00Z')),
            user_id => who, path => word || ' path');
    PERFORM memory.remember('I saw ' || word, 'Where?', user_id => who, session_id => 'monday', embedding => '[1,0]', id => forgetting.episode(1), kind => word, role => word,
            metadata => jsonb_build_object('topic', word), transcript => to_jsonb(word), occurred_at => '2026-03-02 09:00+00'),
        memory.remember('Owls on tuesday', user_id => who, session_id => 'tuesday', embedding => '[0,1]', id => forgetting.episode(2), metadata => '{"topic": "owls"}', occurred_at => '2026-03-03 09:00+00'),
        memory.remember('A note of no session', user_id => who, id => forgetting.episode(3), metadata => '{"topic": "notes"}', occurred_at => '2026-03-04 09:00+00');
    PERFORM memory.revise(forgetting.episode(1), 'I saw many ' || word, 'Where, when?', user_id => who);
    INSERT INTO memory.embeddings (user_id, episode_id, model, embedding) VALUES (coalesce(who, ''), forgetting.episode(1), 'another', '[1,0]');
    INSERT INTO memory.usage (user_id, episode_id, accesses) VALUES (coalesce(who, ''), forgetting.episode(1), 1);
    PERFORM memory.assert_fact('Ada', 'saw', word, who, sources => ARRAY[forgetting.episode(1)], metadata => jsonb_build_object('topic', word), embedding => '[1,0]', valid_from => '2026-03-02'),
        memory.assert_fact('Ada', 'knows', 'owls', who, sources => ARRAY[forgetting.episode(1), forgetting.episode(2)], embedding => '[0,1]', valid_from => '2026-03-02'),
        memory.assert_fact('Ada', 'lives in', 'Vienna', who, valid_from => '2026-03-01'),
        memory.assert_fact('Ada', 'lives in', 'Vienna', who, valid_from => '2026-02-01');
    PERFORM memory.reject_fact('Ada', 'lives in', word, word, user_id => who), memory.merge_entities('Ada', word || ' alias', user_id => who);
    PERFORM memory.set_session('monday', jsonb_build_object('topic', word), user_id => who);
    PERFORM memory.save_run('monday', word || ' run', state => to_jsonb(word), requirements => jsonb_build_object('wants', word), user_id => who),
        memory.set_summary('monday', 'About ' || word, topics => ARRAY[word], user_id => who),
        memory.put_checkpoint('monday', to_jsonb(word), word || ' c', word || ' parent', jsonb_build_object('topic', word), word || ' path', refs => jsonb_build_object(word || ' part', word || ' 1'),
            part_names => ARRAY[word || ' part'], part_types => ARRAY[word], part_data => ARRAY[convert_to(word, 'UTF8')], user_id => who),
        memory.put_writes('monday', word || ' c', word || ' task', '{0}', ARRAY[word], ARRAY[word], ARRAY[convert_to(word, 'UTF8')], path => word || ' path', task_path => word, user_id => who);
    PERFORM memory.put_item(ARRAY['topics', word], word || ' key', jsonb_build_object('topic', word), texts => ARRAY[word], embeddings => ARRAY['[1,0]'::vector], user_id => who),
        memory.put_item('{topics}', 'owls', '{"topic": "owls"}', user_id => who);
    UPDATE memory.items SET updated_at = '2026-03-02 09:00+00' WHERE path @> ARRAY[word] AND user_id = coalesce(who, '') AND namespace = current_setting('memory.namespace');
    PERFORM memory.set_block(word || ' block', 'About ' || word, user_id => who, metadata => jsonb_build_object('topic', word)), memory.append_block(word || ' block', '.', user_id => who);
    PERFORM memory.set_profile(jsonb_build_object('likes', word), user_id => who, agent_id => word || ' agent'), memory.set_policy(last_runs => 3, user_id => who, agent_id => word || ' agent');
    -- Long ago, where a call cannot say when.
    UPDATE memory.runs SET created_at = '2026-03-02 09:00+00' WHERE user_id = coalesce(who, '') AND namespace = current_setting('memory.namespace');
    UPDATE memory.checkpoints SET created_at = '2026-03-02 09:00+00' WHERE user_id = coalesce(who, '') AND namespace = current_setting('memory.namespace');
    PERFORM set_config('memory.agent_id', '', true);
END $$;
CREATE FUNCTION forgetting.rows_of(who text) RETURNS TABLE ("table" text, rows bigint) LANGUAGE plpgsql AS $$
BEGIN
    FOR "table" IN SELECT relname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
        WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND attname = 'user_id' ORDER BY relname
    LOOP
        EXECUTE format('SELECT count(*) FROM memory.%I WHERE user_id = $1 AND namespace = current_setting(''memory.namespace'')', "table") USING who INTO rows;
        RETURN NEXT;
    END LOOP;
END $$;
CREATE FUNCTION forgetting.left_of(who text) RETURNS text LANGUAGE sql AS $$ SELECT string_agg("table" || ' ' || rows, ', ' ORDER BY "table") FROM forgetting.rows_of(who) WHERE rows > 0 $$;
-- Tables of which two users, for whom the same was made, have other numbers of rows.
CREATE FUNCTION forgetting.differences(one text, other text) RETURNS TABLE ("table" text) LANGUAGE sql AS $$
    SELECT a."table" FROM forgetting.rows_of(one) a JOIN forgetting.rows_of(other) b USING ("table") WHERE a.rows <> b.rows $$;
-- Of a receipt, the tables that have lost rows.
CREATE FUNCTION forgetting.counts(receipt jsonb) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg(key || ' ' || value, ', ' ORDER BY key) FROM jsonb_each_text(receipt) WHERE key NOT IN ('time', 'digest') AND value <> '0' $$;
\set ECHO all
