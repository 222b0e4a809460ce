# What is forgotten is in no table, in no statistics and, after VACUUM, memory.scrub() and a checkpoint, in no file of any relation, on a
# standby neither. Indexes and tables are sound, 16 clients that write meanwhile see no error, and kill -9 in the middle leaves all sound.
# SCRUB_CRASHES makes it longer.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(basename dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $crashes = $ENV{SCRUB_CRASHES} // 2;
my $node = start_primary('main');
$node->append_conf('postgresql.conf', "autovacuum = off\nrestart_after_crash = off\nclient_min_messages = error\nwal_keep_size = 1GB\nmemory.anonymous = allow\nsession_preload_libraries = 'memory'");
$node->restart;
$node->backup('backup');
my $standby = new_node('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
my $shared = dirname(__FILE__) . '/../../../sql/shared/forgotten.sql';
my $directory = PostgreSQL::Test::Utils::tempdir();

# Words that nothing else begins like, so that no dictionary of the index shares their first letters; their middles are looked for. Every
# user of the first half is a mark, too.
my %mark = (whole => 'qxplatypus', session => 'jqwombats', id => 'vzokapis', filter => 'xvnumbats', path => 'wquokkas', before => 'kxtapirs', user => 'zjowner');
my $middles = join '|', map { substr($_, 1, 5) } values %mark;

$node->safe_psql('postgres', qq{
	CREATE EXTENSION memory CASCADE;
	CREATE EXTENSION amcheck;
	SELECT memory.init();
	\\i $shared
	-- Rows of every kind, short and long, among those of others: `word` in all of them.
	CREATE PROCEDURE many(who text, word text, count int) LANGUAGE plpgsql AS \$\$
	BEGIN
		PERFORM memory.remember(word || ' ' || md5(n::text) || CASE WHEN n % 20 = 0 THEN (SELECT string_agg(md5(i::text) || ' ' || word, ' ') FROM generate_series(1, 200) i) ELSE '' END,
				user_id => who, session_id => word || n % 5, embedding => CASE WHEN n % 3 = 0 THEN '[1,2]'::vector END, metadata => jsonb_build_object('topic', word)),
			memory.put_item(ARRAY[word, 'p' || n % 9], word || n, jsonb_build_object('a', word || n), user_id => who),
			memory.assert_fact(word || n, 'knows', 'things ' || n, user_id => who),
			memory.set_block(word || '/' || n, word || ' ' || n, user_id => who)
		FROM generate_series(1, count) n;
	END \$\$;
});

# Everything that is wrong with tables and indexes.
sub damage
{
	my ($on) = @_;
	return $on->safe_psql('postgres', q{
		SELECT format('%s: %s', c.oid::regclass, v) FROM pg_class c, LATERAL memory.verify_index(c.oid) v
			WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'recall') AND relnamespace = 'memory'::regnamespace
		UNION ALL SELECT format('%s: %s', c.oid::regclass, v.msg) FROM pg_class c, LATERAL verify_heapam(c.oid) v WHERE relkind = 'r' AND relnamespace = 'memory'::regnamespace;
		SELECT bt_index_parent_check(c.oid, true, true) FROM pg_class c WHERE relam = (SELECT oid FROM pg_am WHERE amname = 'btree') AND relnamespace = 'memory'::regnamespace}) =~ s/^\n+//r;
}

# The relations, by their files, in which one of the marks is; none of the system's.
sub files_with_marks
{
	my ($on, $pattern) = @_;
	my $database = $on->safe_psql('postgres', q{SELECT oid FROM pg_database WHERE datname = 'postgres'});
	my %found;
	for my $file (glob $on->data_dir . "/base/$database/*")
	{
		my ($number) = basename($file) =~ /^(\d+)/ or next;
		$found{$number} = 1 if $number >= 16384 && slurp_file($file) =~ /$pattern/i;
	}
	return join ', ', sort map { $on->safe_psql('postgres', "SELECT coalesce(pg_filenode_relation(0, $_)::text, 'file $_')") } keys %found;
}

