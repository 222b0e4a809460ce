-- memory.export_markdown() and memory.import_markdown(): files to read and to edit (docs/moving.md, "Markdown").
\pset format unaligned
\pset footer off
\pset null NULL
\set VERBOSITY terse
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope(namespace => 'regress_markdown');

-- A file, with the digests of texts left out, and an edited one on its way in.
CREATE FUNCTION pg_temp.file(who text, at text) RETURNS text LANGUAGE sql AS $$
    SELECT body FROM memory.export_markdown(who) WHERE path = at $$;
CREATE FUNCTION pg_temp.imported(who text, at text, body text) RETURNS bigint LANGUAGE sql AS $$
    SELECT memory.import_markdown(at, body, who) $$;
CREATE FUNCTION pg_temp.edited(who text, at text, before text, after text) RETURNS bigint LANGUAGE sql AS $$
    SELECT memory.import_markdown(at, replace(pg_temp.file(who, at), before, after), who) $$;
CREATE FUNCTION pg_temp.refused_import(at text, body text, who text DEFAULT 'ada') RETURNS text LANGUAGE sql AS $$
    SELECT pg_temp.refused(format('SELECT memory.import_markdown(%L, %L, %L)', at, body, who)) $$;
-- All files of a user, as one text.
CREATE FUNCTION pg_temp.files(who text) RETURNS text LANGUAGE sql AS $$
    SELECT string_agg('=== ' || path || E'\n' || body, E'\n' ORDER BY n) FROM memory.export_markdown(who) WITH ORDINALITY f (path, body, n) $$;
CREATE FUNCTION pg_temp.import_all(who text, files text) RETURNS bigint LANGUAGE sql AS $$
    SELECT sum(memory.import_markdown(split_part(f, E'\n', 1), substr(f, strpos(f, E'\n') + 1), who))::bigint FROM regexp_split_to_table(substr(files, 5), '\n=== ') f $$;

-- === out =====================================================================================
SELECT count(*) FROM memory.export_markdown('ada');
SELECT memory.set_block('soul', E'# Who I am\n\nBrief and kind.', 'ada'), memory.set_block('human', 'no file', 'ada'), memory.set_block('notes/trip.md', E'Vienna\r\n  by train ', 'ada'), memory.set_block('/memories/a', 'A', 'ada');
SELECT count(memory.assert_fact(s, p, o, 'ada', valid_from => '2026-01-01Z', valid_until => u::timestamptz, confidence => c, id => i))
    FROM (VALUES ('Ada', 'lives in', 'Rome', NULL, 1, '00000000-0000-7000-8000-0000000000f1'::uuid), ('Ada', 'likes', 'tea | milk', NULL, 0.3, '00000000-0000-7000-8000-0000000000f2'),
        ('Ada', 'works for', E'two\nlines', '2999-01-01Z', 1, '00000000-0000-7000-8000-0000000000f3'), ('Ada', 'was in', 'Paris', '2026-02-01Z', 1, '00000000-0000-7000-8000-0000000000f4')) v (s, p, o, u, c, i);
SELECT count(memory.remember(c, r, user_id => 'ada', kind => k, role => w, metadata => m::jsonb, occurred_at => t::timestamptz, id => ('00000000-0000-7000-8000-0000000000' || i)::uuid))
    FROM (VALUES ('Prefers tea.', NULL, 'long_term', NULL, '{"section": "Preferences"}', '2026-03-01 08:00Z', 'a1'), ('Water boils at 100.', NULL, 'semantic', NULL, '{}', '2026-03-01 08:01Z', 'a2'),
        ('The train leaves at nine.', 'Noted.', 'episodic', 'user', '{}', '2026-03-01 08:30Z', 'a3'), (E'Three\n\n  lines\n', NULL, 'note', NULL, '{}', '2026-03-01 08:30:15.25Z', 'a4'),
        ('<!-- episode: --> and > more', NULL, 'episodic', NULL, '{"section": 7}', '2026-03-02 01:30+03', 'a5'), ('early', NULL, 'episodic', NULL, '{}', '0044-03-15 12:00Z BC', 'a6')) v (c, r, k, w, m, t, i);
SELECT pg_temp.files('ada');
-- No setting of the session changes a byte.
SELECT pg_temp.files('ada') AS before \gset
SET timezone = 'Asia/Tokyo'; SET datestyle = 'German, DMY'; SET extra_float_digits = -5;
SELECT pg_temp.files('ada') = :'before' AS same, pg_temp.import_all('ada', :'before') AS changed;
RESET timezone; RESET datestyle; RESET extra_float_digits;

