# The server dies at every place where the index changes in more than one step: afterwards it is
# sound, no committed row is missing, VACUUM gives back the pages that were lost, and going on brings
# it to the same end.
use strict;
use warnings FATAL => 'all';
use CrashPlaces;
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', 'restart_after_crash = off');
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	CREATE EXTENSION pg_freespacemap;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE TABLE notes (id bigserial PRIMARY KEY, tenant int, body text) WITH (autovacuum_enabled = off);
	CREATE INDEX notes_recall ON notes USING recall (tenant, body);
});

# Each statement commits alone: tenants come, grow, are sealed and merged; some rows die.
my $load = join '', map {
	my $round = $_;
	"INSERT INTO notes (tenant, body) SELECT 1 + i % 3, (SELECT string_agg('w' || (i * j * $round) % 997, ' ') FROM generate_series(1, 30) j) FROM generate_series(1, 300) i;\n"
	  . "INSERT INTO notes (tenant, body) SELECT 1000 * $round + i, 'small ' || i FROM generate_series(1, 150) i;\n"
	  . "DELETE FROM notes WHERE id % 5 = $round % 5 AND tenant < 3;\nVACUUM notes;\n"
} 1 .. 8;

dies_everywhere($node, 'notes', 'notes_recall', $load, 8, sub {
	my ($place) = @_;
	is($node->safe_psql('postgres', q{
		WITH asked AS (SELECT t, memory.query('w' || 17 * t || ' w' || 3 * t) AS q, 'w' || 17 * t || ' w' || 3 * t AS words FROM generate_series(1, 3) t),
		found AS (SELECT t, f.* FROM asked, LATERAL (SELECT id, -(body <@> q) AS score FROM notes WHERE tenant = t ORDER BY body <@> q) f WHERE f.score > 0),
		exact AS (SELECT t, r.id, r.score FROM asked, LATERAL (SELECT array_agg(n.id) AS ids, array_agg(n.body) AS bodies FROM notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, words) r)
		SELECT count(*) FROM found f FULL JOIN exact e USING (t, id) WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6}),
		0, "$place: the scores are those of plain rows");
});

$node->stop;
done_testing();
