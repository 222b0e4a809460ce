# 16 clients write, revise and delete episodes while the model is chosen, and while claimers do their jobs, fail them, or
# die with them; the server is stopped among them, and single backends are killed. In the end every episode has exactly one vector, that of its text, or a job that has visibly failed.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 16;
my $each = $ENV{JOBS_EACH} // 60;
my $kills = $ENV{JOBS_KILLS} // 3;
my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE ROLE a_writer LOGIN;
	CREATE ROLE a_worker LOGIN;
	SELECT memory.grant_access('a_writer', 'writer'), memory.grant_access('a_worker', 'worker');
	CREATE SEQUENCE numbers;
	GRANT USAGE ON SEQUENCE numbers TO a_writer;
	CREATE FUNCTION id_of(n bigint) RETURNS uuid LANGUAGE sql RETURN ('00000000-0000-0000-0000-' || lpad(n::text, 12, '0'))::uuid;

	-- What a worker does: claims, commits, answers by a function of the text, or fails, or dies with what it has.
	CREATE FUNCTION answered(job memory.job) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		RETURN memory.finish_job(job.id, embedding => memory.hash_embedding(job.payload -> 'texts' ->> 0, 8));
	EXCEPTION WHEN deadlock_detected THEN
		RAISE WARNING 'deadlock';
		RETURN false;
	END $$;
	CREATE PROCEDURE work(k int, lease interval, fails float8, dies float8) LANGUAGE plpgsql AS $$
	DECLARE
		claimed memory.job[]; job memory.job;
	BEGIN
		claimed := ARRAY(SELECT j FROM memory.next_jobs(k, lease => lease) j);
		COMMIT;
		FOREACH job IN ARRAY claimed LOOP
			IF random() < dies THEN
				RETURN;
			ELSIF random() < fails THEN
				PERFORM memory.fail_job(job.id, 'no answer', '1 microsecond');
			ELSE
				PERFORM answered(job);
			END IF;
			COMMIT;
		END LOOP;
	END $$;
	CREATE PROCEDURE work_off() LANGUAGE plpgsql AS $$
	BEGIN
		LOOP
			CALL work(100, '1 hour', 0, 0);
			EXIT WHEN NOT EXISTS (SELECT FROM memory.used_models() WHERE waiting > 0);
		END LOOP;
	END $$;
	CREATE VIEW episode AS SELECT e.id, e.user_id, memory.hash_embedding(memory_internal.episode_text(e.content, e.response), 8) AS wanted,
		(SELECT count(*) FROM memory.embeddings v WHERE (v.namespace, v.user_id, v.episode_id) = (e.namespace, e.user_id, e.id)) AS vectors,
		(SELECT (array_agg(v.embedding))[1] FROM memory.embeddings v WHERE (v.namespace, v.user_id, v.episode_id) = (e.namespace, e.user_id, e.id)) AS vector,
		EXISTS (SELECT FROM memory.jobs j WHERE (j.namespace, j.user_id, j.target) = (e.namespace, e.user_id, e.id) AND j.due_at = 'infinity') AS failed
		FROM memory.episodes e;
});

# Writers are files of pgbench that run side by side, for as many transactions each.
sub start_all
{
	my ($clients, $transactions, $user, @scripts) = @_;
	my $nth = 0;
	my @files = map { my $file = PostgreSQL::Test::Utils::tempdir() . '/script-' . $nth++ . '.sql'; append_to_file($file, $_ =~ s/^\t+//mgr); ('--file', $file) } @scripts;
	my %run = (err => '');
	$run{handle} = IPC::Run::start([ 'pgbench', '--no-vacuum', '--client', $clients, '--transactions', $transactions, '--max-tries', 1000, '--username', $user, @files, $node->connstr('postgres') ], '>', \$run{out}, '2>', \$run{err});
	return \%run;
}
sub finished { my ($run, $what) = @_; my $ok = $run->{handle}->finish; is($ok ? '' : $run->{err}, '', $what); unlike($run->{err}, qr/deadlock/, "$what: no deadlock"); return }
sub all_is_right
{
	my ($what) = @_;
	is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.embeddings v WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE (e.namespace, e.user_id, e.id) = (v.namespace, v.user_id, v.episode_id))'), '0', "$what: no vector dangles");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM episode WHERE vector <> wanted'), '0', "$what: no vector is of another text");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM episode WHERE NOT (vectors = 1 OR vectors = 0 AND failed)'), '0', "$what: each episode has one vector, or a job that has failed");
	return;
}

