-- Facts that know two times, case by case. Days are counted from 2026-01-01; a span [0,30) is shown
-- as it is stored, an end that has not come as nothing.
\pset format unaligned
\pset footer off
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SET timezone = 'UTC';
SET memory.namespace = 'facts';
CREATE FUNCTION pg_temp.day(n float8) RETURNS timestamptz LANGUAGE sql IMMUTABLE
    AS $$ SELECT '2026-01-01'::timestamptz + n * interval '1 day' $$;
CREATE FUNCTION pg_temp.span(valid_from timestamptz, valid_until timestamptz) RETURNS text LANGUAGE sql IMMUTABLE
    AS $$ SELECT format('[%s,%s)', CASE WHEN isfinite(valid_from) THEN extract(epoch FROM valid_from - pg_temp.day(0))::int / 86400 END,
                        extract(epoch FROM valid_until - pg_temp.day(0))::int / 86400) $$;
-- What is believed of somebody's home, in the order of time.
CREATE FUNCTION pg_temp.homes(who text, known_at timestamptz DEFAULT NULL) RETURNS text LANGUAGE sql
    AS $$ SELECT string_agg(object || ' ' || pg_temp.span(valid_from, valid_until), ', ' ORDER BY valid_from NULLS FIRST)
          FROM memory.facts(who, 'lives_in', valid_at => NULL, known_at => known_at, user_id => 'ann') $$;
CREATE FUNCTION pg_temp.tell(who text, object text, valid_from float8, valid_until float8 DEFAULT NULL) RETURNS text LANGUAGE sql
    AS $$ SELECT memory.assert_fact(who, 'lives in', object, 'ann', pg_temp.day(valid_from), pg_temp.day(valid_until));
          SELECT pg_temp.homes(who) $$;
SELECT memory.set_scope('ann', namespace => 'facts');

-- An open end reaches to the next change that is known, whichever came to be known first.
SELECT pg_temp.tell('late', 'Paris', 30);
SELECT pg_temp.tell('late', 'Tokyo', 0) AS "Tokyo from 0, learnt after Paris from 30";
SELECT pg_temp.tell('closed', 'Paris', 30);
SELECT pg_temp.tell('closed', 'Rome', 0, 10) AS "a closed past takes nothing from what comes later";

-- Others give way just there.
SELECT pg_temp.tell('middle', 'Tokyo', 0);
SELECT pg_temp.tell('middle', 'Rome', 5, 10) AS "a stay in the middle";
SELECT pg_temp.tell('aba', 'Tokyo', 0);
SELECT pg_temp.tell('aba', 'Paris', 10);
SELECT pg_temp.tell('aba', 'Tokyo', 20) AS "there and back again";
SELECT pg_temp.tell('instant', 'Tokyo', 0);
SELECT pg_temp.tell('instant', 'Paris', 0) AS "the same start: the second replaces the first";
SELECT pg_temp.tell('over', 'Tokyo', 0, 10);
SELECT pg_temp.tell('over', 'Paris', 10, 20);
SELECT pg_temp.tell('over', 'Rome', 5, 15) AS "across two";
SELECT pg_temp.tell('over', 'Oslo', -5, 25) AS "over all";

-- The same again is one fact; touching pieces are one, and no change to an open end.
SELECT pg_temp.tell('again', 'Tokyo', 0, 10);
SELECT pg_temp.tell('again', 'Tokyo', 10, 20) AS "touching";
SELECT pg_temp.tell('again', 'TOKYO', 5, 30) AS "overlapping, in another spelling";
SELECT pg_temp.tell('again', 'Paris', 3) AS "an open end looks past them";
SELECT count(*) AS rows_before FROM memory.fact_history('again', 'lives_in') \gset
SELECT pg_temp.tell('again', 'Paris', 4, 6) AS "nothing new";
SELECT count(*) = :rows_before AS "nothing was written" FROM memory.fact_history('again', 'lives_in');

