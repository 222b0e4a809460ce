# 16 clients that write, consolidate, put items, checkpoints and messages of eight users, forget them, and sweep, all at once: no two wait
# for each other, no call fails but as it may, and in the end nothing that has expired is left, nothing hangs on what has gone, the receipts
# add up with what has gone, and the indexes are whole. The same with kill -9 of one backend in the middle of forget and of sweep, and of the
# server. SWEEP_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{SWEEP_CRASHES} // 1;
my $node = start_for_writers('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	SELECT memory.use_model('embed', 'hash', options => '{"dimensions": 16}');
	SELECT memory.set_retention('episode', kind => 'mortal', ttl => '200 milliseconds'), memory.set_retention('episode', kind => 'few', keep => 5), memory.set_retention('item', ttl => '300 milliseconds'),
		memory.set_retention('checkpoint', keep => 3), memory.set_retention('run', ttl => '500 milliseconds'), memory.set_retention('block_version', keep => 2);
	-- What has gone, by triggers, and what the receipts say of that: transaction by transaction.
	CREATE TABLE gone (kind text, count bigint, tx xid8 DEFAULT pg_current_xact_id(), query text DEFAULT current_query());
	CREATE TABLE receipts (counts jsonb, tx xid8 DEFAULT pg_current_xact_id());
	CREATE FUNCTION count_gone() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO public.gone SELECT TG_TABLE_NAME, count(*) FROM old HAVING count(*) > 0; RETURN NULL; END $$;
	DO $$ DECLARE t text; BEGIN
		FOREACH t IN ARRAY ARRAY['episodes', 'messages', 'facts', 'items', 'runs', 'checkpoints', 'blocks', 'block_versions', 'sessions', 'merged_episodes'] LOOP
			EXECUTE format('CREATE TRIGGER count_gone AFTER DELETE ON memory.%I REFERENCING OLD TABLE AS old FOR EACH STATEMENT EXECUTE FUNCTION count_gone()', t);
		END LOOP; END $$;
	-- What calls were refused with.
	CREATE TABLE refused (state text, message text, context text, call text);
	CREATE PROCEDURE attempt(call text) LANGUAGE plpgsql AS $$
	DECLARE state text; message text; context text;
	BEGIN
		EXECUTE 'SELECT ' || call;
	EXCEPTION WHEN OTHERS THEN
		GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT, context = PG_EXCEPTION_CONTEXT;
		INSERT INTO refused VALUES (state, message, context, call);
	END $$;
	-- An episode of the user, if there is one.
	CREATE FUNCTION pick(who text, n int) RETURNS uuid LANGUAGE sql AS $$ SELECT id FROM memory.episodes WHERE user_id = who ORDER BY id DESC OFFSET n LIMIT 1 $$;
	CREATE FUNCTION said(n int) RETURNS text LANGUAGE sql IMMUTABLE AS $$ SELECT (ARRAY['notes about trains to vienna', 'a quiet hotel near the station', 'tickets for the opera'])[n % 3 + 1] || ' ' || repeat(chr(97 + n % 20), 4) || CASE n % 4 WHEN 0 THEN '!' ELSE '' END $$;
	-- forget and its receipt, in one transaction.
	CREATE FUNCTION forgotten(receipt jsonb) RETURNS void LANGUAGE sql AS $$ INSERT INTO public.receipts VALUES (receipt) $$;
});

