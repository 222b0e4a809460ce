# 16 clients that consolidate, undo, write, revise and delete in one user's episodes: every episode is either recalled or merged into
# one that is there, and undoing all mergers leaves what was written. The same with kill -9. CONSOLIDATE_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $crashes = $ENV{CONSOLIDATE_CRASHES} // 2;
my $node = start_for_writers('main', 'client_min_messages = error');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE done (id uuid, content text);
	-- One of 40 things, said in one of many ways.
	CREATE FUNCTION said(thing int, way int) RETURNS text LANGUAGE sql IMMUTABLE AS $$
		SELECT CASE way % 4 WHEN 0 THEN upper(t) WHEN 1 THEN t || '!' WHEN 2 THEN overlay(t placing 'x' from 5 + way % 9) ELSE 'the ' || t END
		FROM (SELECT (ARRAY['notes about trains to vienna', 'a quiet hotel near the station', 'tickets for the opera tonight', 'coffee with whipped cream please'])[thing % 4 + 1] || ' ' || repeat(chr(97 + thing % 26), 3) || repeat(chr(97 + thing % 10), 4) AS t) v $$;
	-- Undoes some merger, if there still is one.
	CREATE FUNCTION undo_one(n int) RETURNS boolean LANGUAGE plpgsql AS $$
	DECLARE one uuid := (SELECT kept FROM memory.merged_episodes ORDER BY kept OFFSET n LIMIT 1);
	BEGIN
		PERFORM memory.undo_consolidation(one);
		RETURN true;
	EXCEPTION WHEN invalid_parameter_value OR null_value_not_allowed THEN
		RETURN false;
	END $$});

my %load = ('12-write' => q{
	\set thing random(1, 40)
	\set way random(1, 1000)
	WITH r AS (SELECT said(:thing, :way) AS content) INSERT INTO done SELECT memory.remember(content), content FROM r;
}, '3-consolidate' => 'SELECT count(*) FROM memory.consolidate(dry_run => false);', '3-undo' => q{
	\set n random(0, 30)
	SELECT undo_one(:n);
});

# Whatever has happened: each episode is recalled, or merged into another one that is there.
sub check
{
	my ($what) = @_;
	is($node->safe_psql('postgres', q{
		SELECT count(*) FILTER (WHERE (e.expires_at IS NULL) <> (m.episode_id IS NULL) OR e.expires_at > '-infinity'), count(*) FILTER (WHERE m.kept IS NOT NULL AND NOT EXISTS (SELECT FROM memory.episodes k WHERE k.id = m.kept))
		FROM memory.episodes e FULL JOIN memory.merged_episodes m ON m.episode_id = e.id}), '0|0', "$what: each is recalled or merged into one that is there");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM done d FULL JOIN memory.episodes e ON e.id = d.id AND e.content = d.content WHERE d.id IS NULL OR e.id IS NULL}), '0', "$what: what was answered is there, as it was");
	is($node->safe_psql('postgres', "SELECT memory.verify_index('memory.episodes_by_text')"), '', "$what: the index is whole");
}

bench($node, '16 clients write, consolidate and undo', 30, %load);
check('at once');
$node->safe_psql('postgres', 'SELECT count(*) FROM memory.consolidate(dry_run => false)');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM memory.merged_episodes'), '>', 100, 'much is merged in the end');
is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.consolidate()'), '0', 'then nothing is left to merge');
$node->safe_psql('postgres', 'SELECT memory.undo_consolidation(kept) FROM (SELECT DISTINCT kept FROM memory.merged_episodes) m');
is($node->safe_psql('postgres', "SELECT count(*), count(*) FILTER (WHERE expires_at IS NULL) = count(*) FROM memory.episodes, (SELECT count(*) FROM memory.merged_episodes) m WHERE m.count = 0"), $node->safe_psql('postgres', 'SELECT count(*), true FROM done'), 'and all come back');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');

for my $round (1 .. $crashes)
{
	my $answered = $node->safe_psql('postgres', 'SELECT count(*) FROM done');
	my $bench = bench($node, "crash $round", 0, %load);
	ok($node->poll_query_until('postgres', "SELECT count(*) > $answered + 60 FROM done"), "crash $round: the load runs");
	crash($node, $bench, 0.5);
	check("crash $round");
}

$node->stop;
done_testing();
