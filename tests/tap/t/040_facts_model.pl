# Facts against a model written differently: it knows no intervals, only who holds at each point of
# valid time, and keeps a copy of a key's points after each of its changes. Random assertions (backdated,
# future, bounded, for ever), retractions, corrections and rejections; then random probes of (key, point,
# moment): what facts() answers is what the model had then.
# FACTS_OPERATIONS and FACTS_PROBES make it longer, FACTS_SEED repeats a run.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{FACTS_OPERATIONS} // 4000;
my $probes = $ENV{FACTS_PROBES} // 20000;
my $seed = $ENV{FACTS_SEED} // int(rand(2**31));
srand($seed);
note("FACTS_SEED=$seed FACTS_OPERATIONS=$operations FACTS_PROBES=$probes");

my $points = 40;    # the first stands for all time before it, the last for all time after
my $keys = 30 + int($operations / 200); # of which each third one is many-valued
my @objects = map { "o$_" } 1 .. 5;

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	SELECT memory.define_predicate('many', 'many');
	-- Each operation has a moment after it, and a line for what it returned.
	CREATE TABLE moments (n int PRIMARY KEY, at timestamptz NOT NULL, result text);
	CREATE TABLE probes (key text, predicate text, point int, n int, expected text);
	CREATE FUNCTION day(n int) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS
		$$ SELECT CASE n WHEN 0 THEN '-infinity' WHEN 40 THEN 'infinity' ELSE '2026-01-01'::timestamptz + n * interval '1 day' END $$;
	-- The id of what a key has at a point, if it has something.
	CREATE FUNCTION id_at(subject text, predicate text, object text, point int) RETURNS uuid LANGUAGE sql AS
		$$ SELECT id FROM memory.facts(subject, predicate, object, valid_at => '2026-01-01'::timestamptz + point * interval '1 day' + interval '1 hour') $$;
});

# --- the model ----------------------------------------------------------------------------------

# A line is an array of objects by point, '' for nobody; a many-valued key has a line for each object.
my (%line, %rejected, %versions);

sub line_of
{
	my ($key, $object) = @_;
	return $line{ is_many($key) ? "$key/$object" : $key } //= [ ('') x $points ];
}
sub is_many { return $_[0] % 3 == 0 }

sub put
{
	my ($line, $object, $from, $until) = @_;
	$line->[$_] = $object for $from .. $until - 1;
}

# Where an open end ends: at the first point after $from at which somebody begins.
sub open_end
{
	my ($line, $from) = @_;
	for my $i ($from + 1 .. $points - 1)
	{
		return $i if $line->[$i] ne '' && $line->[$i] ne $line->[ $i - 1 ];
	}
	return $points;
}

