-- The roles of compose.yaml, made once, when its volume is, in the database where the image has made the extension.
\getenv worker WORKER_PASSWORD
\getenv agent AGENT_PASSWORD
SELECT memory.init();
CREATE ROLE memory_worker LOGIN PASSWORD :'worker';
CREATE ROLE memory_agent LOGIN PASSWORD :'agent';
SELECT memory.grant_access('memory_worker', 'worker');
SELECT memory.grant_access('memory_agent', 'writer');
SELECT memory.use_model('embed', 'hash'); -- with a key: text-embedding-3-small
