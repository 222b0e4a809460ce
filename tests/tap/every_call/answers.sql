-- What users, :'users' as an array, are told by everything that reads: in the same words wherever their rows are.
SET TimeZone = 'UTC';
SELECT u, t.* FROM unnest(:'users'::text[]) u, LATERAL (
	SELECT 1, r::text FROM memory.recall_scored('night trains zebra', '[1,3,2]', k => 30, user_id => u) r
	UNION ALL SELECT 2, r::text FROM memory.recall_recent(k => 100, user_id => u) r
	UNION ALL SELECT 3, r::text FROM memory.recall_semantic('[1,7,1]', threshold => 0.1, user_id => u) r
	UNION ALL SELECT 4, r::text FROM memory.facts(k => 100, valid_at => NULL, user_id => u) r
	UNION ALL SELECT 5, r::text FROM memory.recall_facts('trains Paris tea', '[1,1,1]', k => 20, user_id => u) r
	UNION ALL SELECT 6, r::text FROM memory.traverse('{Ada}', user_id => u) r
	UNION ALL SELECT 7, r::text FROM memory.messages(k => 100, user_id => u) r
	UNION ALL SELECT 8, r::text FROM memory.sessions(k => 100, user_id => u) r
	UNION ALL SELECT 9, r::text FROM memory.checkpoint('s', user_id => u) r
	UNION ALL SELECT 10, r::text FROM memory.items(query => 'trains', k => 20, user_id => u) r
	UNION ALL SELECT 11, r::text FROM memory.blocks(user_id => u) r
	UNION ALL SELECT 12, r::text FROM memory.block_history('human', user_id => u) r
	UNION ALL SELECT 13, r::text FROM memory.runs(k => 100, user_id => u) r
	UNION ALL SELECT 14, memory.context('night trains', user_id => u)
	UNION ALL SELECT 15, r::text FROM memory.export_user(u) r) t (what, answer)
ORDER BY u, what, answer COLLATE "C";