-- Infinite spans are spans; 'infinity' is an end that is meant.
SELECT memory.assert_fact('ever', 'lives_in', 'Tokyo', valid_from => '-infinity') IS NOT NULL AS told;
SELECT pg_temp.homes('ever');
SELECT pg_temp.tell('ever', 'Paris', 10);
SELECT memory.assert_fact('ever', 'lives_in', 'Rome', valid_from => pg_temp.day(5), valid_until => 'infinity') IS NOT NULL AS told;
SELECT pg_temp.homes('ever') AS "for ever takes what comes later";
-- Infinite ends are shown as NULL, which every driver can read.
SELECT object, valid_from IS NULL AS always_was, valid_until IS NULL AS for_ever, known_until IS NULL AS believed
FROM memory.fact_history('ever', 'lives_in');
SELECT object, valid_from, valid_until, known_until FROM memory.facts('ever', valid_at => '2020-01-01');
SELECT neighbor, valid_from, valid_until FROM memory.neighbors('ever', valid_at => '2020-01-01');
SELECT object, valid_from, valid_until FROM memory.recall_facts('ever Tokyo', valid_at => '2020-01-01');

-- Every belief stays readable.
SELECT pg_temp.tell('belief', 'Tokyo', 0);
SELECT clock_timestamp() AS then \gset
SELECT pg_temp.tell('belief', 'Rome', 5, 10);
SELECT pg_temp.homes('belief', known_at => :'then') AS "as it was known then";
SELECT object AS "on day 7" FROM memory.facts('belief', 'lives_in', valid_at => pg_temp.day(7));
SELECT object AS "on day 7, as known then" FROM memory.facts('belief', 'lives_in', valid_at => pg_temp.day(7), known_at => :'then');
SELECT object AS "on day 7, before anything was known" FROM memory.facts('belief', 'lives_in', valid_at => pg_temp.day(7), known_at => '2026-01-01');
SELECT object, pg_temp.span(valid_from, valid_until) AS valid, dense_rank() OVER (ORDER BY known_from) AS "known since change",
       known_until IS NULL AS believed
FROM memory.fact_history('belief', 'lives_in');
SELECT object AS "half-open: day 10" FROM memory.facts('belief', 'lives_in', valid_at => pg_temp.day(10));
SELECT object AS "at infinity" FROM memory.facts('belief', 'lives_in', valid_at => 'infinity', known_at => 'infinity');

-- Transaction time grows strictly, also within one transaction; what a transaction takes back was never there.
BEGIN;
SELECT pg_temp.tell('hasty', 'Tokyo', 0), pg_temp.tell('hasty', 'Paris', 0), pg_temp.tell('hasty', 'Rome', 0);
SELECT object, known_from > lag(known_from) OVER (ORDER BY known_from) AS later, lead(known_from) OVER (ORDER BY known_from) IS NOT DISTINCT FROM known_until AS "until the next"
FROM memory.fact_history('hasty', 'lives_in');
SAVEPOINT s;
SELECT pg_temp.tell('hasty', 'Oslo', 0);
ROLLBACK TO s;
SELECT pg_temp.homes('hasty');
COMMIT;

-- Retraction: a hole in the middle, one object only, everything from a day on.
SELECT pg_temp.tell('leaver', 'Tokyo', 0);
SELECT memory.retract_fact('Leaver', 'LivesIn', valid_from => pg_temp.day(10), valid_until => pg_temp.day(20)) AS ended;
SELECT pg_temp.homes('leaver');
SELECT memory.retract_fact('leaver', 'lives_in', 'Paris', valid_from => pg_temp.day(0)) AS "another object";
SELECT memory.retract_fact('leaver', 'lives_in', 'tokyo', valid_from => pg_temp.day(5), valid_until => pg_temp.day(25)) AS "two pieces";
SELECT pg_temp.homes('leaver');
SELECT pg_temp.tell('leaver', 'Rome', 7) AS "an open end reaches over the hole";
SELECT memory.retract_fact('leaver', 'lives_in', valid_from => '-infinity') AS "all of it";
SELECT pg_temp.homes('leaver') IS NULL AS "nothing is believed";
SELECT memory.retract_fact('nobody', 'lives_in') AS "of nobody";

