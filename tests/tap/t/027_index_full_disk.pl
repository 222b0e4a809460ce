# An index that gets no page more, as on a full disk: VACUUM takes dead rows off it and succeeds, what it frees is used again, and
# what it had to leave is done when there is room. MEMORY_FULL_DISK=/directory puts table and index on that small file system,
# which is then filled; otherwise the server's files may not become longer than the index.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $disk = $ENV{MEMORY_FULL_DISK};
# Files of WAL are smaller than the index.
my $node = new_node('primary');
$node->init(extra => [ '--locale=C.UTF-8', '--encoding=UTF8', '--wal-segsize=1' ]);
$node->append_conf('postgresql.conf', checked_wal() . "\nautovacuum = off\nmax_wal_size = 200MB\nmin_wal_size = 100MB\nmin_parallel_index_scan_size = 0\nlog_min_messages = warning");
$node->start;
note($disk ? "on $disk" : 'with a limit on the size of files');
$node->safe_psql('postgres', "CREATE TABLESPACE small LOCATION '$disk'; ALTER DATABASE postgres SET default_tablespace = small") if $disk;

sub limit_files { system_or_bail('prlimit', '--pid', (split /\n/, slurp_file($node->data_dir . '/postmaster.pid'))[0], "--fsize=$_[0]:"); return }

sub fill_disk
{
	$node->safe_psql('postgres', 'CHECKPOINT');
	return limit_files($node->safe_psql('postgres', q{SELECT pg_relation_size('notes_recall')})) unless $disk;
	open(my $file, '>>:raw', "$disk/filler") or BAIL_OUT("$disk/filler: $!");
	1 while syswrite($file, "\1" x 4096);
	like($!, qr/No space left/, "$disk is full");
	return;
}

sub make_room { return $disk ? unlink("$disk/filler") : limit_files('unlimited') }

# The words of a row are not stored, so that the index is the longest file.
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	CREATE FUNCTION words(id int) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$SELECT 'n' || id || string_agg(' w' || (id * j * 7919::bigint + j * j) % (40 * j), '') FROM generate_series(1, 20) j$$;
	CREATE TABLE notes (id int, tenant int);
	INSERT INTO notes SELECT i, 1 FROM generate_series(1, 8000) i;
	INSERT INTO notes SELECT i, 2 FROM generate_series(10001, 16000) i;
	INSERT INTO notes SELECT i, 3 FROM generate_series(20001, 40000) i;
	-- Its pages do not become empty: nbtree fails, too, if its free space map is to come.
	CREATE INDEX notes_id ON notes ((id * 7919::bigint % 30011));
	CREATE INDEX notes_recall ON notes USING recall (tenant, words(id));
	DELETE FROM notes WHERE id % 50 = 0;
	VACUUM notes;
});
is($node->safe_psql('postgres', q{SELECT pg_relation_size('notes_recall') > greatest(pg_relation_size('notes'), pg_relation_size('notes_id'), 1024 * 1024)}), 't', 'no file is longer than the index');

sub stats { return $node->safe_psql('postgres', "SELECT $_[0] FROM memory.index_stats('notes_recall')") }
sub frozen { return $node->safe_psql('postgres', q{SELECT relfrozenxid FROM pg_class WHERE relname = 'notes'}) }
sub size { return $node->safe_psql('postgres', q{SELECT pg_relation_size('notes_recall')}) }

sub vacuum
{
	my ($options) = @_;
	my ($out, $err) = ('', '');
	my $status = $node->psql('postgres', "VACUUM $options notes", stdout => \$out, stderr => \$err);
	return $status == 0 ? $err : "failed: $err";
}

# Sound, of the rows that there are, and with the scores of plain rows.
sub is_right
{
	my ($when) = @_;
	is($node->safe_psql('postgres', q{SELECT string_agg(p, ', ') FROM memory.verify_index('notes_recall') p}), '', "$when: the index is sound");
	is(stats('documents'), $node->safe_psql('postgres', 'SELECT count(*) FROM notes'), "$when: it counts the rows that there are");
	is($node->safe_psql('postgres', q{
		WITH asked AS (SELECT t, memory.query('w' || 17 * t || ' w' || 3 * t) AS q, 'w' || 17 * t || ' w' || 3 * t AS given FROM generate_series(1, 3) t),
		found AS (SELECT t, f.* FROM asked, LATERAL (SELECT id, -(words(id) <@> q) AS score FROM notes WHERE tenant = t ORDER BY words(id) <@> q) f WHERE f.score > 0),
		exact AS (SELECT t, r.id, r.score FROM asked, LATERAL (SELECT array_agg(n.id::bigint) AS ids, array_agg(words(n.id)) AS bodies FROM notes n WHERE tenant = t) a,
			LATERAL memory.bm25_rank(a.ids, a.bodies, given) r)
		SELECT count(*) FILTER (WHERE f.score IS NULL OR e.score IS NULL OR abs(f.score - e.score) > 1e-6), count(*) > 500 FROM found f FULL JOIN exact e USING (t, id)}),
		'0|t', "$when: a search finds them, and no others");
}

# --- nothing is free: dead rows leave, all of a tenant's segment does, another stays as it is -----------------------------------

