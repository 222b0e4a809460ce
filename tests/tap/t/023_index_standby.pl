# A standby without feedback, whose queries hold old snapshots while pages are reused under them: every
# answer is exact, or the query is cancelled; never anything else.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	SET search_path = public, memory;
	CREATE TABLE notes (id bigserial PRIMARY KEY, tenant int, body text) WITH (autovacuum_enabled = off);
	CREATE INDEX notes_recall ON notes USING recall (tenant, body);
	INSERT INTO notes (tenant, body) SELECT 1 + i % 3, (SELECT string_agg('w' || (i * j) % 997, ' ') FROM generate_series(1, 30) j) FROM generate_series(1, 3000) i;
	VACUUM notes;
	-- What the index says and what plain rows say, of one snapshot.
	CREATE FUNCTION wrong(t int) RETURNS bigint LANGUAGE sql STABLE AS $$
		WITH found AS (SELECT id, -(body <@> memory.query('w34 w51 w' || t)) AS score FROM notes WHERE tenant = t ORDER BY body <@> memory.query('w34 w51 w' || t)),
		exact AS (SELECT r.id, r.score FROM (SELECT array_agg(n.id) AS ids, array_agg(n.body) AS bodies FROM notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, 'w34 w51 w' || t) r)
		SELECT count(*) FROM (SELECT * FROM found WHERE score > 0) f FULL JOIN exact e USING (id) WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6
	$$;
});
$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "hot_standby_feedback = off\nmax_standby_streaming_delay = 0\nmax_standby_archive_delay = 0");
$standby->start;

my ($exact, $cancelled) = (0, 0);
for my $round (1 .. 12)
{
	$node->wait_for_catchup($standby);
	my $logged = -s $standby->logfile;
	# A cursor opened here has read the root page; its pages go while it stays open.
	my $reader = $standby->background_psql('postgres', on_error_stop => 0);
	$reader->query(q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;});
	$reader->query(q{DECLARE c CURSOR FOR SELECT id FROM notes WHERE tenant = 1 ORDER BY body <@> memory.query('w34 w51'); FETCH 3 FROM c;});
	$node->safe_psql('postgres', "INSERT INTO notes (tenant, body) VALUES (1, 'w34 new')");
	for my $turn (1 .. ($round % 4 ? 2 : 0)) # now and then nothing that could be in the way
	{
		$node->safe_psql('postgres', "INSERT INTO notes (tenant, body) SELECT 1 + i % 3, (SELECT string_agg('w' || (i * j * $round) % 997, ' ') FROM generate_series(1, 30) j) FROM generate_series(1, 60) i") for 1 .. 8;
		# Only the index is vacuumed away under the reader: no row of the table is dead yet.
		$node->safe_psql('postgres', $round % 3 ? 'VACUUM notes' : 'DELETE FROM notes WHERE id % 11 = 0; VACUUM notes');
	}
	$node->wait_for_catchup($standby);
	# A backend that is told while it waits for its client ends, and psql with it.
	my $answer = eval { $reader->query(q{FETCH ALL FROM c; SELECT 'wrong: ' || sum(wrong(t)) FROM generate_series(1, 3) t;}) } // '';
	my $told = substr(slurp_file($standby->logfile), $logged);
	if ($answer =~ /^wrong: 0$/m) { $exact++ }
	elsif ($told =~ /due to conflict with recovery/) { $cancelled++ }
	else { fail("round $round: an answer that is neither exact nor cancelled") ; diag(substr("$answer\n$told", -2000)) }
	eval { $reader->quit };
}
is($exact + $cancelled, 12, 'every answer was exact or cancelled');
cmp_ok($exact, '>', 0, 'where nothing was reused, the old snapshot was answered');
cmp_ok($cancelled, '>', 0, "pages were reused under a reader, who was told ($cancelled cancelled, $exact exact)");
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT sum(wrong(t)) FROM generate_series(1, 3) t'), 0, 'a new snapshot is exact');
cmp_ok($node->safe_psql('postgres', q{SELECT pages FROM memory.index_stats('notes_recall')}), '<', 3 * $node->safe_psql('postgres', q{SELECT leaf_pages + log_pages + segment_pages FROM memory.index_stats('notes_recall')}),
	'pages are used again');
is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', 'and the index is sound');

$standby->stop;
$node->stop;
done_testing();
