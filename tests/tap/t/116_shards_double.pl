# Twice as many databases, behind a PgBouncer, under writers of both halves that never stop: every write that was
# acknowledged is afterwards where its user belongs, once, and nowhere else. So it is when the program is killed at each
# of its steps and started again.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;
use Writers;

plan skip_all => 'PgBouncer is not installed' unless has_pgbouncer();

my %node = map { $_ => start_server($_, 'memory.anonymous' => 'allow') } qw(a b);
start_pgbouncer();
configure("shards = 2\ndimensions = 3", %node);
shards_ok(['create'], qr/^2 databases made/, 'two databases, on two servers');

# What the users of one shard of four have, in the answers of functions; and so has the anonymous one, of shard 0.
sub answers
{
	my ($database, $user) = @_;
	my $node = $node{ $database =~ /[02]$/ ? 'a' : 'b' };
	return join "\n--\n", map { $node->safe_psql($database, sprintf $_, $user) } 'SELECT memory.export_user(%1$s)', q{SELECT r.* FROM memory.recall_scored('night train', user_id => %1$s, k => NULL, embedding => '[7,1,2]') r},
	  'SELECT f.* FROM memory.fact_history(\'Ada\', \'lives in\', user_id => %1$s) f', q{SELECT c.* FROM memory.checkpoints('monday', user_id => %1$s) c}, q{SET memory.namespace = 'work'; SELECT memory.export_user(%1$s)};
}
my @kept = map { user_of(1000, $_, 4) } 0 .. 3;
my %before;
for my $shard (0 .. 3, 'NULL')
{
	my ($database, $user) = $shard eq 'NULL' ? ('memory_00', 'NULL') : ('memory_0' . $shard % 2, "'$kept[$shard]'");
	$node{ $database eq 'memory_00' ? 'a' : 'b' }->safe_psql($database, qq{
		SELECT memory.remember('the night train leaves at ' || n, user_id => $user, embedding => format('[%s,1,2]', n)::vector) FROM generate_series(1, 20) n;
		SELECT memory.assert_fact('Ada', 'lives in', city, user_id => $user) FROM unnest('{Oslo,Rome}'::text[]) city;
		SELECT memory.put_checkpoint('monday', jsonb_build_object('step', n), id => 'c' || n, parent => 'c' || nullif(n - 1, 0), user_id => $user) FROM generate_series(1, 5) n;
		SELECT memory.set_block('human', 'likes trains', user_id => $user);
		SET memory.namespace = 'work'; SELECT memory.remember('the meeting is at ten', user_id => $user)});
	$before{$user} = [ $database, $shard eq 'NULL' ? $database : "memory_0$shard", answers($database, $user) ];
}

# --- the names, before anything else ------------------------------------------------------------------
configure("shards = 4\ndimensions = 3", %node);
shards_fail(['create'], qr/^memory-shards: the users of memory_02 are in memory_00: memory-shards double$/, 'a database is not made beside the one that has its users');
shards_fail([ '--fast', 'check' ], qr/^memory_02 is on no server; memory-shards double splits it from memory_00$/m, 'what is not split is found');
shards_fail([ 'move', 'memory_02', 'b' ], qr/memory-shards double splits it/, '... and is not moved');
shards_ok([ '--dry-run', 'double' ], qr/pg_dump.*pg_create_logical_replication_slot.*WITH \(create_slot = false\).*PAUSE memory_02.*CREATE TRIGGER.*DROP SUBSCRIPTION.*RENAME TO memory_02;.*RESUME memory_02.*forget_user/s, 'a dry run shows each step');
shards_ok(['double'], qr/^the poolers know memory_02, which is memory_00 so far\n.*^when the applications have n = 4: memory-shards double$/ms, 'first, poolers learn the names');
is($node{$_}->safe_psql('postgres', q{SELECT count(*) FROM pg_database WHERE datname LIKE 'memory%'}), '1', "... and nothing is split on $_") for qw(a b);

