-- What docs/reference.md says of the lifecycle, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Lifecycle', 'What becomes of memories in time. [Lifecycle](lifecycle.md) says what goes with what, and in which order.');

INSERT INTO explained VALUES
('forget', 'session_id', 'What belongs to this session. Alone: the session with all that it has, and the episodes that were written into it.'),
('forget', 'before', 'What is older, strictly: `occurred_at` of episodes and messages, `created_at` of checkpoints and runs, `updated_at` of items, `known_from` of facts, `rejected_at` of rejections. Sessions of which nothing stays go, too. `infinity` is any time; in the anonymous bucket, and alone, everything.'),
('forget', 'id', 'An episode, with its messages; a message, with its episode; or a version of a fact, with all versions that say the same.'),
('forget', 'filter', 'On the metadata of episodes, and the values of items.'),
('forget', 'item_path', 'Items below this path; `{}` is all of them. Nothing else has a path.'),
('forget_user', 'user_id', 'The user. Not NULL: the anonymous bucket is forgotten by `forget(before => ''infinity'')`.'),
('set_retention', 'thing', '`episode`, `session`, `checkpoint`, `run`, `item` or `block_version`.'),
('set_retention', 'kind', 'Of episodes, the kind. NULL: all kinds that have no rule of their own.'),
('set_retention', 'ttl', 'How long the thing lives: an episode, a checkpoint and a version of a block from when it was written, a session, a run and an item from when it was written last. NULL: for ever. Episodes and items that were written before are given the new end, but for those that say themselves when they expire.'),
('set_retention', 'half_life', 'Of episodes, the age at which they count half: in `recall_scored` where the call says nothing, in `context` and in `strength`. NULL: they do not fade.'),
('set_retention', 'keep', 'How many are kept, the newest: of episodes and items of a user, of checkpoints of a path, of versions of a block. `sweep` deletes the others. NULL: all.'),
('sweep', 'batch', 'About how many things one call deletes; what belongs to them goes with them.'),
('reinforce', 'ids', 'The episodes. Those that are not there are passed over.'),
('reinforce', 'amount', 'How much is added to what is left of them: 1 makes them count as at first, whatever was left.'),
('strength', 'id', 'The episode.'),
('strength', 'at', 'The time. Before it happened, or was reinforced, it counts as it did then. NULL: now.');

INSERT INTO example (function, statements) VALUES
('forget', $$
SELECT memory.remember('My locker is number seven.', user_id => 'leo', id => '00000000-0000-7000-8000-0000000000b1');
SELECT memory.assert_fact('Leo', 'has locker', 'seven', user_id => 'leo', sources => '{00000000-0000-7000-8000-0000000000b1}');
SELECT key AS "table", value AS rows FROM memory.forget(user_id => 'leo', id => '00000000-0000-7000-8000-0000000000b1') receipt, jsonb_each(receipt)
WHERE value > '0' AND key <> ALL ('{time,digest}') ORDER BY key;
$$),
('forget_user', $$
SELECT memory.forget_user('leo') ->> 'digest' AS digest_of_no_ids;
$$),
('set_retention', $$
SELECT memory.set_retention('episode', 'note', ttl => '1 month', half_life => '10 days');
SELECT thing, kind, ttl, half_life, keep FROM memory.retention;
$$),
('sweep', $$
SELECT memory.remember('soon gone', user_id => 'leo', ttl => '1 microsecond');
SELECT memory.sweep() ->> 'episodes' AS episodes;
$$),
('reinforce', $$
SELECT memory.remember('The door code is 4711.', user_id => 'leo', kind => 'note', importance => 0.8, occurred_at => now() - interval '10 days', id => '00000000-0000-7000-8000-0000000000b2');
SELECT memory.reinforce('{00000000-0000-7000-8000-0000000000b2}', 0.25, user_id => 'leo');
SELECT round(memory.strength('00000000-0000-7000-8000-0000000000b2', user_id => 'leo')::numeric, 2) AS strength;
$$),
('strength', $$
SELECT round(memory.strength('00000000-0000-7000-8000-0000000000b2', now() + interval '10 days', user_id => 'leo')::numeric, 2) AS in_ten_days;
$$),
('scrub', $$
SELECT memory.scrub() >= 0 AS done;
$$);
INSERT INTO chapter (title, introduction) VALUES ('Consolidation', 'Episodes that say nearly the same, merged into one; [lifecycle.md](lifecycle.md#consolidation) says how they are found.');

INSERT INTO explained VALUES
('consolidate', 'threshold', 'The similarity from which on two episodes say the same, 0.5 to 1; 1 is equal but for case, punctuation and order.'),
('consolidate', 'dry_run', 'True: the answer alone, nothing is changed.'),
('consolidate', 'cluster', 'The number of the cluster, from 1.'),
('consolidate', 'kept', 'The episode that is recalled: the most important, of these the newest.'),
('consolidate', 'merged', 'Those that are not recalled any more, in the order of their ids.'),
('consolidate', 'similarity', 'Of the least similar of them to the one that is kept.'),
('undo_consolidation', 'kept', 'The episode that was kept; it is an error when nothing is merged into it.');

INSERT INTO example (function, statements) VALUES
('consolidate', $$
SELECT memory.remember('My train to Vienna leaves at nine.', user_id => 'ole', id => '00000000-0000-7000-8000-0000000000e1', occurred_at => '2026-03-01');
SELECT memory.remember('my trian to Vienna leaves at nine', user_id => 'ole', id => '00000000-0000-7000-8000-0000000000e2', occurred_at => '2026-03-02');
SELECT cluster, kept, merged, round(similarity::numeric, 3) AS similarity FROM memory.consolidate(user_id => 'ole');
$$),
('undo_consolidation', $$
SELECT count(*) FROM memory.consolidate(dry_run => false, user_id => 'ole');
SELECT memory.undo_consolidation('00000000-0000-7000-8000-0000000000e2', user_id => 'ole');
$$);
