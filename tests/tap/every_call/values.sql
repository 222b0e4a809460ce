-- What t/060_every_call.pl calls with: values by type, as SQL; a type that an argument has and that is not here fails the
-- test. The first one of a type, or of the argument of that name, is the one beside which others are tried.
CREATE TABLE harness.value (place int GENERATED ALWAYS AS IDENTITY, type regtype, name text, value text, long boolean DEFAULT false, of_another boolean DEFAULT false);

-- For arguments of a name, or of a name in one function, where any value of the type would be refused.
INSERT INTO harness.value (type, name, value)
	SELECT t::regtype, n, quote_literal(v) FROM (VALUES
	('uuid', 'memory.correct_fact.id', ARRAY['01900000-0000-7000-9000-00000001000a', '01900000-0000-7000-9000-00000004000a']),
	('uuid', 'id', ARRAY['01900000-0000-7000-8000-00000000000a', '01900000-0000-7000-9000-00000001000a', '01900000-0000-7000-8000-00000002000a', '01900000-0000-7000-8000-00000000beef']),
	('text', 'user_id', ARRAY['ada']), ('text', 'session_id', ARRAY['s']), ('text', 'agent_id', ARRAY['a']), ('text', 'kind', ARRAY['episodic']),
	('text', 'namespace', ARRAY['default']), ('text', 'access', ARRAY['reader', 'writer', 'admin', 'worker']), ('regrole', 'role', ARRAY['other']),
	('text', 'identity', ARRAY['memory.current_user_id()', 'current_user', '(SELECT max(user_id) FROM memory.episodes)', 'random()::text', '1); DROP TABLE memory.usage; --']),
	('text', 'subject', ARRAY['Ada']), ('text', 'predicate', ARRAY['lives in', 'likes']), ('text', 'object', ARRAY['Tokyo', 'tea']), ('text', 'entity', ARRAY['Ada']),
	('text[]', 'ids', ARRAY['{s}']), ('text', 'sort', ARRAY['updated', '-updated', 'created', '-created']), ('text', 'mode', ARRAY['update', 'replace']), ('int8', 'expected_version', ARRAY['1', '0']),
	('text', 'kept', ARRAY['Ada']), ('text', 'alias', ARRAY['Tokyo']), ('text', 'cardinality', ARRAY['many', 'one']), ('text', 'thing', ARRAY['episode', 'item']), ('text', 'direction', ARRAY['both', 'in', 'out']),
	('text', 'fusion', ARRAY['blend', 'rrf', 'rrf_replicated']), ('text', 'fallback', ARRAY['recent', 'none']), ('text', 'query', ARRAY['trains to zebra']),
	('text[]', 'seeds', ARRAY['{Ada}']), ('text[]', 'kinds', ARRAY['{episodic}']), ('text', 'model', ARRAY['default', 'other']), ('int4', 'dimensions', ARRAY['3', '2']),
	('text', 'task', ARRAY['embed', 'extract']), ('text', 'memory.use_model.model', ARRAY['hash', 'mini']), ('text', 'url', ARRAY['https://models.example']), ('jsonb', 'options', ARRAY['{"alpha": 0.5}', '{"dimensions": 3}', '{"dimensions": 1e400}']),
	('text', 'memory.finish_job.id', ARRAY['extract-0000000000000000-0190000000007000800000000000000a-0000000000000001', 'embed-0002e0c5f3a91b40-0190000000007000800000000000beef-9f86d081884c7d65']),
	('text', 'memory.fail_job.id', ARRAY['extract-0000000000000000-0190000000007000800000000000000a-0000000000000001', 'embed-0002e0c5f3a91b40-0190000000007000800000000000beef-9f86d081884c7d65']), ('text[]', 'tasks', ARRAY['{embed}', '{embed,extract,embed}']), ('text', 'error', ARRAY['HTTP 500']),
	('jsonb', 'result', ARRAY['{"facts": [{"subject": "Ada", "predicate": "visits", "object": "Vienna", "confidence": 2}, 7]}', '{"embeddings": [[1, 2, 3]]}', '{"summary": "s", "topics": 7}', '{"traits": []}']),
	('jsonb', 'metadata', ARRAY['{"topic": "travel"}', '{"override": true}']), ('jsonb', 'filter', ARRAY['{"topic": "travel"}', '{"topic": {"$in": ["travel"]}}', '{"topic": {"$gt": 3}}', '{"$path": "$.a > 1"}', '{"$path": 7}']),
	('text', 'checkpoint', ARRAY['c1', 'c2']), ('text', 'memory.checkpoint.id', ARRAY['c1', 'c2']), ('text', 'memory.put_checkpoint.id', ARRAY['c2', 'c3']), ('text', 'parent', ARRAY['c1']), ('text', 'before', ARRAY['c2']), ('text', 'ancestors_of', ARRAY['c2']),
	('text', 'upto_checkpoint', ARRAY['c1']), ('text', 'new_session', ARRAY['s9']), ('text', 'path', ARRAY['', 'sub']), ('text[]', 'session_ids', ARRAY['{s}', '{s,s9}']), ('jsonb', 'refs', ARRAY['{"m": "1", "Ada": "2", "trains": "3"}', '{"m": 1}', '{"m": ""}']),
	('text', 'run_id', ARRAY['r1', 'r9']), ('text[]', 'run_ids', ARRAY['{r1}', '{r1,r2}']), ('text', 'status', ARRAY['paused', 'completed']), ('text[]', 'statuses', ARRAY['{running}']), ('text[]', 'expected_status', ARRAY['{running}', '{paused,error}']),
	('text[]', 'state_path', ARRAY['{topic,to}', '{topic,by,train}']), ('jsonb', 'requirements', ARRAY['[{"ask": "when"}]', '[{}, 1]']), ('text', 'summary', ARRAY['about trains']), ('int8', 'upto', ARRAY['0']), ('jsonb', 'traits', ARRAY['{"home": "Oslo"}', '{"home": null}']),
	('int8', 'last_runs', ARRAY['3']),
	('text', 'name', ARRAY['human', '/notes/a', '/notes']), ('text', 'new_name', ARRAY['/kept/human', 'persona']), ('text', 'prefix', ARRAY['/notes', '/', 'human']), ('text', 'separator', ARRAY[', ']), ('text', 'old', ARRAY['trains']),
	('jsonb', 'messages', ARRAY['[{"role": "user", "content": "trains", "id": "k"}, {"role": "tool", "content": "x"}]', '[{"message": {"role": "user"}, "content": "y", "key": "k", "occurred_at": "2026-01-01"}]', '[{"message": {}, "key": 7}]', '[7]', '[{"id": []}]']),
	('text[]', 'path', ARRAY['{users,ada}', '{users}']), ('text[]', 'prefix', ARRAY['{users}', '{users,*}']), ('text[]', 'suffix', ARRAY['{ada}', '{*}']), ('text', 'key', ARRAY['k', 'likes']), ('text[]', 'texts', ARRAY['{trains,zebra}']), ('int8', 'depth', ARRAY['1']),
	('jsonb', 'items', ARRAY['[{"path": ["users", "ada"], "key": "k", "value": {"topic": "trains"}, "texts": ["trains", "zebra"], "embeddings": [[1, 2, 3]], "ttl": "1 day"}, {"path": [], "key": "x", "value": null}]',
		'[{"path": ["a", ""], "key": "k", "value": 1}]', '[{"path": "a"}]', '[{"path": ["a"], "key": "k", "value": 1, "expected_version": 1e400}]', '[{"path": ["a"], "key": "k", "value": 1, "embeddings": [[1e39]]}]']),
	('text', 'memory.import_markdown.path', ARRAY['MEMORY.md', 'memory/2026-03-01.md', 'SOUL.md', 'notes/x']),
	('text', 'body', ARRAY['- Ada | likes | zebras <!-- fact:01900000-0000-7000-9000-00000009000a -->', '- 09:15 trains <!-- episode:01900000-0000-7000-8000-00000000000a -->',
		'- mine <!-- episode:01900000-0000-7000-8000-00000000beef -->', '- Ada | likes | x <!-- fact:01900000-0000-7000-9000-00000001beef -->', 'a note', '- a <!-- episode:1 -->', '- a | b <!-- fact:01900000-0000-7000-9000-00000001000a -->']),
	('jsonb[]', 'lines', ARRAY['{"{\"format\": 1, \"table\": \"episode_revisions\", \"user_id\": \"ada\", \"episode_id\": \"01900000-0000-7000-8000-00000000000a\", \"revision\": 9, \"content\": \"x\", \"response\": null, \"recorded_at\": \"2026-01-01\", \"revised_at\": \"infinity\"}"}',
		'{"{\"format\": 1, \"table\": \"episode_revisions\", \"user_id\": \"wombat\", \"episode_id\": \"01900000-0000-7000-8000-00000000beef\", \"revision\": 9, \"content\": \"x\", \"response\": null, \"recorded_at\": \"2026-01-01\", \"revised_at\": \"infinity\"}"}',
		'{"{\"format\": 1, \"table\": \"predicates\", \"user_id\": \"ada\", \"predicate\": \"Lives In\", \"cardinality\": \"many\", \"inverse\": null}"}', '{"{\"format\": 2}"}']),
	('uuid', 'memory.undo_consolidation.kept', ARRAY['01900000-0000-7000-8000-00000006000a', '01900000-0000-7000-8000-00000005000a', '01900000-0000-7000-8000-00000006beef']),
	('text', 'key_field', ARRAY['id']), ('text', 'operation', ARRAY['o']), ('int8', 'expected_seq', ARRAY['2', '6']), ('text[]', 'roles', ARRAY['{user}', '{tool,other}', '{human}']), ('text[]', 'keys', ARRAY['{k}']),
	('jsonb', 'episodes', ARRAY['[{"content": "x"}, {"content": "y", "session_id": "s", "embedding": [1, 2, 3], "importance": 0.5, "ttl": "1 day"}]', '[{"content": "x", "embedding": [1e39, "x"]}]',
		'[{"content": "x", "id": "01900000-0000-7000-8000-00000000beef"}]', '[{"content": "x", "occurred_at": 7, "role": {}}]', '[{"content": null, "response": []}]', '[{"content": "x", "importance": 1e400}]']),
	('jsonb', 'facts', ARRAY['[{"subject": "Ada", "predicate": "lives in", "object": "Oslo"}, {"subject": "s", "predicate": "likes", "object": "o", "embedding": [1, 2, 3]}]',
		'[{"subject": "s", "predicate": "p", "object": "o", "sources": ["01900000-0000-7000-8000-00000000beef"]}]', '[{"subject": "s", "predicate": 7, "object": {}}]',
		'[{"subject": "s", "predicate": "p", "object": "o", "confidence": -1, "valid_from": "infinity"}]', '[{"subject": "s", "predicate": "p", "object": "o", "id": "01900000-0000-7000-9000-00000001beef"}]'])) v (t, n, vs) CROSS JOIN unnest(vs) v2 (v);

