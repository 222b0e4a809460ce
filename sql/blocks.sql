-- Blocks: named texts, pinned in the prompt or kept as files (docs/blocks.md).
\pset format unaligned
\pset footer off
\pset null NULL
\set VERBOSITY terse
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope('ann', namespace => 'regress_blocks');
SET client_min_messages = notice;

-- === what a block says =======================================================================
SELECT memory.set_block('human', 'Name: Ann.');
SELECT name, content, version, place, char_limit, read_only, metadata, chars, agent_id, session_id, user_id FROM memory.block('human');
-- Another text is another version; the same text changes nothing.
SELECT memory.set_block('human', 'Name: Ann. Likes tea.'), memory.set_block('human', 'Name: Ann. Likes tea.');
-- There is no block of a name that was not written, and none of another user's.
SELECT count(*) FROM memory.block('Human');
SELECT count(*) FROM memory.block('human', user_id => 'bob');
-- What is said of it is another version, too, and its text stays; NULL is as it was.
SELECT memory.set_block('human', 'Name: Ann. Likes tea.', char_limit => 40, metadata => '{"label": "the user"}');
SELECT memory.set_block('human', 'Name: Ann. Likes tea.', char_limit => 40, metadata => '{"label": "the user"}') AS "no change";
SELECT memory.set_block('human', 'Name: Ann. Likes coffee.');
SELECT content, version, char_limit, metadata, chars FROM memory.block('human');
-- The last writer is the one that the settings name.
SET memory.agent_id = 'coach';
SET memory.session_id = 'friday';
SELECT memory.append_block('human', ' Lives in Rome.');
SELECT agent_id, session_id FROM memory.block('human');
RESET memory.agent_id;
RESET memory.session_id;
SELECT memory.set_block('human', 'Name: Ann.', char_limit => 0);
SELECT char_limit, agent_id, session_id FROM memory.block('human');

-- === append ==================================================================================
-- It makes the block that is missing. The separator comes between texts, and is there only where something stands before it.
SELECT memory.append_block('log', 'one', E'\n'), memory.append_block('log', 'two', E'\n'), memory.append_block('log', '!');
SELECT content, version, place FROM memory.block('log');
SELECT memory.set_block('empty', ''), memory.append_block('empty', 'first', ', '), memory.append_block('empty', '', ', ');
SELECT content, version FROM memory.block('empty');
SELECT memory.append_block('empty', '') AS "no change";
SELECT memory.delete_block('empty');

-- === edit ====================================================================================
SELECT memory.set_block('notes', E'one\ntwo\nthree');
SELECT memory.edit_block('notes', 'TWO', old => 'two'), memory.edit_block('notes', '', old => E'one\n');
SELECT content FROM memory.block('notes');
-- Behind a line, 0 at the top. A line feed is added only where lines would run together.
SELECT memory.edit_block('notes', 'one', line => 0), memory.edit_block('notes', E'two and a half\n', line => 2), memory.edit_block('notes', 'four', line => 4);
SELECT content FROM memory.block('notes');
SELECT memory.edit_block('notes', 'TWO', old => 'TWO') AS "no change", memory.edit_block('notes', '', line => 1) AS "nor this";
-- Compare and set.
SELECT memory.edit_block('notes', '2', old => 'TWO', expected_version => 6);
SELECT memory.set_block('notes', 'gone', expected_version => 7);
SELECT memory.set_block('new', 'x', expected_version => 0), memory.delete_block('new');
-- Text of any language: characters are counted, and found whole.
SELECT memory.set_block('wörter', E'ärger\nüber äpfel\n東京 😀', char_limit => 22);
SELECT memory.edit_block('wörter', '京都', old => '東京'), memory.edit_block('wörter', 'Äpfel', old => 'äpfel'), memory.append_block('wörter', 'é');
SELECT content, chars FROM memory.block('wörter');
SELECT version, content FROM memory.block_history('wörter');
SELECT memory.delete_block('wörter');