sub statistics_with_marks
{
	$node->safe_psql('postgres', 'ANALYZE');
	return $node->safe_psql('postgres', "SELECT tablename, attname FROM pg_stats s WHERE schemaname = 'memory' AND s::text ~ '$middles'");
}

# One of each kind of forgetting, and what must stay: of the same users, and of twins for whom the same was made.
$node->safe_psql('postgres', qq{
	CALL forgetting.make('zjowner', 'qxplatypus');
	CALL many('zjowner', 'qxplatypus', 300);
	CALL many('keeper', 'zebras', 300);
	CALL many('twin', 'zebras', 300);
	SELECT memory.add_messages('jqwombats', jsonb_agg(jsonb_build_object('role', 'user', 'content', 'jqwombats ' || n)), user_id => 'keeper') FROM generate_series(1, 60) n;
	SELECT memory.remember('about jqwombats', user_id => 'keeper', session_id => 'jqwombats');
	SELECT memory.remember('many vzokapis', 'seen', user_id => 'keeper', embedding => '[2,1]', id => forgetting.episode(1));
	SELECT memory.assert_fact('vzokapis', 'live in', 'vzokapis land', user_id => 'keeper', sources => ARRAY[forgetting.episode(1)]);
	SELECT memory.remember('all xvnumbats', user_id => 'keeper', metadata => '{"xvnumbats": true}');
	SELECT memory.put_item('{wquokkas,a}', 'wquokkas', '{"b": "wquokkas"}', user_id => 'keeper');
	SELECT memory.remember('old kxtapirs ' || n, user_id => 'elder', occurred_at => '2000-01-01') FROM generate_series(1, 50) n;
	SELECT memory.remember('newer things ' || n, user_id => 'elder') FROM generate_series(1, 50) n;
	SELECT memory.assert_fact('Zebras', 'are', 'many', user_id => 'keeper');});
my $of_others = q{SELECT md5(string_agg(line::text, E'\n' ORDER BY u, n)) FROM unnest('{twin}'::text[]) u, memory.export_user(u) WITH ORDINALITY AS e (line, n)};
my $twin = $node->safe_psql('postgres', $of_others);
like(rows_of($node, 'postgres'), qr/$middles/, 'marks are in tables');
$node->safe_psql('postgres', q{
	SELECT memory.forget_user('zjowner');
	SELECT memory.forget(user_id => 'keeper', session_id => 'jqwombats');
	SELECT memory.forget(user_id => 'keeper', id => forgetting.episode(1));
	SELECT memory.forget(user_id => 'keeper', filter => '{"xvnumbats": true}');
	SELECT memory.forget(user_id => 'keeper', item_path => '{wquokkas}');
	SELECT memory.forget(user_id => 'elder', before => '2010-01-01');});
unlike(rows_of($node, 'postgres'), qr/$middles/, 'none is in any row of any table once they are forgotten');
is(statistics_with_marks(), '', 'nor in what the planner keeps');

# VACUUM leaves their bytes; scrub() does not.
my $vacuum = 'VACUUM (INDEX_CLEANUP ON)';
$node->safe_psql('postgres', $_) for $vacuum, 'CHECKPOINT';
my $left = files_with_marks($node, $middles);
like($left, qr/memory\.episodes, .*memory\.episodes_by_session.*pg_toast/, 'VACUUM leaves bytes in tables, indexes and TOAST') or diag($left);
cmp_ok($node->safe_psql('postgres', 'SELECT memory.scrub()'), '>', 50, 'scrub() says how many pages it has written');
$node->safe_psql('postgres', 'CHECKPOINT');
is(files_with_marks($node, $middles), '', 'no file has any of it after scrub()');
is(damage($node), '', 'tables and indexes are sound');
is($node->safe_psql('postgres', $of_others), $twin, 'what a twin has is the same');
is($node->safe_psql('postgres', 'SELECT memory.scrub()'), '0', 'a second call finds nothing to do');
is($node->safe_psql('postgres', "SELECT count(*) FROM memory.recall_scored('zebras', k => NULL, user_id => 'keeper')"), '300', 'what stays is found');

