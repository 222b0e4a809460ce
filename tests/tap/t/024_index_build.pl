# Builds by several processes: the index is the one that a single process makes, and errors, cancels
# and crashes leave nothing behind.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', q{
	min_parallel_table_scan_size = 0
	max_parallel_maintenance_workers = 2
	max_parallel_workers = 8
	max_worker_processes = 16
	maintenance_work_mem = 128MB
	autovacuum = off
});
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE FUNCTION is_worker() RETURNS bool LANGUAGE sql PARALLEL SAFE AS
		$$SELECT leader_pid IS NOT NULL FROM pg_stat_activity WHERE pid = pg_backend_pid()$$;
	-- What an index is made of says who has seen a row, and whom to stop.
	CREATE FUNCTION seen(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
		BEGIN
			RAISE LOG 'seen by %', CASE WHEN public.is_worker() THEN 'a worker' ELSE 'the leader' END;
			RETURN body;
		END $$;
	CREATE FUNCTION seen_alone(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL UNSAFE AS $$
		BEGIN
			RAISE LOG 'seen by %', CASE WHEN public.is_worker() THEN 'a worker' ELSE 'one alone' END;
			RETURN body;
		END $$;
	-- The leader waits until a worker has come.
	CREATE FUNCTION fails_in_a_worker(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
		BEGIN
			IF public.is_worker() THEN RAISE EXCEPTION 'this is what a worker says'; END IF;
			PERFORM pg_sleep(0.01);
			RETURN body;
		END $$;
	CREATE FUNCTION waits_in_a_worker(body text) RETURNS text LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE AS $$
		BEGIN
			PERFORM pg_sleep(CASE WHEN public.is_worker() THEN 600 ELSE 0.001 END);
			RETURN body;
		END $$;
	CREATE TABLE notes (id serial PRIMARY KEY, tenant int, body text);
	-- Tenants of all sizes: the first has a third of the rows; 3,000 have one each. Some rows are
	-- of nobody, some have no text, some are dead, and some texts take several records.
	INSERT INTO notes (tenant, body) SELECT CASE WHEN i % 3 = 0 THEN 1 WHEN i % 3 = 1 THEN 2 + i % 40 ELSE 100 + i END,
		(SELECT string_agg('w' || (i * j) % 997, ' ') FROM generate_series(1, 5 + i % 20) j) FROM generate_series(1, 9000) i;
	INSERT INTO notes (tenant, body) SELECT 7, string_agg(md5(i::text || n), ' ') FROM generate_series(1, 3) n, generate_series(1, 2000) i GROUP BY n;
	INSERT INTO notes (tenant, body) SELECT NULL, 'nobody' FROM generate_series(1, 10);
	INSERT INTO notes (tenant, body) SELECT 5, NULL FROM generate_series(1, 10);
	DELETE FROM notes WHERE id % 11 = 0;
	-- Hot chains, the oldest of which no query sees any more.
	ALTER TABLE notes ADD other int DEFAULT 0;
	UPDATE notes SET other = 1 WHERE id % 13 = 0;
});

my $counts = q{SELECT tenants, tiny_tenants, documents, tokens, log_pages, segments, segment_pages, record_bytes FROM memory.index_stats('notes_recall')};
my $scores = q{
	SELECT md5(string_agg(format('%s %s %s', t, id, score), ' ' ORDER BY t, score, id)) FROM generate_series(1, 45) t,
		LATERAL (SELECT id, body <@> memory.query('w' || 17 * t || ' w' || 3 * t) AS score FROM notes
			WHERE tenant = t AND body IS NOT NULL ORDER BY body <@> memory.query('w' || 17 * t || ' w' || 3 * t)) f};
my $verify = q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p};

sub build
{
	my ($settings, $statement) = @_;
	$node->safe_psql('postgres', 'DROP INDEX IF EXISTS notes_recall');
	$node->safe_psql('postgres', join ';', $settings, $statement);
}

# What has been seen since a position in the log, by whom.
sub seen_by
{
	my ($from) = @_;
	my %by = map { $_ => 1 } slurp_file($node->logfile, $from) =~ /seen by (a worker|the leader|one alone)/g;
	return join ', ', sort keys %by;
}
sub log_end { return -s $node->logfile }

