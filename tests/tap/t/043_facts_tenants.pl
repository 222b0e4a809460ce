# Users share no line of time, wherever their rows have come from: by logical replication, which carries no counter, by
# COPY among users who were there before, and from writers who number their lines as they like.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('main');
$node->append_conf('postgresql.conf', 'wal_level = logical');
$node->restart;

# What the users of a database tell, each of as many subjects: it is new, changes, is taken back in part and rejected in part.
sub assertions_of
{
	my ($what, $of, @users) = @_;
	return join "\n", map { qq{
		SELECT memory.set_scope('$_');
		SELECT count(memory.assert_fact('$what ' || n, 'lives in', 'city ' || n % 3, valid_from => '2026-01-01')) FROM generate_series(1, $of) n;
		SELECT count(memory.assert_fact('$what ' || n, 'lives in', 'town of $_', valid_from => '2026-02-01')) FROM generate_series(1, $of) n;
		SELECT count(memory.assert_fact('$what 1', 'likes', 'thing ' || n, valid_from => '-infinity', valid_until => 'infinity')) FROM generate_series(1, $of) n;
		SELECT count(memory.retract_fact('$what ' || n, 'lives in', valid_from => '2026-01-05', valid_until => '2026-01-09')) FROM generate_series(1, $of, 2) n;
		SELECT memory.reject_fact('$what 1', 'likes', 'thing 2');
	} } @users;
}

# As they were told: pieces of one subject, by the number of the subject.
sub told
{
	my ($what, $of, @users) = @_;
	return qq{
		SELECT string_agg(user_id || ' ' || good, ', ' ORDER BY user_id) FROM (
			SELECT u AS user_id, count(*) FILTER (WHERE (SELECT string_agg(object, ' ' ORDER BY valid_from)
					FROM memory.facts('$what ' || n, 'lives in', user_id => u, valid_at => NULL))
				= concat_ws(' ', 'city ' || n % 3, CASE n % 2 WHEN 1 THEN 'city ' || n % 3 END, 'town of ' || u)) AS good
			FROM unnest('{@{[join ',', @users]}}'::text[]) u, generate_series(1, $of) n GROUP BY 1) t};
}

# Whatever a user can ask of its facts.
my $answers = q{
	SELECT 'history', f::text FROM (SELECT DISTINCT subject, predicate FROM memory.facts(k => 1000000, valid_at => NULL, known_at => NULL)) s,
		memory.fact_history(s.subject, s.predicate) f
	UNION ALL SELECT 'path', t::text FROM memory.traverse('{told 1}', hops => 3, k => 1000) t
	UNION ALL SELECT 'recall', r::text FROM memory.recall_facts('thing city town', k => 20) r
	UNION ALL SELECT 'source', s::text FROM memory.fact_sources s WHERE user_id = memory.current_user_id()
	ORDER BY 1, 2};

# Rows that are on no line of their own user's, and current ones that have an instant in common.
my $wrong = q{
	SELECT (SELECT count(*) FROM memory.facts f LEFT JOIN memory.timelines t USING (namespace, user_id, subject_key, predicate, line) WHERE t.slot IS NULL),
		(SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (namespace, user_id, line)
		 WHERE a.id < b.id AND 'infinity' = ALL (ARRAY[a.known_until, b.known_until]) AND a.valid_from < b.valid_until AND b.valid_from < a.valid_until)};

sub works_on
{
	my ($on, $database, $how, $of, @users) = @_;
	my ($status, $out, $err) = $on->psql($database, "SET client_min_messages = warning;" . assertions_of('later', $of, @users) . assertions_of('told', $of, @users), on_error_stop => 1);
	is($err, '', "$how: every user's next assertions work");
	for my $what ('told', 'later')
	{
		is($on->safe_psql($database, told($what, $of, @users)), join(', ', map { "$_ $of" } @users), "$how: what was $what is as it was told");
	}
	is($on->safe_psql($database, $wrong), '0|0', "$how: every version is on a line of its user, and nowhere are two current at once");
	# All that is stored is proved again.
	is($on->safe_psql($database, q{
		SET client_min_messages = warning;
		ALTER TABLE memory.facts DROP CONSTRAINT one_belief_at_a_time, DROP CONSTRAINT IF EXISTS line_of_the_user;
		SELECT memory.init();
		SELECT count(*) FROM pg_constraint WHERE conrelid = 'memory.facts'::regclass AND convalidated
			AND conname IN ('one_belief_at_a_time', 'line_of_the_user')}), "\n2", "$how: the constraints hold for all rows");
}

