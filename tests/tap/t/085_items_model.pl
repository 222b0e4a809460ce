# Items against a model in memory: random puts, alone and in arrays, with expected versions that are right and stale, times to live
# that end, deletions by every condition, touches. Each answer is compared, and after every few of them all that there is:
# lists in their order and their pages, filters, keys, paths by prefix, suffix and depth.
# ITEM_OPERATIONS makes it longer, ITEM_SEED repeats a run.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{ITEM_OPERATIONS} // 1000;
my $seed = $ENV{ITEM_SEED} // int(rand(2**31));
srand($seed);
note("ITEM_SEED=$seed ITEM_OPERATIONS=$operations");

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE checks (n int, what text, expected text, found text);
	CREATE FUNCTION compare(n int, what text, expected text, found text) RETURNS void LANGUAGE sql AS $$
		INSERT INTO checks SELECT n, what, expected, found WHERE expected IS DISTINCT FROM found $$;
	CREATE FUNCTION shown(path text[], key text, value jsonb, version bigint) RETURNS text LANGUAGE sql AS $$
		SELECT concat_ws('|', array_to_string(path, '/'), key, value ->> 'n', version) $$;
	-- What a put answers: its version, or the SQLSTATE of its error.
	CREATE FUNCTION put(statement text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE answer text;
	BEGIN
		EXECUTE statement INTO answer;
		RETURN answer;
	EXCEPTION WHEN serialization_failure OR unique_violation THEN
		RETURN SQLSTATE;
	END $$;
	CREATE FUNCTION expire(in_path text[], in_key text) RETURNS text LANGUAGE sql AS $$
		WITH u AS (UPDATE memory.items i SET expires_at = now() - interval '1 second' WHERE i.user_id = 'ann' AND i.path = in_path AND i.key = in_key RETURNING 1)
		SELECT count(*)::text FROM u $$;
});

# --- the model ----------------------------------------------------------------------------------

# items{place} = {path, key, n, tag, version, put: the number of the operation, ttl, expired}
my %items;
my $counter = 0;
my @names = ('a', 'b', 'ab', 'a%', '*', 'x' x 300);
my @keys = ('k', 'l', 'key 3', 'y' x 1000);

