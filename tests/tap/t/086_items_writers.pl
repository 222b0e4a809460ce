# 16 clients at once: arrays of items in differing orders are put without a deadlock and whole, counters under compare and set count every
# success once, of those that put what must be new one is first, deletions and touches meet puts. The same with kill -9 among
# them: what was answered is there. Then a dump, restored elsewhere.
# ITEM_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{ITEM_CRASHES} // 2;
# Where there are to be no statistics, autovacuum shall not make any amid the test.
my $node = start_for_writers('main', 'autovacuum = off');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 16}');
	CREATE TABLE done (what text, key text, version bigint);
	-- All twenty keys of a path in an order of its own, with the same mark.
	CREATE FUNCTION batch(seed int, mark text) RETURNS jsonb LANGUAGE sql VOLATILE AS $$
		SELECT jsonb_agg(jsonb_build_object('path', ARRAY['batch'], 'key', 'k' || k, 'value', mark) ORDER BY hashint4(k + 1000 * seed)) FROM generate_series(1, 20) k $$;
	CREATE FUNCTION count_up(counter text, ttl interval DEFAULT NULL) RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE was record;
	BEGIN
		SELECT version, value INTO was FROM memory.item('{counters}', counter);
		INSERT INTO done SELECT 'counted', counter, memory.put_item('{counters}', counter, to_jsonb(coalesce(was.value::text::int, 0) + 1), expected_version => coalesce(was.version, 0), ttl => count_up.ttl);
		RETURN true;
	EXCEPTION WHEN serialization_failure OR unique_violation THEN
		RETURN false;
	END $$;
	CREATE FUNCTION claim(name text, client int) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM memory.put_item('{claims}', name, to_jsonb(client), expected_version => 0);
		RETURN true;
	EXCEPTION WHEN unique_violation THEN
		RETURN false;
	END $$;
});
sub value { return $node->safe_psql('postgres', $_[0]) }

