# A user is moved under 16 writers of this very user, and the program is killed at each of its steps: what was acknowledged
# before the writers were refused is there afterwards, once, and 16 writers of another user notice nothing. What waits for a
# client's lock holds none that another client may want.
use strict;
use warnings FATAL => 'all';
use IPC::Open3;
use Memory;
use POSIX ();
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;
use Time::HiRes qw(usleep);

my %node = map { $_ => start_server($_) } qw(a b);
configure('shards = 2', %node);
shards_ok(['create'], qr/^2 databases made/, 'two databases, on two servers');
my ($moves, $stays) = (user_of(0, 1, 2), user_of(0, 0, 2));
my $directory = PostgreSQL::Test::Utils::tempdir();
my $stop = "$directory/stop";

# One connection; each write is acknowledged before the next. Ends when it is refused, or asked to. Notes how many there were, and why it ended.
sub write_until_refused
{
	my ($user, $writer) = @_;
	my $pid = open3(my $to, my $from, undef, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=sqlstate', '-d', $node{a}->connstr('memory_00'));
	my ($n, $why) = (0, 'stopped');
	until (-e $stop)
	{
		print $to "SELECT memory.remember('write', user_id => '$user', metadata => '{\"writer\": $writer, \"n\": " . ($n + 1) . "}') IS NOT NULL;\n";
		my $answer = <$from> // '';
		if ($answer ne "t\n") { $why = $answer =~ /ERROR:\s+(\w{5})/ ? $1 : "lost: $answer"; last }
		$n++;
		usleep(5_000);
	}
	append_to_file("$directory/$user.$writer", "$n $why");
	return;
}

my %writers;
for my $user ($moves, $stays)
{
	for my $writer (1 .. 16)
	{
		my $pid = fork // die;
		if (!$pid)
		{
			local $SIG{PIPE} = 'IGNORE';
			eval { write_until_refused($user, $writer) };
			POSIX::_exit(0);
		}
		push @{ $writers{$user} }, $pid;
	}
}
$node{a}->poll_query_until('memory_00', "SELECT count(*) > 200 FROM memory.episodes WHERE user_id = '$moves'") or die;

shards_killed([ 'move-user', $moves, 'memory_00' ], qr/CREATE TRIGGER/, qr/COPY \(SELECT memory\.export_user/, qr/import_user/, qr/forget_user/, qr/DROP TRIGGER/);
waitpid($_, 0) for @{ $writers{$moves} };
shards_ok([ 'move-user', $moves, 'memory_00' ], qr/^(user \Q$moves\E is in memory_01, with 1 namespace|memory_00 has no user \Q$moves\E)$/, 'and the same command ends the move');
append_to_file($stop, '');
waitpid($_, 0) for @{ $writers{$stays} };

for my $case ([ $moves, $node{b}, 'memory_01', '55000' ], [ $stays, $node{a}, 'memory_00', 'stopped' ])
{
	my ($user, $where, $database, $reason) = @$case;
	my %noted = map { my ($n, $why) = split / /, slurp_file("$directory/$user.$_"), 2; ($_ => [ $n, $why ]) } 1 .. 16;
	is(join(' ', map { $noted{$_}[1] } 1 .. 16), join(' ', ($reason) x 16), "$user: each writer ended with $reason");
	is($where->safe_psql($database, qq{SELECT w, count((metadata ->> 'n')::int), coalesce(max((metadata ->> 'n')::int), 0) FROM generate_series(1, 16) w LEFT JOIN memory.episodes ON user_id = '$user' AND (metadata ->> 'writer')::int = w GROUP BY 1 ORDER BY 1}),
		join("\n", map { "$_|$noted{$_}[0]|$noted{$_}[0]" } 1 .. 16), "$user: what was acknowledged is there, once");
}
is($node{a}->safe_psql('memory_00', "SELECT count(*) FROM memory.episodes WHERE user_id = '$moves'"), '0', 'and nothing where the user was');
shards_ok(['check'], qr/^no problems$/, 'nothing is wrong, the recall indexes are whole');

# --- locks ----------------------------------------------------------------------------------------------
# Which lock of memory.usage, the last table, is waited for while a client holds one, and which of other tables are held meanwhile.
sub locks_of
{
	my ($mode, @command) = @_;
	my $client = IPC::Run::start([ 'psql', '-XAtq', '-d', $node{a}->connstr('memory_00'), '-c', 'BEGIN', '-c', "LOCK TABLE memory.usage IN $mode MODE", '-c', 'SELECT pg_sleep(600)' ], '>', \my $slept, '2>', \my $ended);
	my $sleeps = q{FROM pg_stat_activity WHERE query = 'SELECT pg_sleep(600)' AND state = 'active'};
	$node{a}->poll_query_until('memory_00', "SELECT count(*) = 1 $sleeps") or die;
	my $program = IPC::Run::start([ 'memory-shards', '-c', configure('shards = 2', %node), @command ], '>', \my $out, '2>', \my $err);
	my $seen = '';
	for (1 .. 1000)
	{
		$seen = $node{a}->safe_psql('memory_00', q{
			SELECT w.mode, string_agg(h.relation::regclass::text, ', ') FROM pg_locks w LEFT JOIN pg_locks h
				ON h.pid = w.pid AND h.granted AND h.relation <> w.relation AND h.relation IN (SELECT oid FROM pg_class WHERE relnamespace = 'memory'::regnamespace)
			WHERE w.relation = 'memory.usage'::regclass AND NOT w.granted GROUP BY 1});
		last if $seen ne '';
		usleep(10_000);
	}
	$node{a}->safe_psql('postgres', "SELECT pg_terminate_backend(pid) $sleeps");
	eval { $client->finish };
	ok($program->finish, "memory-shards $command[0] goes on when the client has ended") or diag($out, $err);
	return $seen;
}

my ($second, $third, $fourth) = map { user_of($_, 1, 2) } 1 .. 3;
$node{a}->safe_psql('memory_00', "SELECT memory.remember('here', user_id => '$_')") for $second, $third, $fourth;
is(locks_of('ROW EXCLUSIVE', 'move-user', $second, 'memory_00'), 'ShareRowExclusiveLock|', '... and held no other while it waited to make a trigger');
my $triggers = q{SELECT count(*) FROM pg_trigger WHERE tgname LIKE 'memory\_shards\_%'};
shards_killed([ 'move-user', $third, 'memory_00' ], qr/COPY \(SELECT/);
my $all = $node{a}->safe_psql('memory_00', $triggers);
$node{a}->safe_psql('memory_00', q{DO $$ DECLARE t name; BEGIN FOR t IN SELECT tgname FROM pg_trigger WHERE tgrelid = 'memory.facts'::regclass AND tgname LIKE 'memory\_shards\_%' LOOP EXECUTE format('DROP TRIGGER %I ON memory.facts', t); END LOOP; END $$});
shards_killed([ 'move-user', $third, 'memory_00' ], qr/COPY \(SELECT/);
cmp_ok($all, '>', 20, 'there are triggers on all tables');
is($node{a}->safe_psql('memory_00', $triggers), $all, 'and what a stopped program has not made of them is made by the next');
is(locks_of('ACCESS SHARE', 'cancel-user', $third, 'memory_00'), 'AccessExclusiveLock|', '... and held no other while it waited to drop one');
is($node{a}->safe_psql('memory_00', "$triggers; SELECT memory.remember('again', user_id => '$third') IS NOT NULL"), "0\nt", 'no trigger is left');

# Sessions that are new look at all tables of the functions that they call, each holding its locks; so do transactions of several calls.
my @scripts = map { my $file = "$directory/script$_->[0]"; append_to_file($file, "\\set u random(1, 40)\n$_->[1]"); ('--file', $file) } [ 1, "SELECT memory.remember('new', user_id => 'new ' || :u, session_id => 's');\n" ],
  [ 2, "BEGIN;\nSELECT memory.assert_fact('Ada', 'likes', 'thing ' || random(), user_id => 'new ' || :u);\nSELECT count(*) FROM memory.recall('new', user_id => 'new ' || :u);\nCOMMIT;\n" ];
my $bench = IPC::Run::start([ 'pgbench', '--no-vacuum', '--connect', '--client', 16, '--max-tries', 1, '--transactions', 30, @scripts, $node{a}->connstr('memory_00') ], '>', \my $out, '2>', \my $err);
$node{a}->poll_query_until('memory_00', "SELECT count(*) > 20 FROM memory.episodes WHERE user_id LIKE 'new %'") or die;
shards_ok([ 'move-user', $fourth, 'memory_00' ], qr/^user \Q$fourth\E is in memory_01/, 'a user is moved beside clients that connect anew');
ok($bench->finish && $out =~ /failed transactions: 0 /, '... of which none fails') or diag($out, $err);
unlike(slurp_file($node{a}->logfile), qr/deadlock detected/, '... or is in a deadlock with the move');
done_testing();