my %load = ('8-remember' => q{
	\set u random(1, 8)
	\set n random(1, 1000)
	CALL attempt(format('memory.remember(said(%s), user_id => %L, kind => %L, session_id => %L)', :n, 'u' || :u, (ARRAY['episodic', 'mortal', 'few'])[:n % 3 + 1], CASE :n % 2 WHEN 0 THEN 's' || :n % 3 END));
}, '3-messages' => q{
	\set u random(1, 8)
	\set n random(1, 1000)
	CALL attempt(format('count(*) FROM memory.add_messages(%L, jsonb_build_array(jsonb_build_object(''role'', ''user'', ''content'', said(%s)), jsonb_build_object(''role'', ''tool'', ''content'', ''x'')), user_id => %L)', 's' || :n % 3, :n, 'u' || :u));
}, '3-fact' => q{
	\set u random(1, 8)
	\set n random(1, 1000)
	CALL attempt(format('memory.assert_fact(%L, %L, %L, %L, sources => array_remove(ARRAY[pick(%L, %s)], NULL))', 'Ada', 'p' || :n % 5, 'o' || :n % 7, 'u' || :u, 'u' || :u, :n % 4));
}, '3-item' => q{
	\set u random(1, 8)
	\set n random(1, 30)
	CALL attempt(format('memory.put_item(%L, %L, jsonb_build_object(''text'', said(%s)), user_id => %L)', '{a}', 'k' || :n, :n, 'u' || :u));
}, '3-checkpoint' => q{
	\set u random(1, 8)
	\set n random(1, 1000)
	CALL attempt(format('memory.put_checkpoint(%L, jsonb_build_object(''n'', %s, ''t'', repeat(''same '', 50)), user_id => %L)', 's' || :n % 3, :n, 'u' || :u));
}, '2-run' => q{
	\set u random(1, 8)
	\set n random(1, 20)
	CALL attempt(format('memory.save_run(%L, %L, state => ''{}'', user_id => %L)', 's' || :n % 3, 'r' || :n, 'u' || :u));
}, '2-block' => q{
	\set u random(1, 8)
	\set n random(1, 1000)
	CALL attempt(format('memory.set_block(%L, %L, %L)', 'b' || :n % 2, 'text ' || :n, 'u' || :u));
}, '2-reinforce' => q{
	\set u random(1, 8)
	\set n random(0, 5)
	CALL attempt(format('memory.reinforce(array_remove(ARRAY[pick(%L, %s), pick(%L, 1)], NULL), 0.3, %L)', 'u' || :u, :n, 'u' || :u, 'u' || :u));
}, '2-revise' => q{
	\set u random(1, 8)
	\set n random(0, 5)
	CALL attempt(format('memory.revise(coalesce(pick(%L, %s), gen_random_uuid()), %L, user_id => %L)', 'u' || :u, :n + 1, 'revised ' || :n, 'u' || :u));
}, '1-consolidate' => q{
	\set u random(1, 8)
	CALL attempt(format('count(*) FROM memory.consolidate(dry_run => false, user_id => %L)', 'u' || :u));
}, '1-undo' => q{
	\set u random(1, 8)
	CALL attempt(format('memory.undo_consolidation(kept, %L) FROM (SELECT kept FROM memory.merged_episodes WHERE user_id = %L LIMIT 1) m', 'u' || :u, 'u' || :u));
}, '2-forget' => q{
	\set u random(1, 8)
	\set n random(0, 9)
	CALL attempt(format('forgotten(memory.forget(%L, %s))', 'u' || :u, CASE WHEN :n < 4 THEN format('session_id => %L', 's' || :n % 3) WHEN :n < 6 THEN format('before => %L', clock_timestamp() - interval '1 second')
		WHEN :n < 8 THEN format('id => coalesce(pick(%L, %s), gen_random_uuid())', 'u' || :u, :n) ELSE $q$item_path => '{a}'$q$ END));
}, '1-everything' => q{
	\set u random(1, 8)
	CALL attempt(format('forgotten(memory.forget_user(%L))', 'u' || :u));
}, '3-sweep' => q{
	\set n random(1, 60)
	CALL attempt(format('forgotten(memory.sweep(%s))', :n));
});

sub value { return $node->safe_psql('postgres', $_[0]) }