-- === history =================================================================================
-- One row per change of the text, newest first; what else was changed has none.
SELECT version, content, agent_id, session_id FROM memory.block_history('human');
SELECT version, content FROM memory.block_history('notes', k => 2);
SELECT count(*) FROM memory.block_history('nothing');
-- It keeps what a change took away, not the text.
SELECT memory.set_block('long', repeat('A line of a long text. ', 1000)), memory.append_block('long', 'More.'), memory.edit_block('long', 'Less.', old => 'More.');
SELECT version, kept_before, taken, kept_behind FROM memory.block_versions v
WHERE namespace = 'regress_blocks' AND block = (SELECT key FROM memory.blocks WHERE namespace = 'regress_blocks' AND name = 'long') ORDER BY version;
SELECT version, length(content), right(content, 10) FROM memory.block_history('long');
-- Statements of the owner are kept as well, and must say that the version is another one.
UPDATE memory.blocks SET content = 'short' WHERE namespace = 'regress_blocks' AND name = 'long';
UPDATE memory.blocks SET content = 'short', version = version + 3 WHERE namespace = 'regress_blocks' AND name = 'long';
UPDATE memory.blocks SET content = 'short' WHERE namespace = 'regress_blocks' AND name = 'long';
SELECT version, left(content, 10), right(content, 10) FROM memory.block_history('long');
-- What they break is said.
DELETE FROM memory.block_versions v WHERE namespace = 'regress_blocks' AND version = 6
    AND block = (SELECT key FROM memory.blocks WHERE namespace = 'regress_blocks' AND name = 'long');
SELECT version, content FROM memory.block_history('long');
-- History goes with its block.
SELECT memory.delete_block('long');
SELECT count(*) FROM memory.block_versions v WHERE namespace = 'regress_blocks' AND NOT EXISTS (SELECT FROM memory.blocks b WHERE b.key = v.block);
SELECT memory.set_block('long', 'anew'), (SELECT count(*) FROM memory.block_history('long'));

-- === places ==================================================================================
-- Blocks without a / in their names are pinned, in the order in which they came, unless they are told otherwise.
SELECT name, place FROM memory.blocks();
SELECT memory.set_block('aside', 'x', pinned => false), memory.set_block('log', 'x', pinned => false), memory.set_block('long', 'anew', pinned => true) AS "no change";
SELECT name, place FROM memory.blocks();
-- One that is pinned again comes last.
SELECT memory.set_block('log', 'x', pinned => true), memory.delete_block('notes');
SELECT name, place FROM memory.blocks(pinned => true);
SELECT name, place FROM memory.blocks(pinned => false);
-- Moved, the others make room.
SELECT memory.move_block('log', 0);
SELECT name, place FROM memory.blocks(pinned => true);
SELECT memory.move_block('log', 2), memory.move_block('human', 0);
SELECT name, place FROM memory.blocks(pinned => true);
-- A place stays on update.
SELECT memory.set_block('human', 'Name: Ann Lee.'), memory.append_block('human', '');
SELECT name, place FROM memory.blocks(pinned => true);
-- The prompt, in order.
SELECT memory.render_blocks();
SELECT memory.render_blocks('bob') = '' AS "nothing pinned";

-- === files ===================================================================================
SELECT name, memory.set_block(name, repeat('x', length(name))) FROM unnest('{/memories/a.md,/memories/a/b.md,/memories/a/c/d.md,/memories/a0,/memoriesx/y,memories/z,/top}'::text[]) name;
-- A file has no place. They are listed by name, byte by byte.
SELECT name, place, chars FROM memory.blocks(pinned => false);
-- A prefix matches whole segments: a directory, or one block. / is the directory of all that begin with it.
SELECT name FROM memory.blocks('/memories');
SELECT name FROM memory.blocks('/memories/a');
SELECT name FROM memory.blocks('/memories/a.md');
SELECT name FROM memory.blocks('memories');
SELECT name FROM memory.blocks('/');
SELECT name FROM memory.blocks('/memories/%');
-- Segments below it are counted; what is deeper is one row of its directory.
SELECT name, version, place, chars, content IS NULL AS rolled_up, user_id FROM memory.blocks('/memories', depth => 1);
SELECT name, version, chars FROM memory.blocks('/memories', depth => 2);
SELECT name, version, chars FROM memory.blocks('/', depth => 1);
SELECT name, version, place, chars FROM memory.blocks(depth => 1);
-- The characters are there without the content.
SELECT name, content, chars FROM memory.blocks('/memories/a', with_content => false);
-- A directory is no block.
SELECT count(*) FROM memory.block('/memories');

