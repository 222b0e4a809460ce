# Blocks against a model in memory: random calls of all functions, with names above, below and beside each other, stale versions, limits and
# read-only texts. Each answer or SQLSTATE is compared, and after every few of them all lists, prompts and histories.
# BLOCKS_OPERATIONS makes it longer, BLOCKS_SEED repeats a run.
use strict;
use warnings FATAL => 'all';
use utf8;
use Encode qw(encode_utf8);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $operations = $ENV{BLOCKS_OPERATIONS} // 2500;
my $seed = $ENV{BLOCKS_SEED} // int(rand(2**31));
srand($seed);
note("BLOCKS_SEED=$seed BLOCKS_OPERATIONS=$operations");

my $node = start_primary('main');
$node->append_conf('postgresql.conf', "memory.user_id = 'ann'\nmemory.anonymous = allow\nsession_preload_libraries = 'memory'");
$node->restart;
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	CREATE TABLE checks (n int, what text, expected text, found text);
	CREATE FUNCTION answer(call text) RETURNS text LANGUAGE plpgsql AS $$
	DECLARE
		found text;
	BEGIN
		EXECUTE 'SELECT ' || call INTO found;
		RETURN found;
	EXCEPTION WHEN OTHERS THEN
		RETURN SQLSTATE;
	END $$;
	CREATE FUNCTION compare(n int, what text, expected text, found text) RETURNS void LANGUAGE sql AS $$
		INSERT INTO checks SELECT n, what, expected, found WHERE expected IS DISTINCT FROM found $$;
	CREATE FUNCTION listed(prefix text, depth bigint, pinned boolean, with_content boolean) RETURNS text LANGUAGE sql AS $$
		SELECT coalesce(string_agg(concat_ws('|', name, coalesce(content, '-'), coalesce(version::text, '-'), coalesce(place::text, '-'), coalesce(char_limit::text, '-'),
			coalesce(read_only::text, '-'), coalesce(metadata::text, '-'), chars, coalesce(agent_id, '-'), user_id), E'\n' ORDER BY n), '')
		FROM memory.blocks(prefix, depth, pinned, with_content) WITH ORDINALITY b
			(name, content, version, place, char_limit, read_only, metadata, chars, updated_at, agent_id, session_id, user_id, n) $$;
	CREATE FUNCTION history(name text, k bigint) RETURNS text LANGUAGE sql AS $$
		SELECT coalesce(string_agg(concat_ws('|', version, content, coalesce(agent_id, '-')), E'\n' ORDER BY n), '')
		FROM memory.block_history(name, k) WITH ORDINALITY h (version, content, updated_at, agent_id, session_id, n) $$;
});

# --- the model ----------------------------------------------------------------------------------

# $block{name} = {content, version, limit, read_only, metadata, agent, history}; history is [version, content, agent], oldest first.
my %block;
my @pinned; # their names, in order
my $agent;
my @agents = (undef, 'coach', 'guide');

