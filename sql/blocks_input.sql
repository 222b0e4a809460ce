-- What functions about blocks refuse, each with its SQLSTATE, and that nothing of it is written.
\pset format unaligned
\pset footer off
\pset null NULL
SET client_min_messages = warning;
\getenv source PG_ABS_SRCDIR
\i :source/sql/shared/refused.sql
CREATE EXTENSION IF NOT EXISTS memory CASCADE;
SELECT memory.init();
SELECT memory.set_scope('ann', namespace => 'regress_blocks_input');
SET client_min_messages = notice;
SELECT memory.set_block('human', 'Name: Ann.', char_limit => 20), memory.set_block('rules', 'Be kind.', read_only => true), memory.set_block('side', 'x', pinned => false);
SELECT memory.set_block('/d/a', E'one two\ntwo\nthree\n'), memory.set_block('/d/e/ro', 'x', read_only => true), memory.set_block('/f', 'aaa'), memory.set_block('/g/h/i', 'x');
CREATE TEMP TABLE before AS SELECT * FROM memory.blocks WHERE namespace = 'regress_blocks_input';
CREATE TEMP TABLE history_before AS SELECT * FROM memory.block_versions WHERE namespace = 'regress_blocks_input';

-- === names ===================================================================================
SELECT name, pg_temp.refused(format('SELECT memory.set_block(%L, %L)', name, 'x')) FROM unnest('{"",/,//,a/,a//b,/a/,.,..,a/.,../a,a/../b,"/."}'::text[]) name;
SELECT pg_temp.refused('SELECT memory.set_block(NULL, ''x'')');
SELECT pg_temp.refused(format('SELECT memory.set_block(%L, %L)', repeat('x', 1025), 'x'));
-- Every function says the same of them, and so do those that only read.
SELECT call, pg_temp.refused(format('SELECT * FROM memory.%s', call)) FROM unnest(ARRAY[$$append_block('a//b', 'x')$$, $$edit_block('a//b', 'x', 'y')$$, $$block('a//b')$$, $$blocks('a//b')$$, $$blocks('/a/')$$, $$blocks('')$$,
    $$delete_block('a//b')$$, $$rename_block('a//b', 'c')$$, $$rename_block('/f', 'c/')$$, $$move_block('a//b', 0)$$, $$block_history('a//b')$$]) call;
-- With a directory every name below it gets longer.
SELECT pg_temp.refused(format('SELECT memory.rename_block(%L, %L)', '/g', '/' || repeat('x', 1020)));

-- === limits ==================================================================================
SELECT memory.set_block('human', 'Name: Ann. Likes tea, very much.');
\echo :SQLSTATE
SELECT memory.append_block('human', ' Likes tea.');
\echo :SQLSTATE
SELECT memory.edit_block('human', 'Name: Ann Lee, Ann Lee', old => 'Name: Ann');
\echo :SQLSTATE
SELECT memory.set_block('human', 'Name: Ann.', char_limit => 9);
\echo :SQLSTATE
SELECT memory.set_block('new', 'äöü', char_limit => 2);
\echo :SQLSTATE
SET memory.max_content = '1kB';
SELECT pg_temp.refused(format('SELECT memory.set_block(%L, %L)', 'new', repeat('x', 1025)));
SELECT pg_temp.refused(format('SELECT memory.append_block(%L, %L)', '/f', repeat('x', 1022)));
SELECT pg_temp.refused(format('SELECT memory.edit_block(%L, %L, %L)', '/d/a', repeat('x', 1020), 'three'));
RESET memory.max_content;
SELECT pg_temp.refused('SELECT memory.set_block(''new'', ''x'', char_limit => -1)');

-- === names that are taken ====================================================================
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$set_block('/d', 'x')$$, $$append_block('/d', 'x')$$, $$set_block('human/x', 'x')$$, $$append_block('/d/a/b/c', 'x')$$,
    $$set_block('human', 'x', expected_version => 0)$$, $$rename_block('/f', '/d')$$, $$rename_block('/f', '/d/a')$$, $$rename_block('/f', 'human')$$, $$rename_block('/f', 'human/x')$$, $$rename_block('/f', '/f')$$,
    $$rename_block('/d/a', '/d')$$]) call;
