-- Scene 6. Facts know when something was true, and when we came to believe it.
SELECT memory.set_scope(user_id => 'ada');
SELECT memory.assert_fact('Ada', 'lives in', 'Paris', valid_from => '2026-03-01');
SELECT memory.assert_fact('Ada', 'lives in', 'Tokyo', valid_from => '2026-01-01');   -- learnt later: ends where Paris begins
SELECT clock_timestamp() AS then \gset
SELECT memory.assert_fact('Ada', 'lives in', 'Rome', valid_from => '2026-02-01', valid_until => '2026-02-15');
SELECT object, valid_from::date, valid_until::date FROM memory.facts('Ada', 'lives in', valid_at => NULL);

-- Where was she on 7 February? As we know now, and as we believed before we heard of Rome.
SELECT object FROM memory.facts('Ada', 'lives in', valid_at => '2026-02-07');
SELECT object FROM memory.facts('Ada', 'lives in', valid_at => '2026-02-07', known_at => :'then');

-- Facts are a graph, and are found by what they say.
SELECT memory.define_predicate('knows', 'many'),
       memory.assert_fact('ada', 'knows', 'Grace'), memory.assert_fact('Grace', 'lives in', 'Paris');
SELECT path FROM memory.traverse(ARRAY['Ada'], hops => 2);
SELECT subject, predicate, object FROM memory.recall_facts('Who lives in Paris?', k => 2);
