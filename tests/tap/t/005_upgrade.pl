# An upgraded database is a fresh one: for every upgrades/memory--A--B.sql, install(A) + init() +
# UPDATE TO B + init() leaves the catalog and the tables that install(B) + init() makes, and every
# memory. The comparison itself is tested with an older version made here.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(basename dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my ($installation, $scripts) = private_installation();
my ($current) = slurp_file("$scripts/memory.control") =~ /^default_version\s*=\s*'(.*)'/m;
my $node = start_primary('main', install_path => $installation);

sub script
{
	my ($name, $sql) = @_;
	unlink "$scripts/memory--$name.sql";
	append_to_file("$scripts/memory--$name.sql", $sql);
}

# What a database looks like after these commands.
sub database_after
{
	my ($name, @sql) = @_;
	$node->safe_psql('postgres', "DROP DATABASE IF EXISTS $name");
	$node->safe_psql('postgres', "CREATE DATABASE $name");
	$node->safe_psql($name, $_) for @sql;
	return catalog_of($node, $name) . schema_of($node, $name);
}

my %fresh;

sub fresh
{
	my ($version) = @_;
	return $fresh{$version} //= database_after('fresh', "CREATE EXTENSION memory VERSION '$version' CASCADE", 'SELECT memory.init()');
}

# By way of a database with memories in it. What its tables lack (@lacking) init() must bring.
sub upgraded
{
	my ($from, $to, @lacking) = @_;
	return database_after('upgraded', "CREATE EXTENSION memory VERSION '$from' CASCADE", 'SELECT memory.init()',
		q{SELECT memory.remember('number ' || n, user_id => 'ann') FROM generate_series(1, 10) AS n}, @lacking,
		"ALTER EXTENSION memory UPDATE TO '$to'", 'SELECT memory.init()');
}

sub memories_are_kept
{
	my ($how) = @_;
	is($node->safe_psql('upgraded', q{
		SELECT count(*), count(DISTINCT content), min(user_id) FROM memory.episodes;
		SELECT memory.remember('the next one', user_id => 'ann') IS NOT NULL;
		SELECT content FROM memory.recall_recent(k => 1, user_id => 'ann');
	}), "10|10|ann\nt\nthe next one", "$how: the memories are kept, and the next remember works");
}

# --- every upgrade that we ship -----------------------------------------------------------------

for my $upgrade (sort map { basename($_) } glob "$scripts/memory--*--*.sql")
{
	my ($from, $to) = $upgrade =~ /^memory--(.+)--(.+)\.sql$/;
	for my $version ($from, $to)
	{
		next if -e "$scripts/memory--$version.sql";
		my $frozen = dirname(__FILE__) . "/../../upgrade/memory--$version.sql";
		ok(-e $frozen, "version $version is kept in tests/upgrade") or next;
		script($version, slurp_file($frozen));
	}
	same_lines(upgraded($from, $to), fresh($to), "$from upgraded to $to is a fresh $to");
	memories_are_kept("$from to $to");
}

# --- the comparison itself ----------------------------------------------------------------------

# An older version, without one function and with another that has changed since.
my $install = slurp_file("$scripts/memory--$current.sql");
my ($new) = $install =~ /^(CREATE FUNCTION memory\.recall_recent\(.*?;\nCOMMENT ON FUNCTION memory\.recall_recent\(.*?';\n)/ms;
my ($changed) = $install =~ /^(CREATE FUNCTION memory\.get\(.*?;\n)/ms;
ok($new && $changed, 'the script has the functions to take out');
(my $old = $install) =~ s/\Q$new\E//;
(my $was = $changed) =~ s/STABLE/VOLATILE/;
$old =~ s/\Q$changed\E/$was/;
(my $replace = $changed) =~ s/^CREATE/CREATE OR REPLACE/;
script('0.0.1test', $old);
my $upgrade = "0.0.1test--$current";

isnt(database_after('old', "CREATE EXTENSION memory VERSION '0.0.1test' CASCADE", 'SELECT memory.init()'), fresh($current),
	'an older version is not the current one');

script($upgrade, $new . $replace);
same_lines(upgraded('0.0.1test', $current), fresh($current), 'with the right script, the upgraded one is');
memories_are_kept('with the right script');
same_lines(
	upgraded('0.0.1test', $current, q{
		ALTER TABLE memory.episodes ALTER id DROP DEFAULT;
		DROP TRIGGER memory_settings_obeyed ON memory.episodes;
		DROP INDEX memory.episodes_by_time;
		DROP TABLE memory.usage;}),
	fresh($current), 'what older tables lack, init() brings');

(my $silent = $new) =~ s/^COMMENT.*//ms;
(my $careless = $new) =~ s/PARALLEL RESTRICTED/PARALLEL SAFE/;
my %wrong = (
	'that forgets a function' => $replace,
	'that forgets what has changed' => $new,
	'that forgets a comment' => $silent . $replace,
	'that declares it otherwise' => $careless . $replace,
	'that has one too many' => "$new $replace CREATE FUNCTION memory.stray() RETURNS int LANGUAGE sql RETURN 1;",
	'that leaves a cast behind' => "$new $replace CREATE CAST (memory.episode AS text) WITH INOUT;",
	'that changes the type' => "$new $replace ALTER TYPE memory.episode ADD ATTRIBUTE mood text;",
	'that grants' => "$new $replace REVOKE EXECUTE ON FUNCTION memory.init(bigint, bigint) FROM public;",
	'that adds a column to a table' => "$new $replace ALTER TABLE memory.episodes ADD COLUMN mood text;",
	'that drops a comment of a table' => "$new $replace COMMENT ON TABLE memory.usage IS NULL;");
for my $how (sort keys %wrong)
{
	script($upgrade, $wrong{$how});
	isnt(upgraded('0.0.1test', $current), fresh($current), "a script $how does not pass");
}

$node->stop;
done_testing();
