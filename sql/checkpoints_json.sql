-- A state is read back as the jsonb that it was; and whatever bytes are stored, as PostgreSQL reads them, or with its error.
-- Only what differs is shown.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT FROM memory.init();
SELECT user_id FROM memory.set_scope('ann', namespace => 'checkpoints_json');
CREATE TEMP TABLE states (n serial, state jsonb);
INSERT INTO states (state) VALUES ('{}'), ('[]'), ('[[], {}, [[]], {"a": {}}]'), ('1'), ('"a string"'), ('true'), ('null'), ('[true, false, null]'),
    ('[0, -0, 1, -1, 1.50, -0.000001, 123456789012345678, -123456789012345678, 1234567890123456789, 123456789012345678901234567890.5, 1e300, 1e-300]'),
    ('{"": "", "b": 1, "aa": 2, "a": 3, "ab, ": ": ", "{}[]": "{\"a\": [1, 2]}"}'), ('["\"", "\\", "/", "\b\f\n\r\t", "\u0001\u001f", "a\\\"b\nc", "\\n"]'),
    ('{"\"": {"\\": {"\n": {"\u0002": []}}}}'), ('["é", "漢字", "😀", "\u00e9\ud83d\ude00", "\u007f"]');
INSERT INTO states (state) SELECT jsonb_agg(CASE n % 4 WHEN 0 THEN to_jsonb(n) WHEN 1 THEN to_jsonb(n || ' "') WHEN 2 THEN jsonb_build_array(n, '{}'::jsonb) ELSE jsonb_build_object('n', n, 'm', null) END) FROM generate_series(1, 500) n;
INSERT INTO states (state) SELECT jsonb_object_agg(md5(n::text), n / 8.0) FROM generate_series(1, 500) n;
INSERT INTO states (state) SELECT (repeat('[{"a": ', 500) || '1' || repeat('}]', 500))::jsonb;
SELECT count(memory.put_checkpoint('states', state, n::text)) FROM states;
SELECT n, c.state = s.state AS equal, c.state::text = s.state::text AS "same text" FROM states s LEFT JOIN LATERAL memory.checkpoint('states', n::text) c ON true
    WHERE (c.state = s.state AND c.state::text = s.state::text) IS NOT TRUE;

-- The row of a checkpoint is turned to bytes that were put as a part.
CREATE FUNCTION pg_temp.by_postgres(given text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    RETURN given::jsonb;
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE FUNCTION pg_temp.by_checkpoint(given text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
    PERFORM memory.put_checkpoint('texts', '1', md5(given), refs => jsonb_build_object('text', md5(given)), part_names => '{text}', part_types => '{text}', part_data => ARRAY[convert_to(given, 'UTF8')]);
    UPDATE memory.checkpoints c SET state = p.number FROM memory.checkpoint_parts p WHERE c.namespace = 'checkpoints_json' AND p.session = c.session AND c.id = md5(given) AND p.version = c.id;
    RETURN (SELECT state FROM memory.checkpoint('texts', md5(given)));
EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE || ' ' || SQLERRM;
END $$;
CREATE TEMP TABLE texts AS SELECT unnest(ARRAY['{"a": }', '[1, ]', '[, 1]', '[1}', '{"a": 1]', '{"a" 1}', '{"a": 1, }', '["\x"]', '["\', '["abc', '[01]', '[-]', '[1.]', '[.5]', '[1e2]', '[1E-2]', '', '{', '[', '"', '[1] ', ' [1]', '[1]]', '[ 1,2 ]', '{"a":1}',
    '{"b": 1, "a": 2, "b": 3}', '["\u00e9"]', '["\u0000"]', '["\ud83d"]', E'["\t"]', E'["\n"]', '[tru]', '[nul', '[truefalse]', '["a" "b"]', '[1 2]', '{1: 2}', '{"a": 1, 2}', '[[1], [2]', 'null null']) AS given;
-- Each byte of a text is replaced by each of these, and left out.
INSERT INTO texts SELECT overlay(t PLACING r FROM i FOR 1) FROM (VALUES ('{"a": [1, -2.5, "b\"\\c"], "dd": {"e": null, "f": [true, {}, []]}, "g": "0"}')) v (t), generate_series(1, length(t)) i,
    unnest(ARRAY['', '"', '\', '{', ']', '}', ',', ':', ' ', '0', '-', 'e', E'\n']) r;
SELECT count(*), count(*) FILTER (WHERE pg_temp.by_postgres(given) LIKE '22P02 %') > 500 AS "many are none" FROM texts;
SELECT given, pg_temp.by_postgres(given), pg_temp.by_checkpoint(given) FROM texts WHERE pg_temp.by_checkpoint(given) IS DISTINCT FROM pg_temp.by_postgres(given) LIMIT 10;
SELECT memory.delete_session('texts'), memory.delete_session('states');