# --- the same index --------------------------------------------------------------------------------

my $plain = 'CREATE INDEX notes_recall ON notes USING recall (tenant, body)';
build('SET max_parallel_maintenance_workers = 0', $plain);
my $alone = $node->safe_psql('postgres', $counts);
my $scores_alone = $node->safe_psql('postgres', $scores);
for my $case ([ 'one worker', 'SET max_parallel_maintenance_workers = 1', $plain ], [ 'two workers', '', $plain ],
	[ 'as many as may be', 'SET max_parallel_maintenance_workers = 8; SET maintenance_work_mem = "512MB"; ALTER TABLE notes SET (parallel_workers = 7)', $plain ],
	[ 'little memory', "SET maintenance_work_mem = '64MB'; SET min_parallel_table_scan_size = 0", $plain ])
{
	my ($name, $settings, $statement) = @$case;
	build($settings, $statement);
	is($node->safe_psql('postgres', $verify), '', "$name: the index is sound");
	is($node->safe_psql('postgres', $counts), $alone, "$name: it has what one process writes");
	is($node->safe_psql('postgres', $scores), $scores_alone, "$name: and gives the same answers");
}
$node->safe_psql('postgres', 'REINDEX INDEX notes_recall');
is($node->safe_psql('postgres', $counts), $alone, 'REINDEX: the same');

# CONCURRENTLY: rows come and go while the scan is at it.
$node->safe_psql('postgres', 'DROP INDEX notes_recall');
my $writer = $node->background_psql('postgres');
$writer->query_safe('BEGIN');
$writer->query_safe(q{INSERT INTO notes (tenant, body) SELECT i % 5, 'late w' || i FROM generate_series(1, 500) i});
my $builder = $node->background_psql('postgres');
$builder->query_until(qr/started/, "\\echo started\nCREATE INDEX CONCURRENTLY notes_recall ON notes USING recall (tenant, body);\n\\echo done\n");
$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_progress_create_index WHERE command = 'CREATE INDEX CONCURRENTLY'});
$node->safe_psql('postgres', q{DELETE FROM notes WHERE id % 17 = 0; INSERT INTO notes (tenant, body) SELECT 3, 'meanwhile' FROM generate_series(1, 50)});
$writer->query_safe('COMMIT');
$writer->quit;
$builder->quit;
is($node->safe_psql('postgres', q{SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_recall'::regclass}), 't', 'CONCURRENTLY: the index is valid');
is($node->safe_psql('postgres', $verify), '', 'CONCURRENTLY: and has every row');

# --- who takes part -------------------------------------------------------------------------------

my $from = log_end();
build('', 'CREATE INDEX notes_recall ON notes USING recall (tenant, seen(body))');
is(seen_by($from), 'a worker, the leader', 'a safe expression: leader and workers see rows');
$from = log_end();
build('', 'CREATE INDEX notes_recall ON notes USING recall (tenant, seen_alone(body))');
is(seen_by($from), 'one alone', 'an unsafe expression: one process');
$from = log_end();
$node->safe_psql('postgres', q{
	CREATE TEMPORARY TABLE mine AS SELECT * FROM notes WHERE tenant < 5;
	CREATE INDEX mine_recall ON mine USING recall (tenant, seen_alone(body));
	DO $$BEGIN ASSERT NOT EXISTS (SELECT FROM memory.verify_index('mine_recall')); END$$});
is(seen_by($from), 'one alone', 'a temporary table: one process');
$from = log_end();
$node->safe_psql('postgres', 'ALTER TABLE notes RESET (parallel_workers)');
build("SET maintenance_work_mem = '32MB'", 'CREATE INDEX notes_recall ON notes USING recall (tenant, seen(body))');
is(seen_by($from), 'the leader', 'too little memory for two: one process');

# --- what goes wrong ------------------------------------------------------------------------------

$node->safe_psql('postgres', 'DROP INDEX notes_recall');
my (undef, undef, $error) = $node->psql('postgres', 'CREATE INDEX notes_recall ON notes USING recall (tenant, fails_in_a_worker(body))');
like($error, qr/this is what a worker says/, "a worker's error is the statement's");

my $cancelled = $node->background_psql('postgres', on_error_stop => 0);
$cancelled->query_until(qr/started/, "\\echo started\nCREATE INDEX notes_recall ON notes USING recall (tenant, waits_in_a_worker(body));\n");
ok($node->poll_query_until('postgres', q{SELECT count(*) > 0 FROM pg_stat_activity WHERE backend_type = 'parallel worker' AND wait_event = 'PgSleep'}), 'workers are at it');
is($node->safe_psql('postgres', q{SELECT phase, blocks_total > 0 FROM pg_stat_progress_create_index}), 'building index: scanning table|t', 'the progress shows what is being done');
$node->safe_psql('postgres', q{SELECT pg_cancel_backend(pid) FROM pg_stat_progress_create_index});
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0 FROM pg_stat_activity WHERE backend_type = 'parallel worker'}), 'a cancel ends the workers, too');
eval { $cancelled->quit };
is($node->safe_psql('postgres', q{SELECT count(*) FROM pg_ls_tmpdir()}), 0, 'no temporary file is left');
build('', $plain);
is($node->safe_psql('postgres', $verify), '', 'and the next build works');

