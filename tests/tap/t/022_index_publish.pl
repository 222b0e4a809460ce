# The server dies at every place where the index changes in more than one step: afterwards it is
# sound, no committed row is missing, VACUUM gives back the pages that were lost, and going on brings
# it to the same end.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

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

for my $place ('promoted', 'split', 'log page', 'segment page', 'linked', 'publish', 'published', 'freed', 'vacuumed')
{
	my ($out, $err) = ('', '');
	my $status = $node->psql('postgres', "SET memory.crash_at = '$place';\n$load", stdout => \$out, stderr => \$err, on_error_stop => 0);
	isnt($status, 0, "$place: the server dies there") or next;
	$node->{_pid} = undef;
	for (1 .. 600) { last unless -e $node->data_dir . '/postmaster.pid'; usleep(100_000) } # it ends by itself
	$node->start;
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$place: the index is sound");
	my $lost = $node->safe_psql('postgres', q{SELECT lost_pages FROM memory.index_stats('notes_recall')});
	if (grep { $_ eq $place } 'segment page', 'linked', 'publish') { cmp_ok($lost, '>', 0, "$place: pages of a segment are lost") }
	else { is($lost, 0, "$place: no page is lost") }
	$node->safe_psql('postgres', 'VACUUM notes');
	is($node->safe_psql('postgres', q{
		SELECT lost_pages, free_pages - (SELECT count(*) FROM pg_freespace('notes_recall') WHERE avail > 0)
		FROM memory.index_stats('notes_recall')}), '0|0', "$place: after VACUUM none is, and the free space map knows all that are free");
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$place: the index is sound still");
	$node->safe_psql('postgres', $load =~ s/^((?:.*\n){8}).*/$1/sr);
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$place: and when the load goes on");
	is($node->safe_psql('postgres', q{
		WITH asked AS (SELECT t, memory.query('w' || 17 * t || ' w' || 3 * t) AS q, 'w' || 17 * t || ' w' || 3 * t AS words FROM generate_series(1, 3) t),
		found AS (SELECT t, f.* FROM asked, LATERAL (SELECT id, -(body <@> q) AS score FROM notes WHERE tenant = t ORDER BY body <@> q) f WHERE f.score > 0),
		exact AS (SELECT t, r.id, r.score FROM asked, LATERAL (SELECT array_agg(n.id) AS ids, array_agg(n.body) AS bodies FROM notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, words) r)
		SELECT count(*) FROM found f FULL JOIN exact e USING (t, id) WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6}),
		0, "$place: the scores are those of plain rows");
}

$node->stop;
done_testing();
