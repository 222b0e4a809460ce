-- The signal `dates`: rows of the days that a query counts back from today have 1.5 times as much as others. Against a definition in SQL from
-- the statement's time, in time zones far from each other, and from fixed times.
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/fresh.sql
SET memory.recall_signals = dates;
-- What each phrase means on a day.
CREATE FUNCTION pg_temp.meant(today date) RETURNS TABLE (phrase text, days datemultirange) LANGUAGE sql IMMUTABLE AS $$
    SELECT phrase, datemultirange(daterange(day1, day2)) + CASE WHEN other IS NULL THEN '{}' ELSE datemultirange(daterange(other, other + 1)) END FROM
        (SELECT date_trunc('week', today::timestamp)::date AS week, date_trunc('month', today::timestamp) AS month, date_trunc('year', today::timestamp) AS year) began,
        LATERAL (VALUES ('What did I say yesterday?', today - 1, today, NULL::date), ('three days ago', today - 3, today - 2, NULL), ('vor zwei Wochen', week - 14, week - 7, NULL),
            ('last week', week - 7, week, NULL), ('del mes pasado', (month - interval '1 month')::date, month::date, NULL), ('2 года назад', (year - interval '2 years')::date, (year - interval '1 year')::date, NULL),
            ('geçen pazartesi', date_trunc('week', today - interval '1 day')::date, date_trunc('week', today - interval '1 day')::date + 1, week - 7),
            ('last March', make_date(extract(year FROM today)::int - (extract(month FROM today) <= 3)::int, 3, 1), make_date(extract(year FROM today)::int - (extract(month FROM today) <= 3)::int, 4, 1), NULL),
            ('去年三月', make_date(extract(year FROM today)::int - 1, 3, 1), make_date(extract(year FROM today)::int - 1, 4, 1), NULL)) p (phrase, day1, day2, other) $$;
CREATE TEMP TABLE zones (zone text);
INSERT INTO zones VALUES ('Pacific/Kiritimati'), ('America/Los_Angeles'), ('Asia/Kolkata'), ('UTC');
-- A user a zone, with rows on both sides of where such days begin and end there: few enough that all are ranked anew.
INSERT INTO memory.episodes (user_id, content, occurred_at)
SELECT DISTINCT zone, 'zxa', (day::timestamp AT TIME ZONE zone) - beside * interval '1 microsecond'
FROM zones, pg_temp.meant((statement_timestamp() AT TIME ZONE zone)::date), unnest(days) one, unnest(ARRAY[lower(one), upper(one)]) day, generate_series(0, 1) beside;
SELECT zone, count(*) BETWEEN 20 AND 64 FROM zones JOIN memory.episodes ON user_id = zone GROUP BY zone ORDER BY zone;
-- Rows whose score is not what it should be; whether some are lifted and some are not; whether all are answered with.
CREATE FUNCTION pg_temp.compared(zone text) RETURNS TABLE (phrase text, wrong bigint, lifts boolean, all_answer boolean) LANGUAGE plpgsql AS $$
BEGIN
    PERFORM set_config('TimeZone', zone, true);
    RETURN QUERY SELECT m.phrase, count(*) FILTER (WHERE abs(r.score - CASE WHEN r.occurred_at::date <@ m.days THEN 1 ELSE 1 / 1.5 END) > 1e-9), bool_or(r.score > 0.99) AND bool_or(r.score < 0.7),
            count(*) = (SELECT count(*) FROM memory.episodes e WHERE e.user_id = zone)
        FROM pg_temp.meant(statement_timestamp()::date) m, memory.recall_scored('zxa ' || m.phrase, user_id => zone, k => 1000) r GROUP BY m.phrase;
END $$;
SELECT zone, c.* FROM zones, pg_temp.compared(zone) c ORDER BY zone, phrase COLLATE "C";
SET memory.recall_signals = none;
SELECT count(*) FILTER (WHERE score <> 1) FROM memory.recall_scored('zxa last week', user_id => 'UTC', k => 1000);
RESET memory.recall_signals;

-- Counted from a fixed time: that of `until`, where it is earlier than the statement's.
CREATE TEMP TABLE noted AS SELECT memory.remember('zxa', user_id => 'noted', occurred_at => '2026-03-01 12:00+00') AS id;
CREATE FUNCTION pg_temp.named(phrase text, until timestamptz) RETURNS text LANGUAGE sql
    RETURN (SELECT x #>> '{lexical,named_dates}' || ' ' || (x #>> '{lexical,dates}') FROM noted, memory.explain_recall(id, 'zxa ' || phrase, user_id => 'noted', until => until) x);
SET TimeZone = 'UTC';
SELECT phrase, pg_temp.named(phrase, '2026-03-02 12:00+00') FROM unnest(ARRAY['أمس', 'was gestern war', 'χθες', 'yesterday', 'ayer', 'कल', 'ieri', 'вчера', 'เมื่อวาน', 'dün', 'hôm qua', '昨天',
    'twenty-one days ago', 'last week', 'last Monday', 'last month', 'last March', 'last year', 'March 5', 'March 5 last year', 'in 1999', 'today']) WITH ORDINALITY p (phrase, n) ORDER BY n;
-- The definition again, of many days.
SELECT memory.remember('zxa', user_id => 'older', occurred_at => '2020-01-01') AS older \gset
CREATE FUNCTION pg_temp.days(written jsonb) RETURNS datemultirange LANGUAGE sql IMMUTABLE
    RETURN (SELECT range_agg(CASE length(d) WHEN 4 THEN daterange(make_date(d::int, 1, 1), make_date(d::int + 1, 1, 1))
        WHEN 7 THEN daterange((d || '-01')::date, ((d || '-01')::date + interval '1 month')::date) ELSE daterange(d::date, d::date + 1) END) FROM jsonb_array_elements_text(written) d);
SELECT count(*), count(*) FILTER (WHERE pg_temp.days(x #> '{lexical,named_dates}') IS DISTINCT FROM m.days) AS wrong
FROM generate_series(timestamp '2023-12-25', '2025-01-10', '5 days 7 hours') today, pg_temp.meant(today::date) m, memory.explain_recall(:'older', 'zxa ' || m.phrase, user_id => 'older', until => today AT TIME ZONE 'UTC') x;
SET TimeZone = 'America/Los_Angeles';
SELECT pg_temp.named('yesterday', '2026-03-02 02:00+00'), pg_temp.named('yesterday', '2026-03-02 12:00+00');
-- A time that is still to come, and none.
SELECT pg_temp.named('vorgestern', 'infinity') = pg_temp.named('vorgestern', NULL), pg_temp.named('vorgestern', statement_timestamp() + interval '3 days') = to_char(statement_timestamp()::date - 2, '[\"YYYY-MM-DD\"] 1');
SELECT count(*) FROM memory.recall_scored('zxa yesterday', user_id => 'noted', until => '-infinity');
SELECT count(*) FROM memory.recall_scored('zxa last year', user_id => 'noted', until => '0044-03-15 BC');
RESET TimeZone;
DROP EXTENSION memory CASCADE;
DROP SCHEMA memory CASCADE;