my $remember = q{SELECT memory.remember('text ' || n || ' ' || repeat('x ', :x), user_id => 'user' || :u, id => id_of(n)) FROM (SELECT nextval('numbers') AS n) n};
my @write = (qq{
	\\set u random(1, 3)
	\\set x random(1, 50)
	$remember;
}, qq{
	\\set u random(1, 3)
	\\set x random(1, 50)
	BEGIN ISOLATION LEVEL REPEATABLE READ;
	SELECT 1;
	$remember;
	COMMIT;
}, q{
	\set u random(1, 3)
	\set x random(1, 1000000)
	SELECT memory.revise(id_of(n), 'revised ' || :x, user_id => 'user' || :u) FROM (SELECT 1 + (:x % (SELECT last_value FROM numbers)) AS n) n;
}, q{
	\set u random(1, 3)
	\set x random(1, 1000000)
	DELETE FROM memory.episodes WHERE namespace = 'default' AND user_id = 'user' || :u AND id = (SELECT id_of(1 + :x % last_value) FROM numbers) AND :x % 3 = 0;
});
$node->safe_psql('postgres', 'GRANT SELECT ON SEQUENCE numbers TO a_writer');

# The model is chosen while they write: what was written before, meanwhile and after has its vector.
my $busy = start_all($writers, $each, 'a_writer', @write);
ok($node->poll_query_until('postgres', 'SELECT count(*) > 50 FROM memory.episodes'), 'writers are busy');
$node->safe_psql('postgres', q{SELECT memory.use_model('embed', 'small', options => '{"dimensions": 8}')});
finished($busy, 'while the model is chosen, writers come to their end');
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM memory.jobs WHERE thing = 'episode'}), '<', $node->safe_psql('postgres', 'SELECT count(*) FROM memory.episodes'), 'not all episodes are queued by their writers');
$node->safe_psql('postgres', 'CALL work_off()');
all_is_right('chosen meanwhile');
is($node->safe_psql('postgres', 'SELECT count(*) FROM episode WHERE failed'), '0', 'none has failed');

# Claimers among writers: they answer, fail, and lose their leases. Some jobs fail for good: these are seen, and tried again by hand.
$busy = start_all($writers, 2 * $each, 'a_writer', @write);
my @claimers = map { start_all(1, 3 * $each, 'a_worker', "CALL work(8, '50 milliseconds', 0.3, 0.1);") } 1 .. 4;
finished($busy, 'beside claimers, writers come to their end');
finished($_, 'a claimer comes to its end') for @claimers;
$node->safe_psql('postgres', q{SELECT count(*) FROM memory.remember_many((SELECT jsonb_agg(jsonb_build_object('content', 'hard to embed ' || n)) FROM generate_series(1, 50) n), 'user1')});
$node->safe_psql('postgres', q{CALL work(1000, '1 hour', 0.9, 0)}) for 1 .. 8;
$node->safe_psql('postgres', 'CALL work_off()');
all_is_right('claimed by four');
my $failed = $node->safe_psql('postgres', 'SELECT failed FROM memory.used_models()');
cmp_ok($failed, '>', 0, "some have failed for good: $failed");
is($node->safe_psql('postgres', 'SELECT memory.retry_jobs()'), $failed, 'as many are tried again by hand');
$node->safe_psql('postgres', 'CALL work_off()');
is($node->safe_psql('postgres', 'SELECT count(*) FROM episode WHERE vectors <> 1'), '0', 'and then all have their vectors');
is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.jobs'), '0', 'nothing is left in the queue');

# The server is killed while all are busy.
$busy = start_all($writers, 100_000, 'a_writer', @write);
@claimers = map { start_all(1, 100_000, 'a_worker', "CALL work(8, '1 hour', 0, 0);") } 1 .. 4;
my $done = $node->safe_psql('postgres', 'SELECT done FROM memory.used_models()');
ok($node->poll_query_until('postgres', "SELECT done > $done + 300 FROM memory.used_models()"), 'claimers are busy');
$node->stop('immediate');
$_->{handle}->finish for $busy, @claimers;
$node->start;
is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.embeddings v WHERE NOT EXISTS (SELECT FROM memory.episodes e WHERE (e.namespace, e.user_id, e.id) = (v.namespace, v.user_id, v.episode_id))'), '0', 'after the crash no vector dangles');
# What claimers had is theirs for an hour; then it is due.
$node->safe_psql('postgres', q{UPDATE memory.jobs SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL; CALL work_off()});
all_is_right('after the crash');
is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.jobs'), '0', 'after the crash nothing is left in the queue');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');

