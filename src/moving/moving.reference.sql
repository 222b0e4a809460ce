-- What docs/reference.md says of moving users, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Moving', 'A user''s memories as lines of JSON, out of a database and into another, and as files to edit; [moving.md](moving.md) says what a line and a file have.');

INSERT INTO explained VALUES
('import_user', 'lines', 'Lines of `export_user`, in its order. Several calls in one transaction may share them out.'),
('import_user', 'user_id', 'The user whose rows they become. NULL: the user that the lines name; an error where the setting `memory.user_id` names another.'),
('export_markdown', 'path', 'Of the file, from the folder that all of them are in.'),
('export_markdown', 'body', 'What is in the file.'),
('import_markdown', 'path', 'Of the file: it says what the lines are.'),
('import_markdown', 'body', 'What is in the file.');

INSERT INTO example (function, statements) VALUES
('export_user', $$
SELECT memory.remember('The train leaves at nine.', user_id => 'noa', id => '00000000-0000-7000-8000-0000000000a1', occurred_at => '2026-03-01');
SELECT line -> 'table' AS "table", line -> 'user_id' AS user_id, line -> 'content' AS content, line -> 'occurred_at' AS occurred_at
FROM memory.export_user('noa') line;
$$),
('import_user', $$
SELECT memory.remember('The train leaves at ten.', user_id => 'noa');
SELECT memory.import_user(ARRAY(SELECT memory.export_user('noa')), user_id => 'noa who moved');
$$),
('export_markdown', $$
SELECT memory.remember('The train leaves at nine.', user_id => 'ida', id => '00000000-0000-7000-8000-0000000000a1', occurred_at => '2026-03-01 08:30Z');
SELECT memory.remember('Prefers window seats.', kind => 'long_term', user_id => 'ida', id => '00000000-0000-7000-8000-0000000000a2', occurred_at => '2026-03-01 08:40Z');
SELECT path, line FROM memory.export_markdown('ida'), regexp_split_to_table(body, E'\n') WITH ORDINALITY t (line, n) ORDER BY path, n;
$$),
('import_markdown', $$
SELECT memory.import_markdown('MEMORY.md', E'# Memory\n\n## Facts\n- Ida | lives in | Bern\n\n## Travel\n- Prefers window seats.\n', user_id => 'ida');
SELECT memory.import_markdown('MEMORY.md', E'# Memory\n\n## Facts\n- Ida | lives in | Bern\n\n## Travel\n- Prefers window seats.\n', user_id => 'ida') AS again;
SELECT subject, predicate, object FROM memory.facts(user_id => 'ida');
$$);
