# An index of vector codes: the server dies at every place where it changes in more than one step; 16 clients write, search and
# vacuum at once; kill -9 among them; a standby. verify_index compares each code with its vector, and recall_semantic answers what
# all vectors say, of one snapshot. MEMORY_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use CrashPlaces;
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{MEMORY_CRASHES} // 2;
my $node = start_for_writers('primary', "autovacuum = off\nshared_buffers = 4MB\n");
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE FUNCTION vector_of(seed bigint, dimensions int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
		SELECT array_agg(sin(seed * 7.1 + i * i * 0.37 + seed * i * 0.011)::real ORDER BY i)::vector FROM generate_series(1, dimensions) i $$;
});

# --- every place -----------------------------------------------------------------------------------

$node->safe_psql('postgres', q{
	CREATE EXTENSION pg_freespacemap;
	CREATE TABLE points (id bigserial PRIMARY KEY, tenant int, v vector);
	CREATE INDEX points_codes ON points USING recall (tenant, v);
});
# Tenants come, grow over pages and shrink, each statement by itself.
my $load = join '', map {
	my $round = $_;
	"INSERT INTO points (tenant, v) SELECT 1 + i % 2, vector_of(i * $round, 200) FROM generate_series(1, 400) i;\n"
	  . "INSERT INTO points (tenant, v) SELECT 1000 * $round + i, vector_of(i, 40) FROM generate_series(1, 60) i;\n"
	  . "DELETE FROM points WHERE hashint8(id * 31 + $round) % 5 < 2 AND tenant < 3;\nVACUUM points;\nSELECT count(*) FROM points;\nVACUUM points;\n"
} 1 .. 4;
dies_everywhere($node, 'points', 'points_codes', $load, 12);
cmp_ok($node->safe_psql('postgres', q{SELECT pages FROM memory.index_stats('points_codes')}), '<',
	3 * $node->safe_psql('postgres', q{REINDEX INDEX points_codes; SELECT pages FROM memory.index_stats('points_codes')}), 'pages were used again');

# --- clients ---------------------------------------------------------------------------------------

