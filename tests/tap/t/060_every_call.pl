# Every function, operator, cast, type, setting and trigger function of the extension, called with whatever values its
# arguments' types have, by roles that may do nothing, read, write, or write under protect(). The server stays up, no row and
# no message of any level holds what another user wrote, no error is an internal one, and no answer depends on the rows of
# others. What is new is in it by being a member of the extension; docs/contributing/adding.md says what may be missing.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('primary');
$node->append_conf('postgresql.conf', "wal_consistency_checking = ''\nmax_locks_per_transaction = 256\nsynchronous_commit = off\nfsync = off");
$node->restart;
sub sql { return $node->safe_psql('postgres', 'SET client_min_messages = error; ' . shift) }
sql(slurp_file(dirname(__FILE__) . "/../every_call/$_.sql")) for qw(users values calls);
my $started = sql('SELECT pg_postmaster_start_time()');
my @marks = split /\n/, sql('SELECT mark FROM harness.mark');

# Messages in what psql printed that hold a mark which the statement that they came from does not; the last statement.
sub told
{
	my ($statement, @told) = ('');
	for (split /\n/, shift)
	{
		if (/NOTICE:  (?:00000: )?> (.*)/) { $statement = $1; next }
		my $line = $_;
		push @told, substr("$line [$statement]", 0, 700) if grep { $line =~ /$_/i && $statement !~ /$_/i } @marks;
	}
	return (\@told, $statement);
}

