# What PostgreSQL does to tables, done to each table that there is, with rows in all of them: logical replication with a
# switch-over, a standby that is read while the primary writes, VACUUM FULL, CLUSTER, REINDEX. Tables are found in the
# catalog: one that comes later is here by itself, once users.sql has a row of it.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = start_primary('main');
$node->append_conf('postgresql.conf', "wal_level = logical\nautovacuum = off\nmax_locks_per_transaction = 256");
$node->restart;
my $quiet = "SET client_min_messages = error; SET memory.anonymous = 'allow';";

# --- a database with rows in every table --------------------------------------------------------------
$node->safe_psql('postgres', 'CREATE DATABASE app TEMPLATE template0');
$node->safe_psql('app', $quiet . slurp_file(dirname(__FILE__) . '/../every_call/users.sql'));
$node->safe_psql('app', "$quiet SELECT memory.set_retention('item', ttl => '10 years'), memory.set_retention('checkpoint', keep => 100);
	INSERT INTO memory.job_counts (task, shard, done, dropped) VALUES ('embed', 1, 5, 0)");
my @tables = split /\n/, $node->safe_psql('app', q{SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r' ORDER BY 1});
cmp_ok(scalar @tables, '>', 30, 'there are many tables');

# Tables without a row.
sub empty_ones
{
	my ($on, $database) = @_;
	my $query = join ' UNION ALL ', map { "SELECT '$_' WHERE NOT EXISTS (SELECT FROM memory.$_)" } @tables;
	return $on->safe_psql($database, $query);
}
is(empty_ones($node, 'app'), '', 'each has rows');
is($node->safe_psql('app', q{SELECT relname FROM pg_class c WHERE relnamespace = 'memory'::regnamespace AND relkind = 'r'
	AND NOT (relreplident = 'd' AND EXISTS (SELECT FROM pg_index WHERE indrelid = c.oid AND indisprimary AND indisvalid AND indimmediate))}), '', 'the replica identity of each is its primary key');
is($node->safe_psql('app', q{SELECT relname FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'S'}), '', 'none has a sequence, which would not be replicated');

# What users are told.
my $answers = slurp_file(dirname(__FILE__) . '/../every_call/answers.sql');
sub answers
{
	my ($on, $database, @users) = @_;
	my $names = join ',', @users;
	return $on->safe_psql($database, $quiet . $answers =~ s/:'users'/'{$names}'/gr);
}
my @users = qw(ada wombat);

# The recall indexes that there are, and what is wrong with them.
my $damage = q{SELECT c.oid::regclass, f FROM pg_class c JOIN pg_am a ON a.oid = relam, LATERAL memory.verify_index(c.oid) f WHERE relnamespace = 'memory'::regnamespace AND amname = 'recall'};
sub whole
{
	my ($on, $database, $what) = @_;
	is($on->safe_psql($database, $damage), '', "$what: the indexes are whole");
	is($on->safe_psql($database, 'SELECT name, problem FROM memory.status WHERE problem IS NOT NULL'), '', "$what: nothing is wrong");
}

# Writes to each table: new rows of a new user, an update of every row, deletions.
my $update_all = join '', map {
	my $column = $node->safe_psql('app', "SELECT a.attname FROM pg_attribute a WHERE attrelid = 'memory.$_'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
		AND attnum <> ALL (SELECT unnest(indkey::int2[]) FROM pg_index WHERE indrelid = attrelid AND indisprimary) ORDER BY attnum DESC LIMIT 1");
	$column eq '' ? '' : "UPDATE memory.$_ SET $column = $column;"
} @tables;
cmp_ok(scalar(() = $update_all =~ /UPDATE/g), '>', 25, 'nearly all have a column beside their key, to be updated');
sub writes
{
	my ($user) = @_;
	return "$quiet CALL harness.live('$user', '$user', '0b0b', 0.5, '2026-02-02'); $update_all
		DELETE FROM memory.episodes WHERE user_id = 'wombat' AND content LIKE 'zebra%'; SELECT memory.forget(user_id => 'wombat', session_id => 's');";
}

# --- logical replication ----------------------------------------------------------------------------------
my $replica = start_primary('replica');
$replica->safe_psql('postgres', 'CREATE DATABASE app TEMPLATE template0');
$replica->safe_psql('app', "$quiet CREATE EXTENSION memory CASCADE; SELECT memory.init(3); TRUNCATE " . join ', ', map { "memory.$_" } @tables);
$node->safe_psql('app', 'CREATE PUBLICATION everything FOR TABLES IN SCHEMA memory');
$replica->safe_psql('app', "$quiet CREATE SUBSCRIPTION everything CONNECTION " . q{'} . $node->connstr('app') =~ s/'/''/gr . q{' PUBLICATION everything});
$replica->wait_for_subscription_sync($node, 'everything', 'app');
sub same_rows
{
	my ($what) = @_;
	$node->wait_for_catchup('everything');
	same_lines(rows_of($replica, 'app'), rows_of($node, 'app'), "$what: the same rows in all tables");
	same_lines(answers($replica, 'app', @users), answers($node, 'app', @users), "$what: the same answers");
	whole($replica, 'app', $what);
}
is(empty_ones($replica, 'app'), '', 'a logical replica has rows in each table');
same_rows('a copy of what was there');
push @users, 'quoll';
$node->safe_psql('app', writes('quoll'));
same_rows('inserts, updates and deletions in each table');
$node->safe_psql('app', "$quiet SELECT memory.forget_user('wombat'); SELECT memory.sweep()");
is($node->safe_psql('app', q{SELECT count(*) FROM memory.export_user('wombat')}), '0', 'a user is forgotten');
same_rows('and there, too');

# --- the new server takes over --------------------------------------------------------------------------
my $before = answers($node, 'app', @users);
$replica->safe_psql('app', "$quiet DROP SUBSCRIPTION everything; VACUUM (ANALYZE)");
is($replica->safe_psql('app', "$quiet SET memory.user_id = 'ada'; " . q{
	SELECT memory.remember('after the switch-over') IS NOT NULL;
	SELECT content FROM memory.recall('switch-over', 1);
	SELECT memory.assert_fact('Ada', 'lives in', 'Oslo') IS NOT NULL;
	SELECT object FROM memory.facts('Ada', 'lives in');
	SELECT max(seq) - (SELECT max(seq) FROM memory.messages('s', k => 1)) FROM memory.add_messages('s', '[{"role": "user", "content": "one"}, {"role": "user", "content": "two"}]');
	SELECT memory.put_item('{users,ada}', 'new', '1'), memory.set_block('fresh', 'text');
	SELECT memory.put_checkpoint('s', '{"topic": "after"}', 'c9', 'c2');
	SELECT state ->> 'topic' FROM memory.checkpoint('s');
	SELECT memory.save_run('s', 'r9', state => '{}') IS NOT NULL;
	SELECT count(*) > 0 FROM memory.next_jobs(1);
	SELECT memory.init(3)}), "t\nafter the switch-over\nt\nOslo\n2\n1|1\nc9\nafter\nt\nt\n", 'the new server is written to');
whole($replica, 'app', 'after the switch-over');
same_lines(answers($node, 'app', @users), $before, 'and the old one knows nothing of it');
$replica->stop;

# --- every table written anew ------------------------------------------------------------------------------
my $rows = rows_of($node, 'app');
for my $command ('VACUUM FULL memory.%s', 'CLUSTER memory.%1$s USING %1$s_pkey', 'REINDEX TABLE memory.%s', 'REINDEX TABLE CONCURRENTLY memory.%s')
{
	my ($what) = $command =~ /^([A-Z ]+) (?:memory|CONC)/;
	$what .= ' CONCURRENTLY' if $command =~ /CONC/;
	for my $table (@tables)
	{
		my $key = $node->safe_psql('app', "SELECT indexrelid::regclass FROM pg_index WHERE indrelid = 'memory.$table'::regclass AND indisprimary") =~ s/^memory\.//r;
		$node->safe_psql('app', $quiet . sprintf $command =~ s/%1\$s_pkey/$key/r, $table);
	}
	same_lines(rows_of($node, 'app'), $rows, "$what of each table: the same rows");
	same_lines(answers($node, 'app', @users), $before, "$what of each table: the same answers");
	whole($node, 'app', "$what of each table");
}

# --- a standby that is read while the primary writes ------------------------------------------------
$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', "hot_standby_feedback = on\nmax_standby_streaming_delay = -1");
$standby->start;
$node->wait_for_catchup($standby);
# All that reads, again and again in a session of its own, until the writers have ended. Each line is a round.
my $stop = PostgreSQL::Test::Utils::tempdir_short() . '/stop';
my $reading = "$quiet \\set ON_ERROR_STOP 1\n" . join '', map { "\\echo round\nSELECT count(*) FROM memory.status; SELECT count(*) FROM memory.recall_scored('night trains', '[1,2,3]', k => 30, user_id => '$_');
	SELECT count(*) FROM memory.facts(k => 100, valid_at => NULL, user_id => '$_'); SELECT count(*) FROM memory.messages(k => 100, user_id => '$_'); SELECT count(*) FROM memory.checkpoint('s', user_id => '$_');
	SELECT length(memory.context('night trains', user_id => '$_')); SELECT count(*) FROM memory.items(query => 'trains', user_id => '$_'); SELECT count(*) FROM memory.blocks(user_id => '$_');\n" } @users;
my ($in, $out, $err) = ('', '', '');
my $reader = IPC::Run::start([ 'psql', '-XqAt', '-d', $standby->connstr('app') ], '<', \$in, '>', \$out, '2>', \$err);
for my $round (1 .. 6)
{
	$in .= $reading;
	$reader->pump_nb;
	$node->safe_psql('app', writes("user$round") . "SELECT memory.forget_user('user$round') IS NOT NULL; VACUUM memory.episodes, memory.facts, memory.items;");
}
$reader->finish;
is($err, '', 'a standby reads while the primary writes, and nothing is refused');
cmp_ok(scalar(() = $out =~ /^round$/mg), '>', 10, 'and reads much');
$node->wait_for_catchup($standby);
same_lines(answers($standby, 'app', @users), answers($node, 'app', @users), 'then it answers as the primary does');
is($standby->safe_psql('app', "SELECT sum(rows) > 100 FROM memory.status WHERE thing = 'table'"), 't', 'and has a status');
whole($standby, 'app', 'the standby');

unlike(slurp_file($_->logfile), qr/terminated by signal|PANIC|TRAP:/, $_->name . ': no backend died') for $node, $replica, $standby;
$_->stop for $standby, $node;
done_testing();
