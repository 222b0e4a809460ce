# A damaged index of vector codes gives an error, which names it and says REINDEX, or the right answer; verify_index finds what a
# search meets, and what it does not, a bit of a code; writing and VACUUM go on. 026_index_damage does the same for what both kinds
# of index have: directory, root pages, logs.
use strict;
use warnings FATAL => 'all';
use IndexPages;
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', "restart_after_crash = off\nautovacuum = off\nfsync = off\nmemory.anonymous = allow\nsession_preload_libraries = 'memory'");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	DROP INDEX memory.embeddings_by_code;
	CREATE FUNCTION vector_of(seed bigint, dimensions int) RETURNS vector LANGUAGE sql IMMUTABLE AS $$
		SELECT array_agg(sin(seed * 7.1 + i * i * 0.37 + seed * i * 0.011)::real ORDER BY i)::vector FROM generate_series(1, dimensions) i $$;
	-- A user on packed pages and in a log, one in a log, tiny ones.
	SELECT count(memory.remember('note ' || i, user_id => 'packed', embedding => vector_of(i, 100))) FROM generate_series(1, 900) i;
	SELECT count(memory.remember('note ' || i, user_id => 'logged', embedding => vector_of(i, 100))) FROM generate_series(1, 500) i;
	SELECT count(memory.remember('note ' || i, user_id => 'tiny' || i % 9, embedding => vector_of(i, 100))) FROM generate_series(1, 40) i;
	CREATE FUNCTION found(who text) RETURNS text LANGUAGE sql AS $$
		SELECT coalesce(string_agg(content || ' ' || round(similarity::numeric, 4), ',' ORDER BY similarity DESC, content), 'nothing')
		FROM memory.recall_semantic(vector_of(7, 100), k => NULL, threshold => -1, user_id => who) $$;
});

my @damages; # [what, sub of the pages]
sub damage { push @damages, [@_]; return }
# A record: dimensions u16, offset u16, block u32, scale f32, deviation f32, 4 planes of 13 bytes, whose last 4 bits are 0.
my @record = ([ 'dimensions', 0, 'S', 16001, 65535, 16000, 700, 1 ], [ 'offset', 2, 'S', 0 ], [ 'block', 4, 'L', 0xffffffff ], [ 'scale', 8, 'f', 0, -1, 'nan', 'inf', 5 ],
	[ 'deviation', 12, 'f', -1, 'nan', 'inf', 100 ], [ 'bits behind the last dimension', 28, 'C', 0xff ]);
sub first_record { my ($page) = @_; my $kind = kind($page); return $kind == ROOT ? CONTENTS + 16 + 56 * get($page, CONTENTS + 8, 'S', 2) : CONTENTS }
for (map { my $place = $_; map { my ($field, $at, $type, @values) = @$_; map { [ $place, $field, $at, $type, $_ ] } @values } @record } LOG, SEGMENT)
{
	my ($place, $field, $at, $type, $value) = @$_;
	damage("a record on a page of kind $place: $field = $value", sub {
		my ($pages) = @_;
		my $page = $pages->[ (of_kind($pages, $place))[0] ];
		put($page, first_record($page) + 68 + $at, $type, $value);
	});
}
damage('a record in a leaf: dimensions', sub { my ($pages) = @_; my ($leaf) = of_kind($pages, LEAF); put($pages->[$leaf], item($pages->[$leaf], items($pages->[$leaf]) - 1) + 1, 'S', 90) });
damage('a bit of a code', sub { my ($pages) = @_; my ($page) = map { $pages->[$_] } of_kind($pages, SEGMENT); put($page, CONTENTS + 20, 'C', get($page, CONTENTS + 20, 'C', 1) ^ 4) });
damage("a page of kind $_ that ends early", sub { my ($pages) = @_; put($pages->[ (of_kind($pages, $_[1]))[0] ], 12, 'S', 300) }, $_) for LOG, SEGMENT;
my %run = (first => [ 0, 'L' ], last => [ 4, 'L' ], pages => [ 8, 'L' ], documents => [ 24, 'L' ], dead => [ 28, 'L' ], state => [ 38, 'S' ]);
for ((map { [ $_, 0 ] } sort keys %run), (map { [ $_, 1 ] } 'dead', 'documents', 'first', 'last'))
{
	my ($field, $sealed) = @$_;
	my ($at, $type) = @{ $run{$field} };
	for my $change (1, -1)
	{
		damage("packed run: $field, by $change" . ($sealed ? ', sealed' : ''), sub {
			my ($pages) = @_;
			my ($page) = map { $pages->[$_] } grep { get($pages->[$_], CONTENTS + 8, 'S', 2) > 0 } of_kind($pages, ROOT);
			my $run = CONTENTS + 16;
			$run += 56 until get($page, $run + 38, 'S', 2) == 3;
			put($page, $run + $at, $type, get($page, $run + $at, $type, $type eq 'L' ? 4 : 2) + $change);
			seal_root($page) if $sealed;
		});
	}
}
damage('a packed page of another tenant', sub { my ($pages) = @_; my ($block) = of_kind($pages, SEGMENT); put($pages->[$block], TAIL + 4, 'L', get($pages->[$block], TAIL + 4, 'L', 4) + 1) });
damage('a packed page that leads elsewhere', sub { my ($pages) = @_; my ($block) = of_kind($pages, SEGMENT); put($pages->[$block], TAIL, 'L', (of_kind($pages, LOG))[0]) });
damage('a packed page in place of a log page', sub { my ($pages) = @_; my ($from, $to) = ((of_kind($pages, SEGMENT))[0], (of_kind($pages, LOG))[0]); ${ $pages->[$to] } = ${ $pages->[$from] }; put($pages->[$to], TAIL + 12, 'L', 0x4c4c4352 ^ $to) });
damage('a packed page of zeros', sub { my ($pages) = @_; ${ $pages->[ (of_kind($pages, SEGMENT))[0] ] } = "\0" x PAGE });
damage('other rules', sub { my ($pages) = @_; put($pages->[0], CONTENTS + 32, 'Q', 5); seal_meta($pages->[0]) });

