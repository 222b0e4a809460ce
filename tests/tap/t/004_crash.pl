# After a crash, what was committed is there and what was not is not; and remembering goes on.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

# What init() says of settings once is no failure of a query here.
$ENV{PGOPTIONS} = '-c client_min_messages=warning';

my $node = start_primary('main');
$node->append_conf('postgresql.conf', 'checkpoint_timeout = 1h');
$node->reload;
$node->safe_psql('postgres', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3);');

# One session has committed, revised and replaced; another has not committed.
$node->safe_psql('postgres', q{
	SELECT memory.remember('number ' || n, user_id => 'ann', embedding => format('[%s,1,2]', n)::vector) FROM generate_series(1, 100) AS n;
	SELECT memory.revise(id, content || ', revised', user_id => 'ann') FROM memory.recall_recent(k => 30, user_id => 'ann');
	SELECT memory.remember('replaced', user_id => 'ann', id => id) FROM memory.recall_recent(k => 10, user_id => 'ann');});
my ($schema, $rows) = (schema_of($node, 'postgres'), rows_of($node, 'postgres'));
my $session = $node->background_psql('postgres');
$session->query_safe(q{
	BEGIN;
	SELECT memory.remember('not committed', user_id => 'ann', embedding => '[1,2,3]');
	SELECT memory.revise(id, 'not committed', user_id => 'ann') FROM memory.recall_recent(k => 100, user_id => 'ann');});
$node->safe_psql('postgres', 'SELECT pg_switch_wal()');    # so that the uncommitted rows reach the disk, too
$node->stop('immediate');
$session->{run}->finish;
$node->start;
same_lines(schema_of($node, 'postgres'), $schema, 'the tables are there');
same_lines(rows_of($node, 'postgres'), $rows, 'every committed row is there, and no other');

# Tables that were being made are not there, and can be made.
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION memory CASCADE');
$session = $node->background_psql('fresh');
$session->query_safe(q{BEGIN; SELECT memory.init(3); SELECT memory.remember('not committed');});
$node->stop('immediate');
$session->{run}->finish;
$node->start;
is($node->safe_psql('fresh', q{SELECT count(*) FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'}), 0, 'an uncommitted init() has made nothing');
$node->safe_psql('fresh', 'SELECT memory.init(3)');
is($node->safe_psql('fresh', q{SELECT memory.remember('after all', user_id => 'ann') IS NOT NULL}), 't', 'and can be run again');
same_lines(schema_of($node, 'fresh'), $schema, 'for the same tables');

# Sessions are busy when it happens: every id that one of them was given is there.
for my $round (1 .. 3)
{
	my $out = $node->basedir . "/ids-$round";
	my @writers = map {
		my $writer = $_;
		append_to_file("$out-$writer.sql", join '', map { "SELECT memory.remember('$round $writer $_', user_id => 'writer $writer');\n" } 1 .. 20000);
		IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', "$out-$writer.sql" ], '>', "$out-$writer", '2>', '/dev/null');
	} 1 .. 3;
	# Some have been remembered, so the crash comes in the middle.
	ok($node->poll_query_until('postgres', "SELECT count(*) > 300 FROM memory.episodes WHERE content LIKE '$round %'"), "round $round: writers are busy");
	$node->stop('immediate');
	$_->finish for @writers;
	$node->start;
	my @ids = map { grep { /^[0-9a-f-]{36}$/ } split /\n/, slurp_file("$out-$_") } 1 .. 3;
	cmp_ok(scalar(@ids), '>', 100, "round $round: ids were returned");
	cmp_ok(scalar(@ids), '<', 60000, "round $round: not all of them");
	my $list = join ',', @ids;
	is($node->safe_psql('postgres', "SELECT count(*) FROM unnest('{$list}'::uuid[]) AS id WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE e.id = id)"), 0,
		"round $round: every one of them is there");
	is($node->safe_psql('postgres', q{
		SELECT memory.remember('next', user_id => 'writer 1') IS NOT NULL;
		SELECT content FROM memory.recall_recent(k => 1, user_id => 'writer 1');
	}), "t\nnext", "round $round: remembering goes on");
}

$node->stop;
done_testing();
