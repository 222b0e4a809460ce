# What PostgreSQL does to whole tables, databases and servers, done to ours: logical replication, tablespaces, databases of
# other locales, foreign tables, prepared transactions, a standby that takes over and its primary that follows. Afterwards
# the answers are the same, and the indexes are whole.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('main');
$node->append_conf('postgresql.conf', "wal_level = logical\nmax_prepared_transactions = 10\nallow_in_place_tablespaces = on\nwal_log_hints = on\nautovacuum = off\nwal_keep_size = 1GB\nmax_wal_size = 1GB");
$node->restart;
my $quiet = "SET client_min_messages = error; SET memory.anonymous = 'allow';";
my $set_up = "$quiet CREATE EXTENSION memory CASCADE; SELECT memory.init(2); SELECT memory.define_predicate('likes', 'many');";

# A round of everything that writes, of both users.
sub writes
{
	my ($round) = @_;
	return $quiet . join "\n", map { qq{
		SELECT memory.set_scope('$_');
		SELECT count(memory.remember('round $round number ' || n, 'IŞIK Straße ' || n % 5, session_id => 's' || n % 3, embedding => format('[1,%s]', n)::vector, metadata => jsonb_build_object('n', n))) FROM generate_series(1, 40) n;
		SELECT count(memory.revise(id, content || ' revised')) FROM memory.recall_recent(k => 5);
		SELECT count(memory.assert_fact('Ada $round', 'lives in', 'city ' || n, valid_from => '2026-01-01'::timestamptz + n * interval '1 day', embedding => '[1,1]')) FROM generate_series(1, 5) n;
		SELECT count(memory.assert_fact('Ada', 'likes', 'thing ' || n, sources => ARRAY(SELECT id FROM memory.recall_recent(k => 2)))) FROM generate_series(1, 5) n;
		SELECT memory.retract_fact('Ada $round', 'lives in', valid_from => '2026-01-02', valid_until => '2026-01-03');
		SELECT memory.reject_fact('Ada', 'likes', 'thing 3');
		SELECT memory.merge_entities('Ada', 'Ada $round');
		DELETE FROM memory.episodes WHERE user_id = '$_' AND content LIKE '% 7';
		DELETE FROM memory.facts WHERE user_id = '$_' AND object = 'thing 4';
		UPDATE memory.episodes SET metadata = '{}' WHERE user_id = '$_' AND content LIKE '%8';
	} } qw(ada bob);
}
# What both users are told.
sub answers_of
{
	return "$quiet SELECT * FROM (" . (join "\nUNION ALL ", map { qq{
	SELECT 1, r::text FROM memory.recall_scored('round number ışık strasse revised', '[1,3]', k => 30, user_id => '$_') r
	UNION ALL SELECT 2, r::text FROM memory.recall_semantic('[1,7]', threshold => 0.1, user_id => '$_') r
	UNION ALL SELECT 3, r::text FROM memory.recall_facts('thing city', '[1,1]', k => 20, user_id => '$_') r
	UNION ALL SELECT 4, r::text FROM memory.traverse('{Ada}', user_id => '$_') r
	UNION ALL SELECT 5, r::text FROM memory.facts(k => 100, valid_at => NULL, user_id => '$_') r
	UNION ALL SELECT 6, r::text FROM memory.recall_recent(k => 100, user_id => '$_') r
	UNION ALL SELECT 7, e.id::text FROM memory.episodes e WHERE namespace = 'default' AND user_id = '$_' AND memory_internal.episode_text(content, response) OPERATOR(memory.@@@) memory.websearch_query('+revised rou*')} } @_) . ') t (what, answer) ORDER BY what, answer COLLATE "C"';
}
my $answers = answers_of('ada', 'bob');
my $damage = q{SELECT i, memory.verify_index(i) FROM unnest('{memory.episodes_by_text,memory.facts_by_text}'::regclass[]) i};