-- Correction: another object, other times, both; ids of versions that were cut or joined since still serve.
SELECT memory.assert_fact('wrong', 'lives_in', 'Tokyo', valid_from => pg_temp.day(0)) AS told \gset
SELECT memory.correct_fact(:'told', 'Kyoto') AS told \gset
SELECT pg_temp.homes('wrong');
SELECT memory.correct_fact(:'told', valid_from => pg_temp.day(5)) AS told \gset
SELECT pg_temp.homes('wrong') AS "of the interval only";
SELECT memory.correct_fact(:'told', valid_from => pg_temp.day(5)) = :'told' AS "nothing to correct";
SELECT pg_temp.tell('wrong', 'Paris', 20);
SELECT memory.correct_fact(:'told', valid_until => pg_temp.day(25)) AS told \gset
SELECT pg_temp.homes('wrong') AS "others give way";
SELECT memory.correct_fact(:'told', 'KYOTO') IS NOT NULL AS corrected;
SELECT pg_temp.homes('wrong') AS "of the spelling";
SELECT pg_temp.tell('wrong', 'Rome', 10, 12);
SELECT memory.correct_fact(:'told', 'Nara');

-- A rejected value stays out, in any spelling, until it is let in again.
SELECT pg_temp.tell('picky', 'Tokyo', 0);
SELECT memory.reject_fact('Picky', 'lives-in', 'tokyo', 'never been there');
SELECT pg_temp.homes('picky') IS NULL AS "nothing is believed";
SET client_min_messages = notice;
SELECT memory.assert_fact('picky', 'livesIn', ' ＴＯＫＹＯ ') IS NULL AS ignored;
SET client_min_messages = warning;
SELECT pg_temp.tell('picky', 'Paris', 0) AS "others are let in";
SELECT reason, object FROM memory.rejections WHERE namespace = 'facts';
SELECT memory.assert_fact('picky', 'lives_in', 'Tokyo', valid_from => pg_temp.day(20), metadata => '{"override": true}') IS NOT NULL AS told;
SELECT pg_temp.homes('picky') AS "with override";
SELECT pg_temp.tell('picky', 'Tokyo', 10) AS "then it is let in";
SELECT memory.reject_fact('picky', 'lives_in', 'Tokyo');
SELECT id FROM memory.facts('picky', 'lives_in', valid_at => NULL) \gset
SELECT memory.correct_fact(:'id', 'Tokyo') IS NOT NULL AS corrected;
SELECT pg_temp.homes('picky') AS "by correction";
SELECT id AS rejected FROM memory.facts('picky', 'lives_in', valid_at => NULL) \gset
SELECT memory.reject_fact('picky', 'lives_in', 'Tokyo');
SELECT memory.correct_fact(:'rejected') IS NOT NULL AS "corrected to what it was";
SELECT pg_temp.homes('picky');

-- Asserting again merges: sources united, confidence the larger, metadata joined; every version keeps its own.
SELECT memory.remember('I moved to Tokyo.', id => '00000000-0000-7000-8000-00000000000a') AS a,
       memory.remember('Tokyo, as I said.', id => '00000000-0000-7000-8000-00000000000b') AS b \gset
SELECT memory.assert_fact('merged', 'lives_in', 'Tokyo', valid_from => pg_temp.day(0), confidence => 0.5, sources => ARRAY[:'b', :'b']::uuid[], metadata => '{"x": 1}') IS NOT NULL AS told;
SELECT memory.assert_fact('merged', 'lives_in', 'tokyo', valid_from => pg_temp.day(5), confidence => 0.25, sources => ARRAY[:'a']::uuid[], metadata => '{"y": 2}') IS NOT NULL AS told;
SELECT memory.assert_fact('merged', 'lives_in', 'tokyo', valid_from => pg_temp.day(-5), confidence => 0.75) IS NOT NULL AS told;
SELECT object, confidence, pg_temp.span(valid_from, valid_until) AS valid, right(sources::text, 50) AS sources, metadata, known_until IS NULL AS believed
FROM memory.fact_history('merged', 'lives_in');
-- Deleting an episode takes it from the sources; the fact stays.
DELETE FROM memory.episodes WHERE namespace = 'facts' AND id = :'b';
SELECT object, array_length(sources, 1) AS sources FROM memory.fact_history('merged', 'lives_in');

