# The commands of docs/operations.md, run in their order as the page says: each succeeds, and prints what the page shows.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $page = slurp_file(dirname(__FILE__) . '/../../../docs/operations.md');

# One server that is lived on, and a new one for the switch-over.
my %server = map { $_ => start_primary($_) } qw(old new);
for my $node (values %server)
{
	$node->append_conf('postgresql.conf', "wal_level = logical\nautovacuum = off");
	$node->restart;
	$node->safe_psql('postgres', 'CREATE DATABASE app');
}
my $scratch = PostgreSQL::Test::Utils::tempdir_short();
my %common = (PGDATABASE => 'app', PGUSER => $server{old}->safe_psql('postgres', 'SELECT current_user'), PGTZ => 'UTC',
	BACKUPS => $scratch, STANDBY => "$scratch/standby", STANDBY_PORT => 6543, OLD_SERVER => $server{old}->connstr('app') =~ s/'//gr);

# What a block prints, errors included; and whether it succeeded.
sub run_block
{
	my ($language, $text, $node) = @_;
	local %ENV = (%ENV, %common, PGHOST => $node->host, PGPORT => $node->port);
	my $out = '';
	my @command = $language eq 'sql' ? ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-f', '-') : ('bash', '-eu');
	my $ok = IPC::Run::run(\@command, '<', \$text, '>', \$out, '2>&1');
	return ($ok, $out);
}

my ($blocks, $shown) = (0, 0);
while ($page =~ /^(<!-- on the new server -->\n)?```(sql|sh)\n(.*?)^```\n(?:```text\n(.*?)^```\n)?/msg)
{
	my ($on_new, $language, $text, $expected) = ($1, $2, $3, $4);
	my ($first) = $text =~ /(.*)/;
	my ($ok, $out) = run_block($language, $text, $server{ $on_new ? 'new' : 'old' });
	my $what = sprintf 'block %d, "%s"', ++$blocks, $first;
	ok($ok, "$what: succeeds") or diag($out);
	next unless defined $expected;
	++$shown;
	is($out, $expected, "$what: prints what is shown");
}
cmp_ok($blocks, '>', 20, "the page has commands: $blocks");
cmp_ok($shown, '>', 10, "and of $shown it shows what they print");
is($blocks, () = $page =~ /^```(?:sql|sh)$/mg, 'none is left out');
unlike(slurp_file($_->logfile), qr/terminated by signal|PANIC|TRAP:/, $_->name . ': no backend died') for values %server;
$_->stop for values %server;
done_testing();
