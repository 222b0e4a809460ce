# After every step of a random history (inserts, updates, deletes, rollbacks, vacuum, reindex, crash,
# open transactions of other sessions, an old snapshot, a standby) the scores of the index are those
# that a scorer of plain rows computes, to 1e-6, for tenants from one row to thousands.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $seed = $ENV{MEMORY_SEED} // time;
my $steps = $ENV{MEMORY_STEPS} // 40;
my $large = $ENV{MEMORY_LARGE} // 6000;
srand($seed);
note("MEMORY_SEED=$seed MEMORY_STEPS=$steps MEMORY_LARGE=$large");

my $node = start_primary('primary');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	SET search_path = public, memory;
	CREATE TABLE notes (id serial PRIMARY KEY, tenant int, body text, other int DEFAULT 0) WITH (autovacuum_enabled = off);
	CREATE INDEX notes_recall ON notes USING recall (tenant, body);
	-- No UPDATE of it is a hot one.
	CREATE INDEX ON notes (other);
	-- The oracle: BM25 over the rows that a query sees.
	CREATE VIEW oracle_tokens AS
		SELECT n.tenant, n.id, t.token FROM public.notes n, LATERAL memory.tokens(n.body) t;
	CREATE FUNCTION oracle(who int, searched text) RETURNS TABLE (id int, score float8) LANGUAGE sql STABLE AS $$
		WITH lengths AS (SELECT n.id, (SELECT count(*) FROM memory.tokens(n.body)) AS length
		                 FROM public.notes n WHERE n.tenant = who AND n.body IS NOT NULL),
		corpus AS (SELECT count(*)::float8 AS n, avg(length)::float8 AS average FROM lengths),
		wanted AS (SELECT token, count(*) AS times FROM memory.tokens(searched) GROUP BY token),
		found AS (SELECT o.id, o.token, count(*)::float8 AS f FROM oracle_tokens o
		          WHERE o.tenant = who AND o.token IN (SELECT token FROM wanted) GROUP BY o.id, o.token),
		frequencies AS (SELECT token, count(*)::float8 AS df FROM found GROUP BY token)
		SELECT l.id, coalesce(sum(times * ln(1 + (c.n - df + 0.5) / (df + 0.5)) * f * 1.9
		                          / (f + 0.9 * (0.6 + 0.4 * l.length / c.average))), 0)
		FROM lengths l CROSS JOIN corpus c LEFT JOIN found USING (id) LEFT JOIN wanted USING (token) LEFT JOIN frequencies USING (token)
		GROUP BY l.id
	$$;
	CREATE FUNCTION indexed(who int, searched text) RETURNS TABLE (id int, score float8) LANGUAGE sql STABLE AS $$
		SELECT id, -(body <@> memory.query(searched)) FROM public.notes WHERE tenant = who AND body IS NOT NULL
		ORDER BY body <@> memory.query(searched)
	$$;
	-- What differs, for one tenant and query; and the rows that come twice or after a worse one.
	CREATE FUNCTION differences(who int, searched text) RETURNS bigint LANGUAGE sql STABLE AS $$
		WITH given AS MATERIALIZED (SELECT id, score, row_number() OVER () AS place FROM indexed(who, searched))
		SELECT (SELECT count(*) FROM oracle(who, searched) o FULL JOIN given i USING (id)
		        WHERE o.score IS NULL OR i.score IS NULL OR abs(o.score - i.score) > 1e-6)
			+ (SELECT count(*) FROM (SELECT id, score, lag(score) OVER (ORDER BY place) AS before,
			                                count(*) OVER (PARTITION BY id) AS times FROM given) g
			   WHERE times > 1 OR score > before)
	$$;
	-- The same for what a websearch query finds, which the texts can tell without the index.
	CREATE FUNCTION wrongly_found(who int, searched text) RETURNS bigint LANGUAGE sql STABLE AS $$
		SELECT count(*) FROM (SELECT id FROM public.notes WHERE tenant = who AND body @@@ memory.websearch_query(searched)) f
		FULL JOIN (SELECT id FROM public.notes WHERE tenant = who AND memory_internal.matches(body, memory.websearch_query(searched))) m USING (id)
		WHERE f.id IS NULL OR m.id IS NULL
	$$;
	-- Words alone rank alike in either kind of query, whether or not one of another kind filters, and as
	-- far as one asks: the first 25 of those with the word `wanted`.
	CREATE FUNCTION ranked_otherwise(who int, searched text, wanted text) RETURNS bigint LANGUAGE sql STABLE AS $$
		WITH bag AS MATERIALIZED (SELECT id, body <@> memory.query(searched) AS score FROM public.notes
			WHERE tenant = who AND body @@@ memory.query(wanted) ORDER BY body <@> memory.query(searched) LIMIT 25),
		web AS MATERIALIZED (SELECT id, body <@> memory.websearch_query(searched) AS score FROM public.notes
			WHERE tenant = who AND body @@@ memory.websearch_query('+' || wanted) ORDER BY body <@> memory.websearch_query(searched) LIMIT 25),
		alone AS MATERIALIZED (SELECT id, score FROM (SELECT id, body, body <@> memory.websearch_query(searched) AS score FROM public.notes
			WHERE tenant = who AND body IS NOT NULL ORDER BY body <@> memory.websearch_query(searched)) a
			WHERE memory_internal.matches(body, memory.query(wanted)) LIMIT 25)
		SELECT count(*) FROM (SELECT id, score, row_number() OVER () FROM bag) b
		FULL JOIN (SELECT id, score, row_number() OVER () FROM web) w USING (row_number)
		FULL JOIN (SELECT id, score, row_number() OVER () FROM alone) a USING (row_number)
		WHERE (b.score = w.score AND b.score = a.score) IS NOT TRUE OR (b.score < 0 AND (b.id = w.id AND b.id = a.id) IS NOT TRUE)
	$$;
});

