# A database moves between servers behind a PgBouncer, under writers that never stop: every write that was acknowledged is
# there afterwards, once. So it is when the program is killed at each of its steps and started again, and when a
# transaction is too long to wait for.
use strict;
use warnings FATAL => 'all';
use IPC::Run;
use Memory;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;
use Time::HiRes qw(usleep);
use Writers;

plan skip_all => 'PgBouncer is not installed' unless has_pgbouncer();

my %node = map { $_ => start_server($_) } qw(a b c);
start_pgbouncer();
configure('shards = 2', a => $node{a}, b => $node{b});
shards_ok(['create'], qr/^2 databases made/, 'two databases, on two servers');
shards_ok(['check'], qr/^no problems$/, 'and known to the pooler');
configure('shards = 2', %node);

# --- under load ---------------------------------------------------------------------------------------
my @users = map { user_of($_, 0, 2) } 0 .. 15;
my $writers = Writers->new(map { $_ => 'memory_00' } @users);

sub all_there
{
	my ($home, $what) = @_;
	$writers->all_there($node{$home}, 'memory_00', $what, @users);
	shards_ok(['check'], qr/^no problems$/m, "$what: nothing is wrong, the recall indexes are whole");
	return;
}

$writers->start;
my $said = shards_ok([ 'move', 'memory_00', 'b' ], qr/^memory_00 is on b; clients waited for \d+ ms$/m, 'a database is moved under load');
usleep(300_000);
$writers->stop('moved');
note($said);
all_there('b', 'moved');
shards_ok([ 'drop-moved', 'memory_00' ], qr/^$/, 'what was left behind is dropped');

# --- killed at each step ------------------------------------------------------------------------------
$writers->start;
my @steps = (qr/pg_dump/, qr/CREATE PUBLICATION/, qr/CREATE SUBSCRIPTION/, qr/ANALYZE/, qr/PAUSE/, qr/ALLOW_CONNECTIONS false/, qr/SUBSCRIPTION \w+ DISABLE/,
	qr/RENAME TO memory_00_moved/, qr/DROP SUBSCRIPTION/, qr/RENAME TO memory_00;/, qr/-- write/, qr/RELOAD/, qr/RESUME/);
shards_killed([ 'move', 'memory_00', 'c' ], @steps);
shards_ok([ 'move', 'memory_00', 'c' ], qr/^memory_00 is on c/m, 'and the same command ends the move');
usleep(300_000);
$writers->stop('killed');
all_there('c', 'killed');
shards_ok([ 'drop-moved', 'memory_00' ], qr/^$/, 'what was left behind is dropped');
is($node{$_}->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots'), '0', "no slot is left on $_") for qw(a b c);

# --- a transaction too long; cancelled ----------------------------------------------------------------
$writers->start;
my $long = IPC::Run::start([ 'psql', '-XAtq', '-d', pooled('memory_00'), '-c', 'BEGIN', '-c', "SELECT count(*) FROM memory.recall_recent(user_id => '$users[0]')", '-c', 'SELECT pg_sleep(600)' ], '>', \my $out, '2>', \my $err);
$node{c}->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()}) or die;
shards_fail([ 'move', 'memory_00', 'a', '--wait', '1' ], qr/a transaction did not end within 1 seconds\nmemory_00 stays on c; the copy is kept/, 'a transaction that does not end stops the move');
usleep(300_000);
shards_fail(['check'], qr/memory_00 is on its way to a/, '... half-way');
shards_ok([ 'cancel', 'memory_00' ], qr/^memory_00 stays on c$/, 'and it can be cancelled');
$node{c}->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()});
eval { $long->finish };
$writers->stop('cancelled');
all_there('c', 'cancelled');
is($node{$_}->safe_psql('postgres', q{SELECT count(*) FROM pg_database WHERE datname LIKE 'memory_00_%'}), '0', "nothing is left of it on $_") for qw(a b c);

# --- a server stopped and started ---------------------------------------------------------------------
$node{b}->stop('immediate');
my ($ok) = shards(['check']);
ok(!$ok, 'a server that is down is found');
is((run_command([ 'psql', '-XAtq', '-d', pooled('memory_00'), '-c', "SELECT count(*) FROM memory.recall_recent(user_id => '$users[0]', k => 3)" ]))[0], '3', '... and users of other servers go on');
$node{b}->start;
all_there('c', 'started again');
my $there = user_of(0, 1, 2);
is((run_command([ 'psql', '-XAtq', '-d', pooled('memory_01'), '-c', "SELECT memory.remember('back', user_id => '$there') IS NOT NULL" ]))[0], 't', 'and its own are written again');
done_testing();
