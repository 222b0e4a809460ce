# An index of vector codes: the server dies at every place where it changes in more than one step; 16 clients write, search and
# vacuum at once; kill -9 among them; a standby. verify_index compares each code with its vector, and recall_semantic, recall_facts and
# items answer what all vectors say, of one snapshot. MEMORY_CRASHES makes it longer.
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
	SELECT count(memory.remember('first ' || i, user_id => 'u' || 1 + i % 3, embedding => vector_of(i, 768))) FROM generate_series(1, 900) i;
	-- How many rows differ between an answer with all rows and a comparison of all vectors. All of up to 1,000 are read by their codes.
	CREATE FUNCTION wrong(who text) RETURNS bigint LANGUAGE sql STABLE AS $$
		SELECT count(*) FROM memory.recall_semantic(vector_of(3, 768), k => NULL, threshold => -1, user_id => who) r
		FULL JOIN (SELECT e.episode_id AS id, 1 - (e.embedding <=> vector_of(3, 768)) AS cosine FROM memory.embeddings e WHERE e.user_id = who) e USING (id)
		WHERE r.similarity IS NULL OR e.cosine IS NULL OR abs(r.similarity - e.cosine) > 1e-5 $$;
	CREATE FUNCTION is_exact(who text) RETURNS void LANGUAGE plpgsql STABLE AS $$ BEGIN IF wrong(who) <> 0 THEN RAISE EXCEPTION 'a wrong answer'; END IF; END $$;

	-- Facts and items of one user, so many that codes are asked.
	SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'thing ' || i, 'predicate', 'is', 'object', 'o' || i, 'user_id', 'rows', 'embedding', vector_of(i, 64)::text::jsonb)) FROM generate_series(1, 2300) i));
	SELECT count(*) FROM memory.put_items((SELECT jsonb_agg(jsonb_build_object('path', '["p"]'::jsonb, 'key', 'k' || i, 'value', i, 'user_id', 'rows', 'embeddings', jsonb_build_array(vector_of(i, 64)::text::jsonb))) FROM generate_series(1, 2300) i));
	CREATE TYPE found AS (id text, cosine float8);
	-- Of twenty answers those that are not what the vectors say; and all, if more than two of the nearest twenty are missing, which the
	-- certainty of the rule forbids.
	CREATE FUNCTION wrong_of(answers found[], rows found[]) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
		SELECT CASE WHEN count(a.id) <> least(20, cardinality(rows)) OR count(a.id) FILTER (WHERE r.place <= 20) < least(18, cardinality(rows)) THEN 20 ELSE 0 END
			+ count(*) FILTER (WHERE a.id IS NOT NULL AND (r.id IS NULL OR abs(a.cosine - r.cosine) > 1e-5))
		FROM unnest(answers) a FULL JOIN (SELECT id, cosine, row_number() OVER (ORDER BY cosine DESC) AS place FROM unnest(rows)) r USING (id) $$;
	CREATE FUNCTION true_facts(seed bigint) RETURNS found[] LANGUAGE sql STABLE SET enable_nestloop = off SET jit = off AS $$
		SELECT ARRAY(SELECT (f.id::text, 1 - (e.embedding <=> vector_of(seed, 64)))::found FROM memory.facts f JOIN memory.fact_embeddings e USING (namespace, user_id, subject_key, predicate, object_key)
			WHERE user_id = 'rows' AND known_until = 'infinity' AND valid_from <= now() AND valid_until > now() AND 1 - (e.embedding <=> vector_of(seed, 64)) > 1e-7) $$;
	CREATE FUNCTION true_items(seed bigint) RETURNS found[] LANGUAGE sql STABLE SET enable_nestloop = off SET jit = off AS $$
		SELECT ARRAY(SELECT (i.key, 1 - (e.embedding <=> vector_of(seed, 64)))::found FROM memory.items i JOIN memory.item_embeddings e ON (e.namespace, e.user_id, e.item) = (i.namespace, i.user_id, i.id)
			WHERE i.user_id = 'rows' AND 1 - (e.embedding <=> vector_of(seed, 64)) > 1e-7) $$;
	CREATE FUNCTION wrong_facts(seed bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
		SELECT wrong_of(ARRAY(SELECT (id::text, vector_score)::found FROM memory.recall_facts(NULL, vector_of(seed, 64), 20, user_id => 'rows')), true_facts(seed)) $$;
	CREATE FUNCTION wrong_items(seed bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
		SELECT wrong_of(ARRAY(SELECT (key, relevance)::found FROM memory.items('{p}', embedding => vector_of(seed, 64), k => 20, user_id => 'rows')), true_items(seed)) $$;
	CREATE FUNCTION are_exact(seed bigint) RETURNS void LANGUAGE plpgsql STABLE AS $$ BEGIN IF wrong_facts(seed) <> 0 OR wrong_items(seed) <> 0 THEN RAISE EXCEPTION 'a wrong answer'; END IF; END $$;
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
}, '2-fact' => q{
	\set n random(1, 3000)
	\set o random(1, 1000000000)
	SELECT memory.assert_fact('thing ' || :n, 'is', 'o' || :o, 'rows', embedding => vector_of(:o, 64));
}, '1-fact-gone' => q{
	DELETE FROM memory.fact_embeddings WHERE ctid IN (SELECT ctid FROM memory.fact_embeddings WHERE user_id = 'rows' ORDER BY random() LIMIT 1 FOR UPDATE SKIP LOCKED);
}, '2-item' => q{
	\set n random(1, 3000)
	\set o random(1, 1000000000)
	SELECT memory.put_item('{p}', 'k' || :n, to_jsonb(:o), 'rows', embeddings => ARRAY[vector_of(:o, 64)]);
}, '1-item-gone' => q{
	\set n random(1, 3000)
	SELECT memory.delete_items('{p}', ARRAY['k' || :n], user_id => 'rows');
}, '2-search-rows' => q{
	\set n random(1, 1000)
	SELECT are_exact(:n);
}, '2-vacuum' => q{
	SET client_min_messages = error;
	VACUUM (SKIP_LOCKED) memory.embeddings, memory.fact_embeddings, memory.item_embeddings;
});
my @indexes = map { "memory.${_}_by_code" } qw(embeddings fact_embeddings item_embeddings);
sub is_exact
{
	my ($server, $what) = @_;
	is($server->safe_psql('postgres', q{SELECT sum(wrong(u)) FROM unnest('{u1,u2,u3}'::text[]) u}), 0, "$what: searches find what there is");
	is($server->safe_psql('postgres', q{SELECT sum(wrong_facts(n)), sum(wrong_items(n)) FROM generate_series(1, 8) n}), '0|0', "$what: so do those for facts and items");
}
bench($node, 'writers', 30, %script);
is_sound($node, $_, "after 16 clients, $_") for @indexes;
is_exact($node, 'after 16 clients');
cmp_ok($node->safe_psql('postgres', qq{SELECT pg_stat_force_next_flush(); SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelid = '$_'::regclass}) =~ s/^\s+//r, '>', 10, "they searched by $_") for @indexes;

for my $round (1 .. $crashes)
{
	crash($node, bench($node, "round $round", 0, %script), 3);
	is_sound($node, $_, "kill -9, round $round, $_") for @indexes;
	is_exact($node, "kill -9, round $round");
	$node->safe_psql('postgres', 'VACUUM memory.embeddings, memory.fact_embeddings, memory.item_embeddings');
	for (@indexes)
	{
		is_sound($node, $_, "round $round, after VACUUM, $_");
		is($node->safe_psql('postgres', qq{SELECT lost_pages FROM memory.index_stats('$_')}), 0, "round $round: no page of $_ is lost");
	}
	is_exact($node, "round $round, after VACUUM");
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
	$node->safe_psql('postgres', "SELECT memory.assert_fact('more ' || i, 'is', 'o', 'rows', embedding => vector_of($round * 1000 + i, 64)), memory.put_item('{p}', 'more ' || i, '1', 'rows', embeddings => ARRAY[vector_of($round * 1000 + i, 64)]) FROM generate_series(1, 50) i");
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
is($standby->safe_psql('postgres', qq{SELECT string_agg(p, ', ') FROM memory.verify_index('$_') p}), '', "$_ of the standby is sound") for @indexes;

$standby->stop;
$node->stop;
done_testing();
