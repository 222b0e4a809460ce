# A database moves between servers behind a PgBouncer, under writers that never stop: every write that was acknowledged is
# there afterwards, once. So it is when the program is killed at each of its steps and started again, and when a
# transaction is too long to wait for.
use strict;
use warnings FATAL => 'all';
use IPC::Open2;
use IPC::Run;
use Memory;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;
use Time::HiRes qw(usleep);

plan skip_all => 'PgBouncer is not installed' unless has_pgbouncer();

my $writers = 16;
my %node = map { $_ => start_server($_) } qw(a b c);
start_pgbouncer();
configure('shards = 2', a => $node{a}, b => $node{b});
shards_ok(['create'], qr/^2 databases made/, 'two databases, on two servers');
shards_ok(['check'], qr/^no problems$/, 'and known to the pooler');
configure('shards = 2', %node);

# --- writers ------------------------------------------------------------------------------------------
my $directory = PostgreSQL::Test::Utils::tempdir();
my @users = map { user_of($_, 0, 2) } 0 .. $writers - 1;
my %written = map { $_ => 0 } @users;

# One connection to the pooler; each write is acknowledged before the next. Prints how many there were.
sub write_until_stopped
{
	my ($user, $n, $stop) = @_;
	my $pid = open2(my $from, my $to, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-d', pooled('memory_00'));
	my $started = $n;
	until (-e $stop)
	{
		my $next = $n + 1;
		print $to "SELECT memory.remember('write $next', user_id => '$user', metadata => '{\"n\": $next}') IS NOT NULL;\n";
		my $answer = <$from>;
		die "$user: write $next was not acknowledged\n" unless defined $answer && $answer eq "t\n";
		$n = $next;
		usleep(20_000); # so that one apply worker can follow
	}
	append_to_file("$stop.$started.$user", $n);
	return;
}

my ($stop, @children);
my $rounds = 0;
sub start_writers
{
	$stop = "$directory/stop" . $rounds++;
	for my $user (@users)
	{
		my $pid = fork // die;
		if ($pid) { push @children, $pid; next }
		my $ok = eval { write_until_stopped($user, $written{$user}, $stop); 1 };
		print STDERR "# $@" unless $ok;
		require POSIX;
		POSIX::_exit($ok ? 0 : 1);
	}
	return;
}

sub stop_writers
{
	my ($what) = @_;
	append_to_file($stop, '');
	my $failed = grep { waitpid($_, 0); $? != 0 } splice @children;
	is($failed, 0, "$what: no writer has noticed anything");
	my $before = 0;
	for my $user (@users)
	{
		$before += $written{$user};
		$written{$user} = slurp_file("$stop.$written{$user}.$user") if -e "$stop.$written{$user}.$user";
	}
	my $all = 0;
	$all += $_ for values %written;
	cmp_ok($all - $before, '>', 100, "$what: they wrote " . ($all - $before) . ' times');
	return;
}

# Every acknowledged write, once, and none that was not sent.
sub all_there
{
	my ($home, $what) = @_;
	my $expected = join "\n", map { "$_|$written{$_}|1|$written{$_}" } sort @users;
	is($node{$home}->safe_psql('memory_00', q{SELECT user_id, count(*), min((metadata ->> 'n')::int), max((metadata ->> 'n')::int) FROM memory.episodes WHERE content LIKE 'write %' GROUP BY 1 ORDER BY user_id COLLATE "C"}),
		$expected, "$what: every write is there, once");
	is($node{$home}->safe_psql('memory_00', qq{SELECT content FROM memory.recall('write $written{$users[0]}', user_id => '$users[0]', k => 1)}), "write $written{$users[0]}", '... and found');
	shards_ok(['check'], qr/^no problems$/m, "$what: nothing is wrong, the recall indexes are whole");
	return;
}

# --- under load ---------------------------------------------------------------------------------------
start_writers();
usleep(300_000);
my $said = shards_ok([ 'move', 'memory_00', 'b' ], qr/^memory_00 is on b; clients waited for \d+ ms$/m, 'a database is moved under load');
usleep(300_000);
stop_writers('moved');
note($said);
all_there('b', 'moved');
shards_ok([ 'drop-moved', 'memory_00' ], qr/^$/, 'what was left behind is dropped');

# --- killed at each step ------------------------------------------------------------------------------
start_writers();
my @steps = (qr/pg_dump/, qr/CREATE PUBLICATION/, qr/CREATE SUBSCRIPTION/, qr/ANALYZE/, qr/PAUSE/, qr/ALLOW_CONNECTIONS false/, qr/SUBSCRIPTION \w+ DISABLE/,
	qr/RENAME TO memory_00_moved/, qr/DROP SUBSCRIPTION/, qr/RENAME TO memory_00;/, qr/-- write/, qr/RELOAD/, qr/RESUME/);
my $reached = 0;
for my $step (@steps)
{
	my ($out, $err) = ('', '');
	my $program = IPC::Run::start([ 'memory-shards', '-c', configure('shards = 2', %node), '-v', 'move', 'memory_00', 'c' ], '>', \$out, '2>', \$err);
	eval { $program->pump while $program->pumpable && $out !~ $step };
	$reached++ if $out =~ $step;
	$program->kill_kill(grace => 0);
	note("killed at $step: $err") if $err ne '';
}
cmp_ok($reached, '>=', @steps - 2, 'it was killed at nearly every step');
shards_ok([ 'move', 'memory_00', 'c' ], qr/^memory_00 is on c/m, 'and the same command ends the move');
usleep(300_000);
stop_writers('killed');
all_there('c', 'killed');
shards_ok([ 'drop-moved', 'memory_00' ], qr/^$/, 'what was left behind is dropped');
is($node{$_}->safe_psql('postgres', 'SELECT count(*) FROM pg_replication_slots'), '0', "no slot is left on $_") for qw(a b c);

# --- a transaction too long; cancelled ----------------------------------------------------------------
start_writers();
my $long = IPC::Run::start([ 'psql', '-XAtq', '-d', pooled('memory_00'), '-c', 'BEGIN', '-c', "SELECT count(*) FROM memory.recall_recent(user_id => '$users[0]')", '-c', 'SELECT pg_sleep(600)' ], '>', \my $out, '2>', \my $err);
$node{c}->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND pid <> pg_backend_pid()}) or die;
shards_fail([ 'move', 'memory_00', 'a', '--wait', '1' ], qr/a transaction did not end within 1 seconds\nmemory_00 stays on c; the copy is kept/, 'a transaction that does not end stops the move');
usleep(300_000);
shards_fail(['check'], qr/memory_00 is on its way to a/, '... half-way');
shards_ok([ 'cancel', 'memory_00' ], qr/^memory_00 stays on c$/, 'and it can be cancelled');
$node{c}->safe_psql('postgres', q{SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(600)%' AND pid <> pg_backend_pid()});
eval { $long->finish };
stop_writers('cancelled');
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