# --- under load, killed at each step ------------------------------------------------------------------
my %database_of = map { my $shard = $_ % 4; (user_of(int($_ / 4), $shard, 4) => "memory_0$shard") } 0 .. 15;
my $writers = Writers->new(%database_of);
sub of { my ($database) = @_; return grep { $database_of{$_} eq $database } $writers->users }
$writers->start;
shards_killed([ '--verify', 'double' ], qr/pg_dump/, qr/CREATE PUBLICATION/, qr/pg_create_logical/, qr/CREATE SUBSCRIPTION/, qr/CREATE TRIGGER/, qr/ANALYZE/, qr/PAUSE/, qr/PAUSE.*CREATE TRIGGER/s, qr/PAUSE.*emit_message/s,
	qr/DROP SUBSCRIPTION/, qr/RENAME TO memory_02;/, qr/RESUME memory_02/);

# Split, and nothing is forgotten yet: neither half takes the users of the other, as from an application with n = 2; and a
# user that is not where it should be is not forgotten.
for my $case ([ 'memory_00', $kept[2], 'memory_02' ], [ 'memory_02', $kept[0], 'memory_00' ])
{
	my ($database, $user, $right) = @$case;
	for my $statement ("SELECT memory.remember('too late', user_id => '$user')", "SELECT memory.forget_user('$user')")
	{
		my (undef, undef, $err) = $node{a}->psql($database, $statement, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
		like($err, qr/ERROR:  55000: the memories of "\Q$user\E" are moving to database $right.*HINT:  Connect to the database that memory.shard_of/s, "a user of $right is refused in $database");
	}
}
my $lost = user_of(1001, 2, 4);
$node{a}->safe_psql('memory_00', "SET memory_shards.mover = 'on'; SELECT memory.remember('lost', user_id => '$lost')");
shards_fail(['double'], qr/^memory-shards: memory_00: user \Q$lost\E \(in default\) and 0 others are not in memory_02.*nothing is forgotten/s, 'a user that is missing in the new half is not forgotten in the old one');
is($node{a}->safe_psql('memory_00', "SELECT count(*) FROM memory.recall('lost', user_id => '$lost')"), '1', '... and is there');
$node{a}->safe_psql('memory_00', "SET memory_shards.mover = 'on'; SELECT memory.forget_user('$lost')");
shards_killed(['double'], qr/forget_user/, qr/DROP TRIGGER/, qr/RENAME TO memory_03;/, qr/pg_drop_replication_slot/, qr/forget_user/, qr/DROP TRIGGER/);
shards_ok([ '--verify', 'double' ], qr/^4 databases, all of them split$/m, 'and the same command ends it');
$writers->stop('killed');
$writers->all_there($node{ $_ =~ /[02]$/ ? 'a' : 'b' }, $_, 'split', of($_)) for map { "memory_0$_" } 0 .. 3;
for my $user (sort keys %before)
{
	my ($was, $is, $answers) = @{ $before{$user} };
	same_lines(answers($is, $user), $answers, "everything of $user is in $is as it was in $was");
}
shards_ok(['check'], qr/^no problems$/m, 'every user is where it belongs, and only there; the indexes are whole');
shards_ok(['double'], qr/^4 databases, all of them split$/, 'once more is nothing');
for my $node (values %node)
{
	is($node->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots; SELECT count(*) FROM pg_subscription'), "0\n0", 'no slot and no subscription is left');
}

# --- cancelled; a user in the wrong half --------------------------------------------------------------
configure("shards = 8\ndimensions = 3", %node);
shards_ok(['double'], qr/know memory_07, which is memory_03 so far/, 'the next names');
$writers->connect_to(map { ($_ => 'memory_0' . shard_of($_, 8)) } $writers->users);
$writers->start;
shards_killed(['double'], qr/PAUSE.*CREATE TRIGGER/s);
shards_fail([ '--fast', 'check' ], qr/memory_04 is on its way to a: memory-shards double, or cancel memory_04/, 'what is half split is found');
shards_ok([ 'cancel', 'memory_04' ], qr/^memory_00 is not split$/, 'and can be given up');
$writers->stop('cancelled');
is($node{a}->safe_psql('postgres', q{SELECT count(*) FROM pg_replication_slots; SELECT count(*) FROM pg_database WHERE datname LIKE 'memory_04%'}), "0\n0", '... without a trace');
configure("shards = 4\ndimensions = 3", %node);
shards_ok(['pooler'], qr/^$/, 'the poolers forget the names');
$writers->all_there($node{a}, 'memory_00', 'cancelled', of('memory_00'));
shards_ok([ '--fast', 'check' ], qr/^no problems$/m, 'and nothing is wrong');
done_testing();
