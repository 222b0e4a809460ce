# One front for all: the same calls on one plain server and through a front whose users are on three servers, and every row of
# every answer is the same, errors with their SQLSTATE, message and hint among them. Made-up ids are compared by the order in
# which they appear, and times of now not at all.
use strict;
use warnings FATAL => 'all';
use File::Basename qw(dirname);
use Memory;
use PostgreSQL::Test::Utils;
use Shards;
use Test::More;

my $plain = start_server('plain', 'memory.anonymous' => 'allow');
plan skip_all => 'PL/Proxy is not installed' if $plain->safe_psql('postgres', q{SELECT count(*) FROM pg_available_extensions WHERE name = 'plproxy'}) eq '0';

my %node = map { $_ => start_server($_, 'memory.anonymous' => 'allow') } qw(a b c);
$node{a}->safe_psql('postgres', 'CREATE DATABASE front');
my $front = '[front f]' . "\nconnect = host=" . $node{a}->host . ' port=' . $node{a}->port . " dbname=front\n";
sub settings { return configure("shards = 4\ndimensions = 3\n$front", %node) }
configure("shards = 4\ndimensions = 3", %node);
shards_ok(['create'], qr/^4 databases made/, 'four databases on three servers');
settings();
shards_fail([ '--fast', 'check' ], qr/schema "memory_front" does not exist/, 'a front that is not made is found');
shards_ok([ '--dry-run', 'front' ], qr/CREATE FUNCTION memory_front\.recall\(/, 'a dry run shows what it is made of');
shards_ok(['front'], qr/^front f has the functions of memory_00$/, 'a front is made');
shards_ok(['front'], qr/^front f has/, 'and again');
shards_ok([ '--fast', 'check' ], qr/^no problems$/, 'and is of the version of the databases');
$plain->safe_psql('postgres', 'CREATE EXTENSION memory CASCADE; SELECT memory.init(3)');

# --- the oracle ---------------------------------------------------------------------------------------
my $today = $plain->safe_psql('postgres', q{SELECT concat_ws('|', current_date, current_date + 1)});
my %called;
sub comparable
{
	my ($text) = @_;
	my ($n, %id) = (0);
	$text =~ s/\b([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\b/$id{$1} \/\/= 'id' . ++$n/ge;
	$text =~ s/(?:$today)[ T][\d:.]+(\+00(:00)?)?/now/g;
	$text =~ s/^- \d\d:\d\d /- now /mg;
	$text =~ s/"digest": "\w+"/"digest": …/g;
	$text =~ s/^(psql:)?<stdin>:\d+: //mg;
	$text =~ s/^CONTEXT: .*\n((?!ERROR|HINT|DETAIL|WARNING|--)[^\n]*\n)*//mg;
	$text =~ s/("line": )"?(-?\d+)"?/$1 . ($id{"line $2"} \/\/= 'line' . ++$n)/ge;
	$text =~ s/^(NOTICE:  (00000: )?PL\/Proxy: dropping stale conn|LOCATION: .*)\n//mg;
	return $text;
}

sub transcript
{
	my ($where, $database, @statements) = @_;
	my $script = join '', map { "\\echo -- $_\n$_;\n" } map { s/\s*\n\s*/ /gr } @statements;
	my ($out) = ('');
	IPC::Run::run([ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-d', $where->connstr($database) ], '<', \$script, '>&', \$out);
	return $out;
}

sub same_answers
{
	my ($what, @statements) = @_;
	for my $statement (@statements) { $called{$1} = 1 while $statement =~ /memory\.(\w+)\(/g }
	my @all = ("SET TimeZone = 'UTC'", @statements);
	my ($expected, $got) = map { comparable($_) } transcript($plain, 'postgres', @all), transcript($node{a}, 'front', @all);
	same_lines($got, $expected, $what);
	return scalar(() = $expected =~ /^(?!--|ERROR|HINT|DETAIL).+$/mg);
}

# What one user does in one session; $u is quoted.
sub writes
{
	my ($u, $n) = @_;
	my $day = "'2026-01-01'::timestamptz";
	return (
		"SELECT memory.remember('the night train to Vienna leaves at $n', user_id => $u, kind => 'note', metadata => '{\"n\": $n}', embedding => '[$n,1,2]', occurred_at => $day)",
		"SELECT memory.remember('written ' || n, 'and answered', user_id => $u, session_id => 'monday', agent_id => 'guide', occurred_at => $day + n * interval '1 hour', embedding => format('[%s,1,1]', n)::vector) FROM generate_series(1, 30) n",
		"SELECT memory.remember('by id', user_id => $u, id => '00000000-0000-7000-8000-000000000001', occurred_at => $day)",
		"SELECT memory.revise('00000000-0000-7000-8000-000000000001', 'by id, revised', user_id => $u)",
		"SELECT memory.remember_many('[{\"content\": \"one of two\", \"occurred_at\": \"2026-01-05\"}, {\"content\": \"the other\", \"occurred_at\": \"2026-01-06\"}]', user_id => $u)",
		"SELECT memory.assert_fact('Ada', 'lives in', city, user_id => $u) FROM unnest('{Oslo,Rome,Tokyo}'::text[]) city",
		"SELECT memory.assert_facts('[{\"subject\": \"Ada\", \"predicate\": \"likes\", \"object\": \"trains\"}, {\"subject\": \"Bob\", \"predicate\": \"knows\", \"object\": \"Ada\"}]', user_id => $u)",
		"SELECT memory.correct_fact(id, 'Kyoto', user_id => $u) FROM memory.facts('Ada', 'lives in', user_id => $u)",
		"SELECT memory.retract_fact('Ada', 'likes', 'trains', user_id => $u)",
		"SELECT memory.reject_fact('Ada', 'likes', 'rain', user_id => $u)",
		"SELECT memory.merge_entities('Ada', 'Ada L.', user_id => $u)",
		"SELECT * FROM memory.add_messages('monday', '[{\"role\": \"user\", \"content\": \"When does it leave?\"}, {\"role\": \"assistant\", \"content\": \"At nine.\"}]', user_id => $u)",
		"SELECT memory.set_session('monday', '{\"topic\": \"trains\"}', user_id => $u)",
		"SELECT memory.put_checkpoint('monday', jsonb_build_object('step', n, 'text', repeat('state ', 50)), id => 'c' || n, parent => 'c' || nullif(n - 1, 0), user_id => $u) FROM generate_series(1, 12) n",
		"SELECT memory.put_writes('monday', 'c3', 'task', '{channel}', '{json}', ARRAY['\\x7b7d'::bytea], user_id => $u)",
		"SELECT memory.prune_checkpoints('monday', 8, user_id => $u)",
		"SELECT memory.fork_session('monday', 'tuesday', user_id => $u)",
		"SELECT memory.save_run('r1', 'monday', 'paused', '{\"step\": 1}', user_id => $u)",
		"SELECT memory.save_run('r2', 'monday', 'running', '{\"step\": 2}', user_id => $u)",
		"SELECT memory.delete_runs('{r2}', user_id => $u)",
		"SELECT memory.set_summary('monday', 'about trains', user_id => $u)",
		"SELECT memory.set_profile('{\"home\": \"Oslo\"}', user_id => $u)",
		"SELECT memory.set_policy(user_id => $u)",
		"SELECT memory.set_block('human', 'Ada, who likes trains', user_id => $u)",
		"SELECT memory.append_block('human', 'and tea', user_id => $u)",
		"SELECT memory.edit_block('human', 'tea', 'coffee', user_id => $u)",
		"SELECT memory.set_block('/notes/a', 'a note', user_id => $u)",
		"SELECT memory.rename_block('/notes/a', '/notes/b', user_id => $u)",
		"SELECT memory.move_block('/notes', '/kept', user_id => $u)",
		"SELECT memory.delete_block('/kept/b', user_id => $u)",
		"SELECT memory.put_item('{users,ada}', 'likes', '{\"tea\": 1.50}', user_id => $u, texts => '{tea}')",
		"SELECT memory.put_items('[{\"path\": [\"a\"], \"key\": \"k\", \"value\": 1}, {\"path\": [\"a\"], \"key\": \"l\", \"value\": {\"x\": [1]}}]', user_id => $u)",
		"SELECT memory.touch_items('{a}', '{k}', user_id => $u)",
		"SELECT memory.delete_items('{a}', '{l}', user_id => $u)",
		"SELECT memory.reinforce('{00000000-0000-7000-8000-000000000001}', 2, user_id => $u)",
		"SELECT * FROM memory.consolidate(dry_run => false, user_id => $u)",
		"SELECT memory.undo_consolidation(kept, user_id => $u) FROM memory.consolidate(0.5, user_id => $u)",
		"SELECT memory.import_markdown('MEMORY.md', E'# Memory\\n\\n## Facts\\n- Ida | lives in | Bern\\n', user_id => $u)",
		"SELECT memory.drop_messages('tuesday', user_id => $u)",
		"SELECT memory.delete_session('tuesday', user_id => $u)");
}

sub reads
{
	my ($u) = @_;
	return (
		"SELECT * FROM memory.recall('night train', user_id => $u)",
		"SELECT * FROM memory.recall_scored('night train written answered', user_id => $u, k => NULL, embedding => '[7,1,2]')",
		"SELECT * FROM memory.recall_scored('night train', user_id => $u, filter => '{\"n\": {\"\$gt\": 2}}', fusion => 'rrf')",
		"SELECT * FROM memory.recall_semantic('[3,1,2]', user_id => $u, k => 20)",
		"SELECT * FROM memory.recall_recent(user_id => $u, k => 7)",
		"SELECT * FROM memory.get('00000000-0000-7000-8000-000000000001', user_id => $u)",
		"SELECT memory.get('00000000-0000-7000-8000-0000000000ff', user_id => $u)",
		"SELECT memory.explain_recall('00000000-0000-7000-8000-000000000001', 'revised', user_id => $u)",
		"SELECT * FROM memory.facts(user_id => $u)",
		"SELECT * FROM memory.fact_history('Ada', 'lives in', user_id => $u)",
		"SELECT * FROM memory.recall_facts('where does Ada live', user_id => $u)",
		"SELECT * FROM memory.recall_graph('Ada', user_id => $u)",
		"SELECT * FROM memory.neighbors('Ada', user_id => $u)",
		"SELECT * FROM memory.traverse('{Bob}', user_id => $u)",
		"SELECT * FROM memory.messages('monday', user_id => $u)",
		"SELECT * FROM memory.session('monday', user_id => $u)",
		"SELECT * FROM memory.sessions(user_id => $u)",
		"SELECT memory.load_session('monday', user_id => $u)",
		"SELECT * FROM memory.checkpoint('monday', user_id => $u)",
		"SELECT * FROM memory.checkpoints('monday', user_id => $u)",
		"SELECT * FROM memory.writes('monday', 'c3', user_id => $u)",
		"SELECT * FROM memory.run('r1', user_id => $u)",
		"SELECT * FROM memory.runs(user_id => $u)",
		"SELECT * FROM memory.summary('monday', user_id => $u)",
		"SELECT memory.profile(user_id => $u)",
		"SELECT * FROM memory.block('human', user_id => $u)",
		"SELECT * FROM memory.blocks(user_id => $u)",
		"SELECT * FROM memory.block_history('human', user_id => $u)",
		"SELECT memory.render_blocks(user_id => $u)",
		"SELECT * FROM memory.item('{users,ada}', 'likes', user_id => $u)",
		"SELECT * FROM memory.items('{}', user_id => $u)",
		"SELECT * FROM memory.items('{}', query => 'tea', user_id => $u)",
		"SELECT * FROM memory.item_paths('{}', user_id => $u)",
		"SELECT memory.overview(user_id => $u)",
		"SELECT memory.context('when does the train leave', user_id => $u, session_id => 'monday')",
		"SELECT memory.strength('00000000-0000-7000-8000-000000000001', '2027-01-01', user_id => $u) > 0",
		"SELECT * FROM memory.export_markdown($u)",
		"SELECT memory.export_user($u)");
}

my @users = ("'ada'", "'bob'", "'Zoë'", "'東京'", "'o''hara'", 'NULL', map { "'user $_'" } 1 .. 6);
my $rows = 0;
$rows += same_answers("what $users[$_] writes answers the same", writes($users[$_], $_ + 1)) for 0 .. $#users;
$rows += same_answers("and what $_ reads", reads($_)) for @users, "'nobody'";
note("$rows rows");
cmp_ok($rows, '>', 3000, 'and there is much of it');

# Settings travel with each call.
same_answers('settings: namespace, user, agent, session', "SET memory.namespace = 'work'", "SET memory.user_id = 'ada'", "SET memory.agent_id = 'critic'", "SET memory.session_id = 's'",
	"SELECT memory.remember('the meeting is at ten', occurred_at => '2026-01-01')", 'SELECT content, agent_id, session_id FROM memory.recall_recent()', 'RESET memory.agent_id', "SELECT memory.remember('without an agent', occurred_at => '2026-01-02')",
	'SELECT content, agent_id, session_id FROM memory.recall_recent()', 'SELECT * FROM memory.scope()', 'SELECT memory.current_user_id()', "SELECT * FROM memory.set_scope('bob')", "SELECT * FROM memory.recall('meeting')", "SELECT * FROM memory.recall('night train')",
	"SELECT m.content FROM memory.set_scope(user_id => 'ada', is_local => true) s, LATERAL memory.recall('night train', user_id => s.user_id) m", 'SELECT user_id FROM memory.scope()');
same_answers('limits and weights', "SET memory.max_content = '1kB'", "SELECT memory.remember(repeat('x', 1025), user_id => 'ada')", 'SET memory.fusion = rrf', "SELECT * FROM memory.recall_scored('night train', user_id => 'ada', embedding => '[1,1,2]')",
	'RESET memory.max_content', "SELECT memory.remember(repeat('x', 1025), user_id => 'ada') IS NOT NULL");
same_answers('anonymous calls', "SET memory.anonymous = 'deny'", "SELECT memory.recall('train')", "SELECT memory.remember('x')");
same_answers('errors: SQLSTATE, message and hint', "SELECT memory.remember(NULL, user_id => 'ada')", "SELECT memory.remember('x', user_id => '')", "SELECT * FROM memory.recall('x', k => -1, user_id => 'bob')", "SELECT * FROM memory.recall('x', filter => '{\"a\": {\"\$nope\": 1}}', user_id => 'ada')",
	"SELECT memory.remember('x', embedding => '[1,2]', user_id => 'Zoë')", "SELECT memory.forget(user_id => 'ada')", "SELECT memory.put_item('{a}', 'k', '1', expected_version => 77, user_id => 'ada')");
same_answers('functions without a user', "SELECT * FROM memory.tokens('night trains', 'english_stem')", "SELECT memory.highlight('the night train', 'train')", "SELECT memory.clean_json('{\"a\": \"\\u0000b\"}')", "SELECT memory.hash_embedding('a text', 8)",
	"SELECT memory.normalize_predicate('Lives In')", "SELECT * FROM memory.message_text('{\"role\": \"user\", \"content\": \"hello\"}')", "SELECT memory.shard_of('ada', 64), memory.shard_of(NULL, 4)");
same_answers('what is for all databases', "SELECT memory.use_model('embed', 'hash', options => '{\"dimensions\": 3}')", 'SELECT * FROM memory.used_models()', "SELECT memory.define_predicate('visits', 'many')", "SELECT memory.set_retention('episode', 'short_term', ttl => '1 day')",
	(map { "SELECT memory.remember('embedded here', user_id => $_, occurred_at => '2026-02-01')" } @users), (map { "SELECT * FROM memory.recall_scored('embedded here', user_id => $_)" } @users),
	"SELECT memory.drop_model('embed')", 'SELECT * FROM memory.used_models()', "SELECT memory.retry_jobs()", "SELECT memory.set_dictionary('simple')", "SELECT memory.sweep() ->> 'episodes'", 'SET client_min_messages = error', 'SELECT memory.scrub() >= 0');

# A user as lines goes in under the user that they name.
my @lines = split /\n/, $plain->safe_psql('postgres', q{SELECT replace(line::text, '''', '''''') FROM memory.export_user('ada') line});
my $lines = join ', ', map { s/"user_id": "ada"/"user_id": "noa"/r } map { "'$_'" } @lines;
same_answers('a user as lines', "SELECT memory.import_user(ARRAY[$lines]::jsonb[])", "SELECT memory.import_user(ARRAY[$lines]::jsonb[], 'eve')", reads("'noa'"), reads("'eve'"));
same_answers('forgetting', "SELECT memory.forget('ada', id => '00000000-0000-7000-8000-000000000001')", "SELECT memory.forget('bob', session_id => 'monday')", "SELECT memory.forget_user('Zoë')", "SELECT memory.forget(before => 'infinity')", reads("'bob'"), reads("'Zoë'"), reads('NULL'));

is($node{a}->safe_psql('front', q{SELECT sum(rows) FROM memory.status WHERE thing = 'table' AND name = 'sessions'}), $plain->safe_psql('postgres', q{SELECT sum(rows) FROM memory.status WHERE thing = 'table' AND name = 'sessions'}), 'the status of all databases counts what that of one does');
is($node{a}->safe_psql('front', q{SELECT string_agg(DISTINCT database, ' ' ORDER BY database) FROM memory.status}), 'memory_00 memory_01 memory_02 memory_03', '... of each');
my $never = $node{a}->safe_psql('front', q{SELECT string_agg(proname, ' ' ORDER BY proname) FROM pg_proc WHERE pronamespace = 'memory'::regnamespace});
is(join(' ', grep { !$called{$_} } split / /, $never), 'create_vector_index grant_access init protect revoke_access unprotect', 'every function of the front was called, but for those of the owner');

# --- what a front refuses, and rights -----------------------------------------------------------------
my (undef, undef, $err) = $node{a}->psql('front', q{SELECT memory.remember_many('[{"content": "a", "user_id": "ada"}, {"content": "b", "user_id": "bob"}]')}, extra_params => [ '-v', 'VERBOSITY=verbose' ]);
like($err, qr/ERROR:  22023: episodes\[2\]\.user_id is bob, and that of an element before is ada\n.*HINT:  Users may be in different databases/s, 'elements of two users in one call are refused');
is($node{a}->safe_psql('front', q{SELECT count(*) FROM memory.remember_many('[{"content": "a", "user_id": "mia"}, {"content": "b", "user_id": "mia"}]')}), '2', '... of one they are written');
is($node{a}->safe_psql('front', q{SELECT count(*) FROM memory.recall_recent(user_id => 'mia')}), '2', '... where that user is');
shards_ok(['check'], qr/^no problems$/, 'every user is where it belongs, and the indexes are whole');
$_->safe_psql('postgres', 'CREATE ROLE app LOGIN') for values %node;
my $as_app = $node{a}->connstr('front') . ' user=app';
like((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SELECT memory.recall('train', user_id => 'bob')" ]))[1], qr/permission denied/, 'a role that has no rights in the databases has none through the front');
$node{a}->safe_psql('front', q{SELECT memory.grant_access('app', 'reader')});
is((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SELECT count(*) FROM memory.recall('train', user_id => 'user 3')" ]))[0], '1', '... and with rights it reads');
$node{a}->safe_psql('front', q{SELECT memory.grant_access('app', 'writer'); SELECT memory.protect()});
is((run_command([ 'psql', '-XAtq', '-d', $as_app, '-c', "SET memory.user_id = 'user 3'; SELECT count(*) FROM memory.recall('train', user_id => 'user 4'); SELECT count(*) FROM memory.recall('train')" ]))[0], "0\n1", 'protect() holds through the front');
$node{a}->safe_psql('front', q{SELECT memory.unprotect(); SELECT memory.revoke_access('app'); SELECT memory.init(3)});

# --- a shard stopped and started; a front older than its shards ---------------------------------------
my $there = user_of(0, 3, 4); # the last database is on the last server
my $here = user_of(0, 0, 4);
$node{a}->safe_psql('front', "SELECT memory.remember('kept', user_id => '$_')") for $there, $here;
$node{c}->stop('immediate');
(undef, undef, $err) = $node{a}->psql('front', "SELECT memory.recall('kept', user_id => '$there')");
like($err, qr/ERROR/, 'while a server is down its users get errors');
is($node{a}->safe_psql('front', "SELECT content FROM memory.recall('kept', user_id => '$here')"), 'kept', '... and others answers');
$node{c}->start;
is($node{a}->safe_psql('front', "SELECT content FROM memory.recall('kept', user_id => '$there')"), 'kept', 'when it is back, its users are');
$node{$_->[0]}->safe_psql($_->[1], 'CREATE FUNCTION memory.greeting() RETURNS text LANGUAGE sql RETURN 1') for [ a => 'memory_00' ];
shards_fail([ '--fast', 'check' ], qr/^front f was made of another version: memory-shards front$/m, 'a front older than its shards is found');
$node{a}->safe_psql('memory_00', 'DROP FUNCTION memory.greeting()');
$node{a}->safe_psql('postgres', 'CREATE DATABASE own');
$node{a}->safe_psql('own', 'CREATE EXTENSION memory CASCADE; SELECT memory.init()');
$front =~ s/dbname=front/dbname=own/;
settings();
shards_fail(['front'], qr/front f has memories of its own/, 'a database with memories is not made a front');
done_testing();
