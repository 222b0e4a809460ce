-- What a build says of itself.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
RESET client_min_messages;

SELECT n, pg_indexam_progress_phasename(oid, n) FROM pg_am, generate_series(1, 5) n WHERE amname = 'recall' ORDER BY n;
