-- Scene 1. An agent meets Ada, and remembers.
CREATE EXTENSION memory CASCADE;
SELECT memory.init();

-- One call writes one episode: a message, a turn with its response, a note.
SELECT memory.set_scope(user_id => 'ada', agent_id => 'travel-agent', session_id => 'monday');
SELECT memory.remember('I am Ada. I never fly; please book trains.', role => 'user') IS NOT NULL AS remembered;
SELECT memory.remember('Is there a night train to Vienna?', 'Yes: the 21:05, with sleepers.',
                       metadata => '{"topic": "travel"}') IS NOT NULL AS remembered;

-- Many at once: a JSON array, all or nothing.
SELECT count(*) FROM memory.remember_many('[
    {"content": "My seat should be by the window.", "role": "user", "importance": 0.8},
    {"content": "Booked: coach 12, seat 31, window.", "role": "assistant", "kind": "short_term", "ttl": "2 days"}]');

-- Newest first.
SELECT role, content, response, kind, importance FROM memory.recall_recent(k => 5);