INSERT INTO harness.value (type, value)
	SELECT t::regtype, v FROM (VALUES
	('text', ARRAY['''trains''', '''''', '''ada''', '''s''', '''Ada''', '''default''', '''+"trains to" -zebra* ''', '''+"''', 'E''\u202e\u0001\u00e9''', '''%s %n''', '''{"a":1}''', '''{}''', '''[1,2,3]''', '''{x,"''', '''(1,,)''']),
	('cstring', ARRAY['''trains''', '''''', '''(''', '''1''']),
	('uuid', ARRAY['''01900000-0000-7000-8000-00000000000a''', '''00000000-0000-0000-0000-000000000000''', '''01900000-0000-7000-8000-00000000beef''', '''ffffffff-ffff-ffff-ffff-ffffffffffff''']),
	('vector', ARRAY['''[1,2,3]''', '''[0,0,0]''', '''[1]''', '''[3e38,3e38,-3e38]''', '''[1e-45,0,0]''', '''[-1,-2,-3]''']),
	('int2', ARRAY['1', '0', '-32768', '32767']),
	('int4', ARRAY['2', '0', '-1', '3', '2147483647', '-2147483648']),
	('int8', ARRAY['2', '0', '-1', '3', '2147483648', '9223372036854775807', '-9223372036854775808', '1311768467294899695']),
	('oid', ARRAY['0', '4294967295', '''memory.episodes_by_text''::regclass']),
	('float4', ARRAY['0.5', '0', '1', '-1', '3e38', '''NaN''', '''Infinity''', '''-Infinity''']),
	('float8', ARRAY['0.5', '0', '1', '-1', '1e308', '''NaN''', '''Infinity''', '''-Infinity''']),
	('numeric', ARRAY['1', '0', '''NaN''', '''Infinity''', '1e1000']),
	('timestamptz', ARRAY['''2026-02-01''', '''infinity''', '''-infinity''', '''4713-01-01 BC''', '''294276-12-31''', '''2026-01-01''']),
	('interval', ARRAY['''1 day''', '''0''', '''-1 day''', '''178000000 years''', '''-178000000 years''', '''1 microsecond''']),
	('bool', ARRAY['false', 'true']),
	('jsonb', ARRAY['''{}''', '''[]''', '''null''', '''1''', '''"s"''', '''[null]''', '''[{}]''', '''{"a": {"$gt": 3}}''', '''{"$or": [{"$and": []}]}''', '''{"$path": "strict $.a"}''',
		'(repeat(''['', 1000) || repeat('']'', 1000))', '''{"a": 1e1000, "": "\ud83d\ude00"}''']),
	('bytea', ARRAY['''\x00''', '''''', '''\xffffffffffffffff''', 'decode(repeat(''01'', 100), ''hex'')']),
	('text[]', ARRAY['''{Ada,trains}''', '''{}''', '''{NULL}''', '''{{a,b},{c,d}}''', '''[-3:-2]={a,b}''', '''{""}''']),
	('bytea[]', ARRAY['''{"\\x01","\\x02"}''', '''{}''', '''{NULL}''', '''{"\\x00",NULL}''', '''{{"\\x01"},{"\\x02"}}''']),
	('uuid[]', ARRAY['''{01900000-0000-7000-8000-00000000000a}''', '''{}''', '''{NULL}''', '''{01900000-0000-7000-8000-00000000beef,01900000-0000-7000-8000-00000000000a}''']),
	('vector[]', ARRAY['''{"[1,2,3]"}''', '''{}''', '''{NULL}''', '''{"[1]","[0,0,0]"}''', '''{{"[1,2,3]"},{"[1,2,3]"}}''']),
	('jsonb[]', ARRAY['''{"{}"}''', '''{}''', '''{NULL}''']), ('int8[]', ARRAY['''{1,-1}''', '''{}''', '''{NULL}''']), ('float4[]', ARRAY['''{1,2,3}''', '''{}''', '''{NULL}''', '''{NaN}''']),
	('regclass', ARRAY['''memory.episodes_by_text''', '''memory.episodes''', '''memory.facts_by_text''', '''memory.episodes_pkey''', '''harness.parted''', '''harness.parted_recall''', '''harness.parted_body''',
		'''harness.part_recall''', '''harness.a_view''', '''harness.a_matview''', '''harness.a_sequence''', '''harness.a_type''', '''pg_catalog.pg_class''', '0', '4294967295']),
	('regrole', ARRAY['''other''', '''postgres''', '0', '4294967295', '''writer''']),
	('regdictionary', ARRAY['''english_stem''', '''simple''', '0', '4294967295', '''harness.a_dictionary''']),
	('memory.query', ARRAY['''trains''', '''''', '''zebra''', 'memory.websearch_query(''+trains -zebra "to vienna" vi*'')', 'memory.websearch_query(''-a'')', 'memory_internal.query_for_source(''trains'', 1, 1, ''memory.episodes_by_text''::regclass)',
		'memory_internal.query_for_source(''trains'', -9223372036854775808, -2147483648, 4294967295)', 'memory_internal.query_for_dictionary(''trains'', ''english_stem'')']),
	('memory_internal.stretch', ARRAY['memory_internal.stretch(''default'', ''ada'', 1, ''2026-01-01'', ''2026-02-01'')', 'memory_internal.stretch('''', '''', -9223372036854775808, ''-infinity'', ''infinity'')', 'memory_internal.stretch(''a'', ''b'', 9223372036854775807, ''2026-01-01'', ''infinity'')'])
	) v (t, vs) CROSS JOIN unnest(vs) v2 (v);
-- Arrays of any type are not cast.
INSERT INTO harness.value (type, value) SELECT 'anyarray', v FROM unnest(ARRAY['''{Ada,trains}''::text[]', '''{trains to Vienna,NULL,""}''::varchar[]', '''{}''::text[]', '''{{a,b},{c,d}}''::name[]',
	'''{1,2}''::int4[]', '''{x}''::"char"[]', 'ARRAY[ROW(1, 2)]', '''{\x00ff}''::bytea[]', '''[-3:-2]={a,b}''::text[]', '''{1311768467294899695}''::int8[]', 'ARRAY[''{}''::jsonb]', 'ARRAY[memory.query(''a'')]']) v;
-- What only C can make: such a function refuses every call from SQL.
INSERT INTO harness.value (type, value) SELECT 'internal', v FROM unnest(ARRAY['NULL', '''x''', '1', '''\x00''::bytea', '1311768467294899695', '''{}''::text[]', '''1''::oid', 'ROW(1)', 'true', '1.5', 'now()']) v;

INSERT INTO harness.value (type, value, long) VALUES ('text', 'repeat(''trains at 5 µm a-b '', 50000)', true), ('text', 'repeat(''x'', 1000000)', true),
	('cstring', 'repeat(''+x" '', 200000)', true), ('jsonb', 'jsonb_build_object(''a'', repeat(''x'', 1000000))', true), ('vector', 'array_fill(0.5::float4, ARRAY[16000])::vector', true),
	('text[]', 'array_fill(''trains''::text, ARRAY[10000])', true), ('text[]', 'ARRAY[repeat(''x'', 1000000)]', true), ('anyarray', 'array_fill(''trains''::text, ARRAY[10000])', true), ('bytea', 'decode(repeat(''01'', 100000), ''hex'')', true);
-- Either old or line is given.
INSERT INTO harness.value (type, name, value) VALUES ('int8', 'memory.edit_block.line', 'NULL'), ('int8', 'memory.edit_block.line', '0');
INSERT INTO harness.value (type, value, of_another) VALUES ('text', '''wombat''', true);
INSERT INTO harness.value (type, name, value, of_another) VALUES ('text', 'user_id', '''wombat''', true), ('text', 'namespace', '''numbat''', true);

-- Relations of all kinds, with and without our names.
CREATE VIEW harness.a_view AS SELECT 1 AS one;
CREATE MATERIALIZED VIEW harness.a_matview AS SELECT 1 AS one;
CREATE SEQUENCE harness.a_sequence;
CREATE TYPE harness.a_type AS (a int);
CREATE TEXT SEARCH DICTIONARY harness.a_dictionary (TEMPLATE = simple, STOPWORDS = english);
CREATE TABLE harness.parted (user_id text, body text) PARTITION BY HASH (user_id);
CREATE TABLE harness.part PARTITION OF harness.parted FOR VALUES WITH (MODULUS 1, REMAINDER 0);
CREATE INDEX parted_recall ON harness.parted USING recall (user_id, body);
ALTER INDEX harness.part_user_id_body_idx RENAME TO part_recall;
CREATE INDEX parted_body ON harness.parted (body);