# --- what is seen of a build ----------------------------------------------------------------------

# A session looks at its progress all the time, until it has seen tenants being written.
$node->safe_psql('postgres', q{
	CREATE TABLE watched (phase text, counted boolean);
	CREATE FUNCTION watch() RETURNS void LANGUAGE plpgsql AS $$
	DECLARE
		seen text[] := '{}';
	BEGIN
		FOR i IN 1 .. 60000 LOOP
			PERFORM pg_stat_clear_snapshot();
			seen := ARRAY(SELECT unnest(seen) UNION SELECT phase || '|' || CASE phase WHEN 'building index: scanning table' THEN blocks_done > 0 AND blocks_done <= blocks_total
				WHEN 'building index: writing tenants' THEN tuples_done > 0 AND tuples_done <= tuples_total END::text FROM pg_stat_progress_create_index);
			EXIT WHEN 'building index: writing tenants|true' = ANY (seen);
			PERFORM pg_sleep(0.001);
		END LOOP;
		INSERT INTO watched SELECT split_part(s, '|', 1), split_part(s, '|', 2)::boolean FROM unnest(seen) s;
	END $$});
my $watcher = $node->background_psql('postgres', on_error_stop => 0);
$watcher->query_until(qr/watching/, "\\echo watching\nSELECT watch();\n");
for my $build (1 .. 20)
{
	last if $node->safe_psql('postgres', 'SELECT count(*) FROM watched') > 0;
	$node->safe_psql('postgres', 'SET max_parallel_maintenance_workers = 0; SET client_min_messages = error; REINDEX INDEX notes_recall');
}
ok($node->poll_query_until('postgres', 'SELECT count(*) > 0 FROM watched'), 'the progress of builds was watched');
is($node->safe_psql('postgres', q{SELECT DISTINCT phase FROM watched WHERE counted ORDER BY 1}), "building index: scanning table\nbuilding index: writing tenants",
	'it shows blocks while the table is scanned, and records while tenants are written');
eval { $watcher->quit };

# --- without WAL ----------------------------------------------------------------------------------

$node->append_conf('postgresql.conf', "wal_level = minimal\nmax_wal_senders = 0");
$node->restart;
for my $size (0, 1_000_000)
{
	$node->safe_psql('postgres', qq{
		SET wal_skip_threshold = $size;
		BEGIN;
		DROP TABLE IF EXISTS fresh;
		CREATE TABLE fresh AS SELECT * FROM notes;
		CREATE INDEX notes_recall_$size ON fresh USING recall (tenant, body);
		COMMIT});
	$node->stop('immediate');
	$node->start;
	is($node->safe_psql('postgres', qq{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall_$size') p}), '', "wal_level = minimal, wal_skip_threshold = $size: nothing is lost in a crash");
}

$node->stop;
done_testing();
