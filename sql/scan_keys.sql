-- Every condition that a plan gives to a recall index holds for every row that comes out of it.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SET search_path = public, memory;

CREATE TABLE diary (owner text COLLATE "C", body text);
INSERT INTO diary VALUES ('ada', 'the secret garden'), ('ada', 'the garden gate'), ('bea', 'a secret');
CREATE INDEX diary_recall ON diary USING recall (owner, body);
SET seq_page_cost = 1000000;

-- `=` on the searched text, which is none of what the index finds rows by.
SET enable_sort = off;
SELECT body FROM diary WHERE owner = 'ada' AND body = 'the garden gate';
SELECT body FROM diary WHERE owner = 'ada' AND body @@@ 'garden' AND body = 'the garden gate';
SELECT body FROM diary WHERE owner = 'ada' AND body = 'the garden gate' ORDER BY body <@> 'secret';

-- @@@ on a scope column is not @@@ on the text.
SELECT body FROM diary WHERE owner = 'ada' AND owner @@@ 'secret' AND body @@@ 'garden';
SELECT count(*) FROM diary WHERE owner = 'ada' AND owner @@@ 'ada' AND body @@@ 'garden';

-- The order is that of one query on the text.
SELECT body FROM diary WHERE owner = 'ada' ORDER BY body <@> 'secret', body <@> 'nothing';
SELECT body FROM diary WHERE owner = 'ada' ORDER BY owner <@> 'secret';
RESET enable_sort;

-- A scope column that is compared twice equals both or there is no row.
CREATE TABLE pairs (one text, other text);
INSERT INTO pairs VALUES ('ada', 'bea'), ('bea', 'ada'), ('bea', 'bea'), ('bea', NULL);
SET enable_hashjoin = off;
SET enable_mergejoin = off;
SET enable_material = off;
EXPLAIN (COSTS OFF) SELECT * FROM pairs p LEFT JOIN diary d
    ON d.owner = p.one AND d.owner = p.other AND d.body @@@ 'secret';
SELECT * FROM pairs p LEFT JOIN diary d
    ON d.owner = p.one AND d.owner = p.other AND d.body @@@ 'secret' ORDER BY one, other;
DROP TABLE diary, pairs;

-- So a policy's user stands, whatever a join asks for.
SELECT memory.init();
SELECT count(memory.remember('zebra ' || n, user_id => who))
FROM unnest('{scan_ada,scan_bea}'::text[]) who, generate_series(1, 3) n;
CREATE ROLE scan_bea;
SELECT memory.grant_access('scan_bea', 'reader');
SELECT memory.protect('current_user::text');
GRANT TEMPORARY ON DATABASE :"DBNAME" TO scan_bea;
SET ROLE scan_bea;
CREATE TEMPORARY TABLE wanted (who text);
INSERT INTO wanted VALUES ('scan_ada'), ('scan_bea');
SELECT w.who, found.content FROM wanted w LEFT JOIN LATERAL (
    SELECT e.content FROM memory.episodes e WHERE e.namespace = 'default' AND e.user_id = w.who
    ORDER BY memory_internal.episode_text(e.content, e.response) <@> 'zebra' LIMIT 10) found ON true ORDER BY w.who, found.content;
DROP TABLE wanted;
RESET ROLE;
REVOKE TEMPORARY ON DATABASE :"DBNAME" FROM scan_bea;
SELECT memory.unprotect();
SELECT memory.revoke_access('scan_bea');
DELETE FROM memory.episodes WHERE user_id LIKE 'scan\_%';
DROP ROLE scan_bea;