# Codes are made of vectors, and go as these do: of some rows of a user, and of users who are forgotten. All rows that one step forgets have
# one vector. What its bytes are is read from a table with nothing else, in another database.
my $vector_of = q{CREATE FUNCTION vector_of(seed int) RETURNS vector LANGUAGE sql AS
	$$ SELECT array_agg(sin(seed * 7.1 + i * i * 0.37 + seed * i * 0.011)::real ORDER BY i)::vector FROM generate_series(1, 768) i $$;};
$node->safe_psql('postgres', $_) for $vector_of, 'CREATE DATABASE apart';
$node->safe_psql('apart', "SET client_min_messages = error; CREATE EXTENSION memory CASCADE; $vector_of");
sub bytes_of_vector
{
	my ($seed) = @_;
	my ($vector, $file) = split /\n/, $node->safe_psql('apart', qq{
		CREATE TABLE of_$seed AS SELECT vector_of($seed) AS v;
		CREATE INDEX code_of_$seed ON of_$seed USING recall (v);
		CHECKPOINT;
		SELECT encode(vector_send(v), 'hex') FROM of_$seed;
		SELECT pg_relation_filepath('code_of_$seed')});
	my $floats = join '', map { scalar reverse $_ } (pack('H*', $vector) =~ /(.{4})/gs)[ 1 .. 100 ];
	# Of the only record: dimensions, tid, scale, deviation, bits.
	my ($code) = slurp_file($node->data_dir . "/$file") =~ /\x00\x03\x01\x00\x00\x00\x00\x00.{8}(.{96})/s;
	BAIL_OUT('the record of a code is another one') unless defined $code;
	return quotemeta($floats) . '|' . quotemeta($code);
}
my ($of_some, $of_users) = map { bytes_of_vector($_) } 1000, 2000;
$node->safe_psql('postgres', q{
	SELECT memory.remember('coded ' || n, user_id => u, embedding => vector_of(2000)) FROM (VALUES ('coded', 300), ('tiny', 2)) c (u, count), generate_series(1, count) n;
	SELECT memory.remember('partly coded ' || n, user_id => 'partly', session_id => CASE WHEN n % 10 = 0 THEN 'gone' ELSE 's' || n / 10 % 2 END,
		embedding => vector_of(CASE WHEN n % 10 = 0 THEN 1000 ELSE n END)) FROM generate_series(1, 900) n;
	SELECT memory.forget(user_id => 'partly', session_id => 's1')});
# Pages of before wait for transactions of then.
$node->safe_psql('postgres', $_) for $vacuum, 'SELECT txid_current()', $vacuum, 'SELECT txid_current()', $vacuum, 'CHECKPOINT';
my $packed = q{SELECT segment_pages, retired_pages, pg_relation_filenode('memory.embeddings_by_code') FROM memory.index_stats('memory.embeddings_by_code')};
my $as_packed = $node->safe_psql('postgres', $packed);
like($as_packed, qr/^[1-9]\d*\|0\|/, 'some of the codes are in a packed run');
like(files_with_marks($node, $_), qr/memory\.embeddings_by_code/, 'an index of codes has them') for $of_some, $of_users;
$node->safe_psql('postgres', $_) for q{SELECT memory.forget(user_id => 'partly', session_id => 'gone')}, $vacuum, 'SELECT memory.scrub()', 'CHECKPOINT';
is(files_with_marks($node, $of_some), '', 'of rows that are forgotten no file has the vector or its code after scrub()');
is($node->safe_psql('postgres', $packed), $as_packed, 'which takes codes off a packed run, and builds nothing anew');
$node->safe_psql('postgres', $_) for q{SELECT memory.forget_user('coded'), memory.forget_user('tiny')}, $vacuum, 'CHECKPOINT';
like(files_with_marks($node, $of_users), qr/memory\.embeddings/, 'of users who are forgotten VACUUM leaves vectors');
$node->safe_psql('postgres', $_) for 'SELECT memory.scrub()', 'CHECKPOINT';
is(files_with_marks($node, $of_users), '', 'and scrub() leaves neither vectors nor codes');
is($node->safe_psql('postgres', q{SELECT documents FROM memory.index_stats('memory.embeddings_by_code')}),
	$node->safe_psql('postgres', 'SELECT count(*) FROM memory.embeddings'), 'what stays has its codes');