sub pick { return $_[ int(rand(@_)) ] }
sub quoted { my $text = shift; return defined $text ? "'" . $text =~ s/'/''/gr . "'" : 'NULL' }
sub array { return 'ARRAY[' . join(', ', map { quoted($_) } @_) . ']::text[]' }
sub json_array { return '[' . join(', ', map { qq{"$_"} } @_) . ']' }
sub random_path { return map { pick(@names) } 1 .. int(rand(4)) }
sub place_of { my ($path, $key) = @_; return join("\0", @$path, '', $key) }
sub begins { my ($path, $prefix) = @_; return @$prefix <= @$path && !grep { $path->[$_] ne $prefix->[$_] } 0 .. $#$prefix }
sub there { return grep { !$_->{expired} } values %items }
sub compare_paths
{
	my ($p, $q) = @_;
	for my $n (0 .. ($#$p < $#$q ? $#$p : $#$q))
	{
		my $order = $p->[$n] cmp $q->[$n];
		return $order if $order;
	}
	return @$p <=> @$q;
}
sub in_order { return sort { $b->{put} <=> $a->{put} || compare_paths($a->{path}, $b->{path}) || $a->{key} cmp $b->{key} } @_ }
sub shown { my $item = shift; return join('|', join('/', @{ $item->{path} }), $item->{key}, $item->{n}, $item->{version}) }

# The arguments of a put, as SQL or as JSON, and what it does to the model.
sub random_put
{
	my ($n) = @_;
	my $place = pick(sort keys %items);
	my $old = rand() < 0.5 && defined $place ? $items{$place} : undef;
	my @path = $old ? @{ $old->{path} } : random_path();
	my $key = $old ? $old->{key} : pick(@keys);
	my $found = $items{ place_of(\@path, $key) };
	$found = undef if $found && $found->{expired};
	my $version = $found ? $found->{version} : 0;
	my $expected = rand() < 0.3 ? (rand() < 0.7 ? $version : $version + pick(-1, 1, 2)) : undef;
	$expected = 0 if defined $expected && $expected < 0;
	return { path => \@path, key => $key, n => ++$counter, tag => pick('red', 'green', 'blue'), ttl => rand() < 0.3, expected => $expected, put => $n };
}

sub refused
{
	my ($put) = @_;
	my $found = $items{ place_of($put->{path}, $put->{key}) };
	my $version = $found && !$found->{expired} ? $found->{version} : 0;
	return undef if !defined $put->{expected} || $put->{expected} == $version;
	return $put->{expected} == 0 ? '23505' : '40001';
}

sub apply
{
	my ($put) = @_;
	my $place = place_of($put->{path}, $put->{key});
	my $found = $items{$place};
	my $version = $found && !$found->{expired} ? $found->{version} + 1 : 1;
	$items{$place} = { %$put, version => $version, expired => 0 };
	return $version;
}

sub value_of { my $put = shift; return sprintf('{"n": %d, "tag": "%s", "text": "said %s"}', $put->{n}, $put->{tag}, $put->{tag}) }

# --- random operations: each is SQL and the answer to it, and has been done to the model when it returns -----

sub put
{
	my ($n) = @_;
	my $put = random_put($n);
	my $sql = sprintf('SELECT memory.put_item(%s, %s, %s, ttl => %s, expected_version => %s)', array(@{ $put->{path} }), quoted($put->{key}), quoted(value_of($put)),
		$put->{ttl} ? q{'1 hour'} : 'NULL', $put->{expected} // 'NULL');
	return (sprintf('put(%s)', quoted($sql)), refused($put) // apply($put));
}

# All or nothing, in the order of the places: where one is refused, all of it is undone.
sub put_many
{
	my ($n) = @_;
	my %before = %items;
	my @puts = map { random_put($n) } 1 .. 1 + int(rand(6));
	push @puts, { %{ $puts[0] }, n => ++$counter, expected => undef } if rand() < 0.3;
	my @order = sort { compare_paths($puts[$a]{path}, $puts[$b]{path}) || $puts[$a]{key} cmp $puts[$b]{key} || $a <=> $b } 0 .. $#puts;
	my (@versions, $state);
	for my $at (@order)
	{
		$state = refused($puts[$at]);
		last if $state;
		$versions[$at] = apply($puts[$at]);
	}
	%items = %before if $state;
	my $json = '[' . join(', ', map { my $put = $_; sprintf('{"path": %s, "key": "%s", "value": %s%s%s}', json_array(@{ $put->{path} }), $put->{key}, value_of($put),
		$put->{ttl} ? ', "ttl": "1 hour"' : '', defined $put->{expected} ? qq{, "expected_version": $put->{expected}} : '') } @puts) . ']';
	my $sql = sprintf(q{SELECT string_agg(v::text, ',' ORDER BY n) FROM memory.put_items(%s) WITH ORDINALITY i (v, n)}, quoted($json));
	return (sprintf('put(%s)', quoted($sql)), $state // join(',', @versions));
}

# A filter, and whether it passes an item.
sub random_filter
{
	my $limit = int(rand($counter + 1));
	my $tag = pick('red', 'green');
	return pick(
		[ '{}', sub { 1 } ], [ qq{{"tag": "$tag"}}, sub { $_[0]{tag} eq $tag } ], [ qq{{"n": {"\$gt": $limit}}}, sub { $_[0]{n} > $limit } ],
		[ qq{{"\$or": [{"tag": {"\$ne": "$tag"}}, {"n": {"\$lte": $limit}}]}}, sub { $_[0]{tag} ne $tag || $_[0]{n} <= $limit } ],
		[ '{"missing": {"$exists": true}}', sub { 0 } ]);
}

sub delete_some
{
	my @prefix = rand() < 0.8 ? random_path() : ();
	my $has_prefix = @prefix || rand() < 0.1;
	my $exact = $has_prefix && rand() < 0.4;
	my @wanted = !$has_prefix || rand() < 0.3 ? (pick(@keys), pick(@keys)) : ();
	my $filter = rand() < 0.3 || (!@prefix && !$exact) ? random_filter() : undef;
	my @gone = grep {
		my $item = $_;
		(!$has_prefix || begins($item->{path}, \@prefix)) && (!$exact || @prefix == @{ $item->{path} }) && (!@wanted || grep { $_ eq $item->{key} } @wanted) && (!$filter || $filter->[1]->($item))
	} values %items;
	delete $items{ place_of($_->{path}, $_->{key}) } for @gone;
	return (sprintf('memory.delete_items(%s, keys => %s, filter => %s, exact => %s)::text', $has_prefix ? array(@prefix) : 'NULL', @wanted ? array(@wanted) : 'NULL',
			$filter ? quoted($filter->[0]) : 'NULL', $exact ? 'true' : 'false'), scalar(grep { !$_->{expired} } @gone));
}

sub touch
{
	my @prefix = random_path();
	my @wanted = rand() < 0.3 ? (pick(@keys)) : ();
	my @touched = grep { my $item = $_; $item->{ttl} && begins($item->{path}, \@prefix) && (!@wanted || $item->{key} eq $wanted[0]) } there();
	return (sprintf('memory.touch_items(%s, keys => %s)::text', array(@prefix), @wanted ? array(@wanted) : 'NULL'), scalar @touched);
}

sub expire
{
	my @mortal = sort { $a->{n} <=> $b->{n} } grep { $_->{ttl} } there() or return ("''", '');
	my $item = pick(@mortal);
	$item->{expired} = 1;
	return (sprintf('expire(%s, %s)', array(@{ $item->{path} }), quoted($item->{key})), 1);
}

# --- what there is -----------------------------------------------------------------------------------

sub listed { return join("\n", map { shown($_) } @_) }

sub check_lists
{
	my ($n) = @_;
	my @prefix = random_path();
	my @all = in_order(grep { begins($_->{path}, \@prefix) } there());
	my $call = sprintf('memory.items(%s', array(@prefix));
	my $list = sub { my ($what, $arguments, @rows) = @_; return sprintf(q{SELECT compare(%d, %s, %s, (SELECT coalesce(string_agg(shown(path, key, value, version), E'\n' ORDER BY n), '') FROM %s%s) WITH ORDINALITY i (path, key, value, version, a, b, c, d, e, f, n)));},
		$n, quoted($what), quoted(listed(@rows)), $call, $arguments) };
	my ($skip, $k) = (int(rand(8)), 1 + int(rand(8)));
	my @page = @all[ grep { $_ <= $#all } $skip .. $skip + $k - 1 ];
	my $filter = random_filter();
	my $key = pick(@keys);
	my @red = in_order(grep { $_->{tag} eq 'red' } @all);
	my $ranked = sprintf(q{SELECT compare(%d, 'found', %s, (SELECT coalesce(string_agg(shown(path, key, value, version), E'\n' ORDER BY path, key), '') FROM %s, query => 'red', k => NULL)));}, $n,
		quoted(listed(sort { compare_paths($a->{path}, $b->{path}) || $a->{key} cmp $b->{key} } @red)), $call);
	return ($list->('list', ', k => NULL', @all), $list->('page', ", skip => $skip, k => $k", @page), $list->('filter', sprintf(', k => NULL, filter => %s', quoted($filter->[0])), grep { $filter->[1]->($_) } @all),
		$list->('keys', sprintf(', k => NULL, keys => %s', array($key, 'no key')), grep { $_->{key} eq $key } @all), $ranked);
}

sub fits { my ($wanted, $name) = @_; return $wanted eq '*' || $wanted eq $name }

sub check_paths
{
	my ($n) = @_;
	my @prefix = rand() < 0.7 ? random_path() : ();
	my @suffix = rand() < 0.5 ? random_path() : ();
	my $depth = rand() < 0.5 ? 1 + int(rand(3)) : undef;
	my %found;
	for my $item (there())
	{
		my @path = @{ $item->{path} };
		next if @path < @prefix || @path < @suffix || grep { !fits($prefix[$_], $path[$_]) } 0 .. $#prefix;
		next if grep { !fits($suffix[ -1 - $_ ], $path[ -1 - $_ ]) } 0 .. $#suffix;
		@path = @path[ 0 .. $depth - 1 ] if defined $depth && @path > $depth;
		my $one = $found{ join("\0", @path) } //= { path => \@path, items => 0 };
		$one->{items}++;
	}
	my $expected = join("\n", map { join('/', @{ $_->{path} }) . "|$_->{items}" } sort { compare_paths($a->{path}, $b->{path}) } values %found);
	return sprintf(q{SELECT compare(%d, 'paths', %s, (SELECT coalesce(string_agg(array_to_string(path, '/') || '|' || items, E'\n' ORDER BY n), '') FROM memory.item_paths(%s, %s, %s, k => NULL) WITH ORDINALITY p (path, items, u, n)));},
		$n, quoted($expected), @prefix ? array(@prefix) : 'NULL', @suffix ? array(@suffix) : 'NULL', $depth // 'NULL');
}

sub check_one
{
	my ($n) = @_;
	my ($item) = pick(sort { $a->{n} <=> $b->{n} } values %items);
	return () unless $item;
	return sprintf(q{SELECT compare(%d, 'item', %s, (SELECT shown(path, key, value, version) || '|' || (expires_at IS NOT NULL) FROM memory.item(%s, %s)));}, $n,
		$item->{expired} ? 'NULL' : quoted(shown($item) . ($item->{ttl} ? '|true' : '|false')), array(@{ $item->{path} }), quoted($item->{key}));
}

my @script = ("SET memory.user_id = 'ann'; SET client_min_messages = warning;");
for my $n (1 .. $operations)
{
	my $kind = rand();
	my ($what, $sql, $answer) = $kind < 0.5 ? ('put', put($n)) : $kind < 0.7 ? ('put_items', put_many($n)) : $kind < 0.78 ? ('delete', delete_some()) : $kind < 0.88 ? ('touch', touch()) : ('expire', expire());
	push @script, sprintf('SELECT compare(%d, %s, %s, %s);', $n, quoted($what), quoted($answer), $sql);
	push @script, check_lists($n), check_paths($n), check_one($n) if $n % 5 == 0 || $n == $operations;
}
my $file = PostgreSQL::Test::Utils::tempdir() . '/script.sql';
append_to_file($file, join("\n", @script, ''));
my ($out, $err) = ('', '');
my $ok = IPC::Run::run([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-f', $file, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
ok($ok, 'every operation is done') or diag(substr($err, 0, 2000));
is($node->safe_psql('postgres', 'SELECT n, what, left(expected, 300), left(found, 300) FROM checks ORDER BY n LIMIT 3'), '', 'items are as the model has them');
cmp_ok(scalar(there()), '>', 5, 'there are items in the end');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.items}), scalar(keys %items), 'and no row more than the model has, the expired ones included');
is($node->safe_psql('postgres', q{SELECT memory.verify_index('memory.items_by_text')}), '', 'the index by text is whole');

$node->stop;
done_testing();
