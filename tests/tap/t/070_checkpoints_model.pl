# Checkpoints against a model in memory: random puts, replacements, writes, prunes, forks and deletions over some sessions
# of two paths each; after every few of them each checkpoint is read back and compared byte for byte, and so is their
# order. The model keeps whole states: it knows no deltas, no chains and no stores.
# CHECKPOINT_OPERATIONS makes it longer, CHECKPOINT_SEED repeats a run.
use strict;
use warnings FATAL => 'all';
use Digest::MD5 'md5_hex';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{CHECKPOINT_OPERATIONS} // 600;
my $seed = $ENV{CHECKPOINT_SEED} // int(rand(2**31));
srand($seed);
note("CHECKPOINT_SEED=$seed CHECKPOINT_OPERATIONS=$operations");

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE checks (n int, what text, wrong text);
	CREATE TABLE deltas (number bigint); -- at each check: a history may end with none
	CREATE FUNCTION hex(data bytea[]) RETURNS text LANGUAGE sql IMMUTABLE AS
		$$ SELECT coalesce(string_agg(coalesce(encode(d, 'hex'), 'NULL'), ',' ORDER BY n), '') FROM unnest(data) WITH ORDINALITY u (d, n) $$;
	CREATE FUNCTION digest(c memory.checkpoint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
		SELECT md5(concat_ws('|', coalesce(c.parent, '-'), c.state::text, c.metadata::text, array_to_string(c.part_names, ','),
			array_to_string(c.part_types, ','), hex(c.part_data), array_to_string(c.write_tasks, ','),
			array_to_string(c.write_names, ','), array_to_string(c.write_types, ','), hex(c.write_data))) $$;
});

# --- the model ----------------------------------------------------------------------------------

# checkpoint{session}{path}: in the order of first writing, {id, parent, state, refs, metadata, run}.
# part{session}{path}{name}{version} = [type, data]; write{session}{path}{checkpoint}{task}{idx} = [name, type, data].
my (%checkpoint, %part, %write);
my @sessions = ('one', 'two', 'three ' . 'x' x 900);
my @paths = ('', 'sub|agent');
my ($counter, $place) = (0, 0);

