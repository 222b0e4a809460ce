# 32 writers assert at once over 50 keys, at READ COMMITTED, REPEATABLE READ and SERIALIZABLE, one by one
# and in batches of many keys: at every instant one fact is current for a key, every assertion that was
# reported as done is accounted for, and nobody meets a deadlock.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 32;
my $keys = 50;
# Assertions of a writer; a tenth of them where most are told to try again.
my %each = ('READ COMMITTED' => $ENV{FACTS_EACH} // 100);
$each{$_} = int($each{'READ COMMITTED'} / 10) for 'REPEATABLE READ', 'SERIALIZABLE';

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE done (object text, key int, PRIMARY KEY (object, key));
	CREATE FUNCTION day() RETURNS timestamptz LANGUAGE sql AS
		$$ SELECT '2026-01-01'::timestamptz + floor(random() * 1000) * interval '1 hour' $$;
	-- Five keys from `first` on, in either order.
	CREATE FUNCTION batch(first int, object text, backwards boolean) RETURNS jsonb LANGUAGE sql AS $$
		SELECT jsonb_agg(jsonb_build_object('subject', 'k' || k % 50, 'predicate', 'at', 'object', object, 'valid_from', day())
			ORDER BY CASE WHEN backwards THEN -k ELSE k END)
		FROM generate_series(first, first + 4) AS k $$;
});

# pgbench says which transactions it could not bring to an end; a serialization failure it repeats
# with the same values.
sub write_all
{
	my ($isolation) = @_;
	my $values = '\set key random(0, ' . ($keys - 1) . ")\n" . '\set n random(1, 1000000000000)' . "\n";
	my $begin = "BEGIN ISOLATION LEVEL $isolation;\n";
	my $object = q{'w' || :client_id || '-' || :n};
	my $directory = PostgreSQL::Test::Utils::tempdir();
	append_to_file("$directory/one.sql", $values . $begin
		. "SELECT memory.assert_fact('k' || :key, 'at', $object, 'ann', day());\nINSERT INTO done VALUES ($object, :key);\nCOMMIT;\n");
	append_to_file("$directory/batch.sql", $values . $begin
		. "SELECT memory.assert_facts(batch(:key, $object, :n % 2 = 0), 'ann');\n"
		. "INSERT INTO done SELECT $object, k % 50 FROM generate_series(:key, :key + 4) AS k;\nCOMMIT;\n");
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ 'pgbench', '--no-vacuum', '--client', $writers, '--transactions', $each{$isolation}, '--max-tries', 100000,
			'--file', "$directory/one.sql\@4", '--file', "$directory/batch.sql\@1", $node->connstr('postgres') ], '>', \$out, '2>', \$err);
	note($out =~ s/^(?!number of|latency).*\n//mgr);
	return $ok ? '' : $err;
}

for my $isolation ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE')
{
	is(write_all($isolation), '', "$isolation: every writer comes to its end");
	is($node->safe_psql('postgres', 'SELECT count(DISTINCT object) FROM done'), $writers * $each{$isolation}, "$isolation: each has asserted all");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (subject_key, predicate)
		WHERE a.id <> b.id AND a.known_until = 'infinity' AND b.known_until = 'infinity'
		  AND a.valid_from < b.valid_until AND b.valid_from < a.valid_until}),
		'0', "$isolation: no two are current at one instant");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM done d WHERE NOT EXISTS (
			SELECT FROM memory.facts f WHERE f.subject_key = 'k' || d.key AND f.object_key = d.object)}),
		'0', "$isolation: every assertion is in the history");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (line)
		WHERE a.id < b.id AND tstzrange(a.valid_from, a.valid_until) && tstzrange(b.valid_from, b.valid_until)
		  AND tstzrange(a.known_from, a.known_until) && tstzrange(b.known_from, b.known_until)}),
		'0', "$isolation: nor did any two ever hold at once");
	is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', "$isolation: nobody met a deadlock");
	is($node->safe_psql('postgres', q{
		SELECT count(*) FROM memory.timelines t JOIN memory.facts f USING (line)
		WHERE f.known_from > t.last_known}), '0', "$isolation: nothing is known later than the line's last change");
	$node->safe_psql('postgres', 'TRUNCATE done, memory.facts, memory.timelines CASCADE');
}

$node->stop;
done_testing();