-- An id of the caller's: a retry writes nothing, another fact is refused.
SELECT memory.assert_fact('retry', 'lives_in', 'Tokyo', valid_from => pg_temp.day(0), id => '00000000-0000-7000-8000-0000000000f1');
SELECT memory.assert_fact('retry', 'lives_in', 'Paris', valid_from => pg_temp.day(9)) IS NOT NULL AS told;
SELECT memory.assert_fact('retry', 'lives_in', 'Tokyo', valid_from => pg_temp.day(0), id => '00000000-0000-7000-8000-0000000000f1');
SELECT pg_temp.homes('retry');
SELECT memory.assert_fact('retry', 'lives_in', 'Rome', id => '00000000-0000-7000-8000-0000000000f1');
SELECT memory.assert_fact('retry', 'lives_in', 'Rome', valid_from => pg_temp.day(0), id => '00000000-0000-7000-8000-0000000000f1', user_id => 'bob') AS "another user's";

-- Many-valued: each object has its own intervals, by the same rules.
SELECT memory.define_predicate('speaks', 'many');
SELECT memory.assert_fact('ann', 'speaks', o, valid_from => pg_temp.day(0)) IS NOT NULL AS told FROM unnest(ARRAY['French', 'Japanese', 'FRENCH']) AS o;
SELECT memory.assert_fact('ann', 'speaks', 'French', valid_from => pg_temp.day(-9), valid_until => pg_temp.day(-5)) IS NOT NULL AS told;
SELECT memory.assert_fact('ann', 'speaks', 'French', valid_from => pg_temp.day(-20)) IS NOT NULL AS told;
SELECT memory.retract_fact('ann', 'speaks', 'Japanese', valid_from => pg_temp.day(10)) AS ended;
SELECT object, pg_temp.span(valid_from, valid_until) FROM memory.facts('ann', 'speaks', valid_at => NULL) ORDER BY 1, 2;
SELECT id FROM memory.facts('ann', 'speaks', 'Japanese', valid_at => NULL) \gset
SELECT memory.correct_fact(:'id', 'Korean') IS NOT NULL AS corrected;
SELECT memory.reject_fact('ann', 'speaks', 'french');
SELECT memory.assert_fact('ann', 'speaks', 'Thai', valid_from => pg_temp.day(0)) IS NOT NULL AS told;
SELECT memory.assert_fact('ann', 'speaks', 'French', valid_from => pg_temp.day(0)) IS NOT NULL AS "rejected";
SELECT object, pg_temp.span(valid_from, valid_until) FROM memory.facts('ann', 'speaks', valid_at => NULL) ORDER BY 1, 2;
SELECT memory.retract_fact('ann', 'speaks', valid_from => pg_temp.day(5)) AS "of all objects";
SELECT object, pg_temp.span(valid_from, valid_until) FROM memory.facts('ann', 'speaks', valid_at => NULL) ORDER BY 1, 2;

-- The cardinality can change: what is stored is moved, or the change is refused.
SET client_min_messages = notice;
SELECT memory.define_predicate('speaks', 'one');
SELECT memory.define_predicate('lives in', 'many');
SELECT memory.define_predicate('lives in', 'many', 'home of');
SELECT pg_temp.tell('late', 'Rome', 10, 40) AS "now side by side";
SELECT memory.define_predicate('lives in', 'one');
SELECT memory.retract_fact('late', 'lives_in', 'Rome', valid_from => pg_temp.day(-9)) AS ended;
SELECT memory.define_predicate('lives in', 'one');
SET client_min_messages = warning;
SELECT pg_temp.tell('late', 'Rome', 10, 40) AS "and again they give way";