-- === in, as it was ===========================================================================
SELECT pg_temp.import_all('bob', :'before') AS changed, pg_temp.import_all('bob', :'before') AS again;
-- A text is as editors leave it.
SELECT pg_temp.files('bob') = :'before' AS same, (SELECT content FROM memory.get('00000000-0000-7000-8000-0000000000a4', 'bob')) = E'Three\n\n  lines' AS without_the_end;
SELECT subject, predicate, object, confidence, valid_from = '2026-01-01Z' AS since, valid_until = '2999-01-01Z' AS until FROM memory.facts(user_id => 'bob') ORDER BY predicate;
SELECT id, kind, role, content, response, metadata, occurred_at AT TIME ZONE 'UTC' AS at FROM memory.recall_recent(user_id => 'bob') ORDER BY id;
-- Nothing has come or changed for the user that had these ids first.
SELECT pg_temp.files('ada') = :'before' AS same;
-- Line ends of Windows, a byte order mark and other bullets are no change.
SELECT memory.import_markdown(path, E'\ufeff' || replace(replace(body, E'\n', E'  \r\n'), E'\n- ', E'\n*   '), 'ada') AS changed FROM memory.export_markdown('ada') WHERE path LIKE 'memory/%' OR path = 'MEMORY.md';

-- === edited ==================================================================================
SELECT pg_temp.edited('ada', 'memory/2026-03-01.md', 'at nine', 'at ten') AS changed, pg_temp.file('ada', 'memory/2026-03-01.md') LIKE '%leaves at ten. <!--%' AS ten;
SELECT content, response FROM memory.get('00000000-0000-7000-8000-0000000000a3', 'ada');
-- A file that was not edited where the memory has changed takes nothing back; one that was is stale.
SELECT pg_temp.import_all('ada', :'before') AS changed, (SELECT content FROM memory.get('00000000-0000-7000-8000-0000000000a3', 'ada'));
SELECT pg_temp.refused_import('memory/2026-03-01.md', regexp_replace(regexp_replace(:'before', '.*=== memory/2026-03-01.md', ''), 'at nine', 'at eleven'));
-- Twice the same edit is once.
SELECT replace(pg_temp.file('ada', 'memory/2026-03-01.md'), 'at ten', 'at noon') AS noon \gset
SELECT pg_temp.imported('ada', 'memory/2026-03-01.md', :'noon') AS first, pg_temp.imported('ada', 'memory/2026-03-01.md', :'noon') AS second;
SELECT count(*) FROM memory.episode_revisions WHERE namespace = 'regress_markdown' AND user_id = 'ada';
-- A response alone, and one that goes.
SELECT pg_temp.edited('ada', 'memory/2026-03-01.md', '> Noted.', '> Got it.') AS changed, pg_temp.edited('ada', 'memory/2026-03-01.md', E'  > Got it.\n', '') AS without;
SELECT content, response FROM memory.get('00000000-0000-7000-8000-0000000000a3', 'ada');
-- Facts: a new object is a correction; another predicate, too.
SELECT pg_temp.edited('ada', 'MEMORY.md', '| Rome', '| Florence') AS changed, pg_temp.edited('ada', 'MEMORY.md', '| works_for', '| was hired by') AS predicate;
SELECT predicate, object, valid_from = '2026-01-01Z' AS since, confidence FROM memory.facts(user_id => 'ada') ORDER BY 1;
SELECT object, known_until IS NULL AS current FROM memory.fact_history('Ada', 'lives in', 'ada');
SELECT pg_temp.import_all('ada', :'before') AS changed;
SELECT regexp_replace(:'before', '.*=== MEMORY.md', '') AS notes_before \gset
SELECT pg_temp.refused_import('MEMORY.md', replace(regexp_replace(:'notes_before', E'=== memory/.*', ''), '| Rome', '| Milan'));
-- A line that is missing deletes nothing, nor one without a text; a line under another heading or day stays what it is.
SELECT pg_temp.imported('ada', 'memory/2026-03-01.md', ''), pg_temp.imported('ada', 'memory/2026-03-01.md', regexp_replace(pg_temp.file('ada', 'memory/2026-03-01.md'), 'The train leaves at noon.', '')) AS emptied,
    pg_temp.imported('ada', 'memory/2027-01-01.md', pg_temp.file('ada', 'memory/2026-03-01.md')) AS moved, pg_temp.edited('ada', 'MEMORY.md', '## Preferences', '## Tastes') AS headed;