# Sweeps until nothing is left to delete; what had expired before the last call is gone.
sub swept
{
	my ($what) = @_;
	for my $call (1 .. 1000)
	{
		my $since = value('SELECT clock_timestamp()');
		my $gone = value(q{SELECT sum(value::bigint) FROM memory.sweep(100) r, forgotten(r), jsonb_each_text(r) WHERE key NOT IN ('time', 'digest')});
		next if $gone != 0;
		is(value(qq{SELECT (SELECT count(*) FROM memory.episodes WHERE expires_at <= '$since' AND expires_at > '-infinity'), (SELECT count(*) FROM memory.items WHERE expires_at <= '$since'),
			(SELECT count(*) FROM memory.runs WHERE updated_at <= '$since'::timestamptz - interval '500 milliseconds'), (SELECT count(*) FROM (SELECT FROM memory.episodes WHERE kind = 'few' GROUP BY user_id HAVING count(*) > 5) f),
			(SELECT count(*) FROM (SELECT FROM memory.checkpoints GROUP BY user_id, session, path HAVING count(*) > 3) c), (SELECT count(*) FROM (SELECT FROM memory.block_versions GROUP BY user_id, block HAVING count(*) > 2) v)}),
			'0|0|0|0|0|0', "$what: when sweep counts nothing, nothing is left ($call calls)");
		return;
	}
	fail("$what: sweep comes to an end");
}

sub check
{
	my ($what) = @_;
	swept($what);
	# Of each transaction that has a receipt. What a foreign key or a trigger takes along that was written meanwhile (docs/lifecycle.md) is not in it.
	is(value(q{SELECT coalesce(string_agg(format('%s %s, of which %s are in the receipt: %s', count, kind, said, query), E'\n'), '') FROM (
		SELECT g.kind, g.query, sum(g.count) AS count, coalesce((r.counts ->> g.kind)::bigint, 0) AS said FROM gone g JOIN receipts r USING (tx) GROUP BY g.tx, g.kind, g.query, r.counts) t WHERE count <> said AND kind NOT IN ('block_versions', 'merged_episodes') LIMIT 5}), '', "$what: what has gone is in the receipts");
	is(value(q{SELECT coalesce(string_agg(format('%s %s in %s', value, key, counts), E'\n'), '') FROM receipts r, jsonb_each_text(r.counts) c WHERE key IN ('episodes', 'messages', 'facts', 'items', 'runs', 'checkpoints', 'blocks', 'sessions') AND value <> '0'
		AND value::bigint <> coalesce((SELECT sum(g.count) FROM gone g WHERE g.tx = r.tx AND g.kind = c.key), 0)}), '', "$what: and the receipts have nothing else");
	is(value(q{SELECT coalesce(string_agg(DISTINCT kind || ' by ' || query, E'\n'), '') FROM gone WHERE tx NOT IN (SELECT tx FROM receipts) AND kind IN ('episodes', 'messages', 'facts', 'items')}), '', "$what: nothing else has gone");
	# Foreign keys keep what hangs on episodes, facts and sessions; the rest hangs on columns that none is about.
	is(value(q{SELECT
		(SELECT count(*) FROM memory.merged_episodes m WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE e.user_id = m.user_id AND e.id = m.episode_id AND e.expires_at = '-infinity') OR NOT EXISTS (SELECT FROM memory.episodes e WHERE e.user_id = m.user_id AND e.id = m.kept)),
		(SELECT count(*) FROM memory.episodes e WHERE e.expires_at = '-infinity' AND NOT EXISTS (SELECT FROM memory.merged_episodes m WHERE m.user_id = e.user_id AND m.episode_id = e.id)),
		(SELECT count(*) FROM memory.embeddings v FULL JOIN memory.episodes e ON e.user_id = v.user_id AND e.id = v.episode_id WHERE e.id IS NULL OR v.episode_id IS NULL),
		(SELECT count(*) FROM memory.messages m WHERE NOT EXISTS (SELECT FROM memory.sessions s WHERE s.user_id = m.user_id AND s.key = m.session)),
		(SELECT count(*) FROM memory.messages m WHERE m.role = 'user' AND NOT EXISTS (SELECT FROM memory.episodes e WHERE e.user_id = m.user_id AND e.id = m.id)),
		(SELECT count(*) FROM memory.fact_sources s WHERE NOT EXISTS (SELECT FROM memory.facts f WHERE f.user_id = s.user_id AND f.id = s.fact_id)),
		(SELECT count(*) FROM memory.fact_embeddings v WHERE NOT EXISTS (SELECT FROM memory.facts f WHERE (f.user_id, f.subject_key, f.predicate, f.object_key) = (v.user_id, v.subject_key, v.predicate, v.object_key))),
		(SELECT count(*) FROM memory.timelines t WHERE NOT EXISTS (SELECT FROM memory.facts f WHERE f.user_id = t.user_id AND f.line = t.line)),
		(SELECT count(*) FROM memory.item_embeddings v FULL JOIN memory.items i ON i.user_id = v.user_id AND i.id = v.item WHERE i.id IS NULL OR v.item IS NULL),
		(SELECT count(*) FROM memory.checkpoints c WHERE NOT EXISTS (SELECT FROM memory.sessions s WHERE s.user_id = c.user_id AND s.key = c.session) OR NOT EXISTS (SELECT FROM memory.checkpoint_bytes b WHERE b.user_id = c.user_id AND b.number = c.state)),
		(SELECT count(*) FROM memory.checkpoint_stores o WHERE NOT EXISTS (SELECT FROM memory.sessions s WHERE s.user_id = o.user_id AND coalesce(s.store, s.key) = o.store)),
		(SELECT count(*) FROM memory.block_versions v WHERE NOT EXISTS (SELECT FROM memory.blocks b WHERE b.user_id = v.user_id AND b.key = v.block)),
		(SELECT count(*) FROM memory.sessions s WHERE s.messages <> (SELECT count(*) FROM memory.messages m WHERE m.user_id = s.user_id AND m.session = s.key AND m.path = ''))}),
		join('|', (0) x 13), "$what: nothing hangs on what has gone");
	is(value(qq{SELECT memory.verify_index('memory.$_')}), '', "$what: $_ is whole") for 'episodes_by_text', 'facts_by_text', 'items_by_text';
	is(value(q{SELECT count(*) FROM memory.checkpoints c JOIN memory.sessions s ON s.user_id = c.user_id AND s.key = c.session, LATERAL memory.checkpoint(s.session_id, c.id, c.path, c.user_id) r WHERE r.state ->> 't' IS DISTINCT FROM repeat('same ', 50)}), '0',
		"$what: states are as they were put");
	# A source, or what another call has taken for its own, may have gone when the call comes to it.
	is(value(q{SELECT coalesce(string_agg(DISTINCT state || ' ' || regexp_replace(message, '[0-9a-f-]{36}', 'ID') || ' in ' || regexp_replace(left(call, 60), '[0-9]+', 'N', 'g') || ': ' || left(context, 900), E'\n'), '') FROM refused
		WHERE (state, message) NOT IN (VALUES ('22023', 'no episode of this user is merged into kept')) AND (state <> '23503' OR call NOT LIKE 'memory.assert_fact%')}), '', "$what: no call fails but for what has gone");
}

