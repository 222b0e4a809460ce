-- One set of models.py in three namespaces: words, hash and, where :vectors is on, vectors.
\ir documents.sql
SET memory.namespace = 'hash';
SELECT memory.use_model('embed', 'hash');
\if :vectors
SET memory.namespace = 'vectors';
SELECT memory.use_model('embed', :'model', :'url', jsonb_build_object('dimensions', :dimensions));
\endif
RESET memory.namespace;
INSERT INTO memory.episodes (namespace, user_id, session_id, content, metadata, occurred_at)
SELECT namespace, user_id, session, body, jsonb_build_object('id', id, 'session', session), coalesce(time, timestamptz '2026-01-01' + n * interval '1 second')
FROM documents, unnest(ARRAY['words', 'hash'] || CASE WHEN :'vectors' = 'on' THEN ARRAY['vectors'] ELSE '{}' END) namespace ORDER BY namespace, n;
VACUUM ANALYZE memory.episodes, memory.embeddings;
