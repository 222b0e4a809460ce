# The tables are the user's own: whatever is done to them, no call brings the server down or fails with an internal error.
# Every column gets other types, NULLs and other names, or goes; every table becomes a relation of another kind before init(),
# gets triggers, rules, policies and children; every index and constraint goes or becomes another one. After each change what
# touches the table is called.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', "wal_consistency_checking = ''\nmax_locks_per_transaction = 256\nsynchronous_commit = off\nfsync = off");
$node->restart;
sub sql { return $node->safe_psql('postgres', 'SET client_min_messages = error; ' . shift) }
sql(slurp_file(dirname(__FILE__) . "/../every_call/$_.sql")) for qw(users values calls odd_tables);
sql('CALL harness.list()');
my $started = sql('SELECT pg_postmaster_start_time()');
my $settings = "SET memory.user_id = 'ada'; SET memory.anonymous = 'allow'";
sql("$settings; SET SESSION AUTHORIZATION owner; CALL harness.find_deep()");
is(sql(q{SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND relname NOT IN (SELECT unnest(touches) FROM harness.deep WHERE thing <> 'memory_internal.status()')}), '', # which counts all
	'every table is touched by a call that is made');

my ($status, $out, $err) = $node->psql('postgres', "$settings; SET client_min_messages = notice; SET SESSION AUTHORIZATION owner; SELECT harness.run_changes()", on_error_stop => 0);
is($status, 0, 'the session lives') or diag(join "\n", grep { defined } (split /\n/, $err)[-5 .. -1]);
is(join("\n", grep { !/^(refused|changes) / } split /\n/, $out), '', 'no internal error');
my ($changes, $refused, $answers, $errors) = $out =~ /^changes (\d+) refused (\d+) answers (\d+) errors (\d+)/m;
note("$changes changes; $answers calls answered, $errors not");
is(join("\n", grep { /^refused / } split /\n/, $out), '', 'every change can be made');
cmp_ok($changes // 0, '>', 1000, 'and there are many');
cmp_ok($_ // 0, '>', 5000, 'calls were answered, and refused') for $answers, $errors;

is(sql('SELECT pg_postmaster_start_time()'), $started, 'the server has not restarted');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|TRAP:|invalid memory alloc/, 'no backend died');
$node->stop;
done_testing();