bench($node, 'at once', 120, %load);
check('at once');
is(value(q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');
is(value(q{SELECT count(*) > 0 FROM receipts WHERE (counts ->> 'episodes')::int > 0 AND (counts ->> 'messages')::int > 0}), 't', 'much was forgotten');

# --- kill -9 of one backend, which takes the others along, and of all --------------------------------------
$node->append_conf('postgresql.conf', 'restart_after_crash = on');
$node->reload;
for my $round (1 .. $crashes)
{
	for my $call ('forget', 'sweep', 'server')
	{
		my $before = value('SELECT count(*) FROM receipts');
		my $bench = bench($node, "crash $call $round", 0, %load);
		ok($node->poll_query_until('postgres', "SELECT count(*) > $before + 20 FROM receipts"), "crash $call $round: the load runs");
		if ($call eq 'server')
		{
			crash($node, $bench, 0.5);
		}
		else
		{
			my $pid = '';
			for (1 .. 200_000)
			{
				$pid = value(qq{SELECT pid FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%memory.$call(%' AND pid <> pg_backend_pid() LIMIT 1});
				last if $pid ne '';
			}
			isnt($pid, '', "crash $call $round: one is in the middle of it");
			kill 'KILL', $pid;
			$bench->finish;
			ok($node->poll_query_until('postgres', 'SELECT true'), "crash $call $round: the server comes back");
		}
		check("crash $call $round");
	}
}

$node->stop;
done_testing();