is($node->safe_psql('postgres', 'SELECT memory.scrub()'), '0', 'and nothing is left to do');
is(damage($node), '', 'all is sound');

# An index is only built anew where a separator of it has words that no row has any more.
my $files = q{SELECT string_agg(relname || ' ' || relfilenode, ', ' ORDER BY relname) FROM pg_class WHERE relnamespace = 'memory'::regnamespace AND relkind = 'i'};
$node->safe_psql('postgres', "SELECT memory.set_block('iqmarked', 'iqmarked', user_id => 'twin')");
$node->safe_psql('postgres', "SELECT memory.delete_block('iqmarked', user_id => 'twin')");
$node->safe_psql('postgres', $_) for $vacuum, 'CHECKPOINT';
like(files_with_marks($node, 'qmark'), qr/memory\.blocks, .*memory\.blocks_pkey/, 'a row leaves its bytes in an index');
my $as_they_were = $node->safe_psql('postgres', $files);
$node->safe_psql('postgres', $_) for 'SELECT memory.scrub()', 'CHECKPOINT';
is(files_with_marks($node, 'qmark'), '', 'which are zeroed in place');
is($node->safe_psql('postgres', $files), $as_they_were, 'and no index is built anew');

# A standby replays it.
$node->wait_for_catchup($standby);
$standby->safe_psql('postgres', 'CHECKPOINT');
is(files_with_marks($standby, $middles), '', 'no file of a standby has any of it after a restartpoint');
my ($status, $out, $err) = $standby->psql('postgres', '\set VERBOSITY sqlstate' . "\nSELECT memory.scrub()");
like($err, qr/ERROR:\s+25006/, 'on a standby scrub() is refused');

