# A damaged index gives an error, which names it and says REINDEX, or the right answer: every field of the meta page, of root
# pages' heads and runs and of directory entries, and pages in each other's place. verify_index finds what a query meets.
# What is written on pages that are where they belong is for PostgreSQL's own checksums to watch over.
use strict;
use warnings FATAL => 'all';
use IndexPages;
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', "restart_after_crash = off\nautovacuum = off\nfsync = off");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	ALTER DATABASE postgres SET search_path = public, memory;
	-- Tenants 1 and 2 have a segment and a log, 3 and 4 a log of several pages, 100 to 700 one row each.
	CREATE TABLE sound (id int, tenant int, body text);
	INSERT INTO sound SELECT i, 1 + i % 2, format('zebra%s lion%s cat %s', i % 7, i % 11, i) FROM generate_series(1, 400) i;
	INSERT INTO sound SELECT i, 3 + i % 2, (SELECT string_agg('w' || i * 97 + j, ' ') FROM generate_series(1, 90) j) || ' zebra' || i % 3 FROM generate_series(401, 480) i;
	INSERT INTO sound SELECT 1000 + i, i, format('zebra1 of %s', i) FROM generate_series(100, 700) i;
	-- What one search through an index of `target` gives: distances and rows, best first.
	CREATE FUNCTION found(target regclass, who int, words text) RETURNS text LANGUAGE plpgsql SET enable_seqscan = off SET search_path = public, memory AS $$
		DECLARE
			answer text;
		BEGIN
			EXECUTE format('SELECT string_agg(id || '' '' || d, '','' ORDER BY d, id) FROM (SELECT id, body <@> memory.query($2) AS d FROM %s WHERE tenant = $1
				AND body @@@ memory.query($2) ORDER BY body <@> memory.query($2) LIMIT 12) f', target) INTO answer USING who, words;
			RETURN coalesce(answer, 'nothing');
		END $$;
	CREATE TABLE probes AS SELECT who, words FROM (VALUES (1), (2), (3), (4), (100), (321), (455), (600), (700), (701), (5)) w(who), (VALUES ('zebra1'), ('lion3 cat'), ('w42003')) q(words);
	CREATE FUNCTION build(target text) RETURNS void LANGUAGE plpgsql AS $$
		BEGIN
			EXECUTE format('CREATE TABLE %I AS SELECT * FROM sound WHERE id %% 9 > 0 OR tenant > 4', target);
			EXECUTE format('CREATE INDEX %I ON %I USING recall (tenant, body)', target || '_recall', target);
			EXECUTE format('INSERT INTO %I SELECT * FROM sound WHERE id %% 9 = 0 AND tenant <= 4', target);
		END $$;
	SELECT build('pristine');
});

# --- what is done to them -----------------------------------------------------------------------

my @damages; # [what, sub of the pages, by reference; whether answers may only be errors]
sub damage { push @damages, [@_]; return }

my %meta_fields = (
	magic => [ 0, 'L', 0, 0x4c4c4353 ], version => [ 4, 'S', 0, 1, 3, 65535 ], 'min_read_version' => [ 6, 'S', 3, 65535 ],
	directory_root => [ 8, 'L', 0, 0xffffffff, 1_000_000, 1 ], directory_height => [ 12, 'S', 0, 2, 33, 65535 ], scope_columns => [ 14, 'S', 0, 2, 65535 ],
	k1 => [ 16, 'd', 'nan', 'inf', -1, 1e300, 0.8 ], b => [ 24, 'd', 'nan', -0.5, 1.5, 0.5 ], fingerprint => [ 32, 'Q', 0, 1 ], checksum => [ 44, 'L', 0 ]);
