-- A backend keeps copies of the pages on which a large segment has its documents' lengths. What has become another segment
-- has other lengths: the best are those of brute force, each time, and of a new search.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;
CREATE TABLE many_notes (id int, body text);
CREATE FUNCTION texts(first int, last int, spread int) RETURNS TABLE (id int, body text) LANGUAGE sql AS $$
    SELECT n, 'note' || n % 400 || ' of' || n % 7 || repeat(' word', n * 31 % spread) FROM generate_series(first, last) n $$;
-- The ten best of some queries, beside those by brute force: how many are compared, and how many are not the same.
CREATE FUNCTION compare(OUT compared bigint, OUT wrong bigint) LANGUAGE plpgsql AS $$
DECLARE words text; best float8[]; brute float8[];
BEGIN
    compared := 0;
    wrong := 0;
    FOREACH words IN ARRAY ARRAY['note7 note11', 'note3 of5', 'note399 note398 of1'] LOOP
        SELECT array_agg(score ORDER BY score DESC) INTO best FROM (SELECT -(body <@> query(words)) AS score FROM many_notes
            WHERE body @@@ query(words) ORDER BY body <@> query(words) LIMIT 10) b;
        SELECT array_agg(score ORDER BY score DESC) INTO brute FROM (SELECT b.score FROM (SELECT array_agg(id) AS ids, array_agg(body) AS bodies FROM many_notes) g,
            bm25_rank(ids, bodies, words) b ORDER BY b.score DESC LIMIT 10) b;
        compared := compared + cardinality(best);
        wrong := wrong + (SELECT count(*) FROM unnest(best, brute) p (a, b) WHERE abs(a - b) < 1e-9 IS NOT TRUE);
    END LOOP;
END $$;

INSERT INTO many_notes SELECT * FROM texts(1, 70000, 40);
CREATE INDEX many_notes_recall ON many_notes USING recall (body);
VACUUM many_notes;
SELECT * FROM compare();
SELECT * FROM compare();
-- Another segment, of as many documents, on pages that the first may have had.
DELETE FROM many_notes;
VACUUM many_notes;
INSERT INTO many_notes SELECT * FROM texts(1, 70000, 3);
VACUUM many_notes;
VACUUM many_notes;
SELECT * FROM compare();
UPDATE many_notes SET body = body || repeat(' more', id % 30) WHERE id % 2 = 0;
VACUUM many_notes;
SELECT * FROM compare();
REINDEX INDEX many_notes_recall;
SELECT * FROM compare();
DROP FUNCTION texts, compare;
DROP TABLE many_notes;
