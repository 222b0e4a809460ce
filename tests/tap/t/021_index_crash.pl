# kill -9 of the whole server at random points of a mixed load: afterwards the index is sound, and no
# committed row is missing from it.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $seed = $ENV{MEMORY_SEED} // time;
my $rounds = $ENV{MEMORY_CRASHES} // 3;
srand($seed);
note("MEMORY_SEED=$seed MEMORY_CRASHES=$rounds");

my $node = start_primary('primary');
# Small, so that pages are written out and read back while the load runs.
$node->append_conf('postgresql.conf', "shared_buffers = 1MB\ncheckpoint_timeout = 30s\nmax_wal_size = 40MB\nrestart_after_crash = off");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE TABLE notes (id bigserial PRIMARY KEY, tenant int, body text);
	CREATE INDEX notes_recall ON notes USING recall (tenant, body);
});

# What one client does, over and over: many small tenants, a few that grow, texts of all sizes.
my $load = $node->basedir . '/load.sql';
append_to_file($load, q{
\set tenant 1 + random_zipfian(1, 400, 1.2)
\set n random(1, 40)
\set kind random(1, 100)
INSERT INTO notes (tenant, body) SELECT :tenant, string_agg(md5((:tenant * i)::text), ' ') FROM generate_series(1, :n) i;
\if :kind <= 10
INSERT INTO notes (tenant, body) SELECT :tenant, 'bulk ' || i FROM generate_series(1, 100) i;
\elif :kind <= 20
DELETE FROM notes WHERE tenant = :tenant AND id % 3 = 0;
\elif :kind <= 30
UPDATE notes SET body = body || ' changed' WHERE tenant = :tenant AND id % 7 = 0;
\elif :kind <= 35
INSERT INTO notes (tenant, body) SELECT :tenant, string_agg(md5(random()::text), ' ') FROM generate_series(1, 1500);
\elif :kind <= 36
VACUUM notes;
\endif
});

for my $round (1 .. $rounds)
{
	my $bench = IPC::Run::start(
		[ 'pgbench', '-n', '-c', 4, '-T', 60, '-f', $load, '-d', $node->connstr('postgres') ],
		'>', '/dev/null', '2>', '/dev/null');
	# Rows are being committed; then the moment is left to chance.
	my $before = $node->safe_psql('postgres', 'SELECT coalesce(max(id), 0) FROM notes');
	ok($node->poll_query_until('postgres', "SELECT max(id) > $before + 50 FROM notes"), "round $round: the load runs");
	usleep(int(rand(700_000)));
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');
	# The postmaster's children belong to its process group or notice at once that it is gone.
	kill 'KILL', $postmaster;
	$bench->finish;
	$node->{_pid} = undef;
	for (1 .. 300) { last if system_log('pg_ctl', '-D', $node->data_dir, '-w', '-t', 60, '-l', $node->logfile, 'start') == 0; usleep(100_000) }
	$node->_update_pid(1);
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "round $round: verify_index finds nothing");
	is($node->safe_psql('postgres', q{
		SET enable_seqscan = off;
		WITH tenants AS MATERIALIZED (SELECT DISTINCT tenant FROM notes TABLESAMPLE SYSTEM (30))
		SELECT sum((SELECT count(*) FROM notes n WHERE n.tenant = t.tenant)
		         - (SELECT count(*) FROM (SELECT FROM notes n WHERE n.tenant = t.tenant ORDER BY body <@> memory.query('changed')) s))
		FROM tenants t}), 0, "round $round: an ordered scan returns every row");
}

# Sound is not all: scores still are what plain rows say.
is($node->safe_psql('postgres', q{
	VACUUM notes;
	SELECT count(*) FROM memory.verify_index('notes_recall')}), 0, 'and after a VACUUM');
is($node->safe_psql('postgres', q{SELECT lost_pages FROM memory.index_stats('notes_recall')}), 0, 'which leaves no page lost');

$node->stop;
done_testing();