SELECT count(*) FROM memory.recall_recent(user_id => 'ada');

-- === written by hand =========================================================================
\set notes '# Me\n\nA paragraph,\nwritten by hand.\n\n## Facts\n- Cy | lives in | Oslo\n- Cy | speaks | Norwegian\n- no fact\n\n## Likes\n- tea\n- tea\n- **Decision:** use `pg_dump`\n  - nightly\n'
SELECT pg_temp.imported('cy', 'MEMORY.md', E:'notes') AS added, pg_temp.imported('cy', 'MEMORY.md', E:'notes') AS again;
SELECT content, kind, metadata FROM memory.recall_recent(user_id => 'cy') ORDER BY content, id;
SELECT regexp_replace(pg_temp.file('cy', 'MEMORY.md'), ' <!--.*?-->', '', 'g');
SELECT pg_temp.imported('cy', 'memory/2026-03-01.md', E'fed the cat\n\n- 09:15 fed the cat\n- 09:15:30 fed the cat\n- 18:00 fed the cat\n  > It purred.\n') AS added,
    pg_temp.imported('cy', 'memory/2026-03-01.md', E'- fed the cat\n- fed the cat\n- 09:15 fed the cat\n\n> 18:00 fed the cat\n') AS again;
SELECT content, response, occurred_at AT TIME ZONE 'UTC' AS at FROM memory.recall_recent(user_id => 'cy', kind => 'episodic') ORDER BY occurred_at, content;
-- What an export has of it is no change to what was written.
SELECT pg_temp.import_all('cy', pg_temp.files('cy')) AS changed, pg_temp.imported('cy', 'MEMORY.md', E:'notes') AS again;
-- A section is that of its heading.
SELECT pg_temp.imported('cy', 'memory/2026-03-02.md', E'- one\n\n## 14:00 Meeting\n- two\n\n## Notes\n- three\n');
SELECT regexp_replace(pg_temp.file('cy', 'memory/2026-03-02.md'), ' <!--.*?-->', '', 'g');
-- Files as they are.
SELECT pg_temp.imported('cy', 'SOUL.md', E'\ufeffI\r\n'), pg_temp.imported('cy', 'SOUL.md', E'\ufeffI\r\n') AS again, pg_temp.imported('cy', 'notes/x', 'x'), pg_temp.imported('cy', 'memory/2026-03-02-slug.md', '- a');
SELECT path, to_json(body) FROM memory.export_markdown('cy') WHERE path NOT LIKE 'memory/____-__-__.md' AND path <> 'MEMORY.md';
-- What was rejected stays out; one line of two that say different things is an error.
SELECT memory.reject_fact('Cy', 'owns', 'a boat', user_id => 'cy');
SET client_min_messages = notice;
SELECT pg_temp.imported('cy', 'MEMORY.md', E'## Facts\n- Cy | owns | a boat');
SET client_min_messages = warning;
SELECT pg_temp.refused_import('MEMORY.md', E'## Facts\n- Cy | lives in | Rome\n\n- Cy | lives in | Paris', 'cy');
SELECT object FROM memory.facts('Cy', 'lives in', user_id => 'cy');
-- Another line is a change from now on.
SELECT pg_temp.imported('cy', 'MEMORY.md', pg_temp.file('cy', 'MEMORY.md') || E'\n## Facts\n- Cy | lives in | Rome\n') AS added;
SELECT object, valid_until IS NULL AS now FROM memory.facts('Cy', 'lives in', user_id => 'cy', valid_at => NULL);