for my $field (sort keys %meta_fields)
{
	my ($at, $type, @values) = @{ $meta_fields{$field} };
	damage("meta page: $field = $_", sub { my ($pages) = @_; put($pages->[0], CONTENTS + $at, $type, $_[1]) }, $_) for @values;
}
# The same with the right checksum, where the number itself says that it is wrong.
for ([ 'directory_root', 8, 'L', 0, 0xffffffff, 1_000_000 ], [ 'directory_height', 12, 'S', 0, 2, 40 ], [ 'scope_columns', 14, 'S', 0, 2 ], [ 'k1', 16, 'd', 'nan', -1 ], [ 'b', 24, 'd', 'inf', 2 ])
{
	my ($field, $at, $type, @values) = @$_;
	damage("meta page, sealed: $field = $_", sub { my ($pages) = @_; put($pages->[0], CONTENTS + $at, $type, $_[1]); seal_meta($pages->[0]) }, $_) for @values;
}
for my $to (0 .. 6)
{
	# Each leaf and then a page of each other kind.
	damage("meta page, sealed: directory_root is another page ($to)", sub {
		my ($pages) = @_;
		my $root = get($pages->[0], CONTENTS + 8, 'L', 4);
		my @leaves = grep { $_ != $root } of_kind($pages, LEAF);
		my @others = (@leaves[0, 1, -1], map { (of_kind($pages, $_))[0] } ROOT, LOG, SEGMENT);
		put($pages->[0], CONTENTS + 8, 'L', $others[$to] // $leaves[2]);
		seal_meta($pages->[0]);
	});
}
damage("meta page: $_->[0]", sub { my ($pages) = @_; put($pages->[0], $_[1][1], $_[1][2], $_[1][3]) }, $_)
  for [ 'kind', TAIL + 8, 'S', LEAF ], [ 'mark', TAIL + 12, 'L', 0x4c4c4353 ], [ 'pd_lower', 12, 'S', 20 ], [ 'pd_upper', 14, 'S', 9000 ], [ 'pd_special', 16, 'S', 8192 ], [ 'page size', 18, 'S', 0x2004 ];
damage('meta page: zeros', sub { my ($pages) = @_; ${ $pages->[0] } = "\0" x PAGE });

# Two pages in each other's place, and one in another's.
for (map { my $one = $_; map { [ $one, $_ ] } META, INNER, LEAF, ROOT, LOG, SEGMENT } INNER, LEAF, ROOT, LOG, SEGMENT)
{
	my ($one, $other) = @$_;
	damage("a page of kind $one for one of kind $other", sub {
		my ($pages) = @_;
		my ($from) = of_kind($pages, $one);
		my @to = grep { $_ != $from } of_kind($pages, $other);
		(${ $pages->[$from] }, ${ $pages->[ $to[-1] ] }) = (${ $pages->[ $to[-1] ] }, ${ $pages->[$from] }) if @to;
	});
	damage("a page of kind $one in place of one of kind $other, its number right", sub {
		my ($pages) = @_;
		my ($from) = of_kind($pages, $one);
		my @to = grep { $_ != $from } of_kind($pages, $other);
		return unless @to;
		${ $pages->[ $to[-1] ] } = ${ $pages->[$from] };
		put($pages->[ $to[-1] ], TAIL + 12, 'L', 0x4c4c4352 ^ $to[-1]);
	});
}

# Entries of the directory that lead elsewhere, and links.
for my $n (0 .. 3)
{
	damage("child $n is another leaf", sub {
		my ($pages) = @_;
		my ($inner) = of_kind($pages, INNER);
		my $at = item($pages->[$inner], $n);
		my $other = get($pages->[$inner], item($pages->[$inner], ($n + 2) % 4), 'L', 4);
		put($pages->[$inner], $at, 'L', $other);
	});
	damage("the right link of leaf $n is another's", sub {
		my ($pages) = @_;
		my @leaves = of_kind($pages, LEAF);
		put($pages->[ $leaves[$n] ], TAIL, 'L', $leaves[ ($n + 3) % @leaves ]);
	});
	damage("leaf $n is split, it says", sub { my ($pages) = @_; put($pages->[ (of_kind($pages, LEAF))[$n] ], TAIL + 10, 'S', 1) });
	damage("the level of leaf $n", sub { my ($pages) = @_; put($pages->[ (of_kind($pages, LEAF))[$n] ], TAIL + 4, 'L', 1) });
	damage("the high key of leaf $n", sub {
		my ($pages) = @_;
		my $page = $pages->[ (of_kind($pages, LEAF))[$n] ];
		return if next_of($page) == 0xffffffff;
		put($page, item($page, 0) + 10 + 7, 'C', get($page, item($page, 0) + 10 + 7, 'C', 1) ^ 0x40);
	});
}
# Tenants' entries: of the first leaf, whose first tenants are 1 to 4.
for my $tenant (0 .. 3)
{
	my $entry = sub { my ($pages, $n) = @_; my $page = $pages->[1]; return ($page, item($page, $n + (next_of($page) == 0xffffffff ? 0 : 1))) };
	damage("tenant $tenant has another's root page", sub {
		my ($pages) = @_;
		my ($page, $at) = $entry->($pages, $tenant);
		my (undef, $other) = $entry->($pages, $tenant ^ 1);
		put($page, $at + 4, 'L', get($page, $other + 4, 'L', 4));
	});
	damage("tenant $tenant has a root page of another kind", sub { my ($pages) = @_; my ($page, $at) = $entry->($pages, $tenant); put($page, $at + 4, 'L', (of_kind($pages, LOG))[0]) });
	damage("tenant $tenant has records beside the root page", sub { my ($pages) = @_; my ($page, $at) = $entry->($pages, $tenant); put($page, $at + 2, 'S', 3) });
	damage("tenant $tenant has a key that is too long", sub { my ($pages) = @_; my ($page, $at) = $entry->($pages, $tenant); put($page, $at + 8, 'S', 9000) });
}
damage("a tiny tenant has $_ records", sub {
	my ($pages) = @_;
	my $page = $pages->[1];
	my $first = next_of($page) == 0xffffffff ? 0 : 1;
	put($page, item($page, $first + 4) + 2, 'S', $_[1]);
}, $_) for 0, 2, 65535;
damage('a leaf with more items than there is room for', sub { my ($pages) = @_; put($pages->[1], 12, 'S', get($pages->[1], 14, 'S', 2)) });

# Heads and runs of root pages: as they are found damaged, and as they would have been written wrong.
for my $n (0 .. 3)
{
	for (map { my $field = $_; ([ 0, @$field ], [ 1, @$field ]) } [ 'tail', 0, 'L' ], [ 'log_pages', 4, 'L' ], [ 'runs', 8, 'S' ], [ 'tenant', 12, 'L' ])
	{
		my ($sealed, $field, $at, $type) = @$_;
		damage("root page $n: $field is another's" . ($sealed ? ', sealed' : ''), sub {
			my ($pages) = @_;
			my @roots = of_kind($pages, ROOT);
			my $page = $pages->[ $roots[$n] ];
			my $of = CONTENTS + $at;
			my $value = get($pages->[ $roots[ ($n + 1) % @roots ] ], $of, $type, $type eq 'L' ? 4 : 2);
			$value = get($page, $of, $type, $type eq 'L' ? 4 : 2) + 1 if $value == get($page, $of, $type, $type eq 'L' ? 4 : 2);
			put($page, $of, $type, $value);
			seal_root($page) if $sealed;
		});
	}
}
my %run = (first => [ 0, 'L' ], last => [ 4, 'L' ], pages => [ 8, 'L' ], catalogue => [ 16, 'L' ], catalogue_bytes => [ 20, 'L' ], documents => [ 24, 'L' ],
	dead => [ 28, 'L' ], texts => [ 32, 'L' ], catalogue_offset => [ 36, 'S' ], state => [ 38, 'S' ], length => [ 40, 'L' ], horizon => [ 48, 'L' ]);
for my $field (sort keys %run)
{
	my ($at, $type) = @{ $run{$field} };
	damage("run: $field", sub {
		my ($pages) = @_;
		my ($page) = map { $pages->[$_] } grep { get($pages->[$_], CONTENTS + 8, 'S', 2) > 0 } of_kind($pages, ROOT);
		put($page, CONTENTS + 16 + $at, $type, get($page, CONTENTS + 16 + $at, $type, $type eq 'L' ? 4 : 2) ^ 1);
	});
}
damage('run: the pages of another tenant, sealed', sub {
	my ($pages) = @_;
	my ($one, $other) = map { $pages->[$_] } grep { get($pages->[$_], CONTENTS + 8, 'S', 2) > 0 } of_kind($pages, ROOT);
	substr($$one, CONTENTS + 16, 40) = substr($$other, CONTENTS + 16, 40);
	seal_root($one);
});
# Log pages.
for my $n (1 .. 4)
{
	damage("log page $n: the page before is another", sub {
		my ($pages) = @_;
		my @logs = of_kind($pages, LOG);
		put($pages->[ $logs[ -$n ] ], TAIL, 'L', $logs[ ($n + 2) % @logs ]);
	});
	damage("log page $n: superseded", sub { my ($pages) = @_; my $page = $pages->[ (of_kind($pages, LOG))[ -$n ] ]; put($page, TAIL + 10, 'S', get($page, TAIL + 10, 'S', 2) ^ 2) });
	damage("log page $n: its number", sub { my ($pages) = @_; my $page = $pages->[ (of_kind($pages, LOG))[ -$n ] ]; put($page, TAIL + 10, 'S', get($page, TAIL + 10, 'S', 2) ^ 4) });
	damage("log page $n: of another tenant", sub { my ($pages) = @_; my $page = $pages->[ (of_kind($pages, LOG))[ -$n ] ]; put($page, TAIL + 4, 'L', get($page, TAIL + 4, 'L', 4) + 1) });
}
# The file itself.
damage('the last pages are not there', sub { my ($pages) = @_; splice(@$pages, -3) });
damage('a page that PostgreSQL refuses', sub { my ($pages) = @_; put($pages->[ (of_kind($pages, SEGMENT))[0] ], 14, 'S', 9000) });

# --- all of that, each on an index of its own ----------------------------------------------------

my $count = @damages;
$node->safe_psql('postgres', qq{SELECT build('d' || i) FROM generate_series(0, $count - 1) i});
my %path = map { split /\|/ } split /\n/, $node->safe_psql('postgres', qq{SELECT 'd' || i, pg_relation_filepath(('d' || i || '_recall')::regclass) FROM generate_series(0, $count - 1) i});
# The answers of a sound index are those of the table.
is($node->safe_psql('postgres', q{
	SELECT count(*) FILTER (WHERE by_index <> by_table), count(*) FILTER (WHERE by_table > 0) > 9
	FROM (SELECT CASE found('pristine', who, words) WHEN 'nothing' THEN 0 ELSE 1 + length(regexp_replace(found('pristine', who, words), '[^,]', '', 'g')) END AS by_index,
		(SELECT least(count(*), 12) FROM sound WHERE tenant = who AND memory_internal.matches(body, memory.query(words))) AS by_table FROM probes) p}), '0|t', 'a sound index answers as the table does');
$node->stop;

my @changed = (1) x $count;
for my $i (0 .. $count - 1)
{
	my (undef, $change, @more) = @{ $damages[$i] };
	$changed[$i] = damage_file($node->data_dir . '/' . $path{"d$i"}, $change, @more);
}
$node->start;

# One line for each: right answers, wrong ones, errors, and errors that do not say what to do.
$node->safe_psql('postgres', q{
	CREATE TABLE expected AS SELECT who, words, found('pristine', who, words) AS answer FROM probes;
	CREATE FUNCTION ask(target text, OUT correct int, OUT wrong text, OUT errors int, OUT silent text, OUT verified text) LANGUAGE plpgsql SET search_path = public, memory AS $$
		DECLARE
			probe record;
			answer text;
			message text;
			hint text;
			context text;
		BEGIN
			SELECT 0, 0 INTO correct, errors;
			FOR probe IN SELECT * FROM expected LOOP
				BEGIN
					answer := found(target::regclass, probe.who, probe.words);
					IF answer = probe.answer THEN correct := correct + 1; ELSE wrong := format('%s %s: %s, not %s', probe.who, probe.words, left(answer, 60), left(probe.answer, 60)); END IF;
				EXCEPTION WHEN OTHERS THEN
					GET STACKED DIAGNOSTICS message = MESSAGE_TEXT, hint = PG_EXCEPTION_HINT, context = PG_EXCEPTION_CONTEXT;
					errors := errors + 1;
					IF message || context NOT LIKE '%"' || target || '_recall"%' OR hint NOT LIKE '%REINDEX%' THEN silent := message; END IF;
				END;
			END LOOP;
			BEGIN
				SELECT string_agg(p, ', ') INTO verified FROM memory.verify_index((target || '_recall')::regclass) p;
			EXCEPTION WHEN OTHERS THEN
				verified := sqlerrm;
			END;
		END $$;
});
my ($out, $err) = ('', '');
$node->psql('postgres', "SET statement_timeout = '30s';\n" . join('', map { "SELECT $_, a.* FROM ask('d$_') a;\n" } grep { $changed[$_] } 0 .. $count - 1),
	on_error_stop => 0, stdout => \$out, stderr => \$err);
my %answers = map { my ($i, @rest) = split /\|/, $_, -1; $i => \@rest } split /\n/, $out;
for my $i (0 .. $count - 1)
{
	my $what = $damages[$i][0];
	next unless $changed[$i];
	my ($right, $wrong, $errors, $silent, $verified) = @{ $answers{$i} // [] };
	ok(defined $right && $wrong eq '', "$what: no wrong answer") or diag($wrong // 'none at all');
	next unless defined $right;
	ok($silent eq '', "$what: errors name the index and say REINDEX") or diag($silent);
	ok($verified ne '', "$what: verify_index finds it, too") if $errors > 0;
}
is($err, '', 'all were asked, and none went on for ever');
my $met = grep { $_->[2] > 0 } values %answers;
cmp_ok($met, '>', 150, "$met of $count kinds of damage were met by a query");

# Writing and cleaning up: errors or not, but the server goes on.
$node->psql('postgres', "SET statement_timeout = '30s';\n" . join('', map { "INSERT INTO d$_ SELECT id, tenant, body || ' again' FROM sound WHERE tenant <= 4 OR id % 50 = 0;\nDELETE FROM d$_ WHERE id % 3 = 0;\nVACUUM d$_;\nSELECT count(*) FROM memory.index_stats('d${_}_recall');\n" } 0 .. $count - 1),
	on_error_stop => 0, stdout => \$out, stderr => \$err);
unlike($err, qr/statement timeout/, 'writing and cleaning up go on for ever nowhere');
is($node->psql('postgres', 'SELECT 1'), 0, 'the server goes on');
unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal/, 'nothing has crashed');
# REINDEX is what helps.
is($node->safe_psql('postgres', q{REINDEX INDEX d0_recall; SELECT count(*) FROM memory.verify_index('d0_recall')}), '0', 'REINDEX makes it sound again');

$node->stop;
done_testing();