# A backend is killed that has claimed a job and written half of its answer: the claim holds, the answer does not, and another session may still
# give it.
$node->append_conf('postgresql.conf', 'restart_after_crash = on');
$node->reload;
sub kill_backend
{
	my ($which) = @_;
	my $pid = $node->safe_psql('postgres', "SELECT pid FROM pg_stat_activity WHERE $which ORDER BY random() LIMIT 1");
	like($pid, qr/^[0-9]+$/, "there is a backend to kill: $which") or return;
	kill 'KILL', $pid;
	return;
}
sub is_up_again { return $node->poll_query_until('postgres', q{SELECT pg_postmaster_start_time() < now() AND NOT pg_is_in_recovery()}) }
$node->safe_psql('postgres', q{SELECT memory.remember('half answered', user_id => 'user1', id => id_of(0))});
my $claim = $node->safe_psql('postgres', q{SELECT id FROM memory.next_jobs(1)});
my $half = $node->background_psql('postgres', on_error_stop => 0);
is($half->query("SET application_name = 'half'; BEGIN; SELECT memory.finish_job('$claim', embedding => memory.hash_embedding('half answered', 8))"), 't', 'an answer is half written');
kill_backend(q{application_name = 'half'});
ok(is_up_again(), 'the server restarts by itself');
eval { $half->quit }; # its connection is gone
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.embeddings WHERE episode_id = id_of(0)}), '0', 'nothing is left of the answer');
is($node->safe_psql('postgres', q{SELECT attempts || ' ' || (leased_until > now()) FROM memory.jobs WHERE target = id_of(0)}), '1 true', 'the job is claimed as before');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.next_jobs()}), '0', 'no other worker has it');
is($node->safe_psql('postgres', "SELECT memory.finish_job('$claim', embedding => memory.hash_embedding('half answered', 8))"), 't', 'its worker gives the answer once more');

# One of the claimers' or writers', while all are busy, again and again.
for my $round (1 .. $kills)
{
	$busy = start_all($writers, 100_000, 'a_writer', @write);
	@claimers = map { start_all(1, 100_000, 'a_worker', "CALL work(8, '1 hour', 0, 0);") } 1 .. 4;
	$done = $node->safe_psql('postgres', 'SELECT done FROM memory.used_models()');
	ok($node->poll_query_until('postgres', "SELECT done > $done + 30 FROM memory.used_models()"), 'claimers are busy');
	kill_backend($round % 3 == 0 ? q{usename = 'a_writer'} : q{usename = 'a_worker'});
	$_->{handle}->finish for $busy, @claimers;
	ok(is_up_again(), 'the server restarts by itself');
	$node->safe_psql('postgres', q{UPDATE memory.jobs SET leased_until = now() - interval '1 second' WHERE leased_until IS NOT NULL; CALL work_off()});
	all_is_right("killed for the time $round");
	is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.jobs'), '0', 'nothing is left in the queue');
}

# Before a table's first ANALYZE: a job looks for its episode by its key, and not among all that the user has.
$node->safe_psql('postgres', 'CREATE DATABASE fresh');
$node->safe_psql('fresh', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	ALTER TABLE memory.episodes SET (autovacuum_enabled = off);
	SELECT memory.use_model('embed', 'small', options => '{"dimensions": 8}');
	INSERT INTO memory.episodes (user_id, content) SELECT 'ann', 'note ' || n FROM generate_series(1, 2000) n;
	SELECT count(memory.finish_job(id, embedding => '[1,2,3,4,5,6,7,8]')) FROM memory.next_jobs(1000)});
is($node->safe_psql('fresh', q{SELECT string_agg(format('%s %s/%s', indexrelname, idx_tup_read, idx_scan), ', ') FROM pg_stat_user_indexes
	WHERE relid = 'memory.episodes'::regclass AND idx_tup_read > 10 * idx_scan + 5000}), '', 'no job reads all that a user has');
cmp_ok($node->safe_psql('fresh', q{SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'episodes_pkey'}), '>=', 3000, 'each reads its own episode');

# A notification for those that listen, where it is asked for: one a transaction.
my $listen = q{LISTEN memory_jobs; BEGIN; SELECT memory.remember('x', user_id => 'user1'); SELECT memory.remember('y', user_id => 'user1'); COMMIT;};
unlike($node->safe_psql('postgres', $listen), qr/Asynchronous notification/, 'no notification by default');
my $heard = () = $node->safe_psql('postgres', "SET memory.notify_jobs = on; $listen") =~ /Asynchronous notification "memory_jobs"/g;
is($heard, 1, 'one notification a transaction with memory.notify_jobs');
$node->safe_psql('postgres', q{SELECT memory.drop_model('embed')});
unlike($node->safe_psql('postgres', "SET memory.notify_jobs = on; $listen"), qr/Asynchronous notification/, 'none where nothing is queued');
$node->stop;
done_testing();
