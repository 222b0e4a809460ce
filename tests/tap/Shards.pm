# What the tests of memory-shards share: servers with logical replication, a PgBouncer in front of them, and the program.
package Shards;

use strict;
use warnings FATAL => 'all';
use Digest::SHA ();
use Exporter 'import';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw(start_server configure shards shards_ok shards_fail shards_killed has_pgbouncer start_pgbouncer pooled shard_of user_of);

my $directory = PostgreSQL::Test::Utils::tempdir_short();
my $config = "$directory/shards.conf";
my @bouncer;

sub start_server
{
	my ($name, %settings) = @_;
	my $node = new_node($name);
	$node->init(allows_streaming => 'logical', extra => [ '--locale=C.UTF-8', '--encoding=UTF8' ]);
	$node->append_conf('postgresql.conf', join "\n", checked_wal(), 'max_connections = 60', 'max_replication_slots = 30', 'max_wal_senders = 20',
		'max_logical_replication_workers = 10', 'log_min_messages = warning', 'log_statement = none', 'wal_retrieve_retry_interval = 100ms', map { "$_ = $settings{$_}" } sort keys %settings);
	$node->start;
	return $node;
}

# The configuration of the program: settings, and the servers by their names.
sub configure
{
	my ($settings, %nodes) = @_;
	my $text = "$settings\n";
	$text .= "[server $_]\nconnect = host=" . $nodes{$_}->host . ' port=' . $nodes{$_}->port . "\n" for sort keys %nodes;
	$text .= "[pooler p]\nconnect = host=$directory port=6432 dbname=pgbouncer\nfile = $directory/databases.ini\n" if @bouncer;
	unlink $config;
	append_to_file($config, $text);
	return $config;
}

# Returns whether it went well, what it printed, and what it complained of.
sub shards
{
	my (@arguments) = @_;
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ 'memory-shards', '-c', $config, @arguments ], '>', \$out, '2>', \$err);
	return ($ok, $out, $err);
}

sub shards_ok
{
	my ($arguments, $expected, $what) = @_;
	my ($ok, $out, $err) = shards(@$arguments);
	$err =~ s/^waiting for another memory-shards\n//; # as for a statement of one that was killed
	ok($ok && $err eq '' && $out =~ $expected, $what) or diag("$out$err");
	return $out;
}

sub shards_fail
{
	my ($arguments, $expected, $what) = @_;
	my ($ok, $out, $err) = shards(@$arguments);
	ok(!$ok && "$out$err" =~ $expected, $what) or diag("$out$err");
	return;
}

# Runs the program once for each step, and kills it when it says that step; a later run may be past one.
sub shards_killed
{
	my ($arguments, @steps) = @_;
	my $reached = 0;
	for my $step (@steps)
	{
		my ($out, $err) = ('', '');
		my $program = IPC::Run::start([ 'memory-shards', '-c', $config, '-v', @$arguments ], '>', \$out, '2>', \$err);
		eval { $program->pump while $program->pumpable && $out !~ $step };
		$reached++ if $out =~ $step;
		$program->kill_kill(grace => 0);
		note("killed at $step: $err") if $err ne '';
	}
	cmp_ok($reached, '>=', @steps * 0.8, "it was killed at $reached of " . @steps . ' steps');
	return;
}

sub has_pgbouncer
{
	$ENV{PATH} .= ':/usr/sbin';
	return grep { -x "$_/pgbouncer" } split /:/, $ENV{PATH};
}

# In transaction mode; its databases are in the file that the program writes.
sub start_pgbouncer
{
	my ($user) = getpwuid($<);
	append_to_file("$directory/users", qq{"$user" ""\n});
	append_to_file("$directory/databases.ini", '');
	append_to_file("$directory/pgbouncer.ini", <<INI);
[databases]
%include $directory/databases.ini
[pgbouncer]
listen_addr =
listen_port = 6432
unix_socket_dir = $directory
auth_type = trust
auth_file = $directory/users
admin_users = $user
pool_mode = transaction
default_pool_size = 8
server_login_retry = 1
pidfile = $directory/pid
logfile = $directory/log
INI
	system_or_bail('pgbouncer', '--daemon', '--quiet', "$directory/pgbouncer.ini");
	@bouncer = ("$directory/pid");
	return;
}

# Where clients connect.
sub pooled { my ($database) = @_; return "host=$directory port=6432 dbname=$database" }

# What any client could calculate.
sub shard_of { my ($user, $shards) = @_; return unpack('Q>', Digest::SHA::sha256($user)) % $shards }

# The n-th user that belongs to a shard.
sub user_of
{
	my ($n, $shard, $shards) = @_;
	for my $i (0 .. 1_000_000)
	{
		my $user = "user $i";
		return $user if shard_of($user, $shards) == $shard && $n-- == 0;
	}
	die;
}

END
{
	if (@bouncer && -e $bouncer[0])
	{
		my $status = $?;
		chomp(my $pid = slurp_file($bouncer[0]));
		kill 'INT', $pid;
		$? = $status;
	}
}

1;
