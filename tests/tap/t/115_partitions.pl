# Tables of users in partitions: the same calls as on a plain database, and every row of every answer is the same; every plan of every
# statement reads one partition of a table; a dump brings all back; and 16 clients write at once.
use strict;
use warnings FATAL => 'all';
use Answers;
use Memory;
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
sub same { my ($what, @statements) = @_; return same_answers($what, [ $node, 'plain' ], [ $node, 'parts' ], @statements) }
my @users = users();
my $rows = 0;
$rows += same("what $users[$_] writes answers the same", writes($users[$_], $_ + 1)) for 0 .. $#users;
$rows += same("and what $_ reads", reads($_)) for @users, "'nobody'";
cmp_ok($rows, '>', 3000, 'and there is much of it');
same(@$_) for more();
my @lines = split /\n/, $node->safe_psql('plain', q{SELECT replace(line::text, '''', '''''') FROM memory.export_user('ada') line});
my $lines = join ', ', map { s/"user_id": "ada"/"user_id": "noa"/r } map { "'$_'" } @lines;
same('a user as lines', "SELECT memory.import_user(ARRAY[$lines]::jsonb[])", "SELECT memory.import_user(ARRAY[$lines]::jsonb[], 'eve')", reads("'noa'"), reads("'eve'"));
same('protected', 'SELECT memory.protect()', 'CREATE ROLE :"DBNAME"', q{SELECT memory.grant_access(:'DBNAME', 'writer')}, 'SET ROLE :"DBNAME"', "SET memory.user_id = 'bob'", reads("'bob'"), reads("'ada'"),
	"SELECT memory.remember('x', user_id => 'ada')", "SELECT memory.remember('y', user_id => 'bob', occurred_at => '2026-03-01')", 'RESET ROLE', 'SELECT memory.unprotect()', q{SELECT memory.revoke_access(:'DBNAME')});
same('forgetting', "SELECT memory.forget('ada', id => '00000000-0000-7000-8000-000000000001')", "SELECT memory.forget('bob', session_id => 'monday')", "SELECT memory.forget_user('Zoë')", "SELECT memory.forget(before => 'infinity')", reads("'bob'"), reads("'Zoë'"), reads('NULL'));
is($node->safe_psql('parts', q{SELECT string_agg(concat_ws(' ', thing, name, rows), ', ' ORDER BY thing, name) FROM memory.status WHERE thing = 'table'}),
	$node->safe_psql('plain', q{SELECT string_agg(concat_ws(' ', thing, name, rows), ', ' ORDER BY thing, name) FROM memory.status WHERE thing = 'table'}), 'status counts the same rows');
is($node->safe_psql('parts', q{SELECT count(DISTINCT tableoid) FROM memory.messages}), 4, 'in all partitions');

# --- one partition each ------------------------------------------------------------------------------------
# Of what a plan scans, which partitions of which table; a statement about all users is one that binds no user.
my %wide;
my ($plans, $scans) = (0, 0);
for my $entry (split /^\d{4}-\d\d-\d\d [\d:.]+ \w+ \[\d+\] \S* ?(?=LOG:|ERROR:|STATEMENT:|WARNING:)/m, slurp_file($node->logfile, $log_from))
{
	my ($text, $plan) = $entry =~ /^LOG:  duration: [\d.]+ ms  plan:\n\tQuery Text: (.*?)\n\t(\S[^\n]*\(cost=.*?)\s*\z/s or next;
	$plans++;
	my %parts;
	$parts{$1}{$2} = 1, $scans++ while $plan =~ /Scan[^\n]* on (\w+)_p(\d\d)\b/g;
	my $most = 0;
	for (values %parts) { $most = keys %$_ if keys %$_ > $most }
	$wide{ $text =~ s/\s+/ /gr } = $plan if $most > 1;
}
note("$plans plans with $scans scans of partitions");
cmp_ok($scans, '>', 3000, 'plans of many statements');
my @about_all = (
	qr/^SELECT (pg_catalog\.)?count\(\*\) FROM ONLY/,          # status
	qr/memory\.jobs j?/,                                         # workers claim the jobs of all users
	qr/memory\.model_tasks/,
	qr/vector_dims\(/,                                           # dimensions are declared for all users
	qr/FROM memory\.\w+ t WHERE t\.namespace = \$1 AND t\.user_id > ''/,    # whether a namespace has named users
	qr/DISTINCT|user_id > |t\.predicate = \$2|expires_at <= |WITH due/);
my %unexpected = map { $_ => $wide{$_} } grep { my $text = $_; !grep { $text =~ $_ } @about_all } keys %wide;
is(join("\n", map { substr($_, 0, 300) } sort keys %unexpected), '', 'a statement about a user reads one partition of each table');
$node->safe_psql('postgres', "ALTER DATABASE parts SET session_preload_libraries = memory");

# --- a dump brings all back -------------------------------------------------------------------------------
my $dump = PostgreSQL::Test::Utils::tempdir() . '/parts.dump';
restore_ok($node, 'a database with partitions is dumped', 'pg_dump', '-Fc', '-f', $dump, 'parts');
$node->safe_psql('postgres', 'CREATE DATABASE restored');
restore_ok($node, 'and restored', 'pg_restore', '-d', 'restored', $dump);
same_lines(rows_of($node, 'restored'), rows_of($node, 'parts'), 'with every row where it was');
same_lines(schema_of($node, 'restored'), schema_of($node, 'parts'), 'and everything about the tables');
same_answers("and what $_ reads", [ $node, 'parts' ], [ $node, 'restored' ], reads($_)) for @users;
is($node->safe_psql('restored', q{SELECT memory.init(), memory.init(partitions => 4); SELECT thing, name, problem FROM memory.status WHERE problem IS NOT NULL}), '|', 'nothing is missing');

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
is($node->safe_psql('postgres', q{SELECT count(*) > 100 FROM memory.episodes}), 't', 'much was written');

done_testing();
