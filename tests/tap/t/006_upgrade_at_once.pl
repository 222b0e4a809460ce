# ALTER EXTENSION memory UPDATE while other sessions run init(): nobody fails, and the result is a
# fresh installation.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

# What init() says of settings once is no failure of a query here.
$ENV{PGOPTIONS} = '-c client_min_messages=warning';

my ($installation, $scripts) = private_installation();
my ($current) = slurp_file("$scripts/memory.control") =~ /^default_version\s*=\s*'(.*)'/m;
my $node = start_primary('main', install_path => $installation);

# An older version without one function; its upgrade replaces all the others, as upgrades do.
my $install = slurp_file("$scripts/memory--$current.sql");
my ($new) = $install =~ /^(CREATE FUNCTION memory\.recall_recent\(.*?;\n)COMMENT/ms;
(my $old = $install) =~ s/\Q$new\E//;
$old =~ s/^COMMENT ON FUNCTION memory\.recall_recent\(.*?';\n//ms;
my $upgrade = join '', $install =~ /^(CREATE FUNCTION memory\..*?;\n(?=COMMENT)|COMMENT ON FUNCTION memory\..*?';\n)/msg;
$upgrade =~ s/^CREATE FUNCTION/CREATE OR REPLACE FUNCTION/mg;
append_to_file("$scripts/memory--0.0.1test.sql", $old);
append_to_file("$scripts/memory--0.0.1test--$current.sql", $upgrade);

$node->safe_psql('postgres', 'CREATE DATABASE bare');
$node->safe_psql('bare', "CREATE EXTENSION memory VERSION '0.0.1test' CASCADE");
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', 'CREATE EXTENSION memory CASCADE; SELECT memory.init();');
my $fresh = catalog_of($node, 'fresh') . schema_of($node, 'fresh');

# The database of the older version, with tables or without.
sub older
{
	my ($tables) = @_;
	$node->safe_psql('postgres', 'DROP DATABASE IF EXISTS older');
	$node->safe_psql('postgres', 'CREATE DATABASE older TEMPLATE bare');
	$node->safe_psql('older', 'SELECT memory.init()') if $tables;
}

sub is_fresh
{
	my ($how) = @_;
	same_lines(catalog_of($node, 'older') . schema_of($node, 'older'), $fresh, "$how: the result is a fresh installation");
}

# One after the other, the first of them not yet committed.
my ($update, $init) = ('ALTER EXTENSION memory UPDATE', 'SELECT memory.init()');
for my $tables (0, 1)
{
	for my $order ([ $update, $init ], [ $init, $update ])
	{
		my $how = join(' before ', @$order) . ($tables ? ', with tables' : ', without tables');
		older($tables);
		my ($first, $second) = map { $node->background_psql('older') } 1, 2;
		$first->query_safe("BEGIN; $order->[0];");
		$second->query_until(qr/asked/, "\\echo asked\n$order->[1];\n");
		$first->query_safe('COMMIT');
		$second->query_safe('SELECT 1');
		is(scalar(grep { $_->quit } $first, $second), 2, "$how: both succeed");
		is_fresh($how);
	}
}

# And as it happens.
my $script = $node->basedir . '/init.sql';
append_to_file($script, "$init;\n");
for my $round (1 .. 5)
{
	older($round % 2);
	my ($out, $err) = ('', '');
	my $sessions = IPC::Run::start([ 'pgbench', '-n', '-c', '4', '-j', '2', '-t', '10', '-f', $script, $node->connstr('older') ], '>', \$out, '2>', \$err);
	is($node->psql('older', $update), 0, "round $round: the update succeeds");
	$sessions->finish;
	like($out, qr/processed: 40\/40/, "round $round: init() succeeds 40 times") or diag($err);
	is_fresh("round $round");
}

$node->stop;
done_testing();