# Where a table is in use its indexes are not built anew: scrub() waits for no lock, and says what to run.
my $busy = $node->background_psql('postgres');
$node->safe_psql('postgres', "CALL many('zjowner', 'qxplatypus', 300); SELECT memory.forget_user('zjowner')");
$node->safe_psql('postgres', $vacuum);
$busy->query_safe("BEGIN; SELECT memory.remember('busy', user_id => 'keeper')");
($status, $out, $err) = $node->psql('postgres', "SET client_min_messages = warning; SELECT memory.scrub()");
is($status, 0, 'scrub() goes on where a table is in use');
my ($commands) = $err =~ /some indexes keep words of deleted rows\n.*\nHINT:\s+(.*)/;
like($commands // '', qr/REINDEX INDEX CONCURRENTLY memory\.episodes_by_text;/, 'and says which indexes are left') or diag($err);
$node->safe_psql('postgres', 'CHECKPOINT');
unlike(files_with_marks($node, $middles), qr/memory\.(episodes|messages|items|facts)(,|$)|pg_toast/, 'tables are done all the same');
$busy->query_safe('COMMIT');
$busy->quit;
$node->safe_psql('postgres', $_) for grep { /\S/ } split /;/, $commands // '';
$node->safe_psql('postgres', 'SELECT memory.scrub()');
$node->safe_psql('postgres', 'CHECKPOINT');
is(files_with_marks($node, $middles), '', 'what it says does the rest');
is(damage($node), '', 'and all is sound');

# Beside writers.
sub script
{
	my ($name, $sql) = @_;
	append_to_file("$directory/$name", $sql =~ s/^\t+//mgr);
	return "$directory/$name";
}
my @load = (
	'--file', script('write', q{
	\set user random(1, 20)
	\set n random(1, 1000000)
	SELECT memory.remember('qxplatypus ' || :n, user_id => 'u' || :user, session_id => 's' || :n % 7);
	SELECT memory.put_item('{a}', 'k' || :n % 50, jsonb_build_object('n', :n), user_id => 'u' || :user);
	SELECT memory.assert_fact('Ada', 'saw', 'number ' || :n % 20, user_id => 'u' || :user);}) . '@10',
	'--file', script('ask', q{
	\set user random(1, 20)
	SELECT count(*) FROM memory.recall_scored('qxplatypus', user_id => 'u' || :user);}) . '@4',
	'--file', script('forget', q{
	\set user random(1, 20)
	SELECT memory.forget(user_id => 'u' || :user, before => now() - interval '200 ms');}) . '@2');
my ($bench_out, $bench_err) = ('', '');
my $bench = IPC::Run::start([ 'pgbench', '--no-vacuum', '--client', 16, '--max-tries', 1, '--transactions', 60, @load, $node->connstr('postgres') ], '>', \$bench_out, '2>', \$bench_err);
my ($scrubs, $scrubbed) = (0, 0);
while ($bench->pumpable)
{
	$node->safe_psql('postgres', $vacuum) if $scrubs % 2 == 0;
	$scrubbed += $node->safe_psql('postgres', 'SELECT memory.scrub()');
	++$scrubs;
	$bench->pump_nb;
}
ok($bench->finish && $bench_err eq '', '16 clients see no error of scrub() and VACUUM beside them') or diag(substr($bench_err, 0, 1000));
note("$scrubs calls wrote $scrubbed pages");
cmp_ok($scrubbed, '>', 100, 'which wrote many pages');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');
is(damage($node), '', 'all is sound');
$node->safe_psql('postgres', "SELECT count(memory.forget_user('u' || n)) FROM generate_series(1, 20) n");
$node->safe_psql('postgres', $_) for $vacuum, 'SELECT memory.scrub()', 'CHECKPOINT';
is(files_with_marks($node, $middles), '', 'and nothing of it is left once it is forgotten');

# kill -9 while it runs.
for my $round (1 .. $crashes)
{
	$node->safe_psql('postgres', "CALL many('zjowner', 'qxplatypus', 300); SELECT memory.forget_user('zjowner')");
	$node->safe_psql('postgres', $vacuum);
	my $scrub = IPC::Run::start([ 'psql', '-XAtqc', 'SELECT memory.scrub()', $node->connstr('postgres') ], '>', '/dev/null', '2>', '/dev/null');
	usleep(20_000 + int(rand(250_000)));
	my ($postmaster) = split /\n/, slurp_file($node->data_dir . '/postmaster.pid');
	kill 'KILL', $postmaster;
	$scrub->finish;
	$node->{_pid} = undef;
	for (1 .. 300) { last if system_log('pg_ctl', '-D', $node->data_dir, '-w', '-t', 60, '-l', $node->logfile, 'start') == 0; usleep(100_000) }
	$node->_update_pid(1);
	is(damage($node), '', "crash $round: all is sound");
	is($node->safe_psql('postgres', $of_others), $twin, "crash $round: what a twin has is the same");
	$node->safe_psql('postgres', $_) for $vacuum, 'SELECT memory.scrub()', 'CHECKPOINT';
	is(files_with_marks($node, $middles), '', "crash $round: another call leaves nothing");
}

$node->wait_for_catchup($standby);
$standby->safe_psql('postgres', 'CHECKPOINT');
is(files_with_marks($standby, $middles), '', 'no file of the standby has any of it in the end');
$standby->stop;
$node->stop;
done_testing();
