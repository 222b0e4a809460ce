-- The picture of docs/facts-timeline.svg, drawn from what memory.fact_history answers: valid time across, known
-- time up, a rectangle for each version, coloured by its object. The assertions are those of docs/guide.md.
\set QUIET on
\pset tuples_only on
\pset format unaligned
SET client_min_messages = error;
SET timezone = 'UTC';
CREATE EXTENSION memory CASCADE;
SELECT memory.init() \g /dev/null
SELECT memory.set_scope('ada') \g /dev/null
SELECT memory.assert_fact('Ada', 'lives in', 'Paris', valid_from => '2026-01-31') \g /dev/null
SELECT memory.assert_fact('Ada', 'lives in', 'Tokyo', valid_from => '2026-01-01') \g /dev/null
SELECT memory.assert_fact('Ada', 'lives in', 'Rome', valid_from => '2026-01-06', valid_until => '2026-01-11') \g /dev/null
SELECT memory.retract_fact('Ada', 'lives in', valid_from => '2026-02-20') \g /dev/null

WITH version AS (
    SELECT object, extract(epoch FROM valid_from - '2026-01-01') / 86400 AS day,
        least(extract(epoch FROM coalesce(valid_until, 'infinity') - '2026-01-01'::timestamptz) / 86400, 60) AS until,
        known_from, known_until
    FROM (SELECT object, valid_from, least(coalesce(valid_until, '2026-03-02'), '2026-03-02') AS valid_until, known_from, known_until
          FROM memory.fact_history('Ada', 'lives in')) h
), change AS (SELECT known_from AS at, row_number() OVER (ORDER BY known_from) AS n
              FROM (SELECT known_from FROM version UNION SELECT known_until FROM version WHERE known_until IS NOT NULL) k),
box AS (
    SELECT object, 140 + 9 * day AS x, 9 * (until - day) AS width, 300 - 50 * coalesce(e.n, 5) AS y, 50 * (coalesce(e.n, 5) - b.n) AS height
    FROM version v JOIN change b ON b.at = v.known_from LEFT JOIN change e ON e.at = v.known_until
)
SELECT '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 300" font-family="sans-serif" font-size="13">'
UNION ALL SELECT '<rect width="100%" height="100%" fill="white"/>'
UNION ALL SELECT '<text x="12" y="24" font-size="15">Where Ada lives: valid time across, known time up</text>'
UNION ALL (SELECT format('<rect x="%s" y="%s" width="%s" height="%s" fill="%s" stroke="white" stroke-width="2"/><text x="%s" y="%s" text-anchor="middle" fill="white">%s</text>',
    round(x), y, round(width), height, CASE object WHEN 'Paris' THEN '#1f6feb' WHEN 'Tokyo' THEN '#bf3989' ELSE '#2da44e' END,
    round(x + width / 2), y + height / 2 + 5, object) FROM box ORDER BY x, y)
UNION ALL (SELECT format('<text x="130" y="%s" text-anchor="end">%s</text>', 280 - 50 * n,
    (ARRAY['Paris from day 30', 'Tokyo from day 0', 'Rome, days 5 to 10', 'nothing from day 50'])[n]) FROM generate_series(1, 4) n)
UNION ALL (SELECT format('<text x="%s" y="270" text-anchor="middle" fill="#555">%s</text>', 140 + 9 * d, d) FROM generate_series(0, 60, 10) d)
UNION ALL SELECT '<text x="690" y="290" text-anchor="end" fill="#555">valid, days →</text>'
UNION ALL SELECT '<text x="12" y="60" fill="#555">↑ known: told</text>'
UNION ALL SELECT '</svg>';
