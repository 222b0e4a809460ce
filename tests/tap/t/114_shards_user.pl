# A user is moved under 16 writers of this very user, and the program is killed at each of its steps: what was acknowledged
# before the writers were refused is there afterwards, once, and 16 writers of another user notice nothing.
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

shards_killed([ 'move-user', $moves, 'memory_00' ], qr/LOCK TABLE/, qr/COPY \(SELECT memory\.export_user/, qr/import_user/, qr/forget_user/, qr/DROP TRIGGER/);
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
done_testing();
