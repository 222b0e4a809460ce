-- Recall@10 and nDCG@10 of what temporary table best says: the first ten of each query, with their
-- places; a query that found nothing has a row without id.
WITH judged AS (
    SELECT cardinality(q.evidence) AS wanted, count(*) FILTER (WHERE best.id = ANY (q.evidence)) AS hits,
           coalesce(sum(1 / ln(best.place + 1)) FILTER (WHERE best.id = ANY (q.evidence)), 0) AS gain
      FROM queries q JOIN best USING (n) GROUP BY q.n, wanted),
ideal AS (
    SELECT most, sum(1 / ln(place + 1)) AS gain
      FROM generate_series(1, 10) most, generate_series(1, most) place GROUP BY most)
SELECT round(avg(hits::numeric / wanted), 4), round(avg((judged.gain / ideal.gain)::numeric), 4)
  FROM judged JOIN ideal ON most = least(wanted, 10);
