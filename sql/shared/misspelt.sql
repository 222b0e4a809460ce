\set ECHO none
-- Words at random, words that are mistyped, and how far they are from each other. After setseed():
--     \i :source/sql/shared/misspelt.sql
-- The distance, by its definition: letters put in, taken out, changed, or exchanged with their neighbour.
CREATE FUNCTION pg_temp.distance(a text, b text) RETURNS int LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
    before int[]; last int[]; here int[];
BEGIN
    last := ARRAY(SELECT generate_series(0, length(b)));
    FOR i IN 1 .. length(a) LOOP
        here := ARRAY[i];
        FOR j IN 1 .. length(b) LOOP
            here[j + 1] := least(last[j + 1] + 1, here[j] + 1, last[j] + (substr(a, i, 1) <> substr(b, j, 1))::int,
                CASE WHEN i > 1 AND j > 1 AND substr(a, i, 1) = substr(b, j - 1, 1) AND substr(a, i - 1, 1) = substr(b, j, 1) THEN before[j - 1] + 1 END);
        END LOOP;
        before := last;
        last := here;
    END LOOP;
    RETURN last[length(b) + 1];
END $$;

-- Words of few letters, so that many are near each other; of three scripts, numbers and identifiers among them.
CREATE TEMP TABLE vocabulary AS
SELECT n, CASE n % 7 WHEN 0 THEN translate(word, 'bdgkptzx', 'бдгкптзж') WHEN 1 THEN translate(word, 'bdgkptzx', 'βδγκπτζξ') WHEN 2 THEN CASE WHEN n % 3 = 0 THEN word || n ELSE word || '-' || reverse(word) END ELSE word END AS word
FROM generate_series(1, 400) n, LATERAL (SELECT string_agg(substr(CASE i WHEN 1 THEN 'zx' ELSE 'bdgkpt' END, 1 + floor(random() * CASE i WHEN 1 THEN 2 ELSE 6 END)::int + 0 * n, 1), '') AS word FROM generate_series(1, 3 + n % 7) i) w;
CREATE TEMP TABLE listed AS SELECT array_agg(word ORDER BY n) AS words FROM vocabulary;
CREATE FUNCTION pg_temp.words(count int) RETURNS text LANGUAGE sql VOLATILE
    RETURN (SELECT string_agg(words[1 + floor(400 * random() ^ 2)::int], ' ') FROM listed, generate_series(1, count));
-- One letter changed, taken out, put in or exchanged, twice in some.
CREATE FUNCTION pg_temp.mistyped(word text) RETURNS text LANGUAGE sql VOLATILE AS $$
    SELECT CASE floor(random() * 4) WHEN 0 THEN left(word, at) || substr(word, at + 2) WHEN 1 THEN left(word, at) || letter || substr(word, at + 1)
        WHEN 2 THEN left(word, at) || letter || substr(word, at + 2) ELSE left(word, at) || substr(word, at + 2, 1) || substr(word, at + 1, 1) || substr(word, at + 3) END
    FROM (SELECT 1 + floor(random() * (length(word) - 1))::int AS at, substr('bdgkptq', 1 + floor(random() * 7)::int, 1) AS letter) a $$;
\set ECHO all