# Each item has the vectors that its text has, and no vector is without its item.
sub check
{
	my ($what) = @_;
	is(value(q{SELECT count(*) FROM memory.items i FULL JOIN memory.item_embeddings v ON (v.namespace, v.user_id, v.item) = (i.namespace, i.user_id, i.id)
		WHERE i.id IS NULL OR (v.item IS NOT NULL) <> (memory_internal.item_text(i.value, i.texts) IS NOT NULL)
			OR v.embedding <> memory.hash_embedding(memory_internal.item_text(i.value, i.texts), 16)}), '0', "$what: each has its vector");
	is(value(q{SELECT memory.verify_index('memory.items_by_text')}), '', "$what: the index by text is whole");
	is(value(q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', "$what: no deadlock");
}

# --- arrays in differing orders -----------------------------------------------------------------------
bench($node, 'batches', 60, '4-put' => q{
	\set seed random(1, 1000000)
	INSERT INTO done SELECT 'batch', 'k', v FROM memory.put_items(batch(:seed, 'by ' || :client_id || ' ' || :seed)) v;
}, '1-delete' => q{SELECT memory.delete_items('{batch}');}, '1-touch' => q{SELECT memory.touch_items('{batch}', keys => '{k19,k3,k11}');},
	'1-one' => q{
	\set k random(1, 20)
	SELECT memory.put_item('{batch}', 'k' || :k, '"one"', ttl => '1 hour');
});
is(value(q{SELECT memory.put_items(batch(7, 'last')) IS NOT NULL LIMIT 1}), 't', 'and once more');
check('batches');
# Without deletions in between versions count the puts.
value(q{SELECT memory.delete_items('{}')});
bench($node, 'versions', 40, '1-put' => q{
	\set seed random(1, 1000000)
	SELECT count(*) FROM memory.put_items(batch(:seed, 'by ' || :client_id || ' ' || :seed));
});
is(value(q{SELECT count(*), min(version), max(version), count(DISTINCT value) FROM memory.items('{batch}', k => NULL)}), '20|640|640|1', 'every put has its version, and the last array is whole');
check('versions');

# --- compare and set ------------------------------------------------------------------------------------
value('TRUNCATE done');
bench($node, 'counters', 100, '1-count' => q{
	\set c random(1, 4)
	SELECT count_up('c' || :c);
});
is(value(q{SELECT count(*) FROM memory.items('{counters}') i WHERE i.version <> i.value::text::int OR i.version <> (SELECT count(*) FROM done WHERE key = i.key) OR i.version <> (SELECT max(version) FROM done WHERE key = i.key)}), '0',
	'a counter is as often raised as the callers were told');
cmp_ok(value(q{SELECT count(*) FROM done}), '>', 100, 'many were');
value(q{CREATE TABLE claimed (name text, client int)});
bench($node, 'claims', 60, '1-claim' => q{
	\set c random(1, 200)
	INSERT INTO claimed SELECT 'c' || :c, :client_id WHERE claim('c' || :c, :client_id);
});
is(value(q{SELECT count(*) = count(DISTINCT name) AND count(*) = (SELECT count(*) FROM memory.items('{claims}', k => NULL)) FROM claimed}), 't', 'what must be new one client has put');
is(value(q{SELECT count(*) FROM claimed c, LATERAL memory.item('{claims}', c.name) i WHERE i.value <> to_jsonb(c.client)}), '0', 'and it is that one\'s');
# Items that expire all the time: a put over one begins at version 1, once.
bench($node, 'expiring', 60, '1-count' => q{SELECT count_up('mortal', '5 milliseconds');});
is(value(q{SELECT bool_and(version = value::text::int) FROM memory.items WHERE user_id = 'ann' AND key = 'mortal'}), 't', 'of what has expired no count goes on');
check('compare and set');

# --- kill -9 ------------------------------------------------------------------------------------------
value('TRUNCATE done');
for my $round (1 .. $crashes)
{
	my $bench = bench($node, "crash $round", 0, '4-put' => q{
		\set n random(1, 1000000000000)
		INSERT INTO done SELECT 'put', 'n' || :n, memory.put_item(ARRAY['busy', 'c' || :client_id], 'n' || :n, jsonb_build_object('text', 'word' || :n));
	}, '2-batch' => q{
		\set seed random(1, 1000000)
		SELECT count(*) FROM memory.put_items(batch(:seed, 'by ' || :seed));
	}, '2-count' => q{
		\set c random(1, 4)
		SELECT count_up('crash' || :c);
	}, '1-delete' => q{SELECT memory.delete_items('{batch}', keys => '{k1,k2,k3}');});
	ok($node->poll_query_until('postgres', "SELECT count(*) > 300 * $round FROM done"), "crash $round: the load runs");
	crash($node, $bench, 0.5);
	check("crash $round");
	is(value(q{SELECT count(*) FROM done d WHERE what = 'put' AND NOT EXISTS (SELECT FROM memory.items i WHERE i.user_id = 'ann' AND i.key = d.key AND i.version = d.version)}), '0', "crash $round: what was answered is there");
	is(value(q{SELECT count(*) FROM memory.items('{counters}', k => NULL) i WHERE i.key LIKE 'crash%' AND (i.version <> i.value::text::int OR i.version <> (SELECT count(*) FROM done WHERE key = i.key))}), '0', "crash $round: counters count");
	is(value(q{SELECT count(DISTINCT i.value) FROM memory.items i WHERE i.user_id = 'ann' AND i.path = '{batch}' AND i.key NOT IN ('k1', 'k2', 'k3')}), '1', "crash $round: the last array is whole");
	is(value(q{SELECT count(*) FROM (SELECT key FROM done WHERE what = 'put' ORDER BY key LIMIT 50) d WHERE key IS DISTINCT FROM (SELECT i.key FROM memory.items(query => 'word' || substr(d.key, 2), alpha => 0, k => 1) i)}), '0', "crash $round: and found by its word");
}

# --- a dump ---------------------------------------------------------------------------------------------
value(q{SELECT memory.put_item('{long}', repeat('k', 1024), '1'), memory.put_item(string_to_array(repeat('p', 1024), NULL), repeat('k', 1024), '"long"', ttl => '1 day', texts => '{"several texts",of,it}')});
value('CREATE DATABASE restored');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', '--file', $dump, $node->connstr('postgres') ], 'a dump');
$node->safe_psql('restored', "\\i $dump");
for my $all (q{SELECT * FROM memory.items ORDER BY id}, q{SELECT * FROM memory.item_embeddings ORDER BY item, model, n}, q{SELECT * FROM memory.items(k => 200)}, q{SELECT * FROM memory.items('{busy}', query => 'word1 one last several', k => 50)},
	q{SELECT * FROM memory.item_paths()})
{
	is($node->safe_psql('restored', $all), value($all), 'a restored database has the same: ' . substr($all, 0, 60));
}
is($node->safe_psql('restored', q{SELECT memory.put_item(string_to_array(repeat('p', 1024), NULL), repeat('k', 1024), '2')}), '2', 'and goes on with the next version');

# --- the newest under a prefix ----------------------------------------------------------------------------
# Of a user with 40,000 items: those of a prefix that many have, and of one that twenty have and that are the oldest, are read from a
# part of the pages that all of them take.
value(q{INSERT INTO memory.items (namespace, user_id, path, key, value, updated_at) SELECT 'lists', 'ann', CASE WHEN n <= 20 THEN ARRAY['few'] ELSE ARRAY['many', 'm' || n % 7] END, 'k' || n, '{"text": "x"}', '2026-01-01'::timestamptz + n * interval '1 second'
	FROM generate_series(1, 40000) n});
for my $statistics ('without statistics', 'with statistics')
{
	value('VACUUM (ANALYZE) memory.items') if $statistics =~ /^with /;
	for my $call (q{memory.items()}, q{memory.items('{many}')}, q{memory.items('{many,m3}')}, q{memory.items('{few}')}, q{memory.items('{none}')}, q{memory.item('{few}', 'k7')})
	{
		my $buffers = value(qq{
			SET client_min_messages = error; SET memory.namespace = 'lists';
			SELECT count(*) FROM $call;
			SELECT count(*) FROM $call;
			EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) SELECT * FROM $call});
		my ($read) = $buffers =~ /Function Scan.*\n\s*Buffers: (.*)/;
		my $pages = 0;
		$pages += $1 while ($read // '') =~ /(?:hit|read)=(\d+)/g;
		cmp_ok($pages, '>', 1, "$statistics, $call: the pages are counted") unless $call =~ /none/;
		cmp_ok($pages, '<=', 150, "$statistics, $call: $pages buffers, at most 150");
	}
}

$node->stop;
done_testing();