sub pick { return $_[ int(rand(@_)) ] }
sub text { return join '', map { pick('a' .. 'z', ' ') } 1 .. shift }
sub list { return $checkpoint{ $_[0] }{ $_[1] } //= [] }
sub quoted { my $text = shift; return defined $text ? "'" . $text =~ s/'/''/gr . "'" : 'NULL' }
sub array { return 'ARRAY[' . join(', ', map { quoted($_) } @_) . ']::text[]' }
sub bytes { return 'ARRAY[' . join(', ', map { defined $_ ? "'\\x" . unpack('H*', $_) . "'" : 'NULL' } @_) . ']::bytea[]' }
sub object { my %of = @_; return '{' . join(', ', map { "\"$_\": \"$of{$_}\"" } sort { length $a <=> length $b || $a cmp $b } keys %of) . '}' }

# A few changes to a text; sometimes another text.
sub changed
{
	my ($text) = @_;
	return text(int(rand(20000))) if rand() < 0.05;
	for (1 .. int(rand(6)))
	{
		my $at = int(rand(length($text) + 1));
		substr($text, $at, int(rand(200)), rand() < 0.2 ? substr($text, int(rand(length($text) + 1)), 500) : text(int(rand(150))));
	}
	return $text;
}

sub expected
{
	my ($session, $path, $one) = @_;
	my @names = grep { $part{$session}{$path}{$_}{ $one->{refs}{$_} } } sort keys %{ $one->{refs} };
	my @parts = map { $part{$session}{$path}{$_}{ $one->{refs}{$_} } } @names;
	my $writes = $write{$session}{$path}{ $one->{id} } // {};
	my (@tasks, @written);
	for my $task (sort keys %$writes)
	{
		for my $idx (sort { $a <=> $b } keys %{ $writes->{$task} })
		{
			push @tasks, $task;
			push @written, $writes->{$task}{$idx};
		}
	}
	my $hex = sub { join(',', map { defined $_ ? unpack('H*', $_) : 'NULL' } @_) };
	return md5_hex(join('|', $one->{parent} // '-', '{"text": "' . $one->{state} . '"}', object(%{ $one->{metadata} }), join(',', @names),
			join(',', map { $_->[0] } @parts), $hex->(map { $_->[1] } @parts), join(',', @tasks),
			join(',', map { $_->[0] } @written), join(',', map { $_->[1] } @written), $hex->(map { $_->[2] } @written)));
}

# --- random operations: each is SQL, and has been done to the model when it returns -----------------

# New versions of some parts, and what refs says then.
sub parts
{
	my ($session, $path, %refs) = @_;
	my (@names, @types, @data);
	for my $name ('a', 'bb', 'long ' . 'n' x 200)
	{
		delete $refs{$name}, next if rand() < 0.1;
		$refs{$name} = 'never came', next if rand() < 0.05;
		next if rand() < 0.5;
		my $before = $refs{$name} && $part{$session}{$path}{$name}{ $refs{$name} };
		# Sometimes a version that is there: the first writer wins.
		$refs{$name} = rand() < 0.1 ? 'v1' : 'v' . ++$counter;
		my $data = rand() < 0.1 ? undef : changed($before && $before->[1] // text(3000));
		push @names, $name;
		push @types, pick('json', 'msgpack');
		push @data, $data;
		$part{$session}{$path}{$name}{ $refs{$name} } //= [ $types[-1], $data ];
	}
	return (\%refs, \@names, \@types, \@data);
}

sub put
{
	my ($session, $path) = @_;
	my $all = list($session, $path);
	my $replaced = @$all && rand() < 0.15 ? pick(@$all) : undef;
	my $parent = !@$all || rand() < 0.1 ? undef : rand() < 0.1 ? 'gone' : rand() < 0.75 ? $all->[-1]{id} : pick(@$all)->{id};
	my ($before) = grep { $_->{id} eq ($parent // '') } @$all;
	my ($refs, $names, $types, $data) = parts($session, $path, %{ $before->{refs} // {} });
	my $one = $replaced // { id => sprintf('c%06d', ++$counter) . (rand() < 0.1 ? 'y' x 300 : ''), parent => $parent, place => ++$place };
	$one->{state} = changed($before->{state} // text(5000));
	$one->{refs} = $refs;
	$one->{metadata} = { run_id => 'r' . int(rand(5)) };
	push @$all, $one unless $replaced;
	my $keep = rand() < 0.05 ? 1 + int(rand(8)) : undef;
	my $sql = sprintf(q{memory.put_checkpoint(%s, '{"text": "%s"}', %s, %s, '%s', %s, %s, '%s', %s, %s, %s)}, quoted($session), $one->{state},
		quoted($one->{id}), quoted($parent), object(%{ $one->{metadata} }), quoted($path), $keep // 'NULL', object(%$refs),
		array(@$names), array(@$types), bytes(@$data));
	my $order = 0;
	my %newest = map { $_->{id} => $order++ } reverse @$all;
	drop($session, $path, sub { $newest{ $_[0]{id} } >= $keep }) if defined $keep;
	return $sql;
}

# Takes those of which $is_meant, with their writes, and parts that nothing in the path refers to any more.
sub drop
{
	my ($session, $path, $is_meant) = @_;
	my $all = list($session, $path);
	my @gone = grep { $is_meant->($_) } @$all or return 0;
	delete $write{$session}{$path}{ $_->{id} } for @gone;
	my %gone = map { $_->{id} => 1 } @gone;
	@$all = grep { !$gone{ $_->{id} } } @$all;
	clean($session);
	return scalar @gone;
}
sub clean
{
	my ($session) = @_;
	for my $path (@paths)
	{
		my %needed = map { my $refs = $_->{refs}; map { ("$_\0$refs->{$_}" => 1) } keys %$refs } @{ list($session, $path) };
		for my $name (keys %{ $part{$session}{$path} // {} })
		{
			$needed{"$name\0$_"} || delete $part{$session}{$path}{$name}{$_} for keys %{ $part{$session}{$path}{$name} };
		}
	}
}

sub prune
{
	my @of = rand() < 0.7 ? (pick(@sessions)) : @sessions;
	my $keep = rand() < 0.5 ? int(rand(12)) : undef;
	my @runs = rand() < 0.6 || !defined $keep ? map { 'r' . int(rand(5)) } 1 .. 2 : ();
	my @protected;
	for my $session (@of)
	{
		for my $path (@paths)
		{
			my $all = list($session, $path);
			push @protected, pick(@$all)->{id} if @$all && rand() < 0.3;
		}
	}
	my %protected = map { $_ => 1 } @protected;
	my %runs = map { $_ => 1 } @runs;
	my $gone = 0;
	for my $session (@of)
	{
		for my $path (@paths)
		{
			my $order = 0;
			my %newest = map { $_->{id} => $order++ } reverse @{ list($session, $path) };
			$gone += drop($session, $path, sub {
				my $id = $_[0]{id};
				return !$protected{$id} && (!defined $keep || $newest{$id} >= $keep) && (!@runs || $runs{ $_[0]{metadata}{run_id} });
			});
		}
	}
	return (sprintf('memory.prune_checkpoints(%s, %s, %s, NULL, %s)', @of == 1 ? array(@of) : 'NULL', $keep // 'NULL',
		@runs ? array(@runs) : 'NULL', array(@protected)), $gone);
}

# Up to a checkpoint of the first path, or whole.
sub fork_one
{
	my $from = pick(@sessions);
	my $all = list($from, '');
	my $upto = @$all && rand() < 0.6 ? pick(@$all) : undef;
	my $to = 'fork ' . ++$counter;
	push @sessions, $to;
	for my $path (@paths)
	{
		my @copied = map { { %$_, refs => { %{ $_->{refs} } } } } grep { !$upto || $_->{place} <= $upto->{place} } @{ list($from, $path) };
		$checkpoint{$to}{$path} = \@copied;
		for my $one (@copied)
		{
			my $written = $write{$from}{$path}{ $one->{id} } // {};
			$write{$to}{$path}{ $one->{id} }{$_} = { %{ $written->{$_} } } for keys %$written;
			my $refs = $one->{refs};
			$part{$from}{$path}{$_}{ $refs->{$_} } && ($part{$to}{$path}{$_}{ $refs->{$_} } = $part{$from}{$path}{$_}{ $refs->{$_} }) for keys %$refs;
		}
	}
	return sprintf('memory.fork_session(%s, %s, upto_checkpoint => %s)', quoted($from), quoted($to), $upto ? quoted($upto->{id}) : 'NULL');
}

# A session, or one of its paths.
sub delete_one
{
	my $session = pick(@sessions);
	my $path = rand() < 0.5 ? '' : $paths[1];
	for my $one ($path eq '' ? @paths : $path)
	{
		delete $_->{$session}{$one} for \%checkpoint, \%part, \%write;
	}
	return sprintf('memory.delete_session(%s, %s)', quoted($session), quoted($path));
}

sub put_writes
{
	my ($session, $path) = @_;
	my $all = list($session, $path);
	my $checkpoint = @$all && rand() < 0.9 ? pick(@$all)->{id} : sprintf('c%06d', $counter + 1);
	my $task = pick('t1', 't2', 'T3');
	my $replace = rand() < 0.5;
	my (@idx, @names, @types, @data);
	my $tasks = $write{$session}{$path}{$checkpoint}{$task} //= {};
	my %new;
	for (1 .. 1 + int(rand(3)))
	{
		push @idx, int(rand(5)) - 1;
		push @names, 'channel ' . int(rand(3));
		push @types, 'json';
		push @data, rand() < 0.1 ? undef : text(20);
		my $is_first = !exists $new{ $idx[-1] };
		$new{ $idx[-1] } = [ $names[-1], $types[-1], $data[-1] ] if $replace || $is_first;
	}
	for my $idx (keys %new)
	{
		$tasks->{$idx} = $new{$idx} if $replace || !exists $tasks->{$idx};
	}
	return sprintf(q{memory.put_writes(%s, %s, '%s', '{%s}', %s, %s, %s, %s, '', %s)}, quoted($session), quoted($checkpoint), $task,
		join(',', @idx), array(@names), array(@types), bytes(@data), quoted($path), $replace ? 'true' : 'false');
}

# All that there is, and its order.
sub check
{
	my ($n) = @_;
	my @sql = q{INSERT INTO deltas SELECT count(*) FILTER (WHERE chain <> '{}') FROM memory.checkpoint_bytes;};
	for my $session (@sessions)
	{
		my @rows = map { my $path = $_; map { sprintf('(%s, %s, %s)', quoted($path), quoted($_->{id}), quoted(expected($session, $path, $_))) } @{ list($session, $path) } } @paths;
		my $values = @rows ? 'VALUES ' . join(', ', @rows) : q{SELECT '', '', '' WHERE false};
		push @sql, sprintf(q{INSERT INTO checks SELECT %d, 'content', coalesce(c.id, e.id) FROM memory.checkpoints(%s, k => NULL, full_rows => true) c
			FULL JOIN (%s) e (path, id, digest) USING (path, id) WHERE digest(c) IS DISTINCT FROM e.digest;}, $n, quoted($session), $values);
		for my $path (@paths)
		{
			push @sql, sprintf(q{INSERT INTO checks SELECT %d, 'order', left(a::text, 100) FROM (SELECT coalesce(array_agg(c.id ORDER BY n), '{}') AS a
				FROM memory.checkpoints(%s, k => NULL, path => %s) WITH ORDINALITY c (session_id, path, id, parent, state, metadata, created_at, p1, p2, p3, w1, w2, w3, w4, n)) o
				WHERE a <> %s;}, $n, quoted($session), quoted($path), array(map { $_->{id} } reverse @{ list($session, $path) }));
		}
	}
	return @sql;
}

my @script = ("SET memory.user_id = 'ann'; SET client_min_messages = warning;");
for my $n (1 .. $operations)
{
	my ($session, $path) = (pick(@sessions), pick(@paths, ''));
	my $kind = rand();
	if ($kind < 0.05)
	{
		my ($sql, $gone) = prune();
		push @script, "INSERT INTO checks SELECT $n, 'pruned', gone::text FROM $sql AS gone WHERE gone <> $gone;";
	}
	elsif ($kind < 0.07)
	{
		# Forks come and go: all sessions are made by a write at first.
		push @script, 'SELECT ' . (@sessions < 25 ? ($n > 50 ? fork_one() : put($session, $path)) : delete_one()) . ';';
	}
	else
	{
		push @script, 'SELECT ' . ($kind < 0.7 ? put($session, $path) : put_writes($session, $path)) . ';';
	}
	push @script, check($n) if $n % 20 == 0 || $n == $operations;
}
my $file = PostgreSQL::Test::Utils::tempdir() . '/script.sql';
append_to_file($file, join("\n", @script, ''));
my ($out, $err) = ('', '');
my $ok = IPC::Run::run([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-f', $file, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
ok($ok, 'every operation is done') or diag(substr($err, 0, 2000));
is($node->safe_psql('postgres', 'SELECT what, n, left(wrong, 100) FROM checks ORDER BY n LIMIT 20'), '', 'each checkpoint is as the model has it, in its order');

# Nothing is left that nothing needs, and no chain is longer than it may be.
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM memory.checkpoint_bytes v WHERE NOT EXISTS (
		SELECT FROM memory.checkpoints c JOIN memory.sessions s ON s.key = c.session WHERE coalesce(s.store, s.key) = v.store AND c.state = v.number)
	AND NOT EXISTS (SELECT FROM memory.checkpoint_parts p JOIN memory.sessions s ON s.key = p.session WHERE coalesce(s.store, s.key) = v.store AND p.number = v.number)}),
	'0', 'no bytes are left over');
is($node->safe_psql('postgres', 'SELECT count(*) FROM memory.checkpoint_bytes WHERE cardinality(chain) > 47'), '0', 'chains end');
my ($deltas, $kept, $whole) = split /\|/, $node->safe_psql('postgres', q{
	SELECT (SELECT max(number) FROM deltas), sum(length(data)), sum(size) FROM memory.checkpoint_bytes});
note("at most $deltas deltas; at the end $kept bytes for $whole");
cmp_ok($deltas, '>', 20, 'there are deltas');

$node->stop;
done_testing();
