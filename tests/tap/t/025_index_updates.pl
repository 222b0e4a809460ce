# Dead rows before VACUUM comes. UPDATEs that leave the text as it is: the index stays of bounded size.
# Rows that were deleted: the first reader marks them. What the index says stays exact for old and new
# snapshots, and standbys are told what is taken from them.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', 'autovacuum = off');
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	SET search_path = public, memory;
	CREATE FUNCTION make_notes(tenants int) RETURNS void LANGUAGE plpgsql AS $$
		BEGIN
			DROP TABLE IF EXISTS notes;
			CREATE TABLE notes (id int PRIMARY KEY, tenant int, body text, times int);
			CREATE INDEX ON notes (times); -- so that no UPDATE is a hot one
			INSERT INTO notes SELECT i, i % tenants, (SELECT string_agg('w' || (i * j * 7919) % 997, ' ') FROM generate_series(1, 20) j), 0 FROM generate_series(1, 1000) i;
			CREATE INDEX notes_recall ON notes USING recall (tenant, body);
		END $$;
	CREATE PROCEDURE update_notes(count int) LANGUAGE plpgsql AS $$
		BEGIN
			FOR i IN 1 .. count LOOP
				UPDATE notes SET times = times + 1;
				COMMIT;
			END LOOP;
		END $$;
	SELECT make_notes(1);
	-- How many rows of a tenant have another score than plain rows say, in one snapshot.
	CREATE FUNCTION wrong(t int) RETURNS bigint LANGUAGE sql STABLE AS $$
		WITH found AS (SELECT id, -(body <@> memory.query('w34 w51 w7 w9')) AS score FROM public.notes WHERE tenant = t ORDER BY body <@> memory.query('w34 w51 w7 w9')),
		exact AS (SELECT r.id, r.score FROM (SELECT array_agg(n.id) AS ids, array_agg(n.body) AS bodies FROM public.notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, 'w34 w51 w7 w9') r)
		SELECT count(*) FROM (SELECT * FROM found WHERE score > 0) f FULL JOIN exact e USING (id) WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6
	$$;
});