-- A batch: in order, all or nothing.
SELECT count(*) FROM memory.assert_facts(jsonb_build_array(
    jsonb_build_object('subject', 'batch', 'predicate', 'lives_in', 'object', 'Tokyo', 'valid_from', pg_temp.day(0)),
    jsonb_build_object('subject', 'Batch', 'predicate', 'lives_in', 'object', 'Paris', 'valid_from', pg_temp.day(0), 'confidence', 0.5),
    jsonb_build_object('subject', 'BATCH', 'predicate', 'livesIn', 'object', 'Rome', 'valid_from', pg_temp.day(9), 'metadata', '{"a": 1}'::jsonb, 'sources', jsonb_build_array('00000000-0000-7000-8000-00000000000a')),
    jsonb_build_object('subject', 'batch', 'predicate', 'lives_in', 'object', 'Tokyo', 'user_id', 'bob', 'valid_from', NULL)));
SELECT subject, object, pg_temp.span(valid_from, valid_until) AS valid, confidence, metadata, sources, dense_rank() OVER (ORDER BY known_from) AS change, known_until IS NULL AS believed
FROM memory.fact_history('batch', 'lives_in');
SELECT * FROM memory.assert_facts('[]');

-- Users and namespaces never mix.
SELECT memory.assert_fact('belief', 'lives_in', 'Lima', valid_from => pg_temp.day(0), user_id => 'bob') IS NOT NULL AS told;
SELECT pg_temp.homes('belief');
SELECT object, user_id FROM memory.facts('belief', user_id => 'bob');
SELECT count(*) AS "of another namespace" FROM memory.set_scope('ann', namespace => 'elsewhere') s, LATERAL memory.facts('belief', user_id => s.user_id);
SELECT memory.set_scope('ann', namespace => 'facts');

-- Reading: by any of the three, newest first, k at most.
SELECT subject, object FROM memory.facts(predicate => 'lives in', object => 'PARIS', valid_at => pg_temp.day(12), k => 3);
SELECT subject, predicate FROM memory.facts(object => 'roma');
SELECT count(*) FROM memory.facts(k => 1000) WHERE user_id = 'ann';
SELECT count(*) FROM memory.facts(k => 2);
SELECT count(*) AS "all, if it is NULL", (SELECT count(*) FROM memory.facts()) AS "by default" FROM memory.facts(k => NULL);
SELECT count(*) FROM memory.facts('nobody', '!!');

-- Long and odd texts are objects, too.
SELECT memory.assert_fact('odd', 'said', repeat('long ', 100000)) IS NOT NULL AS told;
SELECT length(object), predicate FROM memory.facts(object => repeat('LONG ', 100000));
SELECT memory.assert_fact('odd', 'said', repeat('long ', 100000) || 'other') IS NOT NULL AS told;
SELECT length(object) FROM memory.facts('odd', 'said');
SELECT memory.normalize_predicate(p) FROM unnest(ARRAY['Name_Is', 'name-is', 'nameIs', 'name is', 'HTTPServer', 'живёт В', '!?', NULL]) AS p;