-- === what is not there =======================================================================
-- What was forgotten comes back by a file that has it: the file says so. What has expired or was merged does not.
SELECT pg_temp.file('cy', 'memory/2026-03-02.md') AS day \gset
SELECT memory.forget('cy', id => (SELECT id FROM memory.recall_recent(user_id => 'cy', kind => 'episodic') WHERE content = 'two')) ->> 'episodes' AS forgotten, pg_temp.imported('cy', 'memory/2026-03-02.md', :'day') AS back;
UPDATE memory.episodes SET expires_at = '2026-01-01' WHERE namespace = 'regress_markdown' AND content = 'one';
UPDATE memory.episodes SET expires_at = '-infinity' WHERE namespace = 'regress_markdown' AND content = 'three';
SELECT pg_temp.imported('cy', 'memory/2026-03-02.md', :'day') AS changed, pg_temp.file('cy', 'memory/2026-03-02.md') LIKE '%one%' AS there;
-- Under another user's ids a user has memories of its own, and finds nothing of the other's.
SELECT pg_temp.imported('eve', 'memory/2026-03-01.md', '- 08:30 mine <!-- episode:00000000-0000-7000-8000-0000000000a3 -->') AS a3, pg_temp.imported('eve', 'memory/2026-03-01.md', '- 08:30 mine <!-- episode:00000000-0000-7000-8000-0000000000ff -->') AS of_nobody,
    pg_temp.imported('eve', 'MEMORY.md', '- Ada | lives in | Rome <!-- fact:00000000-0000-7000-8000-0000000000f1 -->') AS f1, pg_temp.imported('eve', 'MEMORY.md', '- Eve | lives in | Rome <!-- fact:00000000-0000-7000-8000-0000000000fe -->') AS of_nobody;
SELECT content FROM memory.get('00000000-0000-7000-8000-0000000000a3', 'ada');

-- === refused =================================================================================
SELECT pg_temp.refused('SELECT memory.import_markdown(NULL, '''')'), pg_temp.refused('SELECT memory.import_markdown(''MEMORY.md'', NULL)'), pg_temp.refused('SELECT * FROM memory.export_markdown('''')');
SELECT at, pg_temp.refused_import(at, '- a') FROM unnest('{"",soul,USER.md,memory/2026-02-30.md,memory/2026-04-31.md,a//b,../a}'::text[]) at;
SELECT pg_temp.refused_import('MEMORY.md', body) FROM (VALUES (E'- a\n- b <!-- episode:1 -->'), ('- a <!-- episode:00000000-0000-7000-8000-0000000000a1'), (E'\n<!-- not closed\n- a'), (E'## Facts\n- a | b'),
    ('- a | b <!-- fact:00000000-0000-7000-8000-0000000000f1 -->'), (E'- a <!-- episode:00000000-0000-7000-8000-0000000000b1 -->\n\n- b <!-- episode:00000000-0000-7000-8000-0000000000b1 -->'),
    ('- a <!-- episode:00000000-0000-7000-8000-0000000000b1 at=noon -->'), ('- a <!-- episode:00000000-0000-7000-8000-0000000000b1 at=infinity -->'),
    ('- a | b | c <!-- fact:00000000-0000-7000-8000-0000000000f9 confidence=2 -->'), ('- a | b | c <!-- fact:00000000-0000-7000-8000-0000000000f9 from=2026-02-01 until=2026-01-01 -->'),
    (E'## Facts\n- \u200b | b | c'), (E'## Facts\n- ' || repeat('x', 600) || ' | b | c')) v (body);
SET memory.max_content = '1kB';
SELECT pg_temp.refused_import('memory/2026-03-01.md', E'- new\n\n- ' || repeat('x', 2000)), pg_temp.refused_import('SOUL.md', repeat('x', 2000));
RESET memory.max_content;
SELECT memory.set_block('soul', 'mine', 'ada', read_only => true);
SELECT pg_temp.refused_import('SOUL.md', 'yours'), pg_temp.imported('ada', 'SOUL.md', 'mine');
-- Nothing of a refused file is there.
SELECT count(*) FROM memory.recall_recent(user_id => 'ada') WHERE content IN ('a', 'new');
-- A block cannot have the name of a day.
SELECT memory.set_block('memory/2026-05-05.md', 'x', 'dan');
SELECT * FROM memory.export_markdown('dan');

-- === whose ===================================================================================
SET memory.user_id = 'cy';
SELECT count(*) > 3 AS all_files, memory.import_markdown('notes/x', 'y') FROM memory.export_markdown();
RESET memory.user_id;
SET memory.anonymous = 'allow';
SELECT memory.import_markdown('memory/2026-03-01.md', '- of no name');
SELECT path FROM memory.export_markdown();
SET memory.anonymous = 'deny';
SELECT pg_temp.refused('SELECT memory.import_markdown(''SOUL.md'', ''x'')');
RESET memory.anonymous;
DELETE FROM memory.episodes WHERE namespace = 'regress_markdown';
SELECT count(memory.forget_user(u)) FROM unnest('{ada,bob,cy,dan,eve}'::text[]) u;
