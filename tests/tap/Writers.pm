# Clients of a PgBouncer that write until they are asked to stop: each write is acknowledged before the next, and what a client
# has written is counted. An error ends a client, and is a failure, which is shown with what the client was told.
package Writers;

use strict;
use warnings FATAL => 'all';
use IPC::Open3;
use POSIX ();
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;
use Time::HiRes qw(usleep);

# The users, one a client, and their databases.
sub new
{
	my ($class, %database_of) = @_;
	return bless { database_of => {%database_of}, written => { map { $_ => 0 } keys %database_of }, rounds => 0 }, $class;
}

# Has the clients connect to other databases when they start again.
sub connect_to
{
	my ($self, %database_of) = @_;
	$self->{database_of} = {%database_of};
	return;
}

sub users { return sort keys %{ $_[0]{written} } }

# How many writes of a user were acknowledged.
sub written { my ($self, $user) = @_; return $self->{written}{$user} }

sub start
{
	my ($self) = @_;
	$self->{stop} = PostgreSQL::Test::Utils::tempdir() . '/stop' . $self->{rounds}++;
	for my $user ($self->users)
	{
		my $pid = fork // die;
		if ($pid) { push @{ $self->{children} }, $pid; next }
		POSIX::_exit(eval { $self->_write($user); 1 } ? 0 : 1);
	}
	usleep(300_000);
	return;
}

# Notes how many writes there are now, the longest, and what ended the client before its time.
sub _write
{
	my ($self, $user) = @_;
	my ($n, $longest, $why) = ($self->{written}{$user}, 0, '');
	local $SIG{PIPE} = 'IGNORE';
	open3(my $to, my $from, undef, 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-v', 'VERBOSITY=verbose', '-d', pooled($self->{database_of}{$user}));
	until (-e $self->{stop})
	{
		my ($next, $sent) = ($n + 1, Time::HiRes::time());
		print $to "SELECT memory.remember('write $next', user_id => '$user', metadata => '{\"n\": $next}') IS NOT NULL;\n";
		my $answer = <$from> // '';
		my $took = Time::HiRes::time() - $sent;
		if ($answer ne "t\n")
		{
			close $to;
			$why = sprintf "write %d of %s, after %.0f ms, at %s: %s", $next, $user, 1000 * $took, scalar localtime, join '', $answer, <$from>;
			last;
		}
		$longest = $took if $took > $longest;
		$n = $next;
		usleep(20_000); # so that one apply worker can follow
	}
	append_to_file("$self->{stop}.$user", "$n $longest $why");
	return;
}

sub stop
{
	my ($self, $what) = @_;
	append_to_file($self->{stop}, '');
	my $lost = grep { waitpid($_, 0); $? != 0 } splice @{ $self->{children} };
	my ($new, $longest, @failed) = (0, 0);
	for my $user (grep { -e "$self->{stop}.$_" } $self->users)
	{
		my ($n, $took, $why) = split / /, slurp_file("$self->{stop}.$user"), 3;
		$new += $n - $self->{written}{$user};
		$self->{written}{$user} = $n;
		$longest = $took if $took > $longest;
		push @failed, $why if $why ne '';
	}
	is($lost + @failed, 0, "$what: no writer has noticed anything") or diag("$lost clients were lost\n", @failed);
	cmp_ok($new, '>', 100, "$what: they wrote $new times");
	note(sprintf '%s: the longest write took %.0f ms', $what, 1000 * $longest);
	return;
}

# Every acknowledged write of some users is in a database, once, and none of others, nor any that was not sent.
sub all_there
{
	my ($self, $node, $database, $what, @users) = @_;
	my $expected = join "\n", map { "$_|$self->{written}{$_}|1|$self->{written}{$_}" } sort @users;
	is($node->safe_psql($database, q{SELECT user_id, count(*), min((metadata ->> 'n')::int), max((metadata ->> 'n')::int) FROM memory.episodes WHERE content LIKE 'write %' GROUP BY 1 ORDER BY user_id COLLATE "C"}),
		$expected, "$what: every write is in $database, once");
	my $last = "write $self->{written}{$users[0]}";
	is($node->safe_psql($database, qq{SELECT content FROM memory.recall('$last', user_id => '$users[0]', k => 1)}), $last, '... and found');
	return;
}

1;
