# What the TAP tests share: servers that listen on no TCP port and check every page they replay, and
# ways to look at a whole database.
package Memory;

use strict;
use warnings FATAL => 'all';
use Exporter 'import';
use File::Basename qw(dirname);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(checked_wal new_node start_primary start_for_writers bench crash restore_ok same_lines schema_of rows_of dump_of catalog_of private_installation);

# Every page that is replayed is compared, but for GiST's: its pruning marks a page as one with deleted tuples in replay
# only (gistRedoDeleteRecord, gistprunepage), which the comparison calls inconsistent.
#
# Of a table's pages it calls one thing inconsistent that is none, from 15 to 19, as "inconsistent page found" for a record
# Heap/LOCK: the replay of a row lock clears HEAP_COMBOCID (heap_xlog_lock), the lock itself does not (heap_lock_tuple), and the
# comparison passes over that bit in rows only that are not frozen (heap_mask). Without any extension, it takes
#     BEGIN; INSERT INTO t VALUES (1); SAVEPOINT a; DELETE FROM t; ROLLBACK TO a; COMMIT; VACUUM (FREEZE) t; SELECT FROM t FOR UPDATE;
# and where data checksums are on, as initdb makes them from 18 on, a plain VACUUM after a checkpoint does the same. The bit says
# nothing of a row whose deletion was rolled back. All that is logged of tables is one resource manager to this setting, so
# nothing is left out: a test with such rows locks none of them.
sub checked_wal { return "wal_consistency_checking = 'heap, heap2, btree, hash, gin, sequence, spgist, brin, generic'" }

# Each node's socket is in a directory of this process: any number does, and nothing has to be bound
# to find a free one.
my $next_port = 5432;

sub new_node
{
	my ($name, %params) = @_;
	return PostgreSQL::Test::Cluster->new($name, port => $next_port++, %params);
}

sub start_primary
{
	my ($name, %params) = @_;
	my $node = new_node($name, %params);
	$node->init(allows_streaming => 1, extra => [ '--locale=C.UTF-8', '--encoding=UTF8' ]);
	$node->append_conf('postgresql.conf',
		checked_wal() . "\nmax_connections = 40\nlog_min_messages = warning");
	$node->start;
	return $node;
}

# The server of a test in which many clients write at once, the memories of one user unless they say
# whose. The library is loaded with each session, so that its settings are known from the start.
sub start_for_writers
{
	my ($name, $settings) = @_;
	my $node = start_primary($name);
	$node->append_conf('postgresql.conf',
		"restart_after_crash = off\nmax_wal_size = 64MB\nmemory.user_id = 'ann'\nmemory.anonymous = allow\n"
		  . "deadlock_timeout = 100ms\nsession_preload_libraries = 'memory'\n" . ($settings // ''));
	$node->restart;
	return $node;
}

# 16 clients run scripts, each as often as the number in front of its name says among them all; so many
# transactions each, which must all succeed. 0 transactions: until the server goes down; returns what is to be finished.
sub bench
{
	my ($node, $name, $transactions, %script) = @_;
	my $directory = PostgreSQL::Test::Utils::tempdir();
	my @files = map { my $file = "$directory/$_"; append_to_file($file, $script{$_} =~ s/^\t+//mgr); ('--file', "$file\@" . ($_ =~ /^(\d+)/ ? $1 : 1)) } sort keys %script;
	my @command = ('pgbench', '--no-vacuum', '--client', 16, '--max-tries', 1, @files);
	return IPC::Run::start([ @command, '--time', 60, $node->connstr('postgres') ], '>', '/dev/null', '2>', '/dev/null') unless $transactions;
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ @command, '--transactions', $transactions, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
	ok($ok && $err eq '', "$name: every client comes to its end") or diag(substr($err, 0, 1000));
	return;
}

# kill -9 of the server within the next `most` seconds, under a bench, and its start.
sub crash
{
	my ($node, $bench, $most) = @_;
	usleep(int(rand(1_000_000 * $most)));
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');
	kill 'KILL', $postmaster;
	$bench->finish;
	$node->{_pid} = undef;
	for (1 .. 300) { last if system_log('pg_ctl', '-D', $node->data_dir, '-w', '-t', 60, '-l', $node->logfile, 'start') == 0; usleep(100_000) }
	$node->_update_pid(1);
}

# A command of PostgreSQL's on a node's database, which must succeed.
sub restore_ok
{
	my ($node, $what, @command) = @_;
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run(\@command, '>', \$out, '2>', \$err);
	ok($ok && $err !~ /ERROR|error:/, $what) or diag($err);
}

# Two texts of many lines are the same; if not, the lines that one has alone are shown.
sub same_lines
{
	my ($got, $expected, $what) = @_;
	return if ok($got eq $expected, $what);
	my ($in_got, $in_expected) = map { { map { $_ => 1 } split /\n/, $_ } } $got, $expected;
	diag(substr($_, 0, 500)) for
	  (map { "+ $_" } grep { !$in_expected->{$_} } sort keys %$in_got),
	  (map { "- $_" } grep { !$in_got->{$_} } sort keys %$in_expected);
}

# Everything of the schema memory that is not the extension's, one line each.
sub schema_of
{
	my ($node, $database) = @_;
	return $node->safe_psql($database, slurp_file(dirname(__FILE__) . '/schema.sql'));
}

# Every row of every table in the schema memory, one line each.
sub rows_of
{
	my ($node, $database) = @_;
	my $query = $node->safe_psql(
		$database, q{
		SELECT string_agg(format('SELECT %L, t::text FROM memory.%I AS t', relname, relname), E'\nUNION ALL ' ORDER BY relname)
			|| E'\nORDER BY 1, 2'
		FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind IN ('r', 'p')});
	return $node->safe_psql($database, "SET TimeZone = 'UTC'; $query");
}

# Everything that the extension itself owns, one line each.
sub catalog_of
{
	my ($node, $database) = @_;
	my ($out, $err) = run_command([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr($database),
			'-f', dirname(__FILE__) . '/../upgrade/catalog.sql' ]);
	BAIL_OUT("catalog.sql: $err") if $err ne '';
	return $out;
}

# A whole database as SQL, but for what is random in it.
sub dump_of
{
	my ($node, $database) = @_;
	my ($out, $err) = run_command([ 'pg_dump', '-d', $node->connstr($database) ]);
	$out =~ s/^\\(un)?restrict .*\n//mg;
	BAIL_OUT("pg_dump: $err") unless $out =~ /PostgreSQL database dump complete/;
	return $out;
}

# A copy of the installation that the tests run on, in which a test may put scripts of its own:
# nothing of it is needed but the programs, the libraries and the extensions. Returns what a node's
# install_path wants, and the directory of the extensions.
sub private_installation
{
	my $to = PostgreSQL::Test::Utils::tempdir_short() . '/installation';
	my %at = map { my ($path) = run_command([ 'pg_config', "--$_" ]); $_ => $path } qw(bindir pkglibdir sharedir);
	system_or_bail('mkdir', '-p', "$to$at{bindir}", "$to$at{pkglibdir}", "$to$at{sharedir}");
	# The server finds the other two relative to where it really is: it must be a copy, not a link.
	system_or_bail('cp', '-RL', "$at{bindir}/.", "$to$at{bindir}");
	system_or_bail('cp', '-Rs', "$at{$_}/.", "$to$at{$_}") for qw(pkglibdir sharedir);
	return (dirname("$to$at{bindir}"), "$to$at{sharedir}/extension");
}

1;