# Runs the calls as $role and returns what is wrong, a line each, and the numbers by name.
my %answered;
sub run_calls
{
	my ($role, $arguments) = @_;
	my ($status, $out, $err) = $node->psql('postgres', "
		\\set SHOW_CONTEXT always
		SET memory.user_id = 'ada'; SET memory.anonymous = 'allow'; SET client_min_messages = notice;
		SET SESSION AUTHORIZATION $role; SELECT harness.run($arguments);", on_error_stop => 0);
	my ($told, $last) = told($err);
	my (@wrong, %is);
	for (split /\n/, $out)
	{
		if (/^answered (.*)/) { $is{answered}{$1} = $answered{$1} = 1 }
		elsif (/^calls (\d+) answers (\d+) (.*)/) { @is{qw(calls answers slowest)} = ($1, $2, $3) }
		else { push @wrong, $_ }
	}
	push @wrong, "the session has ended with $status in [$last]" if $status != 0 || !defined $is{calls};
	return ([ @wrong, @$told ], \%is);
}

sub all_is_well
{
	my ($what, $role, $arguments) = @_;
	my ($wrong, $is) = run_calls($role, $arguments);
	splice @$wrong, 20, @$wrong, '… and ' . (@$wrong - 20) . ' more' if @$wrong > 20;
	is(join("\n", @$wrong), '', "$what: nothing of others, no internal error");
	note(sprintf '%s: %s calls, %s answers, the slowest %s', $what, map { $_ // '?' } @$is{qw(calls answers slowest)});
	return $is;
}

# Functions that do what none may, to see that it is seen. The first are called by the superuser's rights.
sql(q{CREATE SCHEMA leaky; GRANT USAGE ON SCHEMA leaky TO PUBLIC;
	CREATE FUNCTION leaky.answers(a text) RETURNS text SECURITY DEFINER LANGUAGE sql AS 'SELECT response FROM memory.episodes WHERE response ~ ''quokka'' LIMIT 1';
	CREATE FUNCTION leaky.counts(a text) RETURNS bigint SECURITY DEFINER LANGUAGE sql AS 'SELECT count(*) FROM memory.episodes';
	CREATE FUNCTION leaky.raises(a text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING DETAIL = leaky.answers(a), ERRCODE = '22023'; END $$;
	CREATE FUNCTION leaky.notes(a text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE NOTICE 'no' USING HINT = leaky.answers(a); RETURN ''; END $$;
	CREATE FUNCTION leaky.breaks(a text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN RAISE 'no' USING ERRCODE = 'XX000'; END $$;
	CREATE FUNCTION leaky.takes(a money) RETURNS text LANGUAGE sql AS 'SELECT ''''';
	INSERT INTO harness.thing SELECT (harness.thing_of(p)).* FROM pg_proc p WHERE pronamespace = 'leaky'::regnamespace;
	CALL harness.list()});
is(sql('SELECT harness.unknown_types()'), 'money', 'a type of an argument without values to be tried is seen');
sql(q{DELETE FROM harness.thing WHERE name ~ 'leaky.takes'; CALL harness.list()});
my ($wrong) = run_calls('writer', q{false, false, 'leaky, with others', '^leaky'});
for my $how (qw(answers raises notes breaks))
{
	ok((grep { /leaky\.$how\(a =>/ } @$wrong) > 0, "it is seen that a function $how") or diag(join "\n", @$wrong);
}
is((grep { /leaky\.counts\(/ } @$wrong), 0, 'what is not wrong by itself is not');

# What is called, and how often at least by each role.
is(sql('SELECT harness.unknown_types()'), '', 'every type of an argument has values to be tried');
is(sql('SELECT harness.unmarked()'), '', 'every column with words of users holds marked ones of another');
is(sql(q{SELECT pg_describe_object(classid, objid, 0) FROM pg_depend JOIN pg_extension e ON refclassid = 'pg_extension'::regclass AND refobjid = e.oid AND deptype = 'e'
	WHERE extname = 'memory' AND classid NOT IN ('pg_namespace'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass, 'pg_cast'::regclass, 'pg_type'::regclass, 'pg_opclass'::regclass, 'pg_opfamily'::regclass, 'pg_am'::regclass, 'pg_class'::regclass, 'pg_ts_template'::regclass)}),
	'', 'no member of the extension is of a kind that is not called');
my ($things, $calls, $least) = split /\|/, sql(q{SELECT count(*), sum(n), min(n) FROM (SELECT count(c.place) AS n FROM harness.thing t
	LEFT JOIN harness.call c ON thing = name AND NOT long AND NOT of_another WHERE name !~ '^leaky' GROUP BY t.name) c});
cmp_ok($least, '>', 10, 'each is called more than ten times by each role');
is(sql(q{SELECT count(*) FROM pg_proc WHERE oid IN (SELECT harness.members('pg_proc')) AND oid::regprocedure::text NOT IN (SELECT name FROM harness.thing)}), '0', 'every function is called');
note("$things things, $calls calls by each role, at least $least of each");

my $is = all_is_well('a role with nothing', 'nothing', 'false, true');
is(join(' ', grep { !/^(?:setting |template |(?:type )?memory_internal\.)/ } sort keys %{ $is->{answered} }), '', 'a role with nothing: no answer but of settings, templates and machinery, which are for all');
all_is_well('a role that sees the schema', 'usage', 'false, true');
all_is_well('a reader', 'reader', 'false, false');
all_is_well('a writer', 'writer', 'true, false');

# What is declared parallel safe says the same in a worker. Values are not constants, which the planner would compute.
my $safe = sql(q{SELECT string_agg(statement || ';', E'\n' ORDER BY place) FROM (
	SELECT place, regexp_replace(statement, '(=> |\(|, )\((?=[^()]*\)::)', '\1(SELECT ', 'g') AS statement, row_number() OVER (PARTITION BY thing ORDER BY md5(statement)) AS n
	FROM harness.call LEFT JOIN pg_proc p ON p.oid::regprocedure::text = thing WHERE thing !~ '^leaky|[(,]internal' AND NOT long AND NOT of_another
	AND (kind IN ('operator', 'cast') OR proparallel = 's' AND provolatile <> 'v')) c WHERE n <= 12});
my @said = map {
	my ($status, $out, $err) = $node->psql('postgres', "SET memory.user_id = 'ada'; SET memory.anonymous = 'allow'; SET SESSION AUTHORIZATION reader; $_; $safe", on_error_stop => 0);
	[ $out, join "\n", grep { !/^CONTEXT:|^parallel worker$/ } split /\n/, $err =~ s/psql:<stdin>:\d+: //gr ]
} 'SELECT', 'SET ' . ($node->pg_version >= 16 ? 'debug_parallel_query' : 'force_parallel_mode') . ' = on';
same_lines($said[1][0], $said[0][0], 'a parallel worker answers the same');
same_lines($said[1][1], $said[0][1], 'and refuses the same');
cmp_ok(scalar(split /\n/, $said[0][0]), '>', 300, 'and much is answered');

sql('SELECT memory.protect()');
all_is_well('a protected writer', 'writer', q{false, true, 'with others'});
my @costs = split /\n/, $node->safe_psql('postgres', "SET client_min_messages = error; SET memory.user_id = 'ada'; SET memory.anonymous = 'allow'; SET SESSION AUTHORIZATION writer; SELECT harness.run_costs()");
my ($costs) = pop(@costs) =~ /^compared (\d+)/;
is(join("\n", @costs), '', 'a protected writer: calls about another take as many pages as about a user that there is not');
cmp_ok($costs, '>', 60, "and these are many: $costs");
all_is_well('a protected writer, again', 'writer', q{false, true, 'with others, again'});
all_is_well('the protected owner', $node->safe_psql('postgres', 'SELECT current_user'), 'false, false');
my @callable = split /\n/, sql(q{SELECT name FROM harness.thing WHERE kind <> 'trigger' AND name !~ '^leaky' AND NOT 'internal'::regtype = ANY (types) ORDER BY 1});
is(join(' ', grep { !$answered{$_} } @callable), '', 'each that SQL can call has answered one of these roles');

# The same calls in a world without the others: the same answers.
sql(q{DELETE FROM memory.episodes WHERE user_id = 'wombat' OR namespace = 'numbat'; SET CONSTRAINTS ALL DEFERRED;});
for my $table (split /\n/, sql(q{SELECT attrelid::regclass FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND attname = 'user_id' ORDER BY relname = 'timelines'}))
{
	sql("DELETE FROM $table WHERE user_id = 'wombat' OR namespace = 'numbat'");
}
all_is_well('a protected writer without others', 'writer', q{false, true, 'without others'});
# What differs in the same world, too, is random or depends on the time.
sql('ANALYZE harness.heard; ANALYZE harness.call');
my ($differing, $compared, $different) = map { sql("SELECT $_ FROM harness.heard a JOIN harness.heard b USING (place) JOIN harness.heard c USING (place)
	JOIN harness.call USING (place) WHERE a.world = 'with others' AND b.world = 'with others, again' AND c.world = 'without others' AND a.said = b.said") }
	(q{string_agg(statement, E'\n') FILTER (WHERE a.said <> c.said AND thing <> 'memory.index_stats(regclass)')}, 'count(*)', 'count(DISTINCT a.said)');
is($differing, '', 'no answer depends on what others wrote');
run_calls('writer', q{false, false, 'leaky, without others', '^leaky'});
isnt(sql(q{SELECT count(*) FROM harness.heard a JOIN harness.heard b USING (place) WHERE a.world = 'leaky, with others' AND b.world = 'leaky, without others' AND a.said <> b.said}), '0',
	'it is seen that a function counts what others wrote');
cmp_ok($compared, '>', 0.9 * $calls, 'of nearly all calls');
cmp_ok($different, '>', 500, 'and these are many different ones');

is(sql('SELECT pg_postmaster_start_time()'), $started, 'the server has not restarted');
unlike(slurp_file($node->logfile), qr/terminated by signal|PANIC|TRAP:|invalid memory alloc/, 'no backend died');
is(sql(qq{SELECT i, memory.verify_index(i) FROM unnest('{memory.episodes_by_text,memory.facts_by_text}'::regclass[]) i}), '', 'the indexes are whole');
$node->stop;
done_testing();
