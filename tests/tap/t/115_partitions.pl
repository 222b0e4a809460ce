# Tables of users in partitions: the same calls as on a plain database, and every row of every answer is the same; every plan of every
# statement reads one partition of a table; a dump brings all back; and 16 clients write at once.
use strict;
use warnings FATAL => 'all';
use Memory;
use Oracle;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('partitions');
$node->append_conf('postgresql.conf', "memory.anonymous = allow\nsession_preload_libraries = 'memory'\nmax_locks_per_transaction = 256\nwal_consistency_checking = ''\nmax_wal_size = 1GB\nlog_checkpoints = off\n");
$node->restart;
$node->safe_psql('postgres', "CREATE DATABASE $_") for qw(plain parts);
$node->safe_psql('plain', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3)');
$node->safe_psql('parts', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3, partitions => 4)');

# --- the oracle, and what is planned meanwhile -----------------------------------------------------------
$node->safe_psql('postgres', "ALTER DATABASE parts SET $_") for
  q{session_preload_libraries = memory, auto_explain}, 'auto_explain.log_min_duration = 0', 'auto_explain.log_nested_statements = on';
my $log_from = -s $node->logfile;
my $oracle = Oracle->new([ $node, 'plain' ], [ $node, 'parts' ]);
$oracle->run;
cmp_ok($oracle->rows, '>', 3000, 'and there is much of it');
$oracle->same('by plans that are kept', 'SET plan_cache_mode = force_generic_plan', calls(q{'noa'}, q{'user 1'}, 'NULL'));
is($node->safe_psql('parts', q{SELECT string_agg(concat_ws(' ', thing, name, rows), ', ' ORDER BY thing, name) FROM memory.status WHERE thing = 'table'}),
	$node->safe_psql('plain', q{SELECT string_agg(concat_ws(' ', thing, name, rows), ', ' ORDER BY thing, name) FROM memory.status WHERE thing = 'table'}), 'status counts the same rows');
is($node->safe_psql('parts', q{SELECT count(DISTINCT tableoid) FROM memory.messages}), 4, 'in all partitions');