-- What is wrong is refused before anything is written.
\set VERBOSITY terse
SELECT memory.assert_fact('', 'p', 'o');
SELECT memory.assert_fact(NULL, 'p', 'o');
SELECT memory.assert_fact('s', ' -- ', 'o');
SELECT memory.assert_fact('s', NULL, 'o');
SELECT memory.assert_fact('s', 'p', U&'\200B \00AD');
SELECT memory.assert_fact('s', 'p', NULL);
SELECT memory.assert_fact(repeat('s', 513), 'p', 'o');
SELECT memory.assert_fact('s', repeat('p', 257), 'o');
SELECT memory.assert_fact('s', 'p', repeat('o', 1048577));
SELECT memory.assert_fact('s', 'p', 'o', valid_from => pg_temp.day(1), valid_until => pg_temp.day(1));
SELECT memory.assert_fact('s', 'p', 'o', valid_from => pg_temp.day(1), valid_until => pg_temp.day(0));
SELECT memory.assert_fact('s', 'p', 'o', valid_from => 'infinity');
SELECT memory.assert_fact('s', 'p', 'o', valid_until => '-infinity');
SELECT memory.assert_fact('s', 'p', 'o', confidence => c::float8) FROM unnest(ARRAY['1.001']) AS c;
SELECT memory.assert_fact('s', 'p', 'o', confidence => '-0.1');
SELECT memory.assert_fact('s', 'p', 'o', confidence => 'NaN');
SELECT memory.assert_fact('s', 'p', 'o', metadata => '[1]');
SELECT memory.assert_fact('s', 'p', 'o', metadata => 'true');
SELECT memory.assert_fact('s', 'p', 'o', sources => '{00000000-0000-7000-8000-0000000000aa}');
SELECT memory.assert_fact('s', 'p', 'o', sources => '{00000000-0000-7000-8000-00000000000a}', user_id => 'bob');
SELECT memory.assert_fact('s', 'p', 'o', sources => '{NULL}');
SELECT memory.assert_fact('s', 'p', 'o', user_id => '');
SELECT memory.assert_fact('s', 'p', 'o', embedding => '[1,2]', id => '00000000-0000-7000-8000-0000000000f1');
SELECT memory.retract_fact('s', '', 'o');
SELECT memory.retract_fact('s', 'p', valid_until => '2020-01-01');
SELECT memory.reject_fact('s', 'p', NULL);
SELECT memory.correct_fact('00000000-0000-7000-8000-0000000000aa', 'o');
SELECT memory.correct_fact('00000000-0000-7000-8000-0000000000f1', 'o', user_id => 'cyd');
SELECT memory.correct_fact(NULL, 'o');
SELECT memory.correct_fact('00000000-0000-7000-8000-0000000000f1', valid_until => '-infinity');
SELECT memory.define_predicate('p', 'few');
SELECT memory.define_predicate('!');
SELECT memory.facts(k => 0);
SELECT memory.fact_history('s', NULL);
SELECT memory.assert_facts(NULL);
SELECT memory.assert_facts('{}');
SELECT memory.assert_facts('[1]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o"}, {"subject": "s", "predicate": "p"}]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o", "confidence": 7}]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o", "until": "now"}]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o", "valid_from": "soon"}]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o", "sources": "x"}]');
SELECT memory.assert_facts('[{"subject": "s", "predicate": "p", "object": "o", "sources": ["x"]}]');
SELECT count(*) AS "written of all this" FROM memory.facts('s', valid_at => NULL);

-- Ten thousand readings of one line, the latest first: each takes what it meets, not what the line has.
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'sensor', 'predicate', 'reads',
    'object', n::text, 'valid_from', pg_temp.day(0) + n * interval '1 minute') ORDER BY n DESC) FROM generate_series(1, 10000) n), 'ann');
SELECT count(*), count(*) FILTER (WHERE valid_until - valid_from = interval '1 minute') AS "of a minute", min(object::int), max(object::int)
FROM memory.facts('sensor', 'reads', user_id => 'ann', valid_at => NULL, k => 100000);

-- The constraint proves what the functions promise, against hands, too.
INSERT INTO memory.facts (user_id, line, valid_from, known_from, subject_key, predicate, object_key, subject, object)
SELECT user_id, line, valid_from, known_from, subject_key, predicate, 'lima', subject, 'Lima' FROM memory.facts
WHERE namespace = 'facts' AND user_id = 'ann' AND subject_key = 'retry' AND object_key = 'paris' AND known_until = 'infinity';

DELETE FROM memory.episodes WHERE namespace = 'facts';
DELETE FROM memory.facts WHERE namespace = 'facts';
DELETE FROM memory.timelines WHERE namespace = 'facts';
DELETE FROM memory.rejections WHERE namespace = 'facts';
DELETE FROM memory.predicates WHERE namespace = 'facts';