my @words = map { my $n = $_; join '', map { chr(ord('a') + int($n / 23**$_) % 23) . 'u' } 0 .. 3 } 1 .. 400;
sub word { return $words[int(rand() * rand() * @words)] }
sub text { return join ' ', map { word() } 1 .. 1 + int(rand(30)) }
sub tenant { return 1 + int(rand() * rand() * rand() * 12) }
sub query { return join ' ', map { word() } 1 .. 1 + int(rand(4)) }

sub websearch
{
	my @clauses = map {
		my $kind = rand();
		my $mark = ('', '', '+', '-')[int(rand(4))];
		$kind < 0.4 ? $mark . word() : $kind < 0.5 ? $mark . word() . '~' : $kind < 0.75 ? $mark . substr(word(), 0, 1 + int(rand(3))) . '*' : "$mark\"" . word() . ' ' . word() . '"'
	} 1 .. 1 + int(rand(3));
	return join ' ', @clauses;
}

sub insertion
{
	my ($count) = @_;
	my $who = tenant();
	return 'INSERT INTO notes (tenant, body) VALUES ' . join(',', map { rand() < 0.02 ? "($who, NULL)" : "($who, '" . text() . "')" } 1 .. $count);
}

# One statement that changes something. Beside other sessions it passes over the rows that they have changed, so that it never waits.
# Nowhere else: the replay of row locks is what the comparison of pages may take for damage (checked_wal in Memory.pm).
my $beside_others = '';

sub rows_of_tenant
{
	my ($who, $most) = @_;
	return "(SELECT id FROM notes WHERE tenant = $who ORDER BY random() LIMIT $most$beside_others)";
}

sub change
{
	my $who = tenant();
	my $what = rand();
	return insertion(1) if $what < 0.3;
	return insertion(1 + int(rand(60))) if $what < 0.5;
	return "UPDATE notes SET body = '" . text() . "' WHERE id IN " . rows_of_tenant($who, 5) if $what < 0.65;
	return 'UPDATE notes SET other = other + 1 WHERE id IN ' . rows_of_tenant($who, 20) if $what < 0.75;
	return 'UPDATE notes SET tenant = ' . tenant() . ' WHERE id IN ' . rows_of_tenant($who, 3) if $what < 0.8;
	return 'DELETE FROM notes WHERE id IN ' . rows_of_tenant($who, int(rand(40)));
}

# A query that counts the differences of several searches.
sub comparison
{
	return 'SELECT ' . join(' + ', map({ sprintf "differences(%d, '%s')", tenant(), query() } 1 .. 4),
		map({ sprintf "wrongly_found(%d, '%s')", tenant(), websearch() } 1 .. 2),
		sprintf("ranked_otherwise(%d, '%s', '%s')", tenant(), query(), word()));
}

sub is_exact
{
	my ($session, $what) = @_;
	my $comparison = comparison();
	my $answer = ref $session eq 'PostgreSQL::Test::Cluster' ? $session->safe_psql('postgres', $comparison) : $session->query_safe($comparison);
	is($answer, 0, $what) or diag($comparison);
}

