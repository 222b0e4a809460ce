# 16 clients in the blocks of one user at once: appends, edits and compare-and-set lose nothing, no name comes to lie below another, places stay
# apart, and no two calls wait for each other. The same with kill -9 among them: what was answered is there, and histories lead back to
# the first text. Dumped and restored, all texts and histories are the same. BLOCKS_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{BLOCKS_CRASHES} // 2;
my $node = start_for_writers('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	-- What was answered.
	CREATE TABLE done (block text, said text, version bigint);
	-- What the refused calls were refused with.
	CREATE TABLE refused (state text, call text);
	CREATE PROCEDURE attempt(call text) LANGUAGE plpgsql AS $$
	BEGIN
		EXECUTE 'SELECT ' || call;
	EXCEPTION WHEN OTHERS THEN
		INSERT INTO refused VALUES (SQLSTATE, call);
	END $$;
});
my $directory = PostgreSQL::Test::Utils::tempdir();

sub value { return $node->safe_psql('postgres', $_[0]) }

sub check
{
	my ($what) = @_;
	is(value(q{SELECT count(*) FROM memory.blocks a JOIN memory.blocks b ON starts_with(b.name, a.name || '/')}), '0', "$what: no block is below another");
	is(value(q{SELECT count(*) FROM (SELECT FROM memory.blocks WHERE place IS NOT NULL GROUP BY place HAVING count(*) > 1) p}), '0', "$what: no two have one place");
	# The oldest text's splice leads back to nothing, so that a break anywhere in the chain is an error or another first text.
	is(value(q{SELECT count(*) FROM memory.blocks b CROSS JOIN LATERAL (SELECT max(h.version) AS newest, min(h.version) AS oldest, count(*) AS texts FROM memory.block_history(b.name, NULL) h) h
		WHERE h.oldest <> 1 OR h.newest > b.version OR h.texts <> (SELECT count(*) FROM memory.block_versions v WHERE v.block = b.key)}), '0', "$what: each history leads back to the first text");
	is(value(q{SELECT count(*) FROM memory.blocks b CROSS JOIN LATERAL memory.block_history(b.name, 1) h WHERE h.content <> b.content}), '0', "$what: the newest of it is what the block says");
}

# --- appends --------------------------------------------------------------------------------------------
# All make the block, and go on.
bench($node, 'appends', 100, '1-append' => q{
	\set n random(1, 1000000000000)
	INSERT INTO done SELECT 'log', said, memory.append_block('log', said, E'\n') FROM (SELECT 'c' || :client_id || '-' || :n || '.' AS said) s;
});
is(value(q{SELECT count(*), count(DISTINCT line) FROM memory.block('log') b, string_to_table(b.content, E'\n') line}), '1600|1600', '1,600 appends are there');
is(value(q{SELECT count(*) FROM done d WHERE said <> (SELECT line FROM memory.block('log') b, string_to_table(b.content, E'\n') WITH ORDINALITY t (line, n) WHERE n = d.version)}), '0', 'each at the place of its version');
is(value(q{SELECT version FROM memory.block('log')}), '1600', 'and each was one version');
is(value(q{SELECT bool_and(array_length(string_to_array(content, E'\n'), 1) = version) FROM memory.block_history('log', NULL)}), 't', 'history has what each one found');

# --- edits ----------------------------------------------------------------------------------------------
# Each client counts in a line of its own, and inserts lines at the top.
$node->safe_psql('postgres', q{
	SELECT memory.set_block('edits', (SELECT string_agg('c' || c || '=0;', E'\n') FROM generate_series(0, 15) c));
	CREATE FUNCTION count_on(c int) RETURNS bigint LANGUAGE sql AS $$
		SELECT memory.edit_block('edits', 'c' || c || '=' || n + 1 || ';', old => 'c' || c || '=' || n || ';')
		FROM memory.block('edits'), LATERAL (SELECT substring(content FROM '(?n)^c' || c || '=([0-9]+);$')::int AS n) s $$;
});
bench($node, 'edits', 50, '2-count' => 'SELECT count_on(:client_id);', '1-insert' => q{SELECT memory.edit_block('edits', 'top', line => 0);});
is(value(q{SELECT count(*) FILTER (WHERE line = 'top') + sum(substring(line FROM '=([0-9]+);')::int), count(*) FILTER (WHERE line <> 'top') FROM memory.block('edits') b, string_to_table(b.content, E'\n') line}), '800|16', '800 edits are there');
is(value(q{SELECT version FROM memory.block('edits')}), '801', 'and each was one version');

# --- compare and set ----------------------------------------------------------------------------------------
$node->safe_psql('postgres', q{
	SELECT memory.set_block('number', '0');
	CREATE FUNCTION set_next(read_version bigint, read_number int) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO done SELECT 'number', read_number, memory.set_block('number', (read_number + 1)::text, expected_version => read_version);
	EXCEPTION WHEN serialization_failure THEN
		NULL;
	END $$;
});
bench($node, 'compare and set', 60, '1-set' => q{
	SELECT version, content AS number FROM memory.block('number') \gset
	SELECT set_next(:version, :number);
});
is(value(q{SELECT content::int = count(*) AND count(*) > 20 FROM done, memory.block('number') WHERE block = 'number' GROUP BY content}), 't', 'each that succeeded counted one');