sub ask { return $node->safe_psql('postgres', $_[0]) }
sub is_sound { is(ask(q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$_[0]: the index is sound") }

# --- bounded ---------------------------------------------------------------------------------------

# How many times their 1,000 the documents may be, in a tenant's log and segments; and the bytes.
for my $shape ([ 1, 12, 3_000_000 ], [ 100, 8, 1_200_000 ], [ 1000, 8, 2_000_000 ])
{
	my ($tenants, $times, $bytes) = @$shape;
	ask("SELECT make_notes($tenants)");
	ask('CALL update_notes(100)');
	my ($documents, $size) = split /\|/, ask(q{SELECT documents, pg_relation_size('notes_recall') FROM memory.index_stats('notes_recall')});
	cmp_ok($documents, '<', 1000 * $times, "$tenants tenants, every row updated 100 times: the dead are gone but for some");
	cmp_ok($size, '<', $bytes, "$tenants tenants: and the index is small");
	is_sound("$tenants tenants");
	is(ask("SELECT sum(wrong(t)) FROM generate_series(0, least(19, $tenants - 1)) t"), 0, "$tenants tenants: the scores are those of plain rows");
	ask('VACUUM notes');
	is(ask(q{SELECT documents FROM memory.index_stats('notes_recall')}), 1000, "$tenants tenants: VACUUM finds the rest");
	is_sound("$tenants tenants, vacuumed");
}

# An index of codes asks about the records on the newest page of a tenant, where the versions of rows are that are updated again and again. (Of a
# row without a vector there is a record, too.) A page has room for 39 records of 768 dimensions, so for two
# versions of 20 rows: of more, the versions that are dead when a statement comes to a page are on others.
for my $shape ([ 1, 20, 16 ], [ 40, 3, 40 ], [ 3, 20, 40 ])
{
	my ($tenants, $rows, $pages) = @$shape;
	my $what = "codes, $tenants tenants of $rows rows";
	ask(qq{
		DROP TABLE IF EXISTS points;
		CREATE TABLE points (id int PRIMARY KEY, tenant int, v vector, times int);
		CREATE INDEX ON points (times);
		INSERT INTO points SELECT i, i % $tenants, CASE WHEN i % 7 > 0 THEN (SELECT array_agg(sin(i * 7.1 + j * j * 0.37)::real ORDER BY j)::vector FROM generate_series(1, 768) j) END, 0 FROM generate_series(1, $tenants * $rows) i;
		CREATE INDEX points_codes ON points USING recall (tenant, v);
		DO \$\$ BEGIN FOR i IN 1 .. 200 LOOP UPDATE points SET times = times + 1; COMMIT; END LOOP; END \$\$});
	cmp_ok(ask(q{SELECT pages FROM memory.index_stats('points_codes')}), '<', $pages, "$what, every row updated 200 times: the index is small");
	is(ask(q{SELECT string_agg(p, ', ') FROM memory.verify_index('points_codes') p}), '', "$what: it is sound");
	ask('VACUUM points');
	is(ask(q{SELECT documents FROM memory.index_stats('points_codes')}), $tenants * $rows, "$what: VACUUM finds the rest");
	is(ask(q{SELECT string_agg(p, ', ') FROM memory.verify_index('points_codes') p}), '', "$what: it is sound when vacuumed");
}

# --- old snapshots ---------------------------------------------------------------------------------

for my $tenants (1, 20, 500)
{
	ask("SELECT make_notes($tenants)");
	ask('CALL update_notes(3)');
	my $reader = $node->background_psql('postgres');
	$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;');
	ask('CALL update_notes(15)');
	is($reader->query_safe('SELECT sum(times) FROM notes'), 3000, "$tenants tenants: an old snapshot");
	is($reader->query_safe("SELECT sum(wrong(t)) FROM generate_series(0, least(19, $tenants - 1)) t"), 0, "$tenants tenants: is answered as before");
	$reader->query_safe('COMMIT');
	$reader->quit;
	ask('CALL update_notes(15)');
	is(ask("SELECT sum(wrong(t)) FROM generate_series(0, least(19, $tenants - 1)) t"), 0, "$tenants tenants: and a new one when it has gone");
	is_sound("$tenants tenants, after an old snapshot");
}

# --- readers ---------------------------------------------------------------------------------------

ask('SELECT make_notes(2)');
sub documents { return ask(q{SELECT documents FROM memory.index_stats('notes_recall')}) }
{
	my $reader = $node->background_psql('postgres');
	$reader->query_safe('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;');
	ask('DELETE FROM notes WHERE id % 10 > 1');
	is(ask('SELECT sum(wrong(t)) FROM generate_series(0, 1) t'), 0, 'deleted rows do not count');
	is(documents(), 1000, 'what an old snapshot sees is not forgotten');
	is($reader->query_safe('SELECT sum(wrong(t)) FROM generate_series(0, 1) t'), 0, 'which it says exactly');
	$reader->query_safe('COMMIT');
	$reader->quit;
	ask('SET default_transaction_read_only = on; SELECT wrong(0)');
	is(documents(), 600, 'then the first reader of a tenant forgets its dead rows');
	is(ask('SELECT sum(wrong(t)) FROM generate_series(0, 1) t'), 0, 'and the next one is exact');
	is(documents(), 200, 'and forgets those of the other tenant');
	is_sound('after readers');
	ask('INSERT INTO notes SELECT i, i % 2, \'w34 again \' || i, 0 FROM generate_series(1, 1000) i WHERE i % 10 > 1');
	ask('VACUUM notes');
	is(documents(), 1000, 'VACUUM loses nothing');
	is(ask('SELECT sum(wrong(t)) FROM generate_series(0, 1) t'), 0, 'and the index is exact');
	is_sound('after readers and VACUUM');
}

# --- a root page that fills under VACUUM -------------------------------------------------------------

# VACUUM writes a segment with many dead documents anew. As soon as the index grows, the tenant's root page
# is filled: it has no room for a run more when the new segment is to be published.
ask('CREATE FUNCTION has_grown(since bigint) RETURNS bool LANGUAGE sql VOLATILE AS $$SELECT pg_relation_size(\'notes_recall\') > since$$');
sub column { return ask("SELECT $_[0] FROM memory.index_stats('notes_recall')") }
my $kept = 0;
for (1 .. 5) # VACUUM may be faster once
{
	ask(q{
		SELECT make_notes(1);
		INSERT INTO notes SELECT i, 0, (SELECT string_agg('w' || (i::bigint * j * 7919) % 9973, ' ') FROM generate_series(1, 12) j), 0 FROM generate_series(1001, 8000) i;
		REINDEX INDEX notes_recall;
		INSERT INTO notes SELECT i, 0, 'again', 0 FROM generate_series(10001, 10360) i;
		DELETE FROM notes WHERE id < 10001 AND id % 4 = 0});
	my $size = ask(q{SELECT pg_relation_size('notes_recall')});
	my $filler = $node->background_psql('postgres');
	$filler->query_until(qr/started/, qq{\\echo started
		SET statement_timeout = '180s';
		DO \$\$ BEGIN
			WHILE NOT has_grown($size) LOOP END LOOP;
			INSERT INTO notes SELECT i, 0, 'again', 0 FROM generate_series(10361, 10500) i;
		END \$\$;\n});
	$node->poll_query_until('postgres', q{SELECT count(*) = 1 FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%WHILE NOT has_grown%' AND pid <> pg_backend_pid()});
	ask('VACUUM (INDEX_CLEANUP ON) notes');
	$filler->quit;
	$kept = column('retired_pages') == 0 and last;
}
ok($kept, 'VACUUM leaves a segment as it is when the root page has filled meanwhile');
is(column('free_pages > 0, lost_pages'), 't|0', 'and gives back what it has written');
is(documents(), 6500, 'the dead are not counted');
is(ask('SELECT wrong(0)'), 0, 'the scores are those of plain rows');
is_sound('after a root page has filled');
my $segment_pages = column('segment_pages');
ask(q{INSERT INTO notes SELECT i, 0, 'again', 0 FROM generate_series(10501, 12000) i; VACUUM (INDEX_CLEANUP ON) notes});
cmp_ok(column('segment_pages'), '<', $segment_pages, 'the segment is written anew when there is room');
is(documents(), 8000, 'with all that live');
is_sound('after it has been written');

# --- everybody at once -----------------------------------------------------------------------------

# Writers, VACUUM and readers: a reader whose statistics are wrong divides by zero.
ask('SELECT make_notes(12)');
my %script = (
	update => q{
		\set low random(0, 990)
		UPDATE notes SET times = times + 1 WHERE id BETWEEN :low AND :low + 10;},
	text => q{
		\set one random(1, 1000)
		UPDATE notes SET body = body || ' w34' WHERE id = :one;},
	move => q{
		\set one random(1, 1000)
		DELETE FROM notes WHERE id = :one;
		INSERT INTO notes VALUES (:one, :one % 12, 'w34 w51 again', 0) ON CONFLICT DO NOTHING;},
	vacuum => 'VACUUM notes;',
	read => q{
		\set tenant random(0, 11)
		SELECT 1 / (wrong(:tenant) = 0)::int;});
my @files = map { my $file = $node->basedir . "/$_.sql"; append_to_file($file, $script{$_}); ('-f', $file . '@' . { update => 40, text => 4, move => 4, vacuum => 3, read => 40 }->{$_}) } sort keys %script;
my ($out, $err) = run_command([ 'pgbench', '-n', '-c', 5, '-T', $ENV{MEMORY_SECONDS} // 6, @files, '-d', $node->connstr('postgres') ]);
unlike($err, qr/division by zero|ERROR:  (?!deadlock)|PANIC/, 'whoever reads meanwhile reads what is true');
like($out, qr/number of transactions actually processed: [1-9]/, 'and everybody got on');
is_sound('after all at once');
is(ask('SELECT sum(wrong(t)) FROM generate_series(0, 11) t'), 0, 'the scores are those of plain rows');

# --- a standby -------------------------------------------------------------------------------------

$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "hot_standby_feedback = off\nmax_standby_streaming_delay = 0");
$standby->start;
# One row: its table's page has room for all its versions, so that nothing but the index says that
# some are gone.
ask('SELECT make_notes(1); DELETE FROM notes WHERE id > 1; VACUUM notes; REINDEX TABLE notes');
$node->wait_for_catchup($standby);
my $logged = -s $standby->logfile;
my $reader = $standby->background_psql('postgres', on_error_stop => 0);
$reader->query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1;');
ask('CALL update_notes(12)');
cmp_ok(ask(q{SELECT documents FROM memory.index_stats('notes_recall')}), '<', 12, 'a version that a standby still sees has left the index');
$node->wait_for_catchup($standby);
ok($standby->wait_for_log(qr/due to conflict with recovery/, $logged), 'whoever sees it is told');
eval { $reader->quit };
# A reader of the standby writes nothing.
ask('SELECT make_notes(1); DELETE FROM notes WHERE id % 10 > 1');
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT wrong(0)'), 0, 'deleted rows do not count on the standby');
is($standby->safe_psql('postgres', q{SELECT documents FROM memory.index_stats('notes_recall')}), 1000, 'which cannot forget them');
is(ask('SELECT wrong(0)'), 0, 'nor on the primary');
is(documents(), 200, 'which can');
$node->wait_for_catchup($standby);
is($standby->safe_psql('postgres', 'SELECT wrong(0)'), 0, 'a new snapshot of the standby is exact');

$standby->stop;
$node->stop;
done_testing();
