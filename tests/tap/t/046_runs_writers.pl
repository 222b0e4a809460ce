# 16 clients at once, each at a place of its own: of one run's state, and of one user's profile. Nothing that was answered is lost, also
# after a kill -9 among them; of those that expect a status one comes first and the others are told.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 16;
my $each = $ENV{RUNS_EACH} // 60;
my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
});

sub write_all
{
	my ($what, $script, $times) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir() . '/write.sql';
	unlink $file;
	append_to_file($file, $script =~ s/^\t+//mgr);
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ 'pgbench', '--no-vacuum', '--client', $writers, '--transactions', $times // $each, '--max-tries', 100000, '--file', $file, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
	is($ok ? '' : $err, '', "$what: every writer comes to its end");
}

# How many places of the state, or traits, each client has set, and how often.
my $counted = q{SELECT count(*) || ' ' || sum(value::bigint) FROM jsonb_each_text(%s)};
my $state = q{(SELECT state -> 'of' FROM memory.run('r', user_id => 'ann'))};
my $profile = q{memory.profile(user_id => 'ann')};

# What clients do that know no better: read the whole, and write it with their own place changed. This is what must not be lost, so it
# must be seen to be lost.
$node->safe_psql('postgres', q{
	CREATE FUNCTION read_and_save(client text) RETURNS void LANGUAGE plpgsql AS $$
	DECLARE whole jsonb := (SELECT state FROM memory.run('r', user_id => 'ann'));
	BEGIN
		PERFORM memory.save_run('s', 'r', state => jsonb_set(whole, ARRAY['of', client], to_jsonb(coalesce((whole -> 'of' ->> client)::bigint, 0) + 1)), user_id => 'ann');
	END $$;
	SELECT memory.save_run('s', 'r', state => '{"of": {}}', user_id => 'ann');
});
write_all('the whole state', q{SELECT read_and_save('w' || :client_id)});
my $kept = $node->safe_psql('postgres', "SELECT coalesce(sum(value::bigint), 0) FROM jsonb_each_text($state)");
cmp_ok($kept, '<', $writers * $each, "the whole state: of @{[$writers * $each]} steps $kept are left: it takes a path to keep them");

for my $isolation ('READ COMMITTED', 'REPEATABLE READ')
{
	# A place of the state, below objects that the first of them makes.
	$node->safe_psql('postgres', q{SELECT memory.save_run('s', 'r', state => '{"kept": true}', user_id => 'ann'), memory.set_profile('{"kept": true}', 'replace', user_id => 'ann')});
	write_all("state, $isolation", qq{
		BEGIN ISOLATION LEVEL $isolation;
		SELECT memory.save_run('s', 'r', state => to_jsonb(coalesce((SELECT (state #>> ARRAY['of', 'w' || :client_id])::bigint FROM memory.run('r', user_id => 'ann')), 0) + 1),
			state_path => ARRAY['of', 'w' || :client_id], user_id => 'ann');
		COMMIT;
	});
	is($node->safe_psql('postgres', sprintf $counted, $state), "$writers @{[$writers * $each]}", "state, $isolation: each step of each client is there");
	is($node->safe_psql('postgres', q{SELECT state -> 'kept' FROM memory.run('r', user_id => 'ann')}), 'true', "state, $isolation: and what was there before");
	# A trait.
	write_all("profile, $isolation", qq{
		BEGIN ISOLATION LEVEL $isolation;
		SELECT memory.set_profile(jsonb_build_object('w' || :client_id, coalesce((memory.profile(user_id => 'ann') ->> ('w' || :client_id))::bigint, 0) + 1), user_id => 'ann');
		COMMIT;
	});
	is($node->safe_psql('postgres', sprintf $counted, "($profile - 'kept')"), "$writers @{[$writers * $each]}", "profile, $isolation: each step of each client is there");
	is($node->safe_psql('postgres', "SELECT $profile -> 'kept'"), 'true', "profile, $isolation: and what was there before");
}

# Runs that are paused are taken by one client each, whoever of the 16 comes first.
$node->safe_psql('postgres', q{
	SELECT memory.save_run('s', 'p' || n, status => 'paused', user_id => 'ann') FROM generate_series(1, 40) n;
	CREATE TABLE taken (run_id text PRIMARY KEY, client text);
	CREATE TABLE told (client text);
	CREATE FUNCTION take(run text, client text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM memory.save_run('s', run, status => 'running', state => to_jsonb(client), expected_status => '{paused}', user_id => 'ann');
		INSERT INTO taken VALUES (run, client);
	EXCEPTION WHEN serialization_failure THEN
		INSERT INTO told VALUES (client);
	END $$;
});
write_all('expected_status', q{
	\set n random(1, 40)
	SELECT take('p' || :n, 'w' || :client_id);
});
is($node->safe_psql('postgres', 'SELECT (SELECT count(*) FROM taken) + (SELECT count(*) FROM told)'), $writers * $each, 'expected_status: each call has taken a run or was told');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.runs(k => NULL, user_id => 'ann') r FULL JOIN taken t USING (run_id) WHERE run_id <> 'r' AND
	(r.run_id IS NULL OR r.status IS DISTINCT FROM CASE WHEN t.run_id IS NULL THEN 'paused' ELSE 'running' END OR r.status = 'running' AND r.state IS DISTINCT FROM to_jsonb(t.client))}),
	0, 'expected_status: each run is with the client that took it');

# A run of one name is one, whichever session saves it first.
$node->safe_psql('postgres', q{
	CREATE FUNCTION save_new(session text, run text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM memory.save_run(session, run, state => '1', state_path => ARRAY[session], user_id => 'ann');
	EXCEPTION WHEN invalid_parameter_value THEN
		INSERT INTO told VALUES (session);
	END $$;
});
write_all('names', q{
	\set n random(1, 200)
	SELECT save_new('s' || :client_id, 'n' || :n);
});
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.runs(k => NULL, user_id => 'ann') WHERE run_id ~ '^n' AND state <> jsonb_build_object(session_id, 1)}), 0, 'names: a run has what its own session saved');

# Each gives the messages of its run again with one more, all into one session.
write_all('messages', q{
	SELECT memory.save_run('m', 'm' || :client_id, messages => (SELECT jsonb_agg(jsonb_build_object('role', 'user', 'content', 'm' || :client_id || ' says ' || n, 'of', given) ORDER BY n)
		FROM (SELECT count(*) + 1 AS given FROM memory.messages WHERE run_id = 'm' || :client_id) g, generate_series(1, given) n), user_id => 'ann');
}, 12);
is($node->safe_psql('postgres', q{SELECT count(*) || ' ' || count(DISTINCT seq) || ' ' || max(seq) FROM memory.messages('m', k => NULL, user_id => 'ann')}), join(' ', ($writers * 12) x 3), 'messages: all are there, and no number is left out');
is($node->safe_psql('postgres', q{SELECT count(*) FROM (SELECT *, row_number() OVER (PARTITION BY run_id ORDER BY seq) AS n FROM memory.messages('m', k => NULL, user_id => 'ann')) m
	WHERE message <> jsonb_build_object('role', 'user', 'content', run_id || ' says ' || n, 'of', 12)}), 0, 'messages: the n-th of each run is the n-th that was given last');
# Some delete runs and sessions meanwhile.
write_all('deleting', q{
	\set n random(1, 20)
	\set s random(1, 3)
	SELECT save_new('d' || :s, 'd' || :n);
	SELECT memory.delete_runs(ARRAY['d' || :n, 'd' || (:n + 1)], user_id => 'ann');
	SELECT memory.delete_session('d' || :s, user_id => 'ann');
});
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.runs WHERE run_id ~ '^d'}), $node->safe_psql('postgres', q{SELECT count(*) FROM memory.runs r JOIN memory.sessions s ON s.key = r.session WHERE run_id ~ '^d'}), 'deleting: no run without its session');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');

