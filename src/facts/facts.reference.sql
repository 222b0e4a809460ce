-- What docs/reference.md says of facts and their graph, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Facts and graph', 'Subject, predicate, object; when that was true (valid) and when it was believed (known). [Facts](facts.md) has the rules.');

INSERT INTO explained VALUES
('*', 'subject', 'What the fact is about. Matched whatever its case, width and spacing; at most 512 bytes.'),
('*', 'predicate', 'What is said of it. Matched by its normal form (`memory.normalize_predicate`); at most 256 bytes.'),
('*', 'object', 'What it has under the predicate. Matched as the subject is.'),
('*', 'valid_at', 'Facts that were true then. NULL: at any time.'),
('*', 'known_at', 'As it was believed then. NULL: as it is believed now.'),
('assert_fact', 'valid_from', 'Since when it is true. `-infinity`: always.'),
('assert_fact', 'valid_until', 'From then on it is not true any more. NULL: until the next change that is known; `infinity`: for ever.'),
('assert_fact', 'confidence', '0 to 1.'),
('assert_fact', 'sources', 'Ids of episodes of this user that say so.'),
('assert_fact', 'metadata', 'A JSON object; `{"override": true}` lifts a rejection.'),
('assert_fact', 'embedding', 'The vector of the fact, by the model in use. NULL: none.'),
('assert_fact', 'id', 'The id of the version, which makes a retry harmless. NULL: a new UUIDv7.'),
('assert_facts', 'facts', 'A JSON array of objects. Keys are the arguments of `assert_fact`; an unknown key is an error.'),
('assert_facts', 'user_id', 'The user of elements that name none. NULL: as everywhere.'),
('retract_fact', 'object', 'Only this object. NULL: whatever it is.'),
('retract_fact', 'valid_from', 'Since when it is not believed.'),
('retract_fact', 'valid_until', 'Until when it is not believed. NULL: for ever.'),
('correct_fact', 'id', 'The version to replace; it must be current.'),
('correct_fact', 'object', 'The right object. NULL: as it was.'),
('correct_fact', 'valid_from', 'The right start. NULL: as it was.'),
('correct_fact', 'valid_until', 'The right end; `infinity` for none. NULL: as it was.'),
('reject_fact', 'reason', 'Why, in the application''s words; kept in `memory.rejections`.'),
('facts', 'subject', 'Only facts about it. NULL: about anything.'),
('facts', 'predicate', 'Only facts under it. NULL: all.'),
('facts', 'object', 'Only facts with it. NULL: all.'),
('define_predicate', 'cardinality', '`one` or `many`.'),
('define_predicate', 'inverse', 'What it is called from the object''s side. NULL: nothing.'),
('recall_facts', 'query', 'Words to find in "subject predicate object". NULL or blank: the vectors alone rank.'),
('recall_facts', 'embedding', 'The question as a vector, by the model in use. NULL: the words alone rank.'),
('neighbors', 'entity', 'A subject or object, by any of its names.'),
('neighbors', 'direction', '`out`: facts about the entity; `in`: facts with it as their object; `both`.'),
('traverse', 'seeds', 'Where paths begin: subjects or objects, by any of their names.'),
('traverse', 'k', 'How many paths at most, 1 to 1,000,000. NULL: all, which grow with the power of `hops`.'),
('*', 'hops', 'How many facts a path has at most, 1 to 10.'),
('*', 'path', 'The entities, with arrows between them that carry the predicates and point from subjects to objects.'),
('*', 'depth', 'How many facts the path has.'),
('*', 'entity', 'Where the path ends.'),
('*', 'fact_ids', 'The path''s facts, in its order.'),
('recall_graph', 'query', 'As for `recall_facts`.'),
('recall_graph', 'k', 'How many paths at most, 1 to 1,000,000, and from how many facts they begin. NULL: all.'),
('merge_entities', 'kept', 'The name that both are shown by.'),
('merge_entities', 'alias', 'Another name of the same entity.');

INSERT INTO example (function, statements) VALUES
('assert_fact', $$
SELECT memory.assert_fact('Ann', 'lives in', 'Berlin', user_id => 'ann', valid_from => '2025-05-01+00', id => '00000000-0000-0000-0000-000000000011');
$$),
('assert_facts', $$
SELECT memory.assert_facts('[
  {"subject": "Ann", "predicate": "lives in", "object": "Vienna", "valid_from": "2026-03-01T00:00:00Z", "id": "00000000-0000-0000-0000-000000000012"},
  {"subject": "Ann", "predicate": "works for", "object": "ACME", "valid_from": "2024-01-01T00:00:00Z", "id": "00000000-0000-0000-0000-000000000013"},
  {"subject": "ACME", "predicate": "based in", "object": "Graz", "valid_from": "2010-01-01T00:00:00Z", "id": "00000000-0000-0000-0000-000000000014"}]',
  user_id => 'ann');
$$),
('facts', $$
SELECT object, valid_from, valid_until FROM memory.facts('Ann', 'lives in', user_id => 'ann', valid_at => '2026-01-01+00');
$$),
('correct_fact', $$
SELECT memory.correct_fact('00000000-0000-0000-0000-000000000011', valid_from => '2025-06-01+00', user_id => 'ann');
SELECT object, valid_from, valid_until FROM memory.facts('Ann', 'lives in', user_id => 'ann', valid_at => NULL);
$$),
('retract_fact', $$
SELECT memory.retract_fact('Ann', 'works for', user_id => 'ann', valid_from => '2026-02-01+00') AS ended;
$$),
('reject_fact', $$
SELECT memory.reject_fact('Ann', 'lives in', 'Rome', reason => 'A joke.', user_id => 'ann');
SELECT memory.assert_fact('Ann', 'LIVES IN', 'rome', user_id => 'ann') AS ignored;
$$),
('fact_history', $$
SELECT object, valid_from, valid_until, known_until IS NULL AS current FROM memory.fact_history('Ann', 'lives in', user_id => 'ann');
$$),
('normalize_predicate', $$
SELECT memory.normalize_predicate('livesIn'), memory.normalize_predicate('Lives-In');
$$),
('define_predicate', $$
SELECT memory.define_predicate('based in', inverse => 'home of');
SELECT predicate, cardinality, inverse FROM memory.predicates;
$$),
('recall_facts', $$
SELECT subject, predicate, object, round(bm25_score::numeric, 4) AS bm25_score
FROM memory.recall_facts('Where does Ann live?', user_id => 'ann', valid_at => '2026-03-02+00');
$$),
('neighbors', $$
SELECT neighbor, predicate, outgoing FROM memory.neighbors('Graz', user_id => 'ann', valid_at => '2026-01-01+00');
$$),
('traverse', $$
SELECT path, depth, entity FROM memory.traverse('{Ann}', user_id => 'ann', valid_at => '2026-01-01+00');
$$),
('recall_graph', $$
SELECT path, depth FROM memory.recall_graph('Who works for ACME?', hops => 1, user_id => 'ann', valid_at => '2026-01-01+00');
$$),
('merge_entities', $$
SELECT memory.merge_entities('Ann', 'Ann-Marie', user_id => 'ann');
SELECT neighbor, predicate FROM memory.neighbors('Ann-Marie', user_id => 'ann', valid_at => '2026-03-02+00');
$$);
