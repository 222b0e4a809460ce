# Predicates become many-valued and one-valued while sixteen writers assert under them at every isolation level: at
# no time has a one-valued predicate two objects, and every current fact is on the line that its predicate asks for.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 16;
my $each = $ENV{FACTS_EACH} ? 300 : 100;

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE FUNCTION day() RETURNS timestamptz LANGUAGE sql AS
		$$ SELECT '2026-01-01'::timestamptz + floor(random() * 50) * interval '1 day' $$;
	CREATE TABLE defined (predicate text, cardinality text, refused boolean);
	-- Becoming one-valued is refused while there are two at once: then all but what one object has is retracted.
	CREATE FUNCTION define(n int, cardinality text) RETURNS void LANGUAGE plpgsql AS $$
	BEGIN
		PERFORM memory.define_predicate('p' || n, cardinality);
		INSERT INTO defined VALUES ('p' || n, cardinality, false);
	EXCEPTION WHEN object_not_in_prerequisite_state THEN
		PERFORM memory.retract_fact('k' || k, 'p' || n, 'o' || o, 'ann', '-infinity') FROM generate_series(0, 4) k, generate_series(1, 3) o;
		INSERT INTO defined VALUES ('p' || n, cardinality, true);
	END $$;
});

# How many current facts are where they must not be.
my $wrong = q{
	SELECT count(*) FROM memory.facts f LEFT JOIN memory.timelines t USING (namespace, user_id, subject_key, predicate, line)
		LEFT JOIN memory.predicates p USING (namespace, predicate)
	WHERE f.known_until = 'infinity' AND t.slot IS DISTINCT FROM CASE p.cardinality WHEN 'many' THEN f.object_key ELSE '' END};
my $overlapping = q{
	SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (namespace, user_id, subject_key, predicate)
		LEFT JOIN memory.predicates p USING (namespace, predicate)
	WHERE a.id < b.id AND a.known_until = 'infinity' AND b.known_until = 'infinity'
	  AND (p.cardinality IS DISTINCT FROM 'many' OR a.object_key = b.object_key)
	  AND a.valid_from < b.valid_until AND b.valid_from < a.valid_until};

for my $isolation ('READ COMMITTED', 'REPEATABLE READ', 'SERIALIZABLE')
{
	my $directory = PostgreSQL::Test::Utils::tempdir();
	my $values = '\set k random(0, 4)' . "\n" . '\set p random(0, 2)' . "\n" . '\set o random(0, 3)' . "\n" . '\set many random(0, 1)' . "\n";
	append_to_file("$directory/assert.sql", "$values BEGIN ISOLATION LEVEL $isolation;\nSELECT 'snapshot';\n"
		. "SELECT memory.assert_fact('k' || :k, 'p' || :p, 'o' || :o, 'ann', day());\nCOMMIT;\n");
	append_to_file("$directory/retract.sql", "$values BEGIN ISOLATION LEVEL $isolation;\nSELECT 'snapshot';\n"
		. "SELECT memory.retract_fact('k' || :k, 'p' || :p, user_id => 'ann', valid_from => day());\nCOMMIT;\n");
	append_to_file("$directory/define.sql", "$values SELECT define(:p, CASE :many WHEN 0 THEN 'one' ELSE 'many' END);\n");
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ 'pgbench', '--no-vacuum', '--client', $writers, '--transactions', $each, '--max-tries', 100000,
			map({ ('--file', "$directory/$_") } 'assert.sql@20', 'retract.sql@4', 'define.sql@2'), $node->connstr('postgres') ], '>', \$out, '2>', \$err);
	note($out =~ s/^(?!number of|latency).*\n//mgr);
	is($ok ? '' : $err, '', "$isolation: every writer comes to its end");
	is($node->safe_psql('postgres', $wrong), '0', "$isolation: every current fact is on the line that its predicate asks for");
	is($node->safe_psql('postgres', $overlapping), '0', "$isolation: no two are current at one instant");
}
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'nobody met a deadlock');
cmp_ok($node->safe_psql('postgres', "SELECT count(DISTINCT (cardinality, refused)) FROM defined"), '>=', 3, 'predicates became one and the other, and were refused');

$node->stop;
done_testing();
