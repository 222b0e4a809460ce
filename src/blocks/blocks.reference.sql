-- What docs/reference.md says of blocks, beyond the functions' comments (tools/reference.sql).
INSERT INTO chapter (title, introduction) VALUES ('Blocks', 'Named texts of a user, pinned in the prompt or kept as files. A name is a path: segments joined by `/`, none of them empty, `.` or `..`. [Blocks](blocks.md) has the rules.');

INSERT INTO explained
SELECT f, 'name', 'The name of the block: a path of at most 1 kB, compared byte by byte.'
FROM unnest('{set_block,append_block,edit_block,block,move_block,block_history}'::text[]) f;
INSERT INTO explained VALUES
('set_block', 'content', 'What it says from now on.'),
('set_block', 'pinned', 'Whether it stands in prompts, which a name with a `/` cannot. NULL: as it was; of a new block, whether its name has no `/`.'),
('set_block', 'char_limit', 'The most characters that the content may have, now and later; 0: no limit. NULL: as it was; of a new block no limit.'),
('set_block', 'read_only', 'Whether functions refuse to change it, but for this one where this argument is given. NULL: as it was; of a new block false.'),
('set_block', 'metadata', 'A JSON object, which takes the place of what was there. NULL: as it was; of a new block `{}`.'),
('set_block', 'expected_version', 'The version that the caller has read; 0: that there is no such block. NULL: whatever it is.'),
('append_block', 'content', 'What comes behind the text.'),
('append_block', 'separator', 'What comes between the two, where the block is not empty.'),
('edit_block', 'new', 'The text that takes the place of `old`, or is inserted.'),
('edit_block', 'old', 'A text that stands in the block once. Either it or `line` is given.'),
('edit_block', 'line', 'The number of the line to insert behind; 0 is before the first.'),
('edit_block', 'expected_version', 'The version that the caller has read. NULL: whatever it is.'),
('blocks', 'prefix', 'A block or a directory: only that block, or what is in the directory. `/`: all names that begin with it. NULL: all.'),
('blocks', 'depth', 'How many segments below the prefix are told apart, 1 to 1,024. NULL: all.'),
('blocks', 'pinned', 'Only blocks that are pinned, or only the others. NULL: all.'),
('blocks', 'with_content', 'Whether with the contents. They are NULL otherwise, and are not read.'),
('delete_block', 'name', 'The name of a block, or of a directory.'),
('delete_block', 'recursive', 'Whether a directory goes with all that is in it.'),
('rename_block', 'name', 'The name of a block, or of a directory.'),
('rename_block', 'new_name', 'What it is called from now on.'),
('move_block', 'place', 'Its place from now on: 0 is the first; at most that of the last.'),
('block_history', 'k', 'How many rows at most, 1 to 1,000,000. NULL: all.'),
('block_history', 'version', 'The version of the block that had this text first.'),
('block_history', 'content', 'The text.'),
('block_history', 'updated_at', 'When it was written.'),
('block_history', 'agent_id', 'The agent that wrote it, by the setting `memory.agent_id`.'),
('block_history', 'session_id', 'The session that wrote it, by the setting `memory.session_id`.');

INSERT INTO example (function, statements) VALUES
('set_block', $$
SELECT memory.set_block('human', 'Name: Ann.', user_id => 'ann', char_limit => 2000);
SELECT memory.set_block('human', 'Name: Ann. Likes tea.', user_id => 'ann', expected_version => 1);
$$),
('append_block', $$
SELECT memory.append_block('human', 'Lives in Rome.', separator => E'\n', user_id => 'ann');
$$),
('edit_block', $$
SELECT memory.edit_block('human', 'coffee', old => 'tea', user_id => 'ann');
SELECT memory.edit_block('human', 'Allergic to nuts.', line => 1, user_id => 'ann');
$$),
('block', $$
SELECT content, version, place, char_limit, chars FROM memory.block('human', user_id => 'ann');
$$),
('block_history', $$
SELECT version, content FROM memory.block_history('human', k => 2, user_id => 'ann');
$$),
('blocks', $$
SELECT memory.set_block(name, 'Text', user_id => 'ann') FROM unnest('{/memories/a.md,/memories/trips/rome.md,/memories/trips/vienna.md}'::text[]) name;
SELECT name, version, place, chars FROM memory.blocks(depth => 2, with_content => false, user_id => 'ann');
$$),
('rename_block', $$
SELECT memory.rename_block('/memories/trips', '/archive/2026', user_id => 'ann');
$$),
('delete_block', $$
SELECT memory.delete_block('/archive', recursive => true, user_id => 'ann');
$$),
('move_block', $$
SELECT memory.set_block('persona', 'Brief and kind.', user_id => 'ann');
SELECT memory.move_block('persona', 0, user_id => 'ann');
SELECT name, place FROM memory.blocks(pinned => true, user_id => 'ann');
$$),
('render_blocks', $$
SELECT memory.render_blocks(user_id => 'ann');
$$);
