# memory-shards without a pooler: databases are made, listed, checked and moved; a user is moved with everything
# byte-identical; what is wrong is said, and nothing is done.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;

my %node = map { $_ => start_server($_) } qw(a b c);
my $settings = "shards = 4\ndimensions = 3\n";

# --- the file -----------------------------------------------------------------------------------------
for my $bad ([ "shards = 3", qr/shards must be a power of two, not 3/ ], [ '', qr/shards must be a power of two, not left out/ ], [ "shards = 4\nshard = 1", qr/:2: "shard" is unknown here; there are shards/ ],
	[ "shards = 4\nnonsense", qr/:2: neither/ ], [ "shards = 4\nprefix = Memory;", qr/prefix must be/ ])
{
	configure($bad->[0], %node);
	shards_fail([ '--fast', 'check' ], $bad->[1], "refused: $bad->[0]" =~ s/\n/, /r);
}
configure($settings);
shards_fail([ '--fast', 'check' ], qr/there is no \[server NAME\]/, 'refused: no server');
configure($settings, a => $node{a}, b => $node{b});
shards_fail([], qr/^usage:/, 'without a command it says how it is used');
shards_fail(['move', 'memory_01'], qr/^usage:/, 'so it does without an argument');
shards_fail(['move', 'memory_01', 'z'], qr/has no server z; it has a, b/, 'a server that is not in the file');

# --- create, list, check ------------------------------------------------------------------------------
shards_fail([ '--fast', 'check' ], qr/memory_00 is on no server.*memory_03 is on no server.*4 problems/s, 'databases that are not there are problems');
my $plan = shards_ok(['--dry-run', 'create'], qr/CREATE DATABASE memory_03_new/, 'a dry run shows what it would do');
is($node{a}->safe_psql('postgres', q{SELECT count(*) FROM pg_database WHERE datname LIKE 'memory%'}), '0', '... and does nothing');
$node{a}->safe_psql('postgres', 'CREATE DATABASE memory_01_new');
shards_ok(['create'], qr/^4 databases made, 0 were there$/, 'databases are made, one that was half made anew');
shards_ok(['create'], qr/^0 databases made, 4 were there$/, 'and not again');
is($node{a}->safe_psql('postgres', q{SELECT string_agg(datname, ' ' ORDER BY datname) FROM pg_database WHERE datname LIKE 'memory%'}), 'memory_00 memory_01', 'half of them on one server');
shards_ok(['list'], qr/^memory_00\s+a\s.*^memory_03\s+b\s+\d+ kB\s+0\.1\.0$/ms, 'they are listed');
shards_ok(['check'], qr/^no problems$/, 'nothing is wrong with them');

# --- a user moves -------------------------------------------------------------------------------------
# A user with rows in every room, in a database that it does not belong to, beside one that stays.
sub fill
{
	my ($node, $database, $user) = @_;
	$node->safe_psql($database, qq{
		SET memory.user_id = '$user';
		SELECT memory.remember('the night train to Vienna leaves at ' || n, agent_id => 'guide', kind => 'note', metadata => jsonb_build_object('n', n), embedding => format('[%s,1,2]', n)::vector,
			occurred_at => '2026-01-01'::timestamptz + n * interval '1 hour') FROM generate_series(1, 200) n;
		SELECT memory.revise(id, content || ' \\ "sharp"', user_id => '$user') FROM memory.recall_recent(k => 20, user_id => '$user');
		SELECT memory.assert_fact('Ada', 'lives in', city) FROM unnest('{Oslo,Rome,Tokyo}'::text[]) city;
		SELECT memory.add_messages('monday', '[{"role": "user", "content": "When does it leave?"}, {"role": "assistant", "content": "At nine."}]');
		SELECT memory.put_checkpoint('monday', jsonb_build_object('step', n, 'text', repeat('state ', 100)), id => 'c' || n, parent => 'c' || nullif(n - 1, 0)) FROM generate_series(1, 40) n;
		SELECT memory.set_block('human', 'Ada, who likes trains'); SELECT memory.append_block('human', 'and tea');
		SELECT memory.put_item('{users,ada}', 'likes', '{"tea": 1.50}');
		SET memory.namespace = 'work'; SELECT memory.remember('the meeting is at ten');});
	return;
}
my @answers = (
	q{SELECT r.* FROM memory.recall_scored('night train sharp', user_id => '%1$s', k => NULL, embedding => '[7,1,2]') r},
	q{SELECT r.* FROM memory.recall_semantic('[7,1,2]', user_id => '%1$s', k => 50) r},
	q{SELECT f.* FROM memory.fact_history('Ada', 'lives in', user_id => '%1$s') f},
	q{SELECT c.* FROM memory.checkpoints('monday', user_id => '%1$s') c},
	q{SELECT c.* FROM generate_series(1, 40) n, memory.checkpoint('monday', 'c' || n, user_id => '%1$s') c},
	q{SELECT m.* FROM memory.messages('monday', user_id => '%1$s') m},
	q{SELECT memory.context('when does the train leave', user_id => '%1$s', session_id => 'monday')},
	q{SELECT memory.export_user('%1$s')},
	q{SET memory.namespace = 'work'; SELECT memory.export_user('%1$s')});
