# A standby answers like its primary: the same rows in the same order, in a read-only transaction,
# after every round of writes. It writes nothing; and when it is promoted, it goes on.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $primary = start_primary('primary');
$primary->safe_psql('postgres', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3);');
$primary->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($primary, 'backup', has_streaming => 1);
$standby->start;

# What readers ask, as those who have names and as those who have none.
my @questions = (
	(map { ("SELECT * FROM memory.recall_recent($_)") } q{},
		q{user_id => 'ann'}, q{user_id => 'ann', k => 3}, q{'note', user_id => 'ann'}, q{'note', 100, 'bob', 'critic', 'monday'},
		q{user_id => 'nobody'}, q{k => 100000, user_id => 'bob'}),
	q{SELECT (memory.get(id, 'ann')).* FROM memory.episodes ORDER BY id},
	q{SELECT memory.get('00000000-0000-7000-8000-000000000001', 'ann')},
	q{SELECT memory.get('00000000-0000-7000-8000-000000000001')},
	(map { ("SELECT memory.context($_)") } q{'number', user_id => 'ann'}, q{'long number', 50000, 'monday', 'bob'}, q{user_id => 'bob'}, q{user_id => 'nobody'}),
	q{SELECT memory.load_session('monday', 'ann')}, q{SELECT memory.overview('ann'), memory.overview('nobody')},
	q{SELECT * FROM memory.scope()},
	q{SELECT count(*), sum(vector_norm(embedding)) FROM memory.embeddings},
	q{SELECT memory.hash_embedding('the same everywhere', 16)});

sub answers
{
	my ($node, $begin) = @_;
	return join "\n--\n", map {
		my ($status, $out, $err) = $node->psql('postgres', "SET memory.anonymous = 'allow'; $begin; $_; COMMIT;");
		"$_\n$out$err"
	} @questions;
}

sub same_answers
{
	my ($when) = @_;
	$primary->wait_for_catchup($standby);
	my $expected = answers($primary, 'BEGIN');
	unlike($expected, qr/ERROR/, "$when: the primary answers");
	same_lines(answers($standby, 'BEGIN'), $expected, "$when: so does the standby");
	same_lines(answers($standby, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'), $expected, "$when: in a read-only transaction, too");
	same_lines(answers($primary, 'BEGIN READ ONLY'), $expected, "$when: as on the primary");
}

same_answers('when nothing is remembered');

$primary->safe_psql('postgres', q{
	SELECT memory.remember('number ' || n, user_id => (ARRAY['ann', 'bob', NULL])[1 + n % 3], kind => (ARRAY['note', 'turn'])[1 + n % 2],
		agent_id => 'critic', session_id => 'monday', occurred_at => '2026-01-01'::timestamptz + n % 17 * interval '1 day',
		metadata => jsonb_build_object('n', n), embedding => format('[%s,1,2]', n)::vector)
	FROM generate_series(1, 300) AS n;
	SELECT memory.remember('by id', repeat('long ', 3000), user_id => 'ann', id => '00000000-0000-7000-8000-000000000001');
	INSERT INTO memory.episodes (user_id, content) SELECT 'bob', 'inserted ' || n FROM generate_series(1, 1000) AS n;});
same_answers('after a round of writing');

$primary->safe_psql('postgres', q{
	SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'by id, revised', user_id => 'ann');
	SELECT memory.revise(id, content || ', revised', user_id => 'bob') FROM memory.recall_recent(k => 50, user_id => 'bob');
	SELECT memory.remember('replaced', user_id => 'ann', id => id) FROM memory.recall_recent(k => 10, user_id => 'ann');
	SELECT memory.remember('soon gone', user_id => 'ann', ttl => '1 microsecond');
	DELETE FROM memory.episodes WHERE content LIKE 'inserted %7';
	BEGIN; SELECT memory.remember('never there', user_id => 'ann'); ROLLBACK;
	VACUUM memory.episodes, memory.embeddings;});
same_answers('after revising, replacing and deleting');

# The standby warns as the primary does, and refuses what it must.
for my $node ($primary, $standby)
{
	my ($status, $out, $err) = $node->psql('postgres', 'SELECT count(*) FROM memory.recall_recent()');
	like($err, qr/WARNING:  this call reads the memories of the anonymous user/, $node->name . ' warns of an anonymous read');
}
for my $call (q{memory.remember('a')}, q{memory.remember_many('[{"content": "a"}]')},
	q{memory.revise('00000000-0000-7000-8000-000000000001', 'a', user_id => 'ann')}, q{memory.grant_access('pg_monitor', 'reader')})
{
	my ($status, $out, $err) = $standby->psql('postgres', "SELECT $call", extra_params => [ '-v', 'VERBOSITY=verbose' ]);
	like($err, qr/ERROR:  25006|ERROR:  55000: cannot acquire lock mode/, "the standby refuses $call");
}

# An index that only standbys search does not look unused there.
my $searched = $standby->safe_psql('postgres', q{SELECT idx_scan FROM pg_stat_user_indexes WHERE indexrelname = 'episodes_by_text'});
is($standby->safe_psql('postgres', qq{
	SELECT count(*) FROM memory.recall('revised', k => 3, user_id => 'bob');
	SELECT pg_stat_force_next_flush();
	SELECT idx_scan - $searched, idx_tup_read > 0, idx_tup_fetch > 0 FROM pg_stat_user_indexes WHERE indexrelname = 'episodes_by_text'}),
	"3\n\n1|t|t", 'the standby counts its searches of the recall index');

# Long after the primary is gone, it goes on with all that was remembered.
my $expected = answers($primary, 'BEGIN');
$primary->stop;
$standby->promote;
same_lines(answers($standby, 'BEGIN'), $expected, 'the promoted standby answers the same');
is($standby->safe_psql('postgres', q{
	SELECT memory.remember('after all', user_id => 'ann', embedding => '[1,2,3]', occurred_at => '2030-01-01') IS NOT NULL;
	SELECT content FROM memory.recall_recent(k => 1, user_id => 'ann');
	SELECT memory.init(3)}), "t\nafter all\n", 'and remembers');
$standby->stop;
done_testing();
