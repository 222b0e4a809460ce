# The log of sessions against a model in memory: random additions, with keys and without, operations, drops, remember with and
# without ids, deletions of episodes, over some sessions of two paths each. Each answer is compared, and after every few
# of them all that there is: numbers, texts, keys, runs, the episodes beside them, and what the rows of the sessions say.
# CONVERSATION_OPERATIONS makes it longer, CONVERSATION_SEED repeats a run.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{CONVERSATION_OPERATIONS} // 500;
my $seed = $ENV{CONVERSATION_SEED} // int(rand(2**31));
srand($seed);
note("CONVERSATION_SEED=$seed CONVERSATION_OPERATIONS=$operations");

my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE checks (n int, what text, expected text, found text);
	CREATE FUNCTION shown(m memory.message) RETURNS text LANGUAGE sql AS $$
		SELECT concat_ws('|', m.seq, m.role, coalesce(m.content, '-'), coalesce(m.key, '-'), coalesce(m.run_id, '-'),
			coalesce((SELECT e.content || '/' || coalesce(e.response, '') FROM memory.episodes e WHERE e.user_id = 'ann' AND e.id = m.id AND e.session_id = m.session_id), '-')) $$;
	-- The ids of messages by their numbers.
	CREATE FUNCTION ids(session text, in_path text, seqs bigint[]) RETURNS uuid[] LANGUAGE sql AS $$
		SELECT coalesce(array_agg(m.id), '{}') FROM memory.messages(session, k => NULL, path => in_path) m WHERE m.seq = ANY (seqs) $$;
	CREATE FUNCTION compare(n int, what text, expected text, found text) RETURNS void LANGUAGE sql AS $$
		INSERT INTO checks SELECT n, what, expected, found WHERE expected IS DISTINCT FROM found $$;
});

# --- the model ----------------------------------------------------------------------------------

# session{name} = {version, last{path}, rows{path}, operations}; a row has seq, role, content, key, run, group: the episode
# that it belongs to, {content, response, id}, or undef.
my %session;
my @sessions = ('one', 'two', 'three ' . 'x' x 1000);
my @paths = ('', 'sub|agent');
my @keys = map { "key $_" } 1 .. 12;
my $counter = 0;