sub answers
{
	my ($node, $database, $user) = @_;
	return join "\n--\n", map { $node->safe_psql($database, sprintf $_, $user) } @answers;
}

my $user = user_of(0, 3, 4);
my $other = user_of(0, 0, 4);
fill($node{a}, 'memory_00', $_) for $user, $other;
my ($before, $stays) = map { answers($node{a}, 'memory_00', $_) } $user, $other;
cmp_ok(length $before, '>', 100_000, 'the user has much to move');
shards_fail([ '--fast', 'check' ], qr/^user \Q$user\E \(in default, work\) is in memory_00, but belongs to memory_03: memory-shards move-user/m, 'a user in the wrong database is found');
shards_fail([ 'move-user', $other, 'memory_00' ], qr/belongs to memory_00/, 'a user in the right one stays');
shards_fail([ 'move-user', '', 'memory_00' ], qr/anonymous user/, 'and so does the anonymous one');
$plan = shards_ok([ '--dry-run', 'move-user', $user, 'memory_00' ], qr/CREATE TRIGGER.*export_user.*import_user.*forget_user/s, 'a dry run shows each step');
is(answers($node{a}, 'memory_00', $user), $before, '... and changes nothing');

# Stopped after the block: other users are written, this one is not, and both are read.
$node{b}->stop;
shards_fail([ 'move-user', $user, 'memory_00' ], qr/memory_03|b: /, 'without the other server it stops');
$node{b}->start;
{
	# The block alone, as it stands when the program is killed behind it.
	my ($block) = $plan =~ /(CREATE SCHEMA IF NOT EXISTS memory_shards.*?COMMIT;)\n(?!BEGIN)/s;
	$node{a}->safe_psql('memory_00', $block);
	my ($status, $out, $err) = $node{a}->psql('memory_00', "SELECT memory.remember('too late', user_id => '$user')", extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($err, qr/ERROR:  55000: the memories of "\Q$user\E" are moving to database memory_03.*HINT:  Connect to the database/s, 'a user that moves is not written');
	($status, $out, $err) = $node{a}->psql('memory_00', "SELECT memory.forget_user('$user')");
	like($err, qr/are moving to database/, 'nor deleted');
	is($node{a}->safe_psql('memory_00', "SELECT memory.remember('in time', user_id => '$other', ttl => '1 microsecond') IS NOT NULL"), 't', 'others are');
	is(answers($node{a}, 'memory_00', $user), $before, 'and it is read');
	shards_fail([ '--fast', 'check' ], qr/^memory_00 refuses to write user \Q$user\E: a move-user was not finished/m, 'a block that was left is found');
	shards_ok([ 'cancel-user', $user, 'memory_00' ], qr/may be written/, 'and taken away');
	is($node{a}->safe_psql('memory_00', "SELECT memory.remember('again', user_id => '$user', id => '00000000-0000-7000-8000-000000000001') IS NOT NULL; SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'memory\\_shards%'"), "t\n0", '... without a trace');
	$node{a}->safe_psql('memory_00', "SELECT memory.forget('$user', id => '00000000-0000-7000-8000-000000000001'); $block");
}
shards_ok([ 'move-user', $user, 'memory_00' ], qr/^user \Q$user\E is in memory_03, with 2 namespaces$/, 'a user is moved, by the same command again');
same_lines(answers($node{b}, 'memory_03', $user), $before, 'everything is as it was: ranked episodes, the history of facts, checkpoints, lines');
same_lines(answers($node{a}, 'memory_00', $other), $stays, 'and so is everything of the user that stayed');
is($node{a}->safe_psql('memory_00', "SELECT memory.export_user('$user')"), '', 'nothing is left where it was');
is($node{a}->safe_psql('memory_00', "SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'memory\\_shards%'"), '0', '... no trigger either');
shards_ok([ 'move-user', $user, 'memory_00' ], qr/^memory_00 has no user/, 'once more is nothing');
shards_ok(['check'], qr/^no problems$/, 'all is in its place, and the indexes are whole');

# Killed between the copy and the forgetting: the user is in two places.
$node{a}->safe_psql('memory_00', "SELECT memory.remember('written by mistake', user_id => '$user')");
shards_fail([ '--fast', 'check' ], qr/\Q$user\E \(in default\) is in memory_00, but belongs to memory_03, and is there, too/, 'a user in two places is found');
shards_fail([ 'move-user', $user, 'memory_00' ], qr/has other rows in memory_03, namespace default; --merge joins them/, 'which are not joined by themselves');
shards_ok([ '--merge', 'move-user', $user, 'memory_00' ], qr/is in memory_03/, 'but when that is asked for');
is($node{b}->safe_psql('memory_03', "SELECT content FROM memory.recall('written by mistake', user_id => '$user', k => 1)"), 'written by mistake', '... and nothing is lost');
$node{b}->safe_psql('memory_03', qq{\\copy (SELECT memory.export_user('$user')) TO '} . PostgreSQL::Test::Utils::tempdir() . q{/lines'});
{
	my $lines = PostgreSQL::Test::Utils::tempdir() . '/again';
	$node{b}->safe_psql('memory_03', "COPY (SELECT memory.export_user('$user')) TO '$lines'");
	$node{a}->safe_psql('memory_00', "CREATE TEMP TABLE l (n serial, line jsonb); COPY l (line) FROM '$lines'; SELECT memory.import_user(array_agg(line ORDER BY n), '$user') FROM l");
}
shards_ok([ 'move-user', $user, 'memory_00' ], qr/is in memory_03/, 'what is the same at both ends is only forgotten at one');
shards_ok([ '--fast', 'check' ], qr/^no problems$/, 'and nothing is wrong');

# --- a database moves ---------------------------------------------------------------------------------
configure($settings, %node);
$before = answers($node{b}, 'memory_03', $user);
$node{b}->safe_psql('memory_03', q{CREATE ROLE app; SELECT memory.grant_access('app', 'writer'); SELECT memory.protect('current_user::text'); ALTER DATABASE memory_03 SET memory.max_content = '10kB'});
shards_fail([ 'move', 'memory_03', 'c' ], qr/^memory-shards: c lacks the role app$/, 'a role that is not there is said before');
$node{c}->safe_psql('postgres', 'CREATE ROLE app');
$node{b}->safe_psql('memory_03', 'CREATE SEQUENCE public.numbers; CREATE TABLE public.notes (body text)');
shards_fail([ 'move', 'memory_03', 'c' ], qr/cannot be moved by logical replication: it has sequence numbers; table notes, which has no replica identity/, 'and so is what would be lost');
$node{b}->safe_psql('memory_03', 'DROP SEQUENCE public.numbers; DROP TABLE public.notes');
shards_ok([ '--dry-run', 'move', 'memory_03', 'c' ], qr/pg_dump.*CREATE PUBLICATION memory_shards FOR ALL TABLES;.*CREATE SUBSCRIPTION.*ALLOW_CONNECTIONS false.*RENAME TO memory_03_moved.*RENAME TO memory_03;/s, 'a dry run shows each step');
shards_ok([ '--fast', 'check' ], qr/^no problems$/, '... and does none');
shards_ok([ 'move', 'memory_03', 'c', '--verify' ], qr/^memory_03 is on c; clients waited for \d+ ms$/m, 'a database is moved');
same_lines(answers($node{c}, 'memory_03', $user), $before, 'with everything as it was');
is($node{c}->safe_psql('memory_03', q{SHOW memory.max_content; SELECT bool_and(relforcerowsecurity) FROM pg_class WHERE oid = 'memory.episodes'::regclass; SELECT has_table_privilege('app', 'memory.episodes', 'INSERT')}), "10kB\nt\nt", '... settings, policies and rights');
my ($status, $out, $err) = $node{b}->psql('memory_03', 'SELECT 1');
like($err, qr/does not exist/, 'and it is not where it was');
shards_ok([ 'move', 'memory_03', 'c' ], qr/^memory_03 is on c$/, 'once more is nothing');
shards_ok([ '--fast', 'check' ], qr/^note: memory_03_moved on b was left behind.*^no problems$/ms, 'the check tells of what was left behind');
shards_fail([ 'move', 'memory_03', 'b' ], qr/memory_03_moved is still on b, from an earlier move/, '... which is in the way');
shards_ok([ 'drop-moved', 'memory_03' ], qr/^$/, '... and can go');
shards_ok([ 'move', 'memory_03', 'b' ], qr/^memory_03 is on b/m, 'it moves back');
shards_ok([ 'drop-moved', 'memory_03' ], qr/^$/, '... for good');
same_lines(answers($node{b}, 'memory_03', $user), $before, '... as it was');
is($node{$_}->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots'), '0', "no slot is left on $_") for qw(a b c);

# --- what else is found -------------------------------------------------------------------------------
$node{c}->safe_psql('postgres', 'CREATE DATABASE memory_02; CREATE DATABASE memory_09');
shards_fail([ '--fast', 'check' ], qr/memory_02 is in two places: b and c.*memory_09 on c is none of the 4 databases/s, 'a database in two places, and one too many');
shards_fail([ 'move', 'memory_02', 'a' ], qr/memory_02 is in two places: b and c/, '... which is not moved');
$node{c}->safe_psql('postgres', 'DROP DATABASE memory_02; DROP DATABASE memory_09');
$node{b}->safe_psql('memory_02', q{SELECT memory.define_predicate('likes', 'many')});
shards_fail([ '--fast', 'check' ], qr/^memory_02: settings of namespaces differs from that of the others$/m, 'a definition that one database has alone');
$node{b}->safe_psql('memory_02', q{DELETE FROM memory.predicates; UPDATE pg_extension SET extversion = '0.0.9' WHERE extname = 'memory'});
shards_fail([ '--fast', 'check' ], qr/^memory_02: memory 0.0.9 differs from 0.1.0$/m, 'another version');
$node{b}->safe_psql('memory_02', q{UPDATE pg_extension SET extversion = '0.1.0' WHERE extname = 'memory'});
$node{a}->safe_psql('memory_01', q{UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'memory.episodes_by_text'::regclass});
shards_fail([ '--fast', 'check' ], qr/^memory_01: index episodes_by_text: .*not valid/m, 'an index that is not valid');
$node{a}->safe_psql('memory_01', q{UPDATE pg_index SET indisvalid = true WHERE indexrelid = 'memory.episodes_by_text'::regclass});
$node{a}->stop;
shards_fail([ '--fast', 'check' ], qr/^server a does not answer: .*^1 problems$/ms, 'a server that is down, and nothing else');
$node{a}->start;
shards_ok(['check'], qr/^no problems$/, 'a server that was stopped and started is whole');
done_testing();
