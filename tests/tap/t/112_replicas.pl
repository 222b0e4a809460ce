# A hot standby answers every reading function as the primary does, row by row; and a client that waits as docs/scale.md
# says reads what it has just written, from the standby where that has come so far, else from the primary.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use Oracle;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = start_primary('primary');
$primary->append_conf('postgresql.conf', "log_statement = none\nautovacuum = off\nmemory.anonymous = allow");
$primary->reload;
$primary->safe_psql('postgres', slurp_file(dirname(__FILE__) . '/../every_call/users.sql'));
$primary->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

# --- every function that reads ------------------------------------------------------------------------
# With the values that t/060_every_call.pl calls with: the first of an argument's name, else left to its default.
$primary->safe_psql('postgres', slurp_file(dirname(__FILE__) . '/../every_call/values.sql'));
my @calls = split /\n/, $primary->safe_psql('postgres', q{
	SELECT format('SELECT t.* FROM memory.%I(%s) t', p.proname, string_agg(format('%s => %s', a.name, v.value), ', ' ORDER BY a.n))
	FROM pg_proc p, LATERAL (SELECT n, p.proargnames[n] AS name, p.proargtypes[n - 1] AS type, n <= p.pronargs - p.pronargdefaults AS needed FROM generate_series(1, p.pronargs) n) a
	LEFT JOIN LATERAL (SELECT v.value FROM harness.value v WHERE v.type = a.type AND NOT v.of_another AND NOT v.long AND (v.name IS NULL AND a.needed OR v.name IN (a.name, format('memory.%s.%s', p.proname, a.name)))
		ORDER BY v.name IS NULL, length(v.name) DESC, v.place LIMIT 1) v ON true
	WHERE p.pronamespace = 'memory'::regnamespace AND p.provolatile = 's' AND p.prokind = 'f' AND p.prorettype <> 'trigger'::regtype AND 'user_id' = ANY (p.proargnames)
	AND (a.needed OR v.value IS NOT NULL)
	GROUP BY p.oid, p.proname ORDER BY 1});
cmp_ok(scalar @calls, '>', 25, scalar @calls . ' functions read');
$primary->wait_for_catchup($standby);
my ($with_rows, %expected) = (0);
for my $call (@calls)
{
	my ($name) = $call =~ /memory\.(\w+)\(/;
	$call =~ s/strength\(/strength(at => '2027-01-01', /;
	my $about = $call =~ s/user_id => '\w+'/user_id => 'wombat'/r;
	for my $statement ($call, $about)
	{
		my (undef, $out, $err) = $primary->psql('postgres', $statement);
		my (undef, $out_there, $err_there) = $standby->psql('postgres', $statement);
		$with_rows++ if $out ne '';
		same_lines("$out_there\n$err_there", "$out\n$err", "$name answers on the standby as on the primary");
		unlike($err_there, qr/read-only|recovery|XX000/, '... and writes nothing');
	}
}
cmp_ok($with_rows, '>', 40, "$with_rows calls have rows");

# --- the whole API ------------------------------------------------------------------------------------
# What tests/tap/Oracle.pm plays is written at the primary and read at both.
$primary->safe_psql('postgres', 'CREATE DATABASE played');
$primary->safe_psql('played', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3)');
$primary->wait_for_catchup($standby);
my $oracle = Oracle->new([ $primary, 'played' ], [ $standby, 'played' ]);
$oracle->run(sub { $primary->wait_for_catchup($standby) });
cmp_ok($oracle->rows, '>', 2000, $oracle->rows . ' rows are the same');

# --- reading one's own writes -------------------------------------------------------------------------
SKIP:
{
	my $python = '/usr/bin/python3';
	skip 'psycopg 3 is not installed', 4 unless system("$python -c 'import psycopg' 2>/dev/null") == 0;
	my ($program) = slurp_file(dirname(__FILE__) . '/../../../docs/scale.md') =~ /<!-- program: read your writes -->\n```python\n(.*?)^```/ms;
	my $directory = PostgreSQL::Test::Utils::tempdir();
	append_to_file("$directory/program.py", $program . <<'PYTHON');


import sys

with psycopg.connect(sys.argv[1], autocommit=True) as primary, psycopg.connect(sys.argv[2], autocommit=True) as standby:
    behind = 0
    for n in range(300):
        written = f"the parrot said word{n}"
        if recall_after_write(primary, standby, "ada", written, f"word{n}")[:1] != [written]:
            behind += 1
    print(f"{behind} of 300 not found")
    print("replayed" if standby.execute("SELECT count(*) FROM memory.recall('word299', user_id => 'ada')").fetchone()[0] else "not replayed")
    standby.execute("SELECT pg_wal_replay_pause()")
    while standby.execute("SELECT pg_get_wal_replay_pause_state()").fetchone()[0] != "paused":
        time.sleep(0.01)
    before = time.monotonic()
    found = recall_after_write(primary, standby, "ada", "the owl said nothing", "owl nothing")[:1]
    waited = time.monotonic() - before
    print("from the primary" if found == ["the owl said nothing"] and 1 <= waited < 10 else f"{found} after {waited}")
    standby.execute("SELECT pg_wal_replay_resume()")
    lsn = primary.execute("SELECT pg_current_wal_insert_lsn()").fetchone()[0]
    assert wait_for(standby, lsn, 60)
    print(standby.execute("SELECT content FROM memory.recall('owl nothing', user_id => 'ada')").fetchone()[0])
PYTHON
	my ($out, $err) = run_command([ $python, "$directory/program.py", $primary->connstr('postgres'), $standby->connstr('postgres') ]);
	is($err, '', 'the program of docs/scale.md runs');
	is($out, "0 of 300 not found\nreplayed\nfrom the primary\nthe owl said nothing", 'what was written is read at once: from the standby, or from the primary while replay stands still');
}
done_testing();
