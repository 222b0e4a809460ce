-- What docs/reference.md says of many databases, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Scale', 'Which of many databases has a user; [scale.md](scale.md) says how databases share the users.');

INSERT INTO explained VALUES
('shard_of', 'user_id', 'The user, in any namespace. NULL: the anonymous user.'),
('shard_of', 'shards', 'How many databases share the users: 1, 2, 4, 8, …');

INSERT INTO example (function, statements) VALUES
('shard_of', $$
SELECT user_id, memory.shard_of(user_id, 4) AS of_4, memory.shard_of(user_id, 8) AS of_8, memory.shard_of(user_id, 64) AS of_64
FROM (VALUES ('ada'), ('bob'), (NULL)) users (user_id);
$$);