-- === rename and delete =======================================================================
SELECT memory.rename_block('/memories/a', '/old/deep/b');
SELECT name, version, chars FROM memory.blocks('/', depth => 3);
-- The history comes along.
SELECT memory.rename_block('human', 'person'), memory.rename_block('/top', '/old/top');
SELECT version FROM memory.block_history('person', k => 1);
SELECT name, place FROM memory.blocks(pinned => true);
-- A file that is none any more is pinned like a new block, and a block that becomes a file is not pinned any more.
SELECT memory.rename_block('/old/top', 'top'), memory.rename_block('person', 'people/ann'), memory.rename_block('aside', 'beside');
SELECT name, place FROM memory.blocks() WHERE name !~ '^/';
-- A directory goes with recursive, a block without; what is missing is none.
SELECT memory.delete_block('/old', recursive => true), memory.delete_block('/old'), memory.delete_block('top'), memory.delete_block('top', recursive => true), memory.delete_block('/memories/a.md', recursive => true);
SELECT name FROM memory.blocks();
-- The directory is gone with the last block in it.
SELECT memory.delete_block('memories/z'), memory.set_block('memories', 'a block now');

-- === read-only ===============================================================================
SELECT memory.set_block('rules', 'Be kind.', read_only => true);
SELECT memory.set_block('rules', 'Be brief.', read_only => true), memory.set_block('rules', 'Be brief.', read_only => false), memory.append_block('rules', ' Be kind.');
SELECT content, version, read_only FROM memory.block('rules');

-- === transactions ============================================================================
BEGIN;
SELECT memory.append_block('rules', ' x'), memory.set_block('/t/1', 'x'), memory.rename_block('/t', '/u'), memory.delete_block('memories');
SELECT name FROM memory.blocks('/u');
ROLLBACK;
SELECT (SELECT content FROM memory.block('rules')), (SELECT count(*) FROM memory.blocks('/u')), (SELECT count(*) FROM memory.block('memories'));

-- === bulk ====================================================================================
-- INSERT and COPY have the same defaults and rules; a row begins a history.
SET memory.user_id = 'copied';
COPY memory.blocks (name, content) FROM STDIN WITH (DELIMITER '|');
/a|from a file
b|not pinned
\.
INSERT INTO memory.blocks (name, content, place) VALUES ('c', 'pinned', 7);
SELECT name, content, version, place, chars, user_id FROM memory.blocks();
SELECT version, content FROM memory.block_history('/a');
\set VERBOSITY sqlstate
INSERT INTO memory.blocks (name, place) VALUES ('/d', 7);
INSERT INTO memory.blocks (name) VALUES ('/d/'), ('x');
INSERT INTO memory.blocks (name) VALUES ('a//d');
INSERT INTO memory.blocks (name) VALUES ('a/../d');
INSERT INTO memory.blocks (name) VALUES ('/');
INSERT INTO memory.blocks (name) VALUES ('');
INSERT INTO memory.blocks (name) VALUES (repeat('x', 1025));
INSERT INTO memory.blocks (name, content, char_limit) VALUES ('d', 'äöü', 2);
INSERT INTO memory.blocks (name, char_limit) VALUES ('d', 0);
INSERT INTO memory.blocks (name, metadata) VALUES ('d', '[]');
INSERT INTO memory.blocks (name, updated_at) VALUES ('d', 'infinity');
INSERT INTO memory.blocks (name, version) VALUES ('d', 0);
INSERT INTO memory.blocks (name) VALUES ('b');
INSERT INTO memory.blocks (name, content, char_limit) VALUES ('.d/...', 'äöü', 3), (repeat('x', 1024), '', NULL);
\set VERBOSITY terse
SELECT name FROM memory.blocks('.d');
DELETE FROM memory.blocks WHERE namespace = 'regress_blocks';
SELECT count(*) FROM memory.block_versions WHERE namespace = 'regress_blocks';
