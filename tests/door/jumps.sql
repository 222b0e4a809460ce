-- Run by sql/leaks.sql in a session of its own, which it spoils: 1,000 errors that jump over the
-- objects of their frames.
SET log_min_messages = fatal;
SELECT coalesce(door.note_usage(), 'begun');
SELECT 'SELECT door.fail_holding(''containers'', ''jump'')' FROM generate_series(1, 1000) \gexec
SELECT door.live_objects(), door.growth() > 1000000 AS memory_is_lost;