-- A directory does not come to lie in itself.
SELECT pg_temp.refused('SELECT memory.rename_block(''/d'', ''/d/x/y'')');
SELECT pg_temp.refused('SELECT memory.rename_block(''/f'', ''/f/x'')');

-- === edits ===================================================================================
SELECT memory.edit_block('/d/a', 'x', old => 'two');
\echo :SQLSTATE
SELECT memory.edit_block('/f', 'x', old => 'aa');
\echo :SQLSTATE
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$edit_block('/d/a', 'x', old => 'four')$$, $$edit_block('/d/a', 'x', old => 'Three')$$, $$edit_block('/d/a', 'x', old => '')$$, $$edit_block('/d/a', 'x')$$,
    $$edit_block('/d/a', 'x', old => 'three', line => 1)$$, $$edit_block('/d/a', NULL, old => 'three')$$, $$edit_block('/d/a', 'x', line => 4)$$, $$edit_block('/d/a', 'x', line => -1)$$,
    $$edit_block('/d/a', 'x', line => 9223372036854775807)$$, $$edit_block('/d', 'x', line => 0)$$, $$edit_block('/nix', 'x', line => 0)$$, $$edit_block('/nix', 'x', line => 0, expected_version => 1)$$]) call;

-- === versions ================================================================================
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$set_block('human', 'x', expected_version => 2)$$, $$set_block('nix', 'x', expected_version => 1)$$, $$set_block('human', 'x', expected_version => -1)$$,
    $$edit_block('human', 'x', old => 'Ann', expected_version => 7)$$, $$edit_block('human', 'x', old => 'Ann', expected_version => 0)$$, $$set_block('human', 'Name: Ann.', expected_version => 2)$$]) call;

-- === read-only ===============================================================================
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$set_block('rules', 'x')$$, $$set_block('rules', 'Be kind.')$$, $$append_block('rules', 'x')$$, $$append_block('rules', '')$$, $$edit_block('rules', 'x', old => 'kind')$$,
    $$edit_block('rules', 'x', old => 'missing')$$, $$delete_block('rules')$$, $$rename_block('rules', 'x')$$, $$move_block('rules', 0)$$, $$delete_block('/d', recursive => true)$$, $$rename_block('/d', '/x')$$]) call;

-- === places, directories and what is missing =================================================
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$set_block('/f', 'x', pinned => true)$$, $$set_block('/new', 'x', pinned => true)$$, $$move_block('/f', 0)$$, $$move_block('side', 0)$$, $$move_block('nix', 0)$$, $$move_block('human', 2)$$,
    $$move_block('human', -1)$$, $$move_block('human', NULL)$$, $$move_block('/d', 0)$$, $$delete_block('/d')$$, $$delete_block('/d/e', false)$$, $$delete_block('/d', NULL)$$, $$rename_block('nix', 'x')$$, $$rename_block('human', NULL)$$]) call;
SELECT call, pg_temp.refused('SELECT * FROM memory.' || call) FROM unnest(ARRAY[$$blocks(depth => 0)$$, $$blocks(depth => -1)$$, $$block(NULL)$$, $$block_history('human', k => 0)$$, $$block_history('human', k => -1)$$, $$block_history(NULL)$$]) call;

-- === what is no text or no object ============================================================
SELECT call, pg_temp.refused('SELECT memory.' || call) FROM unnest(ARRAY[$$set_block('new', NULL)$$, $$append_block('new', NULL)$$, $$set_block('new', E'\000')$$, $$set_block('new', 'x', metadata => '[]')$$, $$set_block('new', 'x', metadata => 'null')$$,
    $$set_block('new', 'x', user_id => '')$$]) call;
-- In a read-only transaction nothing is written.
\set VERBOSITY terse
BEGIN READ ONLY;
SELECT memory.append_block('human', 'x');
ROLLBACK;

-- === nothing of it was written ===============================================================
SELECT count(*) FROM (TABLE before EXCEPT SELECT * FROM memory.blocks WHERE namespace = 'regress_blocks_input') b;
SELECT count(*) FROM (SELECT * FROM memory.blocks WHERE namespace = 'regress_blocks_input' EXCEPT TABLE before) b;
SELECT count(*) FROM (SELECT * FROM memory.block_versions WHERE namespace = 'regress_blocks_input' EXCEPT TABLE history_before) b;
DELETE FROM memory.blocks WHERE namespace = 'regress_blocks_input';
