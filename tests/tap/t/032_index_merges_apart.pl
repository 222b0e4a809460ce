# Large merges in a process of their own: beside 16 clients that insert, update and vacuum, when the server dies in it at every step
# or is killed, where there is no slot for it, and on a standby: no row is lost, the scores are those of plain rows, and readers
# visit few segments.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $seed = $ENV{MEMORY_SEED} // time;
srand($seed);
note("MEMORY_SEED=$seed");

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', "restart_after_crash = off\nautovacuum = off\nmax_wal_size = 1GB\nlog_min_messages = debug1");
$node->restart;
# Texts so long that sixteen pages of a log have few of them: segments become many soon.
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	SET search_path = public, memory;
	CREATE FUNCTION text_of(n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$ SELECT string_agg('w' || CASE WHEN j % 8 = 0 THEN (n * j) % 97 ELSE (n * j * j + j) % 100003 END, ' ') FROM generate_series(1, 1000) j $$;
	CREATE TABLE notes (id bigserial PRIMARY KEY, tenant int, body text);
	CREATE INDEX notes_recall ON notes USING recall (tenant, body);
	CREATE FUNCTION grow(t int, first int, rows int) RETURNS void LANGUAGE sql AS
		$$ INSERT INTO notes (tenant, body) SELECT t, text_of(i) FROM generate_series(first, first + rows - 1) i $$;
	CREATE FUNCTION wrong(t int) RETURNS bigint LANGUAGE sql STABLE AS $$
		WITH found AS (SELECT id, -(body <@> memory.query('w34 w51 w' || t)) AS score FROM notes WHERE tenant = t ORDER BY body <@> memory.query('w34 w51 w' || t)),
		exact AS (SELECT r.id, r.score FROM (SELECT array_agg(n.id) AS ids, array_agg(n.body) AS bodies FROM notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, 'w34 w51 w' || t) r)
		SELECT count(*) FROM (SELECT * FROM found WHERE score > 0) f FULL JOIN exact e USING (id) WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6
	$$;
});

sub merging { return q{SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'memory index merge'} }

# The postmaster has forgotten every process that it was asked for since the log was so long.
sub wait_for_merges
{
	my ($what, $since) = @_;
	my ($asked, $gone);
	for (1 .. 1800)
	{
		my $told = substr(slurp_file($node->logfile), $since);
		($asked, $gone) = map { my $word = $_; scalar(() = $told =~ /DEBUG:  $word background worker "memory index merge"/g) } 'registering', 'unregistering';
		last if $asked == $gone;
		usleep(100_000);
	}
	is($gone, $asked, "$what: no process merges any more");
	return;
}

sub is_right
{
	my ($what, $tenants) = @_;
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$what: the index is sound");
	is($node->safe_psql('postgres', "SELECT sum(wrong(t)) FROM unnest(ARRAY[$tenants]) t"), 0, "$what: the scores are those of plain rows");
	return;
}

sub segments { return $node->safe_psql('postgres', q{SELECT segments FROM memory.index_stats('notes_recall')}) }

# --- what it does -----------------------------------------------------------------------------

my $log = -s $node->logfile;
$node->safe_psql('postgres', 'SELECT grow(1, 1, 450)');
wait_for_merges('one client', $log);
like(substr(slurp_file($node->logfile), $log), qr/background worker "memory index merge" \(PID \d+\) exited with exit code 0/, 'a process has merged, and ended');
cmp_ok(segments(), '<', 24, 'a reader has ' . segments() . ' segments to visit');
is_right('one client', 1);

$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;

# --- beside writers ---------------------------------------------------------------------------

$log = -s $node->logfile;
my %writes = (
	'3-insert' => q{
		\set n random(1, 1000000)
		SELECT grow(1, :n, 10);},
	'1-update' => q{
		\set n random(1, 450)
		UPDATE notes SET body = text_of(:n) WHERE id = :n;});