# --- one partition each ------------------------------------------------------------------------------------
# Of what a plan scans, which partitions of which table. Statements about a user bind it; what binds none is named in tests/door/sql/binding.sql.
my %wide;
my ($plans, $scans, $checks) = (0, 0, 0);
for my $entry (split /^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] \S* ?(?=LOG:|ERROR:|STATEMENT:|WARNING:)/m, slurp_file($node->logfile, $log_from))
{
	my ($text, $plan) = $entry =~ /^LOG:  duration: [\d.]+ ms  plan:\n\tQuery Text: (.*?)\n\t(\S[^\n]*\(cost=.*?)\s*\z/s or next;
	next unless $text =~ /\buser_id"? OPERATOR\(pg_catalog\.=\) \$\d/;
	$plans++;
	$checks++ if $text =~ /FOR KEY SHARE OF x|^DELETE FROM "memory"/;
	my %parts;
	$parts{$1}{$2} = 1, $scans++ while $plan =~ /Scan[^\n]* on (\w+)_p(\d\d)\b/g;
	my $most = 0;
	for (values %parts) { $most = keys %$_ if keys %$_ > $most }
	$wide{ $text =~ s/\s+/ /gr } = $plan if $most > 1;
}
note("$plans plans, $checks of foreign keys, with $scans scans of partitions");
cmp_ok($scans, '>', 3000, 'plans of many statements');
cmp_ok($checks, '>', 100, 'checks of foreign keys among them');
is(join("\n", map { substr($_, 0, 300) } sort keys %wide), '', 'a statement about a user reads one partition of each table');
$node->safe_psql('postgres', "ALTER DATABASE parts SET session_preload_libraries = memory");

# --- a dump brings all back -------------------------------------------------------------------------------
my $dump = PostgreSQL::Test::Utils::tempdir() . '/parts.dump';
restore_ok($node, 'a database with partitions is dumped', 'pg_dump', '-Fc', '-f', $dump, 'parts');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
restore_ok($node, 'and restored', 'pg_restore', '-d', 'restored', $dump);
same_lines(rows_of($node, 'restored'), rows_of($node, 'parts'), 'with every row where it was');
same_lines(schema_of($node, 'restored'), schema_of($node, 'parts'), 'and everything about the tables');
Oracle->new([ $node, 'parts' ], [ $node, 'restored' ])->same('and answers', map { ("SELECT * FROM memory.recall_scored('night train', user_id => $_, k => NULL)", "SELECT memory.export_user($_)", "SELECT * FROM memory.recall_facts('where', user_id => $_)") }
	"'bob'", "'o''hara'", 'NULL');
is($node->safe_psql('restored', q{SELECT memory.init(), memory.init(partitions => 4); SELECT thing, name, problem FROM memory.status WHERE problem IS NOT NULL}), '|', 'nothing is missing');

# --- rights --------------------------------------------------------------------------------------------------
$node->safe_psql('postgres', 'CREATE ROLE harness');
sub calls
{
	return map { ("SELECT * FROM memory.recall_scored('night train', user_id => $_, context_weight => 0.5)", "SELECT * FROM memory.recall_semantic('[3,1,2]', user_id => $_, threshold => 0)", "SELECT memory.export_user($_)",
		"SELECT * FROM memory.facts(user_id => $_)", "SELECT * FROM memory.recall_facts('where', user_id => $_)", "SELECT * FROM memory.items('{}', query => 'tea', user_id => $_)", "SELECT * FROM memory.messages('monday', user_id => $_)",
		"SELECT * FROM memory.checkpoints('monday', user_id => $_)", "SELECT memory.remember('x', user_id => $_, session_id => 'monday', occurred_at => '2026-03-01')", "SELECT memory.assert_fact('Ada', 'likes', 'tea', user_id => $_, valid_from => '2026-03-01')",
		"SELECT memory.forget($_, session_id => 'monday')") } @_;
}
$oracle->same('under protect()', 'SELECT memory.protect()', "SELECT memory.grant_access('harness', 'writer')", 'SET ROLE harness', "SET memory.user_id = 'bob'", calls(q{'bob'}, q{'eve'}),
	'RESET ROLE', 'SELECT memory.unprotect()', "SELECT memory.revoke_access('harness')");

# --- 16 clients ---------------------------------------------------------------------------------------------
my @scripts = ('3 write' => q{
	\set u random(1, 40)
	SELECT memory.remember('the client says ' || :u, user_id => 'w' || :u, session_id => 's', embedding => '[1,2,3]');
	SELECT memory.assert_fact('Ada', 'likes', 'thing ' || random(), user_id => 'w' || :u);
	SELECT memory.put_item('{a}', 'k', to_jsonb(random()), user_id => 'w' || :u);
}, '2 read' => q{
	\set u random(1, 40)
	SELECT count(*) FROM memory.recall('client says', user_id => 'w' || :u, k => NULL);
	SELECT memory.context('what does the client say', user_id => 'w' || :u, session_id => 's');
}, '1 forget' => q{
	\set u random(1, 40)
	SELECT memory.forget_user('w' || :u);
});
$node->safe_psql('postgres', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3, partitions => 4)');
bench($node, '16 clients', 60, @scripts);
is($node->safe_psql('postgres', q{SELECT i.relid::regclass, v FROM (VALUES ('episodes'), ('facts'), ('items')) t (name), pg_partition_tree('memory.' || name || '_by_text') i, memory.verify_index(i.relid) v WHERE isleaf}), '', 'and indexes are whole');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.embeddings v WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE (e.namespace, e.user_id, e.id) = (v.namespace, v.user_id, v.episode_id))}), 0, 'no vector is without its episode');
is($node->safe_psql('postgres', q{SELECT sum(pg_stat_get_tuples_inserted(relid)) > 100 FROM pg_partition_tree('memory.episodes') WHERE isleaf}), 't', 'much was written, whatever was forgotten');

done_testing();