sub same
{
	my ($what, $on, $database, $expected) = @_;
	same_lines($on->safe_psql($database, $answers), $expected, "$what: the same answers");
	is($on->safe_psql($database, $damage), '', "$what: the indexes are whole");
}

$node->safe_psql('postgres', 'CREATE DATABASE app TEMPLATE template0');
$node->safe_psql('app', $set_up . writes(1));
my $expected = $node->safe_psql('app', $answers);
cmp_ok(scalar(split /\n/, $expected), '>', 150, 'there is something to ask for');

# --- logical replication, of all rows and of one user's --------------------------------------------
$node->safe_psql('postgres', 'CREATE DATABASE copy TEMPLATE template0; CREATE DATABASE of_ada TEMPLATE template0');
$node->safe_psql('copy', $set_up . 'SELECT memory.protect(); TRUNCATE memory.predicates, memory.models');
$node->safe_psql('of_ada', "$quiet CREATE EXTENSION memory CASCADE; SELECT memory.init()");
my $of_users = $node->safe_psql('app', q{SELECT string_agg(attrelid::regclass::text, ' ') FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' AND attname = 'user_id'});
$node->safe_psql('app', 'CREATE PUBLICATION everything FOR TABLES IN SCHEMA memory; CREATE PUBLICATION of_ada FOR TABLE ' . join(', ', 'memory.models', 'memory.predicates', map { "$_ WHERE (user_id = 'ada')" } split / /, $of_users));
for my $to (['copy', 'everything'], ['of_ada', 'of_ada'])
{
	my ($database, $publication) = @$to;
	# On one server the slot is made first.
	$node->safe_psql('app', "SELECT pg_create_logical_replication_slot('$database', 'pgoutput')");
	$node->safe_psql($database, sprintf q{CREATE SUBSCRIPTION %s CONNECTION %s PUBLICATION %s WITH (create_slot = false, slot_name = '%1$s')}, $database, q{'} . $node->connstr('app') =~ s/'/''/gr . q{'}, $publication);
	$node->wait_for_subscription_sync($node, $database, $database);
}
$node->safe_psql('app', writes(2));
$node->safe_psql('app', 'TRUNCATE memory.usage; VACUUM memory.episodes, memory.facts;' . writes(3));
$node->wait_for_catchup($_) for qw(copy of_ada);
$expected = $node->safe_psql('app', $answers);
same('a logical replica under protect()', $node, 'copy', $expected);
same_lines(rows_of($node, 'copy'), rows_of($node, 'app'), 'a logical replica under protect(): the same rows');
is($node->safe_psql('of_ada', q{SELECT string_agg(DISTINCT user_id, ' ') FROM memory.episodes}), 'ada', 'a replica of one user: nobody else');
my $of_ada = $node->safe_psql('of_ada', answers_of('ada'));
cmp_ok(scalar(split /\n/, $of_ada), '>', 80, 'and all of that user');
same_lines($of_ada, $node->safe_psql('app', answers_of('ada')), 'a replica of one user: the same answers');
is($node->safe_psql('of_ada', $damage), '', 'a replica of one user: the indexes are whole');
for my $database (qw(copy of_ada)) { $node->safe_psql($database, "DROP SUBSCRIPTION $database") }
my ($status, $out, $err) = $node->psql('of_ada', writes(4) =~ s/'bob'/'ada'/gr, on_error_stop => 1);
is($err, '', 'a replica of one user takes over: writes work');
is($node->safe_psql('of_ada', $damage), '', 'and the indexes are whole');

# --- databases of other locales ---------------------------------------------------------------------------
# In Turkish I is no capital of i; in the second, strings are compared without case and accents where no byte order is asked for.
my $file = PostgreSQL::Test::Utils::tempdir() . '/app.sql';
$node->command_ok([ 'pg_dump', '--no-publications', '--file', $file, '--dbname', $node->connstr('app') ], 'dumped');
for my $locale (qw(tr-TR und-u-ks-level1-kr-digit-latn))
{
	$node->safe_psql('postgres', qq{CREATE DATABASE "$locale" TEMPLATE template0 LOCALE 'C.UTF-8' LOCALE_PROVIDER icu ICU_LOCALE '$locale'});
	restore_ok($node, "restored into a database of locale $locale", 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $locale, '-f', $file);
	same("a database of locale $locale", $node, $locale, $expected);
	$node->safe_psql($locale, "BEGIN;" . writes(20) . "COMMIT; $damage");
	is($node->safe_psql($locale, $damage), '', "a database of locale $locale: the indexes are whole after more writes");
}

# --- foreign tables that are ours ---------------------------------------------------------------------------
$node->safe_psql('postgres', 'CREATE DATABASE afar TEMPLATE template0');
$node->safe_psql('afar', $quiet . sprintf q{CREATE EXTENSION memory CASCADE; CREATE EXTENSION postgres_fdw; CREATE SCHEMA near;
	CREATE SERVER app FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host '%s', port '%s', dbname 'app', extensions 'memory, vector', use_remote_estimate 'true');
	CREATE USER MAPPING FOR CURRENT_USER SERVER app; IMPORT FOREIGN SCHEMA memory FROM SERVER app INTO near;}, $node->host, $node->port);
my $matching = q{SELECT string_agg(id::text, ' ' ORDER BY id) FROM %s.episodes WHERE namespace = 'default' AND user_id = 'ada' AND memory_internal.episode_text(content, response) OPERATOR(memory.@@@) memory.websearch_query('+revised rou*')};
is($node->safe_psql('afar', sprintf $matching, 'near'), $node->safe_psql('app', sprintf $matching, 'memory'), 'foreign tables: @@@ finds the same rows');
for my $call ("SELECT memory_internal.episode_text(content, response) OPERATOR(memory.<@>) 'round' FROM near.episodes ORDER BY 1", 'SELECT * FROM memory.recall_recent()', 'SELECT memory.verify_index(\'near.episodes\')')
{
	my ($status, $out, $err) = $node->psql('afar', $call, on_error_stop => 1);
	like($err, qr/ERROR/, "foreign tables: an error, not an answer: $call");
}
is($node->safe_psql('afar', q{INSERT INTO near.episodes (namespace, user_id, id, content, kind, occurred_at, recorded_at, importance, metadata) VALUES ('default', 'ada', '00000000-0000-7000-8000-000000000001', 'from afar', 'k', now(), now(), 1, '{}');
	UPDATE near.episodes SET content = 'from very far' WHERE id = '00000000-0000-7000-8000-000000000001'; SELECT content FROM near.episodes WHERE id = '00000000-0000-7000-8000-000000000001'}), 'from very far', 'foreign tables: written');
is($node->safe_psql('app', q{SELECT content FROM memory.recall('very far', user_id => 'ada', k => 1)}), 'from very far', 'and recalled');
$expected = $node->safe_psql('app', $answers);

# --- the standby takes over ------------------------------------------------------------------------------
$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
$node->wait_for_catchup($standby);
$standby->promote;
same('the standby takes over', $standby, 'app', $expected);
$node->safe_psql('app', writes(4));    # what the other will not know of
$node->stop;
$standby->safe_psql('app', writes(5) . 'VACUUM memory.episodes, memory.facts');
$expected = $standby->safe_psql('app', $answers);
$standby->safe_psql('postgres', 'CHECKPOINT');
system_or_bail("pg_rewind", "--target-pgdata", $node->data_dir, "--source-server", $standby->connstr("postgres"), "--no-sync");
$node->enable_streaming($standby);
$node->set_standby_mode;
$node->append_conf('postgresql.conf', sprintf "port = %s\nunix_socket_directories = '%s'", $node->port, $node->host);
$node->start;
$standby->safe_psql('app', writes(6));
$expected = $standby->safe_psql('app', $answers);
$standby->wait_for_catchup($node);
same('and follows', $node, 'app', $expected);

($node, $standby) = ($standby, $node);

# --- tablespaces, with a standby that follows -----------------------------------------------------------
$node->safe_psql('app', q{CREATE UNLOGGED TABLE public.notes (tenant int, body text); CREATE INDEX notes_recall ON notes USING recall (tenant, body); INSERT INTO notes SELECT n % 3, 'note ' || n FROM generate_series(1, 1000) n;});
$node->safe_psql('postgres', "CREATE TABLESPACE $_ LOCATION ''") for qw(elsewhere third fourth);
$node->safe_psql('app', 'ALTER TABLE ALL IN TABLESPACE pg_default SET TABLESPACE elsewhere');
same('tables in another tablespace', $node, 'app', $expected);
$node->safe_psql('app', 'ALTER INDEX memory.episodes_by_text SET TABLESPACE third; ALTER INDEX memory.facts_by_text SET TABLESPACE third; ALTER INDEX memory.one_belief_at_a_time SET TABLESPACE elsewhere; ALTER INDEX public.notes_recall SET TABLESPACE third');
same('indexes in a third one', $node, 'app', $expected);
$node->safe_psql('app', 'REINDEX (TABLESPACE elsewhere, CONCURRENTLY) INDEX memory.facts_by_text');
$node->safe_psql('app', 'SET client_min_messages = error; REINDEX (TABLESPACE elsewhere) INDEX memory.episodes_by_text');
$node->safe_psql('app', writes(7));
$node->safe_psql('app', 'VACUUM memory.episodes, memory.facts, notes; SET temp_tablespaces = third; SET maintenance_work_mem = 1024; REINDEX INDEX memory.episodes_by_text');
$expected = $node->safe_psql('app', $answers);
$node->safe_psql('postgres', 'ALTER DATABASE app SET TABLESPACE fourth');
same('a database in another tablespace', $node, 'app', $expected);
$node->safe_psql('postgres', "CREATE DATABASE by_$_ TEMPLATE app STRATEGY $_") for qw(wal_log file_copy);
$node->safe_psql('app', writes(8));
same("a copied database, by $_", $node, "by_$_", $expected) for qw(wal_log file_copy);
$expected = $node->safe_psql('app', $answers);
$node->wait_for_catchup($standby);
same('the standby of all that', $standby, 'app', $expected);
$node->stop('immediate');
$node->start;
same('after a crash', $node, 'app', $expected);
is($node->safe_psql('app', q{SELECT count(*) FROM notes; SELECT memory.verify_index('notes_recall'); INSERT INTO notes VALUES (1, 'note'); SELECT count(*) FROM notes WHERE tenant = 1 AND body OPERATOR(memory.@@@) 'note'; ALTER TABLE notes SET LOGGED; SELECT memory.verify_index('notes_recall')}), "0\n1",
	'an unlogged table is empty after a crash, and goes on');

# --- prepared transactions ------------------------------------------------------------------------------
$node->safe_psql('app', "BEGIN;" . writes(9) . "PREPARE TRANSACTION 'one'");
same('while a transaction is prepared', $node, 'app', $expected);
$node->stop('immediate');
$node->start;
same('and after a crash', $node, 'app', $expected);
$node->safe_psql('app', 'VACUUM memory.episodes, memory.facts');
$node->safe_psql('app', "COMMIT PREPARED 'one'");
isnt($node->safe_psql('app', $answers), $expected, 'what was prepared is there once it is committed');
$expected = $node->safe_psql('app', $answers);
$node->safe_psql('app', "BEGIN;" . writes(10) . "PREPARE TRANSACTION 'two'");
$node->safe_psql('app', "ROLLBACK PREPARED 'two'; VACUUM memory.episodes, memory.facts");
same('a prepared transaction that is undone', $node, 'app', $expected);

$_->stop for $node, $standby;
done_testing();