sub pick { return $_[ int(rand(@_)) ] }
sub maybe { my ($chance, $value) = @_; return rand() < $chance ? $value : undef }
sub quoted { my $text = shift; return defined $text ? "'" . $text =~ s/'/''/gr . "'" : 'NULL' }
sub flag { my $flag = shift; return defined $flag ? ($flag ? 'true' : 'false') : 'NULL' }
sub number { return $_[0] // 'NULL' }
sub by_bytes { return sort { encode_utf8($a) cmp encode_utf8($b) } @_ }

my @short = qw(a b c human);
my @segments = ('a', 'b', 'c', 'a b', 'b%', '...', 'ä');
my $long = 'x' x 500;
sub any_name
{
	return pick(@short) if rand() < 0.3;
	return pick('', '/', 'a/', 'a//b', '.', '/a/..', './a', 'y' x 1025) if rand() < 0.08;
	return pick('', '/') . join('/', pick(@segments), map { rand() < 0.02 ? $long : pick(@segments) } 1 .. int(rand(3)));
}
# More often than not one that is there, or a directory.
sub name
{
	return any_name() if rand() < 0.4 || !%block;
	my $name = pick(by_bytes(keys %block));
	$name =~ s{(.)/[^/]*$}{$1} if rand() < 0.25;
	return $name;
}

sub fault
{
	my ($name) = @_;
	return '54000' if length(encode_utf8($name)) > 1024;
	(my $rest = $name) =~ s{^/}{};
	return (grep { $_ eq '' || $_ eq '.' || $_ eq '..' } split(m{/}, $rest, -1)) || $rest eq '' ? '22023' : undef;
}
sub is_file { return $_[0] =~ m{/} }
sub is_below { my ($name, $directory) = @_; return index($name, "$directory/") == 0 }
sub below { my ($directory) = @_; return grep { is_below($_, $directory) } keys %block }
sub tree { my ($name) = @_; return grep { $_ eq $name || is_below($_, $name) } keys %block }
sub taken { my ($name) = @_; return (grep { $_ eq $name || is_below($_, $name) || is_below($name, $_) } keys %block) > 0 }
sub over { my ($content, $limit) = @_; return $limit && length($content) > $limit }
sub stale
{
	my ($name, $expected) = @_;
	return undef unless defined $expected;
	my $there = $block{$name};
	return $there ? '23505' : undef if $expected == 0;
	return $there && $there->{version} == $expected ? undef : '40001';
}

sub say_it # a new content
{
	my ($name, $content) = @_;
	my $it = $block{$name};
	return if $it->{content} eq $content && @{ $it->{history} };
	$it->{content} = $content;
	push @{ $it->{history} }, [ $it->{version}, $content, $agent ];
}
sub make_block
{
	my ($name, $content, %with) = @_;
	return '23505' if taken($name);
	return '54000' if over($content, $with{limit});
	$block{$name} = { version => 1, limit => $with{limit} || undef, read_only => $with{read_only} // 0, metadata => $with{metadata} // '{}', agent => $agent, history => [], content => '' };
	say_it($name, $content);
	push @pinned, $name if $with{pinned} // !is_file($name);
	return '1';
}
sub change
{
	my ($name, $content) = @_;
	my $it = $block{$name};
	return '42501' if $it->{read_only};
	return '54000' if over($content, $it->{limit});
	return $it->{version} if $content eq $it->{content};
	$it->{version}++;
	$it->{agent} = $agent;
	say_it($name, $content);
	return $it->{version};
}

my $counter = 0;
sub words { return join(pick(' ', "\n"), map { pick(qw(train table rain über 東京 cup tea)) } 0 .. int(rand(5))) . (rand() < 0.3 ? "\n" : '') }

# --- random calls: each is SQL and its answer, and has been done to the model when it returns -------------------

sub set
{
	my $name = name();
	my $there = $block{$name};
	my $content = $there && rand() < 0.2 ? $there->{content} : words();
	my $pinned = maybe(0.2, pick(0, 1));
	my $limit = maybe(0.3, pick(0, 3, 20, 1000));
	my $read_only = maybe($there && $there->{read_only} ? 0.4 : 0.15, pick(0, 1));
	my $metadata = maybe(0.2, '{"n": ' . int(rand(3)) . '}');
	my $expected = maybe(0.4, pick(0, ($there ? $there->{version} : 1), ($there ? $there->{version} : 1), 7));
	my $call = sprintf('memory.set_block(%s, %s, pinned => %s, char_limit => %s, read_only => %s, metadata => %s, expected_version => %s)', quoted($name), quoted($content), flag($pinned),
		number($limit), flag($read_only), quoted($metadata), number($expected));
	my $answer = fault($name) // ($pinned && is_file($name) ? '22023' : undef) // stale($name, $expected);
	return ($call, $answer) if defined $answer;
	return ($call, make_block($name, $content, limit => $limit, read_only => $read_only, metadata => $metadata, pinned => $pinned)) unless $there;
	return ($call, '42501') if $there->{read_only} && !defined $read_only;
	my $limit_then = defined $limit ? $limit || undef : $there->{limit};
	return ($call, '54000') if over($content, $limit_then);
	my $was_pinned = grep { $_ eq $name } @pinned;
	my %then = (limit => $limit_then, read_only => $read_only // $there->{read_only}, metadata => $metadata // $there->{metadata});
	my $changes = $content ne $there->{content} || (defined $pinned && $pinned != $was_pinned) || grep { ($then{$_} // '-') ne ($there->{$_} // '-') } keys %then;
	return ($call, $there->{version}) unless $changes;
	$there->{version}++;
	$there->{agent} = $agent;
	@$there{ keys %then } = values %then;
	say_it($name, $content);
	@pinned = grep { $_ ne $name } @pinned if defined $pinned && $was_pinned && !$pinned;
	push @pinned, $name if $pinned && !$was_pinned;
	return ($call, $there->{version});
}

sub append
{
	my $name = name();
	my $content = rand() < 0.1 ? '' : words();
	my $separator = maybe(0.5, pick("\n", ', '));
	my $call = sprintf('memory.append_block(%s, %s%s)', quoted($name), quoted($content), defined $separator ? ', ' . quoted($separator) : '');
	my $answer = fault($name);
	return ($call, $answer) if defined $answer;
	my $there = $block{$name} or return ($call, make_block($name, $content));
	return ($call, change($name, $there->{content} eq '' ? $content : $there->{content} . ($separator // '') . $content));
}

sub edit
{
	my $name = name();
	my $there = $block{$name};
	my $text = $there ? $there->{content} : '';
	my $new = rand() < 0.1 ? '' : words();
	my ($old, $line);
	if (rand() < 0.6) { $old = $text ne '' && rand() < 0.8 ? substr($text, int(rand(length $text)), 1 + int(rand(8))) : pick('nowhere', '') }
	$line = int(rand(2 + ($text =~ tr/\n//) + (rand() < 0.2 ? 2 : 0))) if !defined $old || rand() < 0.05;
	$line = undef if rand() < 0.05;
	my $expected = maybe(0.2, $there ? pick($there->{version}, $there->{version}, 7, 0) : 1);
	my $call = sprintf('memory.edit_block(%s, %s, old => %s, line => %s, expected_version => %s)', quoted($name), quoted($new), quoted($old), number($line), number($expected));
	my $answer = fault($name) // (defined $old && $old eq '' ? '22023' : undef) // (!defined $old && !defined $line ? '22004' : undef) // (defined $old && defined $line ? '22023' : undef)
		// ($there ? undef : '22023') // stale($name, $expected) // ($there->{read_only} ? '42501' : undef);
	return ($call, $answer) if defined $answer;
	if (defined $old)
	{
		my @places = grep { substr($text, $_, length $old) eq $old } 0 .. length($text) - length($old);
		return ($call, '22023') if @places != 1;
		substr($text, $places[0], length $old) = $new;
		return ($call, change($name, $text));
	}
	my @lines = $text =~ /[^\n]*\n|[^\n]+$/g;
	return ($call, '22023') if $line > @lines;
	my ($before, $behind) = (join('', @lines[ 0 .. $line - 1 ]), join('', @lines[ $line .. $#lines ]));
	$before .= "\n" if $new ne '' && $before ne '' && $before !~ /\n$/;
	$new .= "\n" if $new ne '' && $new !~ /\n$/ && $behind ne '';
	return ($call, change($name, $before . $new . $behind));
}

sub delete_it
{
	my $name = name();
	my $recursive = maybe(0.6, pick(0, 1));
	my $call = sprintf('memory.delete_block(%s, %s)', quoted($name), flag($recursive));
	my $answer = fault($name);
	return ($call, $answer) if defined $answer;
	my @gone = tree($name) or return ($call, '0');
	return ($call, '22023') if !$block{$name} && !$recursive;
	return ($call, '42501') if grep { $block{$_}{read_only} } @gone;
	delete @block{@gone};
	@pinned = grep { $block{$_} } @pinned;
	return ($call, scalar @gone);
}

sub rename_it
{
	my ($name, $new) = (name(), rand() < 0.2 ? name() : any_name());
	$new = "$name/x" if rand() < 0.05;
	my $call = sprintf('memory.rename_block(%s, %s)', quoted($name), quoted($new));
	my $answer = fault($name) // fault($new) // ($name eq $new ? '23505' : undef) // (is_below($new, $name) ? '22023' : undef);
	return ($call, $answer) if defined $answer;
	my @moved = tree($name) or return ($call, '22023');
	return ($call, '42501') if grep { $block{$_}{read_only} } @moved;
	return ($call, '23505') if taken($new);
	return ($call, '54000') if grep { length(encode_utf8($new . substr($_, length $name))) > 1024 } @moved;
	my %then = map { $new . substr($_, length $name) => $block{$_} } @moved;
	delete @block{@moved};
	@block{ keys %then } = values %then;
	if (is_file($name) && !is_file($new)) { push @pinned, $new if $block{$new} }
	elsif (is_file($new)) { @pinned = grep { $_ ne $name } @pinned }
	else { $_ eq $name and $_ = $new for @pinned }
	return ($call, scalar @moved);
}

sub move
{
	my @fixed = grep { $block{$_}{read_only} } @pinned;
	my $name = rand() < 0.1 && @fixed ? pick(@fixed) : rand() < 0.8 && @pinned ? pick(@pinned) : name();
	my $place = int(rand(@pinned + 1)) - (rand() < 0.1 ? 1 : 0);
	my $call = sprintf('memory.move_block(%s, %d)', quoted($name), $place);
	my $answer = fault($name);
	return ($call, $answer) if defined $answer;
	my ($at) = grep { $pinned[$_] eq $name } 0 .. $#pinned;
	return ($call, '22023') unless defined $at;
	return ($call, '42501') if $block{$name}{read_only};
	return ($call, '22003') if $place < 0 || $place > $#pinned;
	splice(@pinned, $at, 1);
	splice(@pinned, $place, 0, $name);
	return ($call, '');
}

# --- reading ---------------------------------------------------------------------------------------

sub row
{
	my ($name, $with_content, $place) = @_;
	my $it = $block{$name};
	return join('|', $name, $with_content ? $it->{content} : '-', $it->{version}, $place // '-', $it->{limit} // '-', flag($it->{read_only}), $it->{metadata}, length($it->{content}), $it->{agent} // '-', 'ann');
}

sub list
{
	my ($prefix, $depth, $pinned, $with_content) = (maybe(0.6, rand() < 0.1 ? '/' : rand() < 0.1 ? 'a/' : name()), maybe(0.5, 1 + int(rand(3))), maybe(0.3, pick(0, 1)), rand() < 0.7 ? 1 : 0);
	my $call = sprintf('listed(%s, %s, %s, %s)', quoted($prefix), number($depth), flag($pinned), flag($with_content));
	my $answer = defined $prefix && $prefix ne '/' ? fault($prefix) : undef;
	return ($call, $answer) if defined $answer;
	my %place = map { $pinned[$_] => $_ } 0 .. $#pinned;
	my @names = grep { (!defined $prefix || ($prefix eq '/' ? m{^/} : $_ eq $prefix || is_below($_, $prefix))) && (!defined $pinned || $pinned == (defined $place{$_} ? 1 : 0)) } keys %block;
	my (%rows, %sums);
	for my $name (@names)
	{
		my ($root, @parts) = ($name =~ m{^/} ? '/' : '', split m{/}, $name =~ s{^/}{}r);
		my $shown = defined $depth ? $depth + (defined $prefix && $prefix ne '/' ? scalar(split m{/}, $prefix =~ s{^/}{}r) : 0) : @parts;
		if (@parts <= $shown) { $rows{$name} = row($name, $with_content, $place{$name}) }
		else { $sums{ $root . join('/', @parts[ 0 .. $shown - 1 ]) } += length($block{$name}{content}) }
	}
	$rows{$_} = join('|', $_, '-', '-', '-', '-', '-', '-', $sums{$_}, '-', 'ann') for keys %sums;
	return ($call, join("\n", map { $rows{$_} } (grep { $rows{$_} && !$sums{$_} } @pinned), by_bytes(grep { !defined $place{$_} } keys %rows)));
}

sub history
{
	my ($name, $k) = (name(), maybe(0.5, 1 + int(rand(4))));
	my $call = sprintf('history(%s, %s)', quoted($name), number($k));
	my $answer = fault($name);
	return ($call, $answer) if defined $answer;
	my @texts = map { join('|', $_->[0], $_->[1], $_->[2] // '-') } reverse @{ $block{$name} ? $block{$name}{history} : [] };
	splice(@texts, $k) if defined $k && $k < @texts;
	return ($call, join("\n", @texts));
}

sub render { return ('memory.render_blocks()', join("\n", map { "<$_>\n$block{$_}{content}\n</$_>" } @pinned)) }

# --- the run -----------------------------------------------------------------------------------------

my @kinds = ((['set', \&set]) x 6, (['append', \&append]) x 4, (['edit', \&edit]) x 6, (['delete', \&delete_it]) x 2, (['rename', \&rename_it]) x 3, (['move', \&move]) x 2, ['list', \&list], ['history', \&history], ['render', \&render]);
my (%happened, @batch);
for my $n (1 .. $operations)
{
	my ($kind, $call_of) = @{ pick(@kinds) };
	my ($call, $answer) = $call_of->();
	$happened{ $answer =~ /^[0-9]{5}$/ ? "$kind $answer" : $kind }++;
	push @batch, sprintf("SELECT compare(%d, %s, %s, answer(%s));", $n, quoted($call), quoted($answer), quoted($call));
	if (rand() < 0.05)
	{
		$agent = pick(@agents);
		push @batch, defined $agent ? "SET memory.agent_id = '$agent';" : 'RESET memory.agent_id;';
	}
	if ($n % 25 == 0)
	{
		my @all = (sprintf("SELECT compare(%d, 'all', %s, listed(NULL, NULL, NULL, true));", $n,
				quoted(join("\n", (map { row($pinned[$_], 1, $_) } 0 .. $#pinned), (map { my $name = $_; (grep { $_ eq $name } @pinned) ? () : row($name, 1) } by_bytes(keys %block))))));
		push @all, map { my $name = $_; sprintf("SELECT compare(%d, %s, %s, history(%s, NULL));", $n, quoted("history of $name"),
				quoted(join("\n", map { join('|', $_->[0], $_->[1], $_->[2] // '-') } reverse @{ $block{$name}{history} })), quoted($name)) } keys %block;
		push @batch, @all;
	}
	if ($n % 250 == 0 || $n == $operations)
	{
		$node->safe_psql('postgres', encode_utf8(join("\n", @batch)));
		@batch = (defined $agent ? "SET memory.agent_id = '$agent';" : ());
	}
}
is($node->safe_psql('postgres', q{SELECT count(*) FROM checks}), '0', 'every answer is the model\'s')
	or diag($node->safe_psql('postgres', q{SELECT concat_ws(E'\n', n, what, 'expected: ' || coalesce(expected, 'NULL'), 'found: ' || coalesce(found, 'NULL')) FROM checks ORDER BY n LIMIT 3}));

# With the usual number of calls everything has happened.
my @wanted = ((map { "set $_" } qw(22023 23505 40001 42501 54000)), (map { "append $_" } qw(22023 23505 42501 54000)), (map { "edit $_" } qw(22004 22023 23505 40001 42501 54000)),
	(map { "delete $_" } qw(22023 42501)), (map { "rename $_" } qw(22023 23505 42501)), (map { "move $_" } qw(22003 22023 42501)), (map { "list $_" } qw(22023)), qw(set append edit delete rename move list history render));
is(join(', ', grep { !$happened{$_} } @wanted), '', 'everything has happened') if $operations >= 2500;
note(join(', ', map { "$_: $happened{$_}" } sort keys %happened));

# --- what holds in the tables ----------------------------------------------------------------------------
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.blocks a JOIN memory.blocks b ON starts_with(b.name, a.name || '/')}), '0', 'no block is below another');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.blocks WHERE place IS NOT NULL GROUP BY place HAVING count(*) > 1}), '', 'no two have one place');
is($node->safe_psql('postgres', q{SELECT count(*) FROM memory.block_versions v WHERE NOT EXISTS (SELECT FROM memory.blocks b WHERE b.key = v.block)}), '0', 'no history is left of blocks that are gone');

$node->stop;
done_testing();