# They are busy when the server is killed.
$node->safe_psql('postgres', q{SELECT memory.save_run('s', 'r', state => '{}', user_id => 'ann'), memory.set_profile('{}', 'replace', user_id => 'ann')});
my $out = $node->basedir . '/answers';
my @busy = map {
	my $w = $_;
	append_to_file("$out-$w.sql", join '', map { qq{SELECT memory.save_run('s', 'r', state => '$_', state_path => '{of,w$w}', user_id => 'ann') #>> '{of,w$w}' FROM memory.set_profile('{"w$w": $_}', user_id => 'ann');\n} } 1 .. 20000);
	IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', "$out-$w.sql" ], '>', "$out-$w", '2>', '/dev/null');
} 1 .. $writers;
ok($node->poll_query_until('postgres', q{SELECT count(*) = 16 AND min(value::int) > 20 FROM jsonb_each_text((SELECT state -> 'of' FROM memory.run('r', user_id => 'ann')))}), 'writers are busy');
$node->stop('immediate');
$_->finish for @busy;
$node->start;
my @lost;
for my $w (1 .. $writers)
{
	my @answered = grep { /^\d+$/ } split /\n/, slurp_file("$out-$w");
	my ($step, $trait) = split /\|/, $node->safe_psql('postgres', qq{SELECT $state ->> 'w$w', $profile ->> 'w$w'});
	# One call may have been committed and not answered.
	push @lost, "w$w answered $answered[-1], has $step and $trait" if $step < $answered[-1] || $step > $answered[-1] + 1 || $trait != $step;
}
is(join("\n", @lost), '', 'what was answered before the kill is there, state and trait of one transaction together');
is($node->safe_psql('postgres', q{SELECT memory.save_run('s', 'r', state => '"on"', state_path => '{goes}', user_id => 'ann') ->> 'goes'}), 'on', 'saving goes on');

# A dump carries all of it, and what is restored goes on alike; a standby answers the same.
$node->safe_psql('postgres', q{SELECT memory.set_summary('s', 'what was said', topics => '{a,"b c"}', user_id => 'ann'), memory.set_policy(save_history => false, last_runs => 7, user_id => 'ann', agent_id => 'coach'),
	memory.set_profile('{"tone": "short"}', user_id => 'ann', agent_id => 'coach')});
my $answers = q{SET timezone = 'UTC'; SELECT r FROM memory.runs(k => NULL, user_id => 'ann') r; SELECT r FROM memory.run('r', user_id => 'ann') r; SELECT s FROM memory.summary('s', user_id => 'ann') s;
	SELECT memory.profile(user_id => 'ann'), memory.profile(user_id => 'ann', agent_id => 'coach'); SELECT p FROM memory.policies p ORDER BY p::text};
my $expected = $node->safe_psql('postgres', $answers);
my $dump = $node->basedir . '/dump';
command_ok([ 'pg_dump', '-Fc', '-f', $dump, $node->connstr('postgres') ], 'pg_dump');
$node->safe_psql('postgres', 'CREATE DATABASE copy');
command_ok([ 'pg_restore', '--exit-on-error', '-d', $node->connstr('copy'), $dump ], 'pg_restore');
is($node->safe_psql('copy', $answers), $expected, 'what is restored answers the same');
is($node->safe_psql('copy', q{SELECT memory.save_run('s', 'r', state => '"again"', state_path => '{goes}', user_id => 'ann') ->> 'goes'; SELECT memory.set_profile('{"w1": "again"}', user_id => 'ann'); SELECT memory.profile(user_id => 'ann') ->> 'w1';
	SELECT memory.delete_session('s', user_id => 'ann'); SELECT count(*) FROM memory.summaries; SELECT count(*) FROM memory.runs r JOIN memory.sessions s ON s.key = r.session WHERE s.session_id = 's'}), "again\n\nagain\nt\n0\n0", 'and goes on alike');
$node->backup('base');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'base', has_streaming => 1);
$standby->start;
$node->safe_psql('postgres', q{SELECT memory.save_run('s', 'late', status => 'paused', requirements => '[{"ask": "when"}]', user_id => 'ann')});
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', $answers), $node->safe_psql('postgres', $answers), 'a standby answers the same');
$standby->stop;
$node->stop;
done_testing();