$node->safe_psql('postgres', q{
	CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding);
	SELECT count(memory.remember('first ' || i, user_id => 'u' || 1 + i % 3, embedding => vector_of(i, 768))) FROM generate_series(1, 900) i;
	-- How many rows differ between an answer with all rows and a comparison of all vectors. All of up to 1,000 are read by their codes.
	CREATE FUNCTION wrong(who text) RETURNS bigint LANGUAGE sql STABLE AS $$
		SELECT count(*) FROM memory.recall_semantic(vector_of(3, 768), k => NULL, threshold => -1, user_id => who) r
		FULL JOIN (SELECT e.episode_id AS id, 1 - (e.embedding <=> vector_of(3, 768)) AS cosine FROM memory.embeddings e WHERE e.user_id = who) e USING (id)
		WHERE r.similarity IS NULL OR e.cosine IS NULL OR abs(r.similarity - e.cosine) > 1e-5 $$;
	CREATE FUNCTION is_exact(who text) RETURNS void LANGUAGE plpgsql STABLE AS $$ BEGIN IF wrong(who) <> 0 THEN RAISE EXCEPTION 'a wrong answer'; END IF; END $$;
});
my %script = ('8-add' => q{
	\set n random(1, 1000000000000)
	\set u random(1, 3)
	SELECT memory.remember('note ' || :n || ' ' || i, user_id => 'u' || :u, embedding => vector_of(:n + i, 768)) FROM generate_series(1, 4) i;
}, '4-change' => q{
	\set n random(1, 1000000000000)
	\set u random(1, 3)
	UPDATE memory.embeddings SET embedding = vector_of(:n, 768) WHERE user_id = 'u' || :u AND episode_id IN
		(SELECT episode_id FROM memory.embeddings WHERE user_id = 'u' || :u ORDER BY random() LIMIT 4 FOR UPDATE SKIP LOCKED);
}, '3-remove' => q{
	\set u random(1, 3)
	DELETE FROM memory.embeddings WHERE user_id = 'u' || :u AND episode_id IN
		(SELECT episode_id FROM memory.embeddings WHERE user_id = 'u' || :u ORDER BY random() LIMIT 9 FOR UPDATE SKIP LOCKED);
}, '3-search' => q{
	\set u random(1, 3)
	SELECT is_exact('u' || :u);
}, '2-vacuum' => q{
	SET client_min_messages = error;
	VACUUM (SKIP_LOCKED) memory.embeddings;
});
sub is_exact
{
	my ($server, $what) = @_;
	is($server->safe_psql('postgres', q{SELECT sum(wrong(u)) FROM unnest('{u1,u2,u3}'::text[]) u}), 0, "$what: searches find what there is");
}
bench($node, 'writers', 30, %script);
is_sound($node, 'memory.embeddings_by_code', 'after 16 clients');
is_exact($node, 'after 16 clients');
cmp_ok($node->safe_psql('postgres', q{SELECT pg_stat_force_next_flush(); SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'embeddings_by_code'}) =~ s/^\s+//r, '>', 30, 'they searched by codes');

for my $round (1 .. $crashes)
{
	crash($node, bench($node, "round $round", 0, %script), 3);
	is_sound($node, 'memory.embeddings_by_code', "kill -9, round $round");
	is_exact($node, "kill -9, round $round");
	$node->safe_psql('postgres', 'VACUUM memory.embeddings');
	is_sound($node, 'memory.embeddings_by_code', "round $round, after VACUUM");
	is($node->safe_psql('postgres', q{SELECT lost_pages FROM memory.index_stats('memory.embeddings_by_code')}), 0, "round $round: no page is lost");
}
$node->safe_psql('postgres', q{SELECT memory.remember('many ' || i, user_id => 'u1', embedding => vector_of(i, 768)) FROM generate_series(1, 600) i});
my $before = $node->safe_psql('postgres', q{SELECT log_pages + segment_pages FROM memory.index_stats('memory.embeddings_by_code')});
$node->safe_psql('postgres', q{DELETE FROM memory.embeddings WHERE hashtext(episode_id::text) % 4 <> 0});
$node->safe_psql('postgres', 'VACUUM memory.embeddings');
cmp_ok($node->safe_psql('postgres', q{SELECT log_pages + segment_pages FROM memory.index_stats('memory.embeddings_by_code')}), '<', $before, 'VACUUM compacts');
is_sound($node, 'memory.embeddings_by_code', 'when compacted');
is_exact($node, 'when compacted');

# --- a standby -------------------------------------------------------------------------------------

$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "hot_standby_feedback = off\nmax_standby_streaming_delay = 0\n");
$standby->start;
my ($exact, $cancelled) = (0, 0);
for my $round (1 .. 4)
{
	$node->safe_psql('postgres', "SELECT memory.remember('more ' || i, user_id => 'u1', embedding => vector_of($round * 1000 + i, 768)) FROM generate_series(1, 150) i");
	$node->wait_for_catchup($standby);
	is_exact($standby, "standby, round $round");
	# An old snapshot there, while the codes that it reads are taken away and written anew.
	my $logged = -s $standby->logfile;
	my $reader = $standby->background_psql('postgres', on_error_stop => 0);
	$reader->query(q{BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM memory.embeddings;});
	if ($round % 2)
	{
		$node->safe_psql('postgres', q{DELETE FROM memory.embeddings WHERE hashtext(episode_id::text) % 2 = 0});
		$node->safe_psql('postgres', 'VACUUM memory.embeddings');
		$node->safe_psql('postgres', 'VACUUM memory.embeddings');
	}
	$node->wait_for_catchup($standby);
	my $answer = eval { $reader->query(q{SELECT 'wrong: ' || sum(wrong(u)) FROM unnest('{u1,u2,u3}'::text[]) u;}) } // '';
	my $told = substr(slurp_file($standby->logfile), $logged);
	if ($answer =~ /^wrong: 0$/m) { $exact++ }
	elsif ($told =~ /due to conflict with recovery/) { $cancelled++ }
	else { fail("round $round: an answer that is neither exact nor cancelled"); diag(substr("$answer\n$told", -2000)) }
	eval { $reader->quit };
}
is($exact + $cancelled, 4, 'every answer of an old snapshot was exact or cancelled');
cmp_ok($exact, '>', 0, 'where nothing was in the way, it was answered');
$node->wait_for_catchup($standby);
is_exact($standby, 'a new snapshot on the standby');
is($standby->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('memory.embeddings_by_code') p}), '', 'the index of the standby is sound');

$standby->stop;
$node->stop;
done_testing();
