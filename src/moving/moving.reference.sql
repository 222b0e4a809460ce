-- What docs/reference.md says of moving users, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Moving', 'A user''s memories as lines of JSON, out of a database and into another; [moving.md](moving.md) says what a line has.');

INSERT INTO explained VALUES
('import_user', 'lines', 'Lines of `export_user`, in its order. Several calls in one transaction may share them out.'),
('import_user', 'user_id', 'The user whose rows they become. NULL: the user that the lines name; an error where the setting `memory.user_id` names another.');

INSERT INTO example (function, statements) VALUES
('export_user', $$
SELECT memory.remember('The train leaves at nine.', user_id => 'noa', id => '00000000-0000-7000-8000-0000000000a1', occurred_at => '2026-03-01');
SELECT line -> 'table' AS "table", line -> 'user_id' AS user_id, line -> 'content' AS content, line -> 'occurred_at' AS occurred_at
FROM memory.export_user('noa') line;
$$),
('import_user', $$
SELECT memory.remember('The train leaves at ten.', user_id => 'noa');
SELECT memory.import_user(ARRAY(SELECT memory.export_user('noa')), user_id => 'noa who moved');
$$);
