-- The users and roles of t/060_every_call.pl. All users have the same words and names, and some ids, so that what is found
-- without the user is found in the wrong place; what is wombat's, and ada's in another namespace, has a mark besides.
CREATE EXTENSION memory CASCADE;
SELECT memory.init(3);
CREATE ROLE nothing;
CREATE ROLE usage;
CREATE ROLE reader;
CREATE ROLE writer;
CREATE ROLE other;
SELECT memory.grant_access('reader', 'reader'), memory.grant_access('writer', 'writer');
GRANT CREATE, TEMP ON DATABASE postgres TO PUBLIC;
GRANT USAGE ON SCHEMA memory TO usage;

CREATE SCHEMA harness;
GRANT USAGE ON SCHEMA harness TO PUBLIC;
-- Nothing that is said may match one of these, unless the statement does.
CREATE TABLE harness.mark (mark text);
INSERT INTO harness.mark VALUES ('quokka'), ('wombat'), ('numbat'), ('beef(?![0-9a-f])'), ('[.]589793(?![0-9])'), ('(?<![0-9.])0[.]271828(?![0-9])'), ('(?<![0-9.])0[.]314159(?![0-9])');
GRANT SELECT ON harness.mark TO PUBLIC;

CREATE PROCEDURE harness.live(who text, mark text, last text, number real, instant timestamptz) LANGUAGE plpgsql AS $$
DECLARE
	episode text := '01900000-0000-7000-8000-0000000';
	fact text := '01900000-0000-7000-9000-0000000';
BEGIN
	PERFORM set_config('memory.embedding_model', coalesce(nullif(mark || 'model', 'model'), 'default'), true);
	PERFORM memory.remember('night trains to Vienna ' || mark, 'sleepers ' || mark, user_id => who, session_id => 's' || mark, agent_id => 'a' || mark, kind => 'episodic' || mark,
		role => 'user' || mark, metadata => jsonb_build_object('topic' || mark, 'travel' || mark), importance => number, occurred_at => instant, transcript => to_jsonb('t' || mark),
		embedding => '[1,2,3]', id => (episode || '0' || last)::uuid);
	PERFORM memory.remember('zebra and trains ' || mark || i, user_id => who, session_id => 's', embedding => '[3,2,1]', id => (episode || i || CASE i % 2 WHEN 0 THEN '000a' ELSE last END)::uuid) FROM generate_series(1, 4) i;
	PERFORM memory.revise((episode || '4000a')::uuid, 'zebra again ' || mark, 'and again ' || mark, user_id => who);
	PERFORM memory.revise((episode || '4000a')::uuid, 'zebra for ever', user_id => who);
	PERFORM memory.assert_fact('Ada' || mark, p, o || mark, user_id => who, valid_from => f::timestamptz, confidence => number, embedding => '[1,0,2]',
		metadata => jsonb_build_object('m', mark), sources => ARRAY[(episode || '0' || last)::uuid], id => (fact || i || last)::uuid)
		FROM (VALUES (1, 'lives in', 'Paris', '2026-01-01'), (2, 'lives in', 'Tokyo', '2026-03-01'), (3, 'likes', 'tea', '2026-01-01')) v (i, p, o, f);
	PERFORM memory.assert_fact('Ada', 'lives in', o, user_id => who, valid_from => f::timestamptz, id => (fact || (i + 3) || '000a')::uuid)
		FROM (VALUES (1, 'Paris', '2026-01-01'), (2, 'Tokyo', '2026-03-01')) v (i, o, f);
	PERFORM memory.assert_fact('Ada', 'knows' || mark, 'Bob' || mark, user_id => who, valid_from => instant, embedding => '[0,1,0]');
	PERFORM memory.reject_fact('Ada' || mark, 'lives in', 'Rome' || mark, 'because ' || mark, user_id => who);
	PERFORM memory.reject_fact('Ada' || mark, 'knows' || mark, 'Rome' || mark, user_id => who);
	PERFORM memory.merge_entities('Ada' || mark, 'Countess' || mark, user_id => who);
	PERFORM memory.set_session('s', '{"topic": "travel"}', user_id => who), memory.set_session('s' || mark, jsonb_build_object('topic' || mark, 'travel' || mark), user_id => who, agent_id => 'a' || mark);
	PERFORM memory.put_checkpoint('s', jsonb_build_object('topic', 'travel' || mark), id => c || mark, parent => p || mark, metadata => jsonb_build_object('topic', 'travel' || mark), path => mark,
		refs => jsonb_build_object('m' || mark, '1' || mark), part_names => ARRAY['m' || mark], part_types => ARRAY['t' || mark], part_data => ARRAY[convert_to('d' || mark, 'UTF8')], user_id => who)
		FROM (VALUES ('c1', 'c0'), ('c2', 'c1')) v (c, p);
	PERFORM memory.put_writes('s', 'c2' || mark, 't' || mark, '{0,1}', ARRAY['n' || mark, 'o'], ARRAY['t' || mark, 't'], ARRAY[convert_to('d' || mark, 'UTF8'), '\x00'], path => mark, task_path => 'p' || mark, user_id => who);
	PERFORM memory.save_run('s', 'r1', state => '{"topic": {"to": "Vienna"}}', user_id => who), memory.save_run('s' || mark, 'r2' || mark, status => 'paused', state => jsonb_build_object('topic', 'travel' || mark),
		requirements => jsonb_build_array(jsonb_build_object('ask', 'when' || mark)), user_id => who, agent_id => 'a' || mark);
	PERFORM memory.set_summary('s', 'about trains ' || mark, topics => ARRAY['travel' || mark], user_id => who);
	PERFORM memory.set_profile(jsonb_build_object('home', 'Tokyo' || mark), user_id => who, agent_id => nullif(a, '')), memory.set_policy(last_runs => 2, user_id => who, agent_id => nullif(a, '')) FROM unnest(ARRAY['', 'a', 'a' || mark]) a;
	UPDATE memory.runs SET created_at = instant, updated_at = instant WHERE namespace = (SELECT namespace FROM memory.scope()) AND user_id = who;
	PERFORM memory.add_messages('s', jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'trains to Vienna ' || mark, 'id', 'k' || mark), jsonb_build_object('message', jsonb_build_object('role', 'tool', 'content', mark), 'occurred_at', instant)),
		user_id => who, agent_id => 'a' || mark, run_id => 'r' || mark, path => mark, key_field => 'id', operation => 'o' || mark);
	PERFORM memory.put_item(ARRAY['users', 'ada' || mark], 'likes' || mark, jsonb_build_object('topic' || mark, 'travel' || mark), user_id => who, texts => ARRAY['trains to Vienna ' || mark], embeddings => '{"[1,2,3]","[0,1,0]"}');
	PERFORM memory.put_item('{users,ada}', k, '{"topic": "trains"}', user_id => who, ttl => '10 years') FROM unnest('{k,likes}'::text[]) k;
	UPDATE memory.items SET created_at = instant, updated_at = instant WHERE namespace = (SELECT namespace FROM memory.scope()) AND user_id = who;
	PERFORM set_config('memory.agent_id', 'a' || mark, true), set_config('memory.session_id', 's' || mark, true);
	PERFORM memory.set_block('human', 'trains', user_id => who), memory.set_block('human', 'trains to Vienna ' || mark, metadata => jsonb_build_object('topic' || mark, 'travel' || mark), user_id => who), memory.set_block('human', 'trains', user_id => who),
		memory.set_block('persona' || mark, 'zebra ' || mark, user_id => who, char_limit => 1000), memory.set_block('/notes/' || n || mark, 'trains to ' || n || mark, metadata => jsonb_build_object('topic' || mark, 'travel' || mark), user_id => who) FROM unnest('{a,b}'::text[]) n;
	PERFORM set_config('memory.agent_id', '', true), set_config('memory.session_id', '', true);
	UPDATE memory.blocks SET updated_at = instant WHERE namespace = (SELECT namespace FROM memory.scope()) AND user_id = who;
	UPDATE memory.block_versions SET updated_at = instant WHERE namespace = (SELECT namespace FROM memory.scope()) AND user_id = who;
	UPDATE memory.sessions SET created_at = instant, updated_at = instant WHERE namespace = (SELECT namespace FROM memory.scope()) AND user_id = who;
	INSERT INTO memory.jobs (user_id, task, thing, target, due_at, attempts, error) VALUES (who, 'embed', 'episode', (episode || '0' || last)::uuid, 'infinity', 8, 'HTTP 500 ' || mark);
	PERFORM memory.remember(t || mark, user_id => who, importance => number, id => (episode || n || last)::uuid) FROM (VALUES (5, 'twice the same words '), (6, 'Twice: the same words, ')) v (n, t);
	PERFORM memory.consolidate(dry_run => false, user_id => who);
	INSERT INTO memory.usage (namespace, user_id, episode_id, accesses) SELECT namespace, user_id, id, 7 FROM memory.episodes WHERE user_id = who ON CONFLICT DO NOTHING;
