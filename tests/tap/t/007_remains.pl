# What docs/security.md says of the bytes of what was deleted, and of dumps under protect().
use strict;
use warnings FATAL => 'all';
use File::Find;
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('main');
$node->safe_psql('postgres', 'CREATE ROLE owner LOGIN');
$node->safe_psql('postgres', q{
	CREATE SCHEMA memory AUTHORIZATION owner;
	CREATE EXTENSION memory CASCADE;
	SET ROLE owner;
	SELECT memory.init();
	SELECT memory.remember('the word is zanzibarquux', user_id => 'ada', metadata => '{"zanzibarquux": 1}');
	SELECT memory.assert_fact('zanzibarquux', 'is', 'the word', 'ada');
	SELECT memory.remember('something else ' || n, user_id => 'bob') FROM generate_series(1, 100) n;
	RESET ROLE;
	ANALYZE; CHECKPOINT;});

# How many files below a directory of the server's hold the word.
sub files_with_it
{
	my ($directory) = @_;
	my @found;
	find(sub { push @found, $_ if -f $_ && index(slurp_file($_), 'zanzibarquux') >= 0 }, $node->data_dir . "/$directory");
	return scalar @found;
}

cmp_ok(files_with_it('base'), '>', 0, 'data files hold what is there');
$node->safe_psql('postgres', q{DELETE FROM memory.episodes WHERE user_id = 'ada'; DELETE FROM memory.facts WHERE user_id = 'ada';
	DELETE FROM memory.timelines WHERE user_id = 'ada';});
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.recall_scored('zanzibarquux', user_id => 'ada')}), '0', 'what is deleted is not found');
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_statistic s WHERE s::text LIKE '%zanzibarquux%'}), '0', 'the statistics do not have it');
$node->safe_psql('postgres', 'CHECKPOINT');
cmp_ok(files_with_it('base'), '>', 0, 'data files hold deleted rows');
$node->safe_psql('postgres', 'VACUUM FULL');
$node->safe_psql('postgres', 'CHECKPOINT');
is(files_with_it('base'), 0, 'until they have been rewritten');
cmp_ok(files_with_it('pg_wal'), '>', 0, 'WAL holds them until it is recycled');

# Under protect() a dump is for a role that row security does not apply to.
$node->safe_psql('postgres', q{SET ROLE owner; SELECT memory.protect('current_user')});
my @dump = ('pg_dump', '-d', $node->connstr('postgres'), '-n', 'memory', '-f', '/dev/null');
command_fails_like([ @dump, '-U', 'owner' ], qr/row-level security/, 'the protected owner cannot dump');
restore_ok($node, 'a superuser can', @dump);

$node->stop;
done_testing();