# Indexes of the same columns, one for each; the one that is searched has the name that recall looks for.
my $count = @damages;
$node->safe_psql('postgres', qq{
	DO \$\$ BEGIN FOR i IN 0 .. $count LOOP EXECUTE format('CREATE INDEX code_%s ON memory.embeddings USING recall (namespace, user_id, model, embedding)', i); END LOOP; END \$\$;
	SELECT count(memory.remember('later ' || i, user_id => 'packed', embedding => vector_of(i, 100))) FROM generate_series(1, 200) i;
	DELETE FROM memory.episodes WHERE user_id = 'packed' AND hashint4(substr(content, 6)::int) % 2 = 0 AND content LIKE 'note%';
	VACUUM memory.embeddings;
	CREATE TABLE expected AS SELECT who, found(who) AS answer FROM unnest('{packed,logged,tiny1,tiny8,nobody}'::text[]) who;
});
is($node->safe_psql('postgres', qq{SELECT bool_and((memory.index_stats('memory.code_' || i)).segment_pages > 1) FROM generate_series(0, $count) i}), 't', 'all have a packed run');
my %path = map { split /\|/ } split /\n/, $node->safe_psql('postgres', qq{SELECT i, pg_relation_filepath(('memory.code_' || i)::regclass) FROM generate_series(0, $count) i});
$node->stop;
for my $i (0 .. $count - 1)
{
	ok(damage_file($node->data_dir . "/$path{$i}", @{ $damages[$i] }[ 1 .. $#{ $damages[$i] } ]), "$damages[$i][0]: is done");
}
$node->start;

# Right answers, wrong ones, errors, errors that do not say what to do; what verify_index says.
$node->safe_psql('postgres', q{
	CREATE FUNCTION ask(name text, OUT correct int, OUT wrong text, OUT errors int, OUT silent text, OUT verified text) LANGUAGE plpgsql AS $$
		DECLARE
			probe record;
			answer text;
			message text;
			hint text;
			context text;
		BEGIN
			EXECUTE format('ALTER INDEX memory.%I RENAME TO embeddings_by_code', name);
			SELECT 0, 0 INTO correct, errors;
			FOR probe IN SELECT * FROM expected LOOP
				BEGIN
					answer := found(probe.who);
					IF answer = probe.answer THEN correct := correct + 1; ELSE wrong := format('%s: %s, not %s', probe.who, left(answer, 60), left(probe.answer, 60)); END IF;
				EXCEPTION WHEN OTHERS THEN
					GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
					errors := errors + 1;
					IF message || context NOT LIKE '%"embeddings_by_code"%' OR hint NOT LIKE '%REINDEX%' THEN silent := message; END IF;
				END;
			END LOOP;
			BEGIN
				SELECT string_agg(p, ', ') INTO verified FROM memory.verify_index('memory.embeddings_by_code') p;
			EXCEPTION WHEN OTHERS THEN
				verified := sqlerrm;
			END;
			EXECUTE format('ALTER INDEX memory.embeddings_by_code RENAME TO %I', name);
		END $$;
});
is($node->safe_psql('postgres', "SELECT correct, wrong, errors, verified FROM ask('code_$count')"), '5||0|', 'one that is not damaged answers');
my ($out, $err) = ('', '');
$node->psql('postgres', "SET statement_timeout = '60s';\n" . join('', map { "SELECT $_, a.* FROM ask('code_$_') a;\n" } 0 .. $count - 1), on_error_stop => 0, stdout => \$out, stderr => \$err);
is($err, '', 'all were asked, and none went on for ever');
my %answers = map { my ($i, @rest) = split /\|/, $_, -1; $i => \@rest } split /\n/, $out;
my $met = 0;
for my $i (0 .. $count - 1)
{
	my $what = $damages[$i][0];
	my ($right, $wrong, $errors, $silent, $verified) = @{ $answers{$i} // [] };
	ok(defined $right && $wrong eq '', "$what: no wrong answer") or diag($wrong // 'none at all');
	next unless defined $right;
	is($silent, '', "$what: errors name the index and say REINDEX");
	isnt($verified, '', "$what: verify_index finds it");
	++$met if $errors > 0;
}
cmp_ok($met, '>', $count * 2 / 3, "$met of $count kinds of damage were met by a search");

# Writing and cleaning up: errors or not, but the server goes on. Those that say they are corrupt are dropped.
for my $round (1 .. $count)
{
	my ($out, $err) = ('', '');
	$node->psql('postgres', "SELECT count(memory.remember('again ' || i, user_id => 'packed', embedding => vector_of(i, 100))) FROM generate_series(1, 30) i; DELETE FROM memory.episodes WHERE user_id IN ('logged', 'packed') AND hashint4($round + substr(content, 6)::int) % 9 = 0; VACUUM memory.embeddings",
		on_error_stop => 0, stdout => \$out, stderr => \$err);
	my ($named) = $err =~ /index "(code_\d+)"/ or last;
	$node->safe_psql('postgres', "DROP INDEX memory.$named");
}
is($node->psql('postgres', 'VACUUM memory.embeddings'), 0, 'VACUUM ends without those that it has named');
unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal/, 'nothing has crashed');
is($node->safe_psql('postgres', qq{REINDEX INDEX memory.code_$count; SELECT count(*) FROM memory.verify_index('memory.code_$count')}), '0', 'REINDEX makes one sound');

$node->stop;
done_testing();