END $$;
SELECT memory.define_predicate('likes', 'many');
CALL harness.live('ada', '', '000a', 0.5, '2026-01-01');
CALL harness.live('wombat', 'quokka', 'beef', 0.271828, '2001-02-03 04:05:06.589793');
SET memory.namespace = 'numbat';
SELECT memory.define_predicate('likes', 'many');
CALL harness.live('ada', 'quokka', 'beef', 0.314159, '2001-02-03 04:05:06.589793');
RESET memory.namespace;
RESET memory.embedding_model;
-- A claim with an id that is known (values.sql), so that an answer is taken, and one that has failed. Writes of sessions look whether a summary is due.
SELECT memory.use_model('extract', 'large', 'https://models.example'), memory.use_model('summarize', 'large', options => '{"every": 1000}');
INSERT INTO memory.jobs (user_id, task, thing, target, due_at) VALUES ('ada', 'extract', 'episode', '01900000-0000-7000-8000-00000000000a', '2000-01-01 00:00:00+00');
SELECT count(*) FROM memory.next_jobs(lease => '1000 years');
UPDATE memory.jobs SET token = 1 WHERE task = 'extract';
-- Columns with words of users in which nothing of wombat's is marked: there must be none.
CREATE FUNCTION harness.unmarked() RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE
	place record; marked boolean;
BEGIN
	FOR place IN SELECT c.relname, a.attname FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped JOIN pg_type t ON t.oid = a.atttypid
			WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname <> 'namespace'
			AND (c.relname, a.attname) NOT IN (('runs', 'status'), ('messages', 'role'), ('jobs', 'task'), ('jobs', 'thing')) -- some of our own words
			AND (t.typcategory = 'S' OR t.typname IN ('jsonb', '_text'))
			AND EXISTS (SELECT FROM pg_attribute u WHERE u.attrelid = c.oid AND u.attname = 'user_id') LOOP
		EXECUTE format('SELECT bool_or(t.%I::text ~ ''quokka|wombat'') FROM memory.%I t WHERE t.user_id = ''wombat''', place.attname, place.relname) INTO marked;
		IF marked IS NOT TRUE THEN
			RETURN NEXT place.relname || '.' || place.attname;
		END IF;
	END LOOP;
END $$;