my ($size, $frozen) = (size(), frozen());
my $segment_pages = stats('segment_pages');
$node->safe_psql('postgres', q{DELETE FROM notes WHERE tenant = 2 OR tenant = 1 AND id % 5 < 2});
is(stats('free_pages + retired_pages'), 0, 'no page is free');
fill_disk();
my $said = vacuum('(FREEZE)');
like($said, qr/^psql:<stdin>:1: WARNING:  index "notes_recall" was vacuumed, but not compacted\n.*could not extend index "notes_recall": (File too large|No space left on device)\n.*VACUUM again/, 'VACUUM succeeds, and says what it has left');
cmp_ok(frozen(), '>', $frozen, 'relfrozenxid has advanced');
is($node->safe_psql('postgres', q{SELECT reltuples FROM pg_class WHERE relname = 'notes_recall'}), $node->safe_psql('postgres', 'SELECT count(*) FROM notes'), 'reltuples is what it has counted');
is_right('without a free page');
my $retired = stats('retired_pages');
cmp_ok($retired, '>', 20, 'the segment of which all is dead was retired');
is(stats('segment_pages'), $segment_pages - $retired, 'the one that would have been written anew is there');

# --- what it has freed is what it needs ----------------------------------------------------------------------------------------

$node->safe_psql('postgres', q{DELETE FROM notes WHERE tenant = 3 AND id % 100 = 1});
$said = vacuum('(PARALLEL 2, VERBOSE)');
like($said, qr/launched \d parallel vacuum worker/, 'VACUUM, in parallel');
unlike($said, qr/WARNING|failed/, 'has room for the other segment on those pages');
is_right('on pages of its own');
cmp_ok(stats('segment_pages'), '<', $segment_pages - $retired, 'it has become shorter');
cmp_ok(stats('free_pages'), '>', 5, 'more is free');
$node->safe_psql('postgres', q{INSERT INTO notes SELECT i, 3 FROM generate_series(50001, 50150) i});
is_right('after inserts');
is(size(), $size, 'the index is as long as it was');

# --- a rewrite that gets some pages, but not all -------------------------------------------------------------------------------

$node->safe_psql('postgres', q{DELETE FROM notes WHERE tenant = 3 AND id % 5 = 0});
vacuum('');
my $free = stats('free_pages');
my ($out, $err) = ('', '');
isnt($node->psql('postgres', "SET memory.crash_at = 'given back';\nVACUUM notes", stdout => \$out, stderr => \$err), 0, 'the server dies while pages are given back');
$node->{_pid} = undef;
for (1 .. 600) { last unless -e $node->data_dir . '/postmaster.pid'; usleep(100_000) } # it ends by itself
$node->start;
fill_disk();
is_right('after the crash');
cmp_ok(stats('lost_pages'), '>', 10, 'pages are lost');
like(vacuum(''), qr/^psql:<stdin>:1: WARNING:  index "notes_recall" was vacuumed, but not compacted/, 'VACUUM still has not enough of them');
is(stats('lost_pages || \' \' || free_pages'), "0 $free", 'it has found all that were lost, and given back all that it took');
is(size(), $size, 'the index is as long as it was');

# The error of the file system came while a page was locked.
$node->psql('postgres', "VACUUM notes;\nSET statement_timeout = '200ms';\nSELECT pg_sleep(60)", stdout => \$out, stderr => \$err);
like($err, qr/WARNING:  index .*canceling statement due to statement timeout/s, 'after such a VACUUM its session can be cancelled');

# --- room again ----------------------------------------------------------------------------------------------------------------

make_room();
is(vacuum(''), '', 'with room, VACUUM has nothing to say');
cmp_ok(stats('retired_pages'), '>', 100, 'what was left is written');
is_right('with room');
for (1 .. 3)
{
	$node->safe_psql('postgres', 'SELECT pg_current_xact_id()');
	is(vacuum(''), '', 'nor has the next one');
}
is(stats('lost_pages + retired_pages'), 0, 'what they have replaced is free');

# --- INSERT --------------------------------------------------------------------------------------------------------------------

fill_disk();
$node->safe_psql('postgres', q{
	CREATE PROCEDURE insert_until_it_fails(OUT done int, OUT state text, OUT message text) LANGUAGE plpgsql AS $$
		BEGIN
			FOR i IN 1 .. 100000 LOOP
				BEGIN
					done := i - 1;
					INSERT INTO notes VALUES (60000 + i, 1 + i % 3);
				EXCEPTION WHEN OTHERS THEN
					GET STACKED DIAGNOSTICS state = RETURNED_SQLSTATE, message = MESSAGE_TEXT;
					EXIT;
				END;
			END LOOP;
		END $$});
like($node->safe_psql('postgres', 'CALL insert_until_it_fails(NULL, NULL, NULL)'), qr/^\d\d+\|(53100|54000)\|could not extend/, 'an INSERT fails when its own row gets no page');
is_right('after an INSERT that found no room');
make_room();
$node->safe_psql('postgres', q{INSERT INTO notes SELECT i, 1 + i % 3 FROM generate_series(70001, 71000) i});
is(vacuum(''), '', 'VACUUM, with room');
is_right('in the end');
is(stats('lost_pages'), 0, 'no page is lost in the end');

$node->stop;
done_testing();
