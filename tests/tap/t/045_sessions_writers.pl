# 16 clients set a few sessions at once: no set_session that was answered is lost, neither those that add to the session nor
# those that expect its version; after a kill -9 every one that was answered is there, and no version twice.
use strict;
use warnings FATAL => 'all';
use Memory;
use PostgreSQL::Test::Utils;
use Test::More;

my $writers = 16;
my $each = $ENV{SESSIONS_EACH} // 60;
my $node = start_primary('main');
$node->safe_psql('postgres', q{
	CREATE EXTENSION memory CASCADE;
	SELECT memory.init();
	-- What was answered: the version that a call returned.
	CREATE TABLE done (session_id text, version bigint, writer text, PRIMARY KEY (session_id, version));
});

sub write_all
{
	my ($what, $script) = @_;
	my $file = PostgreSQL::Test::Utils::tempdir() . "/write.sql";
	append_to_file($file, $script);
	my ($out, $err) = ('', '');
	my $ok = IPC::Run::run([ 'pgbench', '--no-vacuum', '--client', $writers, '--transactions', $each, '--max-tries', 100000, '--file', $file, $node->connstr('postgres') ], '>', \$out, '2>', \$err);
	is($ok ? '' : $err, '', "$what: every writer comes to its end");
}

# Each notes a key of its own, in transactions of their own and in longer ones.
my $set = q{SELECT memory.set_session('s' || :s, jsonb_build_object('w' || :client_id || '-' || :n, 1), user_id => 'ann')};
for my $isolation ('READ COMMITTED', 'REPEATABLE READ')
{
	write_all($isolation, qq{
		\\set s random(1, 3)
		\\set n random(1, 1000000000000)
		BEGIN ISOLATION LEVEL $isolation;
		INSERT INTO done SELECT 's' || :s, v, 'w' || :client_id || '-' || :n FROM ($set) t (v);
		COMMIT;
	} =~ s/^\t+//mgr);
	is($node->safe_psql('postgres', 'SELECT count(*) FROM done'), $writers * $each, "$isolation: each has set all");
	is($node->safe_psql('postgres', 'SELECT sum(version) FROM memory.sessions'), $writers * $each, "$isolation: versions count them");
	is($node->safe_psql('postgres', q{SELECT count(*) FROM done d JOIN memory.sessions s USING (session_id) WHERE s.metadata ? d.writer}), $writers * $each, "$isolation: what each noted is there");
	$node->safe_psql('postgres', 'TRUNCATE done, memory.sessions CASCADE');
}

# Each reads a version and sets the next; it leaves it when another has come first.
$node->safe_psql('postgres', q{
	CREATE FUNCTION set_expecting(session text, read bigint, n int) RETURNS boolean LANGUAGE plpgsql AS $$
	BEGIN
		INSERT INTO done SELECT session, memory.set_session(session, jsonb_build_object('n', n + 1), user_id => 'ann', expected_version => read);
		RETURN true;
	EXCEPTION WHEN serialization_failure OR unique_violation THEN
		RETURN false;
	END $$;
});
write_all('expecting', q{
	\set s random(1, 3)
	SELECT coalesce(max(version), 0) AS read, coalesce(max((metadata ->> 'n')::int), 0) AS n FROM memory.session('s' || :s, user_id => 'ann') \gset
	SELECT set_expecting('s' || :s, :read, :n);
} =~ s/^\t+//mgr);
my ($done, $versions, $counted) = split /\|/, $node->safe_psql('postgres', q{SELECT (SELECT count(*) FROM done), sum(version), sum((metadata ->> 'n')::int) FROM memory.sessions});
cmp_ok($done, '>', 0, 'some came first');
cmp_ok($done, '<', $writers * $each, 'and some did not');
is("$versions|$counted", "$done|$done", 'expecting: what was read and set counts exactly those that were answered');
is($node->safe_psql('postgres', q{SELECT deadlocks FROM pg_stat_database WHERE datname = 'postgres'}), '0', 'no deadlock');
$node->safe_psql('postgres', 'TRUNCATE done, memory.sessions CASCADE');

# They are busy when the server is killed.
my $out = $node->basedir . '/versions';
my @busy = map {
	append_to_file("$out-$_.sql", qq{SELECT memory.set_session('s', '{"w$_": 1}', user_id => 'ann');\n} x 20000);
	IPC::Run::start([ 'psql', '-XAtq', '-d', $node->connstr('postgres'), '-f', "$out-$_.sql" ], '>', "$out-$_", '2>', '/dev/null');
} 1 .. $writers;
ok($node->poll_query_until('postgres', q{SELECT version > 300 FROM memory.session('s', user_id => 'ann')}), 'writers are busy');
$node->stop('immediate');
$_->finish for @busy;
$node->start;
my %answered;
$answered{$_}++ for map { grep { /^\d+$/ } split /\n/, slurp_file("$out-$_") } 1 .. $writers;
my ($newest) = sort { $b <=> $a } keys %answered;
cmp_ok($newest, '>', 300, 'versions were answered');
is(join(' ', grep { $answered{$_} > 1 } keys %answered), '', 'none of them twice');
my $version = $node->safe_psql('postgres', q{SELECT version FROM memory.session('s', user_id => 'ann')});
cmp_ok($version, '>=', $newest, 'the newest of them is there');
# Each client may have had one call that was committed and not answered.
cmp_ok($version - keys %answered, '<=', $writers, 'and no more than were made');
is($node->safe_psql('postgres', q{SELECT memory.set_session('s', '{"again": 1}', user_id => 'ann')}), $version + 1, 'setting goes on');
$node->stop;
done_testing();
