# What the recall index costs where the machine does not matter: buffers a query, WAL bytes an insert,
# bytes of index a document. They must not rise by more than a tenth above index_costs.txt; who lowers
# one puts the new number there.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $tolerance = 1.1;
my %baseline = map { /^([^#:]+): *([0-9.]+)$/ ? ($1 => $2) : () } split /\n/, slurp_file(dirname(__FILE__) . '/../index_costs.txt');
my %measured;

my $node = start_primary('primary');
# A checked record carries its pages; here it must be what it is in production. No checkpoint, no
# background work between two readings.
$node->append_conf('postgresql.conf', q{
	wal_consistency_checking = ''
	full_page_writes = off
	autovacuum = off
	checkpoint_timeout = 1h
	max_wal_size = 10GB
	jit = off
});
$node->restart;

# Texts of 8 to 40 words, of 5,000 words frequent ones more often; 40 tenants, the largest with half
# of the 20,000 rows, and ten with five rows each. Nothing is random.
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE FUNCTION fraction(i bigint) RETURNS float8 LANGUAGE sql IMMUTABLE AS
		$$SELECT ((i * 48271 + 11) % 2147483647 * 16807 % 2147483647) / 2147483647.0::float8$$;
	CREATE FUNCTION word(i bigint) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$SELECT translate(floor(exp(8.5 * fraction(i)))::int::text, '0123456789', 'bdfgklmnrv') || 'a'$$;
	CREATE TABLE texts AS
		SELECT id, CASE WHEN id % 400 = 0 THEN 41 + (id / 400) % 10 ELSE 1 + floor(40 * fraction(id * 31) ^ 5)::int END AS tenant,
			(SELECT string_agg(word(id * 101 + j), ' ') FROM generate_series(1, 8 + id % 33) j) AS body
		FROM generate_series(1, 20000) id;
	CREATE TABLE built (id int, tenant int, body text);
	INSERT INTO built SELECT * FROM texts ORDER BY id;
	CREATE INDEX built_recall ON built USING recall (tenant, body);
	CREATE TABLE grown (id int, tenant int, body text);
	CREATE INDEX grown_recall ON grown USING recall (tenant, body);
	CREATE TABLE bare (id int, tenant int, body text);
	-- Bytes of WAL for all texts, a statement each.
	CREATE FUNCTION wal_of_inserts(target text) RETURNS numeric LANGUAGE plpgsql AS $$
		DECLARE
			began pg_lsn := pg_current_wal_insert_lsn();
			given texts;
		BEGIN
			FOR given IN SELECT * FROM texts ORDER BY id LOOP
				EXECUTE 'INSERT INTO ' || target || ' SELECT $1.*' USING given;
			END LOOP;
			RETURN pg_current_wal_insert_lsn() - began;
		END $$;
	-- Buffers of a query of three words, when it is asked for the third time.
	CREATE FUNCTION buffers(who int, words text) RETURNS int LANGUAGE plpgsql AS $$
		DECLARE
			plan json;
		BEGIN
			FOR i IN 1 .. 3 LOOP
				EXECUTE format('EXPLAIN (ANALYZE, BUFFERS, FORMAT json) SELECT id FROM built WHERE tenant = %s
					AND body @@@ memory.query(%L) ORDER BY body <@> memory.query(%2$L) LIMIT 10', who, words) INTO plan;
			END LOOP;
			RETURN (plan -> 0 -> 'Plan' ->> 'Shared Hit Blocks')::int + (plan -> 0 -> 'Plan' ->> 'Shared Read Blocks')::int;
		END $$;
});

$measured{'WAL bytes an insert'} =
  $node->safe_psql('postgres', q{SELECT round((wal_of_inserts('grown') - wal_of_inserts('bare')) / 20000)});
$measured{'index bytes a document, built'} = $node->safe_psql('postgres', q{SELECT round(pg_relation_size('built_recall') / 20000.0, 1)});
$measured{'index bytes a document, grown by inserts'} =
  $node->safe_psql('postgres', q{SELECT round(pg_relation_size('grown_recall') / 20000.0, 1)});
$node->safe_psql('postgres', 'VACUUM built');

my %tenants = ('five documents' => '41, 42, 43, 44, 45', 'hundreds of documents' => '10, 20, 25, 30, 40', 'ten thousand documents' => '1');
for my $size (sort keys %tenants)
{
	$measured{"buffers a query, tenant of $size"} = $node->safe_psql('postgres', qq{
		SELECT round(avg(buffers(tenant, words)), 1)
		FROM (SELECT tenant, regexp_replace(body, '^(\\S+ \\S+ \\S+).*', '\\1') AS words, row_number() OVER (PARTITION BY tenant ORDER BY id) AS n
			FROM texts WHERE tenant IN ($tenants{$size})) t
		WHERE n <= 20 / (SELECT count(*) FROM unnest(ARRAY[$tenants{$size}]))});
}

for my $cost (sort keys %measured)
{
	my $limit = ($baseline{$cost} // 0) * $tolerance;
	cmp_ok($measured{$cost}, '<=', $limit, "$cost: $measured{$cost}, once " . ($baseline{$cost} // 'unknown'));
	note("$cost has fallen: index_costs.txt may say $measured{$cost}") if $measured{$cost} < $limit / $tolerance / $tolerance;
}
is_deeply([ sort keys %baseline ], [ sort keys %measured ], 'every cost of index_costs.txt was measured');

$node->stop;
done_testing();