sub is_sound
{
	my ($what) = @_;
	is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.verify_index('notes_recall')}), 0, "$what: verify_index finds nothing");
}

# --- one session at a time -----------------------------------------------------------------------

$node->safe_psql('postgres', join ';', map { insertion(200) } 1 .. 12);
is_exact($node, 'after the first rows');
for my $step (1 .. $steps)
{
	my @changes = map { change() } 1 .. 1 + int(rand(4));
	my $kind = rand();
	if ($kind < 0.6) { $node->safe_psql('postgres', $_) for @changes }
	elsif ($kind < 0.7) { $node->safe_psql('postgres', join ';', 'BEGIN', @changes, 'ROLLBACK') }
	elsif ($kind < 0.8)
	{
		my $comparison = comparison();
		is($node->safe_psql('postgres', join ';', 'BEGIN', @changes, 'SAVEPOINT a', change(), 'ROLLBACK TO a', $comparison, 'COMMIT'),
			0, "step $step: one's own uncommitted rows count") or diag($comparison);
	}
	elsif ($kind < 0.93) { $node->safe_psql('postgres', 'VACUUM notes') }
	elsif ($kind < 0.96) { $node->safe_psql('postgres', 'REINDEX INDEX notes_recall') }
	else { $node->stop('immediate'); $node->start; is_sound("step $step: after a crash") }
	is_exact($node, "step $step");
}
is_sound('at the end of the history');

# --- several sessions ----------------------------------------------------------------------------

$beside_others = ' FOR UPDATE SKIP LOCKED';
my $writer = $node->background_psql('postgres');
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;');
for my $round (1 .. 6)
{
	$writer->query_safe('BEGIN');
	$writer->query_safe($_) for map { change() } 1 .. 3;
	is_exact($writer, "round $round: the writer sees its own rows");
	is_exact($node, "round $round: others do not");
	is_exact($reader, "round $round: an old snapshot stays what it was");
	$node->safe_psql('postgres', change());
	$node->safe_psql('postgres', 'VACUUM notes');
	is_exact($reader, "round $round: VACUUM takes nothing from an old snapshot");
	$writer->query_safe($round % 2 ? 'COMMIT' : 'ROLLBACK');
	is_exact($node, "round $round: when the writer has ended");
}
$_->quit for $writer, $reader;
$beside_others = '';
is_sound('after several sessions');

# --- a large tenant, and very long texts ----------------------------------------------------------

$node->safe_psql('postgres', join ';', map { my $t = text(); "INSERT INTO notes (tenant, body) SELECT 13, '$t ' || repeat(chr(97 + i % 26), 3) FROM generate_series(1, 300) i" } 1 .. $large / 300);
is($node->safe_psql('postgres', "SELECT differences(13, '" . query() . " aaa')"), 0, "a tenant of $large rows");
$node->safe_psql('postgres', 'DELETE FROM notes WHERE tenant = 13 AND id % 50 = 0');
is($node->safe_psql('postgres', "SELECT differences(13, '" . query() . " bbb')"), 0, 'and when some are gone');
$node->safe_psql('postgres', 'VACUUM notes');
is($node->safe_psql('postgres', "SELECT differences(13, '" . query() . " ccc')"), 0, 'and vacuumed');
$node->safe_psql('postgres', q{INSERT INTO notes (tenant, body) SELECT 14, string_agg(md5(i::text || n), ' ') FROM generate_series(1, 3) n, generate_series(1, 5000) i GROUP BY n});
my $first = $node->safe_psql('postgres', q{SELECT md5('4711' || '2')});
is($node->safe_psql('postgres', "SELECT differences(14, '$first')"), 0, 'texts of 5,000 different words');
is($node->safe_psql('postgres', "SELECT count(*) FROM notes WHERE tenant = 14 AND body @@@ memory.query('$first')"), 1, 'and one of them is found by one of its words');
is_sound('with large tenants');

# --- a standby -----------------------------------------------------------------------------------

$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
for my $round (1 .. 5)
{
	$node->safe_psql('postgres', $_) for map { change() } 1 .. 5;
	$node->safe_psql('postgres', 'VACUUM notes') if $round % 2;
	$node->wait_for_catchup($standby);
	my $comparison = comparison();
	is($standby->safe_psql('postgres', $comparison), 0, "round $round: a standby is exact") or diag($comparison);
}

$standby->stop;
$node->stop;
done_testing();
