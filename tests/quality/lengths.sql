-- One set of labelled.py: the average length of a user's episodes, and what k1 and b of short texts, of long ones and auto find.
\ir labelled.sql
SELECT min(average) || CASE WHEN min(average) < max(average) THEN ' to ' || max(average) ELSE '' END FROM (
    SELECT round(avg((SELECT count(*) FROM memory.tokens(body)))) AS average FROM documents GROUP BY user_id) lengths;
ALTER INDEX memory.episodes_by_text SET (k1 = 0.9, b = 0.4);
REINDEX INDEX memory.episodes_by_text;
SELECT pg_temp.judged(false, true);
ALTER INDEX memory.episodes_by_text SET (k1 = 1.2, b = 0.75);
REINDEX INDEX memory.episodes_by_text;
SELECT pg_temp.judged(false, true);
ALTER INDEX memory.episodes_by_text SET (k1 = auto, b = auto);
REINDEX INDEX memory.episodes_by_text;
SELECT pg_temp.judged(false, true);