sub pick { return $_[ int(rand(@_)) ] }
sub quoted { my $text = shift; return defined $text ? "'" . $text =~ s/'/''/gr . "'" : 'NULL' }
sub array { my ($type, @of) = @_; return 'ARRAY[' . join(', ', map { quoted($_) } @of) . "]::$type\[]" }
sub of { return $session{ $_[0] } //= { version => 1, last => {}, rows => {}, operations => {} } }
sub rows { return of($_[0])->{rows}{ $_[1] } //= [] }
sub uuid { return sprintf('00000000-0000-0000-0000-%012d', $_[0]) }
sub text { return join ' ', map { pick(qw(train table rain book cup road hill)) } 0 .. int(rand(4)) }

sub shown
{
	my $row = shift;
	my $group = $row->{group};
	return join('|', $row->{seq}, $row->{role}, said($row) // '-', $row->{key} // '-', $row->{run} // '-',
		$group ? $group->{content} . '/' . ($group->{response} // '') : '-');
}
# What is recalled of it.
sub said { my $row = shift; return $row->{role} =~ /user|assistant/ ? $row->{content} : undef }
sub listed { return join("\n", map { shown($_) } @_) }

sub next_seq { my ($session, $path) = @_; return ++of($session)->{last}{$path} }

# A message as JSON, and what the log is to know of it.
sub message
{
	my ($key) = @_;
	my $role = pick(qw(user user user assistant assistant tool system));
	my $content = rand() < 0.1 ? undef : text() . ' ' . ++$counter;
	my $json = sprintf('{"role": "%s"%s%s}', $role, defined $content ? qq{, "content": "$content"} : '', defined $key ? qq{, "id": "$key"} : '');
	# A wrapper says the same in another way.
	$json = sprintf('{"message": %s, "role": "%s"%s}', defined $key ? qq{{"id": "$key"}} : '{}', $role, defined $content ? qq{, "content": "$content"} : '') if rand() < 0.2;
	return ($json, { role => $role, content => $content, key => $key });
}

sub grouped
{
	my ($row) = @_;
	$row->{group} = defined $row->{content} && $row->{role} =~ /user|assistant/ ? { content => $row->{content}, size => 1 } : undef;
	return $row;
}

# --- random operations: each is SQL and the answer to it, and has been done to the model when it returns -----

sub add
{
	my ($session, $path) = @_;
	my $all = rows($session, $path);
	my $keyed = rand() < 0.5;
	my $run = rand() < 0.3 ? 'run ' . int(rand(3)) : undef;
	my $expected = rand() < 0.3 ? of($session)->{last}{$path} // 0 : undef;
	my (@json, @new);
	for (1 .. 1 + int(rand(4)))
	{
		my ($json, $row) = message($keyed && rand() < 0.8 ? pick(@keys) : undef);
		push @json, $json;
		push @new, $row;
	}
	my %last = map { defined $new[$_]{key} ? ($new[$_]{key} => $_) : () } 0 .. $#new;
	my (%there, @seqs);
	for my $n (0 .. $#new)
	{
		my $key = $new[$n]{key};
		my ($old) = defined $key ? grep { ($_->{key} // '') eq $key } @$all : ();
		if (!defined $key || !$old)
		{
			my $row = defined $key ? $new[ $last{$key} ] : $new[$n];
			$row->{seq} = next_seq($session, $path);
			$row->{run} = $run;
			push @$all, grouped($row);
			push @seqs, $row->{seq};
			$there{$key} = 1 if defined $key;
			next;
		}
		push @seqs, $old->{seq};
		next if $there{$key} || $last{$key} != $n;
		@$old{qw(role content)} = @{ $new[$n] }{qw(role content)};
		$old->{run} //= $run;
		$old->{run} = $run if defined $run;
		grouped($old);
	}
	my $operation = rand() < 0.2 ? 'op ' . ++$counter : undef;
	my $call = sprintf(q{memory.add_messages(%s, '[%s]', run_id => %s, path => %s, key_field => %s, expected_seq => %s, operation => %s)}, quoted($session),
		join(', ', @json), quoted($run), quoted($path), $keyed ? q{'id'} : 'NULL', $expected // 'NULL', quoted($operation));
	my $answer = join(',', @seqs);
	my $sql = "(SELECT string_agg(a.seq::text, ',') FROM $call a)";
	# A retry answers the same, and changes nothing.
	return ($sql, $answer) unless $operation;
	return ("(SELECT concat_ws(';', $sql, $sql))", "$answer;$answer");
}

# Those of which $is_meant, and all that belong to the episode of one of them.
sub take
{
	my ($session, $path, $is_meant) = @_;
	my @meant = grep { $is_meant->($_) } @{ rows($session, $path) };
	my %groups = map { $_->{group} ? ($_->{group} => 1) : () } @meant;
	my %seqs = map { $_->{seq} => 1 } @meant;
	my @gone = grep { $seqs{ $_->{seq} } || ($_->{group} && $groups{ $_->{group} }) } @{ rows($session, $path) };
	%seqs = map { $_->{seq} => 1 } @gone;
	of($session)->{rows}{$path} = [ grep { !$seqs{ $_->{seq} } } @{ rows($session, $path) } ];
	of($session)->{version}++ if @gone;
	return @gone;
}

sub drop
{
	my ($session, $path) = @_;
	my @all = @{ rows($session, $path) };
	my $last = rand() < 0.5 ? int(rand(4)) : undef;
	my $after = rand() < 0.3 ? int(rand((of($session)->{last}{$path} // 0) + 2)) : undef;
	my @keys_meant = rand() < 0.2 ? (pick(@keys), pick(@keys)) : ();
	my @ids = rand() < 0.2 && @all ? (pick(@all)->{seq}, pick(@all)->{seq}) : ();
	$last = 1 unless defined $last || defined $after || @keys_meant || @ids;
	my %newest = map { $_->{seq} => 1 } defined $last ? @all[ ($last > @all ? 0 : @all - $last) .. $#all ] : ();
	my %keys_meant = map { $_ => 1 } @keys_meant;
	my %ids = map { $_ => 1 } @ids;
	# The id of a remember is that of several.
	for my $row (@all)
	{
		$ids{ $row->{seq} } = 1 if grep { $ids{ $_->{seq} } && $_->{group} && $row->{group} && $_->{group} == $row->{group} } @all;
	}
	my @gone = take($session, $path, sub {
		my $row = shift;
		return (!defined $last || $newest{ $row->{seq} }) && (!defined $after || $row->{seq} > $after)
			&& (!@keys_meant || (defined $row->{key} && $keys_meant{ $row->{key} })) && (!@ids || $ids{ $row->{seq} });
	});
	return (sprintf(q{(SELECT coalesce(string_agg(d.seq::text, ','), '') FROM memory.drop_messages(%s, %s, %s, %s, %s, %s) d)}, quoted($session), $last // 'NULL', $after // 'NULL',
			@keys_meant ? array('text', @keys_meant) : 'NULL', @ids ? sprintf(q{ids(%s, %s, '{%s}')}, quoted($session), quoted($path), join(',', @ids)) : 'NULL', quoted($path)),
		join(',', map { $_->{seq} } @gone));
}

# An episode, as JSON for remember_many, and done to the model.
sub remembered
{
	my ($session) = @_;
	my $id = rand() < 0.5 ? 1 + int(rand(8)) : undef;
	my $response = rand() < 0.5 ? text() : undef;
	my $content = text() . ' ' . ++$counter;
	my @transcript = map { text() } 1 .. int(rand(3));
	my $group = { content => $content, response => $response, id => $id };
	my @new = ({ role => 'user', content => $content }, (map { { role => 'assistant', content => $_ } } @transcript), (defined $response ? { role => 'assistant', content => $response } : ()));
	$_->{group} = $group for @new;
	if (defined $id)
	{
		for my $other (keys %session)
		{
			my $mine = defined $session && $other eq $session;
			my @rest;
			for my $row (@{ rows($other, '') })
			{
				my $is_it = $row->{group} && ($row->{group}{id} // 0) == $id;
				of($other)->{version}++, next if $is_it && !($mine && @new);
				$row = { %{ shift @new }, seq => $row->{seq} } if $is_it;
				push @rest, $row;
			}
			$session{$other}{rows}{''} = \@rest;
		}
	}
	push @{ rows($session, '') }, map { { %$_, seq => next_seq($session, '') } } @new if defined $session;
	return sprintf('{"content": "%s"%s%s%s%s}', $content, defined $response ? qq{, "response": "$response"} : '', defined $id ? sprintf(', "id": "%s"', uuid($id)) : '',
		@transcript ? sprintf(', "transcript": [%s]', join(', ', map { qq{{"role": "assistant", "content": "$_"}} } @transcript)) : '', defined $session ? qq{, "session_id": "$session"} : '');
}

sub remember
{
	my $many = rand() < 0.3 ? 4 : 1;
	my @elements = map { remembered(rand() < 0.1 ? undef : pick(@sessions)) } 1 .. $many;
	return (sprintf(q{(SELECT count(*)::text FROM memory.remember_many('[%s]'))}, join(', ', @elements)), $many);
}

# An episode of one message, or of one remember.
sub forget
{
	my ($session, $path) = @_;
	my @all = grep { $_->{group} } @{ rows($session, $path) } or return ("''", '');
	my $seq = pick(@all)->{seq};
	take($session, $path, sub { $_[0]{seq} == $seq });
	return (sprintf(q{(SELECT deleted(ids(%s, %s, '{%s}')))}, quoted($session), quoted($path), $seq), 1);
}

$node->safe_psql('postgres', q{CREATE FUNCTION deleted(gone uuid[]) RETURNS text LANGUAGE sql AS
	$$ WITH d AS (DELETE FROM memory.episodes e WHERE e.user_id = 'ann' AND e.id = ANY (gone) RETURNING 1) SELECT count(*)::text FROM d $$});

# All that there is.
sub check
{
	my ($n) = @_;
	my @sql;
	for my $session (sort keys %session)
	{
		for my $path (@paths)
		{
			push @sql, sprintf(q{SELECT compare(%d, 'log', %s, (SELECT coalesce(string_agg(shown(m), E'\n'), '') FROM memory.messages(%s, k => NULL, path => %s) m));}, $n,
				quoted(listed(@{ rows($session, $path) })), quoted($session), quoted($path));
		}
		my $newest = of($session)->{last}{''} // 0;
		my $there = of($session);
		push @sql, sprintf(q{SELECT compare(%d, 'session', %s, (SELECT concat_ws(' ', messages, last_seq, version) FROM memory.session(%s)));}, $n,
			quoted(scalar(@{ rows($session, '') }) . " $newest $there->{version}"), quoted($session));
		# A part of it, by numbers and roles.
		my ($low, $high, $k) = (int(rand($newest + 1)), int(rand($newest + 2)), 1 + int(rand(6)));
		my @part = grep { $_->{seq} > $low && $_->{seq} < $high && $_->{role} ne 'tool' && ($_->{role} ne 'assistant' || defined $_->{content}) } @{ rows($session, '') };
		@part = @part[ ($k > @part ? 0 : @part - $k) .. $#part ];
		push @sql, sprintf(q{SELECT compare(%d, 'part', %s, (SELECT coalesce(string_agg(shown(m), E'\n'), '') FROM memory.messages(%s, k => %d, after => %d, before => %d, tool_messages => false) m));}, $n,
			quoted(listed(@part)), quoted($session), $k, $low, $high);
	}
	return @sql;
}

my @script = ("SET memory.user_id = 'ann'; SET client_min_messages = warning;");
for my $n (1 .. $operations)
{
	my ($session, $path) = (pick(@sessions), pick(@paths, ''));
	my $kind = rand();
	# A session is made by a write.
	my ($what, $sql, $answer) = $kind < 0.5 || !$session{$session} ? ('add', add($session, $path)) : $kind < 0.7 ? ('remember', remember()) : $kind < 0.9 ? ('drop', drop($session, $path)) : ('forget', forget($session, $path));
	push @script, sprintf('SELECT compare(%d, %s, %s, %s);', $n, quoted($what), quoted($answer), $sql);
	push @script, check($n) if $n % 10 == 0 || $n == $operations;
}
my $file = PostgreSQL::Test::Utils::tempdir() . '/script.sql';
append_to_file($file, join("\n", @script, ''));
my ($out, $err) = ('', '');
my $ok = IPC::Run::run([ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1', '-f', $file, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
ok($ok, 'every operation is done') or diag(substr($err, 0, 2000));
is($node->safe_psql('postgres', 'SELECT n, what, left(expected, 300), left(found, 300) FROM checks ORDER BY n LIMIT 3'), '', 'the log is as the model has it');
cmp_ok($node->safe_psql('postgres', 'SELECT count(*) FROM memory.messages'), '>', 50, 'there are messages');

# No episode is left over: each is that of a message, or was remembered without a session.
is($node->safe_psql('postgres', q{
	SELECT count(*) FROM memory.episodes e WHERE e.session_id IS NOT NULL
		AND NOT EXISTS (SELECT FROM memory.messages m WHERE (m.namespace, m.user_id, m.id) = (e.namespace, e.user_id, e.id))}), '0', 'no episode is left over');

# Restored elsewhere the log is the same, and goes on with the next number.
$node->safe_psql('postgres', 'CREATE DATABASE restored');
my $dump = PostgreSQL::Test::Utils::tempdir() . '/dump.sql';
$node->command_ok([ 'pg_dump', '--file', $dump, $node->connstr('postgres') ], 'a dump');
$node->safe_psql('restored', "\\i $dump");
my $all = q{SELECT s.session_id, s.last_seq, s.messages, s.version, m.* FROM memory.sessions s LEFT JOIN memory.messages m ON m.session = s.key ORDER BY s.session_id, m.path, m.seq};
is($node->safe_psql('restored', $all), $node->safe_psql('postgres', $all), 'a restored log is the same');
for my $session (sort keys %session)
{
	my $add = sprintf(q{SELECT seq FROM memory.add_messages(%s, '[{"role": "user", "content": "more"}]', user_id => 'ann')}, quoted($session));
	is($node->safe_psql('restored', $add), (of($session)->{last}{''} // 0) + 1, 'and goes on with the next number');
}

$node->stop;
done_testing();