my $set_up = q{SET client_min_messages = warning; CREATE EXTENSION memory CASCADE; SELECT memory.init(); SELECT memory.define_predicate('likes', 'many');};

# --- a replica takes over ------------------------------------------------------------------------

my @users = qw(ann bob cid);
my $replica = start_primary('replica');
$node->safe_psql('postgres', "CREATE DATABASE app");
$node->safe_psql('app', $set_up . assertions_of('told', 20, @users));
$replica->safe_psql('postgres', "CREATE DATABASE app");
$replica->safe_psql('app', $set_up =~ s/SELECT memory.define_predicate.*//r);
$node->safe_psql('app', 'CREATE PUBLICATION everything FOR TABLES IN SCHEMA memory');
$replica->safe_psql('app', "CREATE SUBSCRIPTION everything CONNECTION '" . $node->connstr . " dbname=app' PUBLICATION everything");
$replica->wait_for_subscription_sync($node, 'everything', 'app');
$node->safe_psql('app', assertions_of('streamed', 20, @users));
$node->wait_for_catchup('everything');
same_lines(rows_of($replica, 'app'), rows_of($node, 'app'), 'the replica has every row');
$node->safe_psql('app', 'SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots');
$replica->safe_psql('app', 'ALTER SUBSCRIPTION everything DISABLE; ALTER SUBSCRIPTION everything SET (slot_name = NONE); DROP SUBSCRIPTION everything;');
works_on($replica, 'app', 'after the switch-over', 20, @users, 'dot');
is($replica->safe_psql('app', told('streamed', 20, @users)), 'ann 20, bob 20, cid 20', 'after the switch-over: what was streamed is as it was told');
$replica->stop;

# --- a user moves --------------------------------------------------------------------------------

$node->safe_psql('postgres', "CREATE DATABASE $_") for 'here', 'there';
$node->safe_psql('here', $set_up . assertions_of('told', 20, 'moved', 'stays') . q{
	SELECT memory.set_scope('moved');
	SELECT memory.assert_fact('told 1', 'knows', 'town of moved', sources => ARRAY[memory.remember('a source')]), memory.merge_entities('told 1', 'first');});
$node->safe_psql('there', $set_up . assertions_of('told', 20, 'home', 'yard'));
my $files = PostgreSQL::Test::Utils::tempdir();
for my $table (qw(episodes timelines facts fact_sources rejections entity_aliases))
{
	my $columns = $node->safe_psql('here', "SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
		WHERE attrelid = 'memory.$table'::regclass AND attnum > 0 AND attgenerated = ''");
	$node->safe_psql('here', "COPY (SELECT $columns FROM memory.$table WHERE user_id = 'moved') TO '$files/$table'");
	my ($status, $out, $err) = $node->psql('there', "COPY memory.$table ($columns) FROM '$files/$table'");
	is($err, '', "the rows of $table go in among those of other users");
}
my $before = $node->safe_psql('here', "SELECT memory.set_scope('moved'); $answers");
cmp_ok(scalar(split /\n/, $before), '>', 100, 'there are answers to compare');
same_lines($node->safe_psql('there', "SELECT memory.set_scope('moved'); $answers"), $before, 'a user who has moved has the same answers');
works_on($node, 'there', 'after the move', 20, 'home', 'moved', 'yard');

# --- a writer numbers lines ----------------------------------------------------------------------

$node->safe_psql('postgres', "CREATE DATABASE shared; CREATE ROLE app");
$node->safe_psql('shared', "$set_up SELECT memory.grant_access('app', 'writer'); SELECT memory.protect();");
my $ann = "SET ROLE app; SET memory.user_id = 'ann';";
my $eve = "SET ROLE app; SET memory.user_id = 'eve';";
$node->safe_psql('shared', $ann . q{SELECT memory.assert_fact('secret', 'is', 'safe', valid_from => '2026-01-01', valid_until => '2026-02-01');});
my $hers = $node->safe_psql('shared', q{SELECT line FROM memory.timelines WHERE user_id = 'ann' AND subject_key = 'secret'});
# The line that ann has, and every number from 1 on.
for my $number ($hers, "n FROM generate_series(1, 2000) n WHERE n <> $hers")
{
	my ($status, $out, $err) = $node->psql('shared', $eve . qq{
		INSERT INTO memory.timelines (namespace, user_id, subject_key, predicate, slot, line, last_known, changes)
			SELECT 'default', 'eve', 'squat ' || n, 'is', '', n, now(), 1 FROM (SELECT $number) AS squat (n);
		INSERT INTO memory.facts (namespace, user_id, line, valid_from, valid_until, known_from, subject_key, predicate, object_key, subject, object)
			SELECT namespace, user_id, line, '-infinity', 'infinity', last_known, subject_key, predicate, 'o', subject_key, 'o'
			FROM memory.timelines WHERE line IN (SELECT $number)});
	is($err, '', 'the number of a line does not tell whether another user has it');
}
my ($status, $out, $err) = $node->psql('shared', $ann . q{
	SELECT count(memory.assert_fact('subject ' || n, 'is', 'here', valid_from => '-infinity', valid_until => 'infinity')) FROM generate_series(1, 200) n;
	SELECT memory.assert_fact('secret', 'is', 'out', valid_from => '2026-01-10') IS NOT NULL;
	SELECT string_agg(object, ' ' ORDER BY valid_from) FROM memory.facts('secret', valid_at => NULL);
	SELECT memory.retract_fact('subject 7', 'is', valid_from => '-infinity');});
is("$out$err", "200\nt\nsafe out\n1", 'a writer who has taken all lines keeps no other user from writing');
is($node->safe_psql('shared', "SELECT user_id, count(*) FROM memory.facts WHERE known_until = 'infinity' GROUP BY 1 ORDER BY 1"), "ann|201\neve|2001", 'and nobody has lost anything');

# --- without statistics --------------------------------------------------------------------------

# A session that has planned on empty tables finds what it needs by few entries of an index, however much comes to be there.
$node->safe_psql('postgres', "CREATE DATABASE fresh");
$node->safe_psql('fresh', $set_up . q{
	SELECT memory.set_scope('ann');
	SELECT count(memory.assert_fact('subject ' || n, 'lives in', 'city ' || m, valid_from => '2026-01-01'::timestamptz + m * interval '1 day'))
	FROM generate_series(1, 600) n, generate_series(1, 2) m;
	SELECT count(memory.correct_fact(id, 'elsewhere')) FROM memory.facts(predicate => 'lives in', k => 300);
	SELECT count(memory.retract_fact('subject ' || n, 'lives in', valid_from => '-infinity', valid_until => '2026-01-02')) FROM generate_series(1, 300) n;
	SELECT count(memory.reject_fact('subject ' || n, 'lives in', 'city 2')) FROM generate_series(1, 300) n;
	DELETE FROM memory.facts WHERE user_id = 'ann';
	DELETE FROM memory.timelines WHERE user_id = 'ann';});
is($node->safe_psql('fresh', q{
	SELECT string_agg(format('%s %s/%s', indexrelname, idx_tup_read, idx_scan), ', ') FROM pg_stat_user_indexes
	WHERE relid IN ('memory.facts'::regclass, 'memory.timelines'::regclass) AND idx_tup_read > 10 * idx_scan + 5000}), '', 'no lookup reads all that a user has');
cmp_ok($node->safe_psql('fresh', "SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'facts_by_line'"), '>=', 600, 'and the lines that go are looked for');

$node->stop;
done_testing();