# What a key has at a point, after operation n: sorted, as text.
sub remember_state
{
	my ($n, $key) = @_;
	my @state;
	for my $i (0 .. $points - 1)
	{
		my @here = is_many($key)
		  ? grep { ($line{"$key/$_"} // [])->[$i] // '' } @objects
		  : grep { $_ ne '' } line_of($key, '')->[$i];
		push @state, join('+', sort @here);
	}
	push @{ $versions{$key} }, [ $n, join('|', @state) ];
}

sub state_at
{
	my ($key, $n, $point) = @_;
	my $state = '';
	my ($low, $high) = (0, scalar @{ $versions{$key} // [] });
	while ($low < $high)
	{
		my $middle = int(($low + $high) / 2);
		if ($versions{$key}[$middle][0] <= $n) { $low = $middle + 1 } else { $high = $middle }
	}
	return $low ? (split /\|/, $versions{$key}[ $low - 1 ][1], -1)[$point] : '';
}

# --- random operations --------------------------------------------------------------------------

sub pick { return $_[ int(rand(@_)) ] }

# A subject in one of its spellings.
sub spelled { my $text = shift; return pick($text, uc $text, " $text ") }

sub span
{
	my $from = int(rand($points));
	return ($from, $from + 1 + int(rand($points - $from)));
}

# Each is SQL for one statement, and has been done to the model when it returns.
sub assertion
{
	my ($key, $open) = @_;
	my $object = pick(@objects);
	my ($from, $until) = span();
	my $override = rand() < 0.2;
	my $sql = sprintf(q{memory.assert_fact('%s', '%s', '%s', valid_from => day(%d), valid_until => %s%s)},
		spelled("k$key"), is_many($key) ? 'Many' : 'one', spelled($object), $from,
		$open ? 'NULL' : "day($until)", $override ? q{, metadata => '{"override": true}'} : '');
	return $sql if $rejected{"$key/$object"} && !$override;
	delete $rejected{"$key/$object"};
	my $line = line_of($key, $object);
	put($line, $object, $from, $open ? open_end($line, $from) : $until);
	return $sql;
}

sub retraction
{
	my ($key) = @_;
	my ($from, $until) = span();
	my $object = rand() < 0.5 ? pick(@objects) : undef;
	for my $one (defined $object ? $object : is_many($key) ? @objects : '')
	{
		my $line = line_of($key, $one);
		for my $i ($from .. $until - 1)
		{
			$line->[$i] = '' if !defined $object || $line->[$i] eq $object;
		}
	}
	return sprintf(q{memory.retract_fact('k%d', '%s', %s, valid_from => day(%d), valid_until => %s)}, $key,
		is_many($key) ? 'many' : 'one', defined $object ? "'$object'" : 'NULL', $from,
		$until == $points && rand() < 0.5 ? 'NULL' : "day($until)");
}

sub rejection
{
	my ($key) = @_;
	my $object = pick(@objects);
	$rejected{"$key/$object"} = 1;
	my $line = line_of($key, $object);
	$_ eq $object && ($_ = '') for @$line;
	return sprintf(q{memory.reject_fact('k%d', '%s', '%s')}, $key, is_many($key) ? 'many' : 'one', spelled($object));
}

# Of the fact at a point, if there is one: another object, other times, or both.
sub correction
{
	my ($key) = @_;
	my $point = int(rand($points));
	my $old = is_many($key) ? pick(@objects) : line_of($key, '')->[$point];
	return 'NULL' if $old eq '' || line_of($key, $old)->[$point] ne $old;
	my $line = line_of($key, $old);
	my ($from, $until) = ($point, $point + 1);
	--$from while $from > 0 && $line->[ $from - 1 ] eq $old;
	++$until while $until < $points && $line->[$until] eq $old;
	put($line, '', $from, $until);
	my ($new_from, $new_until, $new) = ('NULL', 'NULL', $old);
	if (rand() < 0.6)
	{
		($from, $until) = span();
		($new_from, $new_until) = ("day($from)", "day($until)");
	}
	$new = pick(@objects) if rand() < 0.6;
	delete $rejected{"$key/$new"};
	put(line_of($key, $new), $new, $from, $until);
	return sprintf(q{memory.correct_fact(id_at('k%d', '%s', '%s', %d), %s, %s, %s)}, $key, is_many($key) ? 'many' : 'one',
		$old, $point, $new eq $old ? 'NULL' : "'$new'", $new_from, $new_until);
}

my @script = ("SET memory.user_id = 'ann'; SET timezone = 'UTC'; SET client_min_messages = warning;");
for my $n (1 .. $operations)
{
	my $key = int(rand($keys));
	my $kind = rand();
	my $sql =
	    $kind < 0.45 ? assertion($key, 1)
	  : $kind < 0.75 ? assertion($key, 0)
	  : $kind < 0.87 ? retraction($key)
	  : $kind < 0.97 ? correction($key)
	  : rejection($key);
	# Some share a transaction, and so its timestamp.
	push @script, 'BEGIN;' if $n % 10 == 1;
	push @script, "SELECT $sql;", "INSERT INTO moments VALUES ($n, clock_timestamp());";
	push @script, 'COMMIT;' if $n % 10 == 0 || $n == $operations;
	remember_state($n, $key);
}

sub run_script
{
	my ($name, @lines) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir() . "/$name.sql";
	append_to_file($file, join("\n", @lines, ''));
	my ($out, $err) = ('', '');
	IPC::Run::run([ 'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-d', $node->connstr('postgres'), '-f', $file ], '>', \$out, '2>', \$err);
	return ($out, $err);
}

my (undef, $errors) = run_script('operations', @script);
is($errors, '', "$operations operations went through");

# --- probes -------------------------------------------------------------------------------------

my @copy = ('COPY probes FROM stdin;');
for (1 .. $probes)
{
	my ($key, $point, $n) = (int(rand($keys)), int(rand($points)), 1 + int(rand($operations)));
	push @copy, join("\t", "k$key", is_many($key) ? 'many' : 'one', $point, $n, state_at($key, $n, $point));
}
(undef, $errors) = run_script('probes', @copy, '\.');
is($errors, '', 'the probes are loaded');

my $answers = q{
	SET memory.user_id = 'ann'; SET timezone = 'UTC';
	CREATE TEMP TABLE wrong AS
	SELECT p.*, f.found FROM probes p JOIN moments m USING (n), LATERAL (
		SELECT coalesce(string_agg(btrim(lower(object)), '+' ORDER BY btrim(lower(object)) COLLATE "C"), '') AS found
		FROM memory.facts(p.key, p.predicate, valid_at => '2026-01-01'::timestamptz + p.point * interval '1 day' + interval '1 hour',
			known_at => m.at, k => 100)) f
	WHERE f.found <> p.expected;
	SELECT count(*) FROM wrong;
	SELECT * FROM wrong ORDER BY n LIMIT 3;};
is($node->safe_psql('postgres', $answers), '0', "$probes probes have the model's answers");
cmp_ok($node->safe_psql('postgres', q{SELECT count(*) FROM probes WHERE expected <> ''}), '>', $probes / 4, 'many of them found something');

# --- what must hold of the rows -----------------------------------------------------------------

is($node->safe_psql('postgres', q{
	SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (namespace, user_id, line)
	WHERE a.id < b.id AND tstzrange(a.valid_from, a.valid_until) && tstzrange(b.valid_from, b.valid_until)
	  AND tstzrange(a.known_from, a.known_until) && tstzrange(b.known_from, b.known_until)}),
	'0', 'no two versions of a line ever held at once');
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM memory.facts a JOIN memory.facts b USING (namespace, user_id, line, object_key)
	WHERE a.known_until = 'infinity' AND b.known_until = 'infinity' AND a.valid_until = b.valid_from}),
	'0', 'touching pieces of one object are one row');

$node->stop;
done_testing();
