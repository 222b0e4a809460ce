-- The statements of docs/guide.md, "Items" (tests/tools/guide.sh compares them).
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT user_id FROM memory.set_scope(namespace => 'items_guide');
SELECT memory.put_item('{users,ada}', 'drink', '{"likes": "green tea", "cups": 2}', user_id => 'ada');                        -- 1, its version
SELECT memory.put_item('{users,ada}', 'drink', '{"likes": "green tea", "cups": 3}', user_id => 'ada', expected_version => 1);   -- 2
SELECT memory.put_item('{trips,vienna}', 'plan', '{"train": "the night train at nine"}', user_id => 'ada', ttl => '30 days');

SELECT value, version FROM memory.item('{users,ada}', 'drink', user_id => 'ada');
SELECT key, value FROM memory.items('{users}', filter => '{"cups": {"$gte": 2}}', user_id => 'ada');       -- the last put first
SELECT path, key, score FROM memory.items(query => 'a train to vienna', user_id => 'ada');                 -- the best first
SELECT path, items FROM memory.item_paths(depth => 1, user_id => 'ada');
