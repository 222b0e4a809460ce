# One front for all: the same calls on one plain server and through a front whose users are on three servers have the same
# answers (tests/tap/Oracle.pm). What a front refuses, rights through it, and shards that are stopped.
use strict;
use warnings FATAL => 'all';
use Memory;
use Oracle;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;

my $plain = start_server('plain', 'memory.anonymous' => 'allow');
plan skip_all => 'PL/Proxy is not installed' if $plain->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plproxy'}) eq '0';

my %node = map { $_ => start_server($_, 'memory.anonymous' => 'allow') } qw(a b c);
$node{a}->safe_psql('postgres', 'CREATE DATABASE front');
my $front = '[front f]' . "\nconnect = host=" . $node{a}->host . ' port=' . $node{a}->port . " dbname=front\n";
sub settings { return configure("shards = 4\ndimensions = 3\n$front", %node) }
configure("shards = 4\ndimensions = 3", %node);
shards_ok(['create'], qr/^4 databases made/, 'four databases on three servers');
settings();
shards_fail([ '--fast', 'check' ], qr/schema "memory_front" does not exist/, 'a front that is not made is found');
shards_ok([ '--dry-run', 'front' ], qr/CREATE FUNCTION memory_front\.recall\(/, 'a dry run shows what it is made of');
shards_ok(['front'], qr/^front f has the functions of memory_00$/, 'a front is made');
shards_ok(['front'], qr/^front f has/, 'and again');
shards_ok([ '--fast', 'check' ], qr/^no problems$/, 'and is of the version of the databases');
$plain->safe_psql('postgres', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3)');

# --- the oracle ---------------------------------------------------------------------------------------
my $oracle = Oracle->new([ $plain, 'postgres' ], [ $node{a}, 'front' ]);
$oracle->run;
cmp_ok($oracle->rows, '>', 3000, $oracle->rows . ' rows are the same');
my %called = map { $_ => 1 } $oracle->called;

is($node{a}->safe_psql('front', q{SELECT sum(rows) FROM memory.status WHERE thing = 'table' AND name = 'sessions'}), $plain->safe_psql('postgres', q{SELECT sum(rows) FROM memory.status WHERE thing = 'table' AND name = 'sessions'}), 'the status of all databases counts what that of one does');
is($node{a}->safe_psql('front', q{SELECT string_agg(DISTINCT database, ' ' ORDER BY database) FROM memory.status}), 'memory_00 memory_01 memory_02 memory_03', '... of each');
my $never = $node{a}->safe_psql('front', q{SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'memory'::regnamespace});
is(join(' ', grep { !$called{$_} } split / /, $never), 'create_vector_index grant_access init protect revoke_access unprotect', 'every function of the front was called, but for those of the owner');

# --- what a front refuses, and rights -----------------------------------------------------------------
my (undef, undef, $err) = $node{a}->psql('front', q{SELECT memory.remember_many('[{"content": "a", "user_id": "ada"}, {"content": "b", "user_id": "bob"}]')}, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
like($err, qr/ERROR:  22023: episodes\[2\]\.user_id is bob, and that of an element before is ada\n.*HINT:  Users may be in different databases/s, 'elements of two users in one call are refused');
is($node{a}->safe_psql('front', q{SELECT count(*) FROM memory.remember_many('[{"content": "a", "user_id": "mia"}, {"content": "b", "user_id": "mia"}]')}), '2', '... of one they are written');
is($node{a}->safe_psql('front', q{SELECT count(*) FROM memory.recall_recent(user_id => 'mia')}), '2', '... where that user is');
shards_ok(['check'], qr/^no problems$/, 'every user is where it belongs, and the indexes are whole');
$_->safe_psql('postgres', 'CREATE ROLE app LOGIN') for values %node;
my $as_app = $node{a}->connstr('front') . ' user=app';
like((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SELECT memory.recall('train', user_id => 'bob')" ]))[1], qr/permission denied/, 'a role that has no rights in the databases has none through the front');
$node{a}->safe_psql('front', q{SELECT memory.grant_access('app', 'reader')});
is((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SELECT count(*) FROM memory.recall('leaves', user_id => 'user 3')" ]))[0], '1', '... and with rights it reads');
$node{a}->safe_psql('front', q{SELECT memory.grant_access('app', 'writer'); SELECT memory.protect()});
is((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SET memory.user_id = 'user 3'; SELECT count(*) FROM memory.recall('leaves', user_id => 'user 4'); SELECT count(*) FROM memory.recall('leaves')" ]))[0], "0\n1", 'protect() holds through the front');
$node{a}->safe_psql('front', q{SELECT memory.unprotect(); SELECT memory.revoke_access('app'); SELECT memory.init(3)});

# --- a shard stopped and started; a front older than its shards ---------------------------------------
my $there = user_of(0, 3, 4); # the last database is on the last server
my $here = user_of(0, 0, 4);
$node{a}->safe_psql('front', "SELECT memory.remember('kept', user_id => '$_')") for $there, $here;
$node{c}->stop('immediate');
(undef, undef, $err) = $node{a}->psql('front', "SELECT memory.recall('kept', user_id => '$there')");
like($err, qr/ERROR/, 'while a server is down its users get errors');
is($node{a}->safe_psql('front', "SELECT content FROM memory.recall('kept', user_id => '$here')"), 'kept', '... and others answers');
$node{c}->start;
is($node{a}->safe_psql('front', "SELECT content FROM memory.recall('kept', user_id => '$there')"), 'kept', 'when it is back, its users are');
$node{$_->[0]}->safe_psql($_->[1], 'CREATE FUNCTION memory.greeting() RETURNS text LANGUAGE sql RETURN 1') for [ a => 'memory_00' ];
shards_fail([ '--fast', 'check' ], qr/^front f was made of another version: memory-shards front$/m, 'a front older than its shards is found');
$node{a}->safe_psql('memory_00', 'DROP FUNCTION memory.greeting()');
$node{a}->safe_psql('postgres', 'CREATE DATABASE own');
$node{a}->safe_psql('own', 'CREATE EXTENSION memory CASCADE; SELECT memory.init()');
$front =~ s/dbname=front/dbname=own/;
settings();
shards_fail(['front'], qr/front f has memories of its own/, 'a database with memories is not made a front');
done_testing();
