# Eight sessions make the tables at once, by init() and by their first write: all succeed, and the
# tables are made once.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

# init() says once how settings are known before a first call; here anything else that is said is a failure.
$ENV{PGOPTIONS} = '-c client_min_messages=warning';

my $node = start_primary('main');
$node->safe_psql('postgres', 'CREATE DATABASE made; CREATE DATABASE bare TEMPLATE template0');
$node->safe_psql($_, 'CREATE EXTENSION memory CASCADE') for qw(made bare);
$node->safe_psql('made', 'SELECT memory.init()');
my $schema = schema_of($node, 'made');
# With dimensions there is an index of the vectors, too.
$node->safe_psql('made', 'SELECT memory.init(3)');
my $with_vectors = schema_of($node, 'made');

my %calls = (
	'init()' => q{SELECT memory.init();},
	'init(3)' => q{SELECT memory.init(3);},
	'remember' => q{SELECT memory.remember('of client ' || :client_id, user_id => 'ann');},
	'remember or init()' => q{
		SELECT CASE :client_id % 2 WHEN 0 THEN memory.init()::text ELSE memory.remember('of client ' || :client_id, user_id => 'ann')::text END;},
	'remember_many in a transaction' => q{
		BEGIN;
		SELECT count(*) FROM memory.remember_many('[{"content": "a", "user_id": "ann"}, {"content": "b", "user_id": "ann"}]');
		SELECT count(*) FROM memory.recall_recent(user_id => 'ann');
		COMMIT;});
my $scripts = 0;
for my $what (sort keys %calls)
{
	for my $round (1 .. 3)
	{
		$node->safe_psql('postgres', 'CREATE DATABASE fresh TEMPLATE bare');
		$node->pgbench("-n -c 8 -j 2 -t 2 fresh", 0, [qr/number of transactions actually processed: 16\/16/], [qr/^$/],
			"8 sessions at once, $what, round $round", { 'script-' . $scripts++ => $calls{$what} });
		my $rows = $what =~ /many/ ? 32 : $what eq 'remember' ? 16 : $what =~ /or/ ? 8 : 0;
		is($node->safe_psql('fresh', 'SELECT count(*) FROM memory.episodes'), $rows, 'nothing is lost');
		same_lines(schema_of($node, 'fresh'), $what eq 'init(3)' ? $with_vectors : $schema, 'the tables are those that one session makes');
		$node->safe_psql('postgres', 'DROP DATABASE fresh');
	}
}

$node->stop;
done_testing();