# --- names and places -----------------------------------------------------------------------------------------
# Few names, above and below each other, made, renamed, moved and deleted by all. What is refused is refused for a reason.
my $names = q{(ARRAY['a', 'b', 'a/x', 'a/x/y', 'b/x', '/a', '/a/x'])};
bench($node, 'names', 150, '4-append' => "\\set i random(1, 7)\nCALL attempt(format('memory.append_block(%L, %L)', $names\[:i], 'x'));", '2-set' => "\\set i random(1, 7)\nCALL attempt(format('memory.set_block(%L, %L, expected_version => 0)', $names\[:i], 'y'));",
	'2-edit' => "\\set i random(1, 7)\nCALL attempt(format('memory.edit_block(%L, %L, line => 0)', $names\[:i], 'z'));", '4-rename' => "\\set i random(1, 7)\n\\set j random(1, 7)\nCALL attempt(format('memory.rename_block(%L, %L)', $names\[:i], $names\[:j]));",
	'2-delete' => "\\set i random(1, 7)\nCALL attempt(format('memory.delete_block(%L, true)', $names\[:i]));", '2-move' => "\\set i random(1, 2)\nCALL attempt(format('memory.move_block(%L, %s)', $names\[:i], 0));",
	'1-pin' => "\\set i random(1, 2)\nCALL attempt(format('memory.set_block(%L, %L, pinned => %L)', $names\[:i], 'p', random() < 0.5));");
is(value(q{SELECT count(*) FROM refused WHERE state NOT IN ('23505', '22023')}), '0', 'no call was refused but for a name that is taken or missing')
	or diag(value(q{SELECT state, count(*), min(call) FROM refused GROUP BY 1}));
cmp_ok(value(q{SELECT count(*) FROM refused WHERE state = '23505'}), '>', 20, 'names were taken');
check('names');

# The same of places: three blocks are pinned, unpinned and moved while all are written.
$node->safe_psql('postgres', q{TRUNCATE refused; SELECT memory.delete_block(name, true) FROM memory.blocks(depth => 1); SELECT memory.set_block(name, 'x') FROM unnest('{p,q,r}'::text[]) name});
my $three = q{(ARRAY['p', 'q', 'r'])};
bench($node, 'places', 150, '4-pin' => "\\set i random(1, 3)\nCALL attempt(format('memory.set_block(%L, %L, pinned => %L)', $three\[:i], 'p', random() < 0.5));", '4-move' => "\\set i random(1, 3)\nCALL attempt(format('memory.move_block(%L, 0)', $three\[:i]));",
	'4-append' => "\\set i random(1, 3)\nCALL attempt(format('memory.append_block(%L, %L)', $three\[:i], 'x'));", '1-delete' => "\\set i random(1, 3)\nCALL attempt(format('memory.delete_block(%L)', $three\[:i]));");
is(value(q{SELECT count(*) FROM refused WHERE state <> '22023' OR call NOT LIKE 'memory.move_block%'}), '0', 'only a move was refused, of a block that was not pinned then')
	or diag(value(q{SELECT state, count(*), min(call) FROM refused GROUP BY 1}));
is(value(q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no two calls waited for each other');
check('places');

# --- kill -9 ----------------------------------------------------------------------------------------------------
$node->safe_psql('postgres', 'TRUNCATE done, refused; SELECT memory.delete_block(name) FROM memory.blocks()');
for my $round (1 .. $crashes)
{
	my $bench = bench($node, "crash $round", 0, '6-append' => q{
		\set n random(1, 1000000000000)
		\set b random(1, 4)
		INSERT INTO done SELECT 'log ' || :b, said, memory.append_block('log ' || :b, said) FROM (SELECT 'c' || :client_id || '-' || :n || '.' AS said) s;
	}, '2-rename' => "\\set i random(1, 7)\n\\set j random(1, 7)\nCALL attempt(format('memory.rename_block(%L, %L)', $names\[:i], $names\[:j]));", '2-make' => "\\set i random(1, 7)\nCALL attempt(format('memory.append_block(%L, %L)', $names\[:i], 'x'));",
		'1-move' => "\\set i random(1, 4)\nCALL attempt(format('memory.move_block(%L, %s)', 'log ' || :i, 0));");
	ok($node->poll_query_until('postgres', "SELECT count(*) > 300 * $round FROM done"), "crash $round: the load runs");
	crash($node, $bench, 0.5);
	check("crash $round");
	is(value(q{SELECT count(*) FROM done d JOIN memory.blocks b ON b.name = d.block WHERE strpos(b.content, d.said) = 0}), '0', "crash $round: what was answered is there");
	is(value(q{SELECT count(*) FROM memory.blocks b WHERE name LIKE 'log %' AND (version <> (SELECT count(*) FROM done d WHERE d.block = b.name) OR length(content) <> (SELECT sum(length(said)) FROM done d WHERE d.block = b.name))}), '0',
		"crash $round: and nothing else");
}

# --- dump and restore ---------------------------------------------------------------------------------------------
$node->safe_psql('postgres', q{SELECT memory.set_block('ünïcödé', repeat('東京 ', n), char_limit => 1000) FROM generate_series(1, 20) n});
$node->safe_psql('postgres', 'CREATE DATABASE restored');
restore_ok($node, 'the dump', 'pg_dump', '-Fc', '-f', "$directory/dump", 'postgres');
restore_ok($node, 'the restore', 'pg_restore', '--exit-on-error', '-d', 'restored', "$directory/dump");
my $all = q{SELECT b.name, b.place, b.version, h.version, h.content, h.updated_at FROM memory.blocks() b CROSS JOIN LATERAL memory.block_history(b.name, NULL) h ORDER BY 1, 4};
same_lines($node->safe_psql('restored', $all), $node->safe_psql('postgres', $all), 'all texts and histories are the same after dump and restore');
is($node->safe_psql('restored', q{SELECT memory.append_block('ünïcödé', '!') = max(h.version) + 1 FROM memory.block_history('ünïcödé', NULL) h}), 't', 'and go on');

$node->stop;
done_testing();
