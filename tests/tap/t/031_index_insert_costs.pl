# What the worst single-row insert reads and writes, in buffers and bytes of WAL, is bounded: of short texts and of long ones, of which
# a page holds few.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', q{
	wal_consistency_checking = ''
	full_page_writes = off
	autovacuum = off
	checkpoint_timeout = 1h
	max_wal_size = 10GB
	jit = off
});
$node->restart;

# Texts of random words of 5,000, frequent ones more often. insert_all() inserts one row a statement and notes what each took.
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE FUNCTION fraction(i bigint) RETURNS float8 LANGUAGE sql IMMUTABLE AS
		$$SELECT ((i * 48271 + 11) % 2147483647 * 16807 % 2147483647) / 2147483647.0::float8$$;
	CREATE FUNCTION body(id bigint, words int) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$SELECT string_agg(translate(floor(exp(8.5 * fraction(id * 1009 + j)))::int::text, '0123456789', 'bdfgklmnrv') || 'a', ' ')
			FROM generate_series(1, words) j$$;
	CREATE TABLE inserts (what text, buffers int, wal int);
	CREATE PROCEDURE insert_all(name text, words int, rows int) LANGUAGE plpgsql AS $$
		DECLARE
			plan json;
		BEGIN
			FOR i IN 1 .. rows LOOP
				EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, WAL, TIMING off, FORMAT json) INSERT INTO %I VALUES (1, %L)', name, body(i, words)) INTO plan;
				plan := plan -> 0 -> 'Plan';
				INSERT INTO inserts VALUES (name, (plan ->> 'Shared Hit Blocks')::int + (plan ->> 'Shared Read Blocks')::int
					+ (plan ->> 'Shared Written Blocks')::int, (plan ->> 'WAL Bytes')::int);
				COMMIT;
			END LOOP;
		END $$;
});

sub segments { my ($table) = @_; return $node->safe_psql('postgres', "SELECT segments FROM memory.index_stats('${table}_recall')") }

sub wait_for_merges
{
	ok($node->poll_query_until('postgres', q{SELECT NOT EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'memory index merge')}), 'no process merges any more');
	return;
}

for my $kind ([ 'short_texts', 29, 12000 ], [ 'long_texts', 300, 2400 ], [ 'very_long_texts', 1500, 400 ])
{
	my ($table, $words, $rows) = @$kind;
	$node->safe_psql('postgres', qq{
		CREATE TABLE $table (tenant int, body text);
		CREATE INDEX ${table}_recall ON $table USING recall (tenant, body)});
	$node->safe_psql('postgres', "CALL insert_all('$table', $words, $rows)");
	my ($buffers, $wal, $usual) = split /\|/, $node->safe_psql('postgres', qq{
		SELECT max(buffers), max(wal), round(avg(wal)) FROM inserts WHERE what = '$table'});
	wait_for_merges();
	note("$table: the worst insert has $buffers buffers and $wal bytes of WAL, the mean $usual; " . segments($table) . ' segments');
	cmp_ok($buffers, '<=', 160, "$table: the worst insert has $buffers buffers");
	cmp_ok($wal, '<=', 110_000, "$table: the worst insert has $wal bytes of WAL");
	cmp_ok(segments($table), '<=', 30, "$table: a reader has " . segments($table) . ' segments to visit');
	is($node->safe_psql('postgres', "SELECT count(*) FROM memory.verify_index('${table}_recall')"), 0, "$table: the index is sound");
}

$node->stop;
done_testing();