my $writers = bench($node, 'sixteen clients', 0, %writes);
ok($node->poll_query_until('postgres', 'SELECT (' . merging() . ') > 0'), 'sixteen clients: a process merges beside them');
$writers->signal('TERM');
$writers->finish;
bench($node, 'sixteen clients, which also vacuum', 2, %writes, '1-vacuum' => 'VACUUM notes;');
wait_for_merges('sixteen clients', $log);
is_right('sixteen clients', 1);
$node->safe_psql('postgres', 'VACUUM notes');
is($node->safe_psql('postgres', q{SELECT lost_pages FROM memory.index_stats('notes_recall')}), 0, 'sixteen clients: after a VACUUM no page is lost');
my $told = substr(slurp_file($node->logfile), $log);
unlike($told, qr/background worker "memory index merge" \(PID \d+\) exited with exit code [^0]/, 'sixteen clients: and none has failed');
$node->wait_for_catchup($standby);
my $answer = q{SELECT count(*), md5(string_agg(id || ' ' || score, ' ')) FROM (SELECT id, body <@> memory.query('w34 w51 w1') AS score FROM notes
	WHERE tenant = 1 ORDER BY body <@> memory.query('w34 w51 w1')) f};
is($standby->safe_psql('postgres', $answer), $node->safe_psql('postgres', $answer), 'the standby answers the same');

# --- dying ------------------------------------------------------------------------------------

for my $place ('segment page', 'linked', 'publish', 'published')
{
	$log = -s $node->logfile;
	my $tenant = $node->safe_psql('postgres', 'SELECT max(tenant) + 1 FROM notes');
	# Only the process that merges has the setting that a database gives.
	$node->safe_psql('postgres', "ALTER DATABASE postgres SET memory.crash_at = '$place'");
	$node->psql('postgres', "SET memory.crash_at = '';\n" . "SELECT grow($tenant, 1, 50);\n" x 20);
	$node->{_pid} = undef;
	for (1 .. 600) { last unless -e $node->data_dir . '/postmaster.pid'; usleep(100_000) }
	$told = substr(slurp_file($node->logfile), $log);
	like($told, qr/background worker "memory index merge" \(PID \d+\) was terminated by signal 6/, "$place: the server dies while a process merges");
	$node->start;
	$node->safe_psql('postgres', 'ALTER DATABASE postgres RESET memory.crash_at');
	is_right($place, $tenant);
	$node->safe_psql('postgres', 'VACUUM notes');
	is($node->safe_psql('postgres', q{SELECT lost_pages FROM memory.index_stats('notes_recall')}), 0, "$place: after a VACUUM no page is lost");
	$node->safe_psql('postgres', "SELECT grow($tenant, 1000, 100)");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.verify_index('notes_recall')}), 0, "$place, and on: the index is sound");
}

for my $round (1 .. 2)
{
	my $load = bench($node, 'a load', 0, '1-insert' => q{
		\set n random(1, 1000000)
		SELECT grow(50 + :client_id % 2, :n, 10);});
	ok($node->poll_query_until('postgres', 'SELECT (' . merging() . ') > 0'), "kill -9, $round: a process merges");
	crash($node, $load, 0.3);
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "kill -9, $round: the index is sound");
	is($node->safe_psql('postgres', q{
		SET enable_seqscan = off;
		SELECT sum((SELECT count(*) FROM notes n WHERE n.tenant = t) - (SELECT count(*) FROM (SELECT FROM notes n WHERE n.tenant = t ORDER BY body <@> memory.query('w34')) s))
		FROM unnest(ARRAY[50, 51]) t}), 0, "kill -9, $round: an ordered scan returns every row");
}

# --- without it -------------------------------------------------------------------------------

$node->append_conf('postgresql.conf', 'max_worker_processes = 0');
$node->restart;
$node->safe_psql('postgres', 'TRUNCATE notes');
$node->safe_psql('postgres', 'SELECT grow(1, 1, 1500)');
is($node->safe_psql('postgres', merging()), 0, 'where there is no slot, no process merges');
cmp_ok(segments(), '<=', 48, 'inserts do, so that a reader has ' . segments() . ' segments to visit');
is_right('no slot', 1);

$standby->stop;
$node->stop;
done_testing();
