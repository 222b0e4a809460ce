# One run of the whole API on one plain server, and the same on another arrangement of its users: databases behind a front,
# partitions, a standby. Every row of every answer must be the same, errors with their SQLSTATE, message and hint
# among them. Made-up ids are compared by the order in which they appear, and times of now not at all.
package Oracle;

use strict;
use warnings FATAL => 'all';
use Memory;
use Test::More;

# The seed of what users write and ask at random.
our $seed = $ENV{MEMORY_SEED} // time;

# $plain and $other are a node and a database each, with init(3) and memory.anonymous = allow.
sub new
{
	my ($class, $plain, $other) = @_;
	my ($today) = $plain->[0]->safe_psql($plain->[1], "SET TimeZone = 'UTC'; SELECT concat_ws('|', current_date, current_date + 1)");
	return bless { plain => $plain, other => $other, today => $today, called => {}, rows => 0 }, $class;
}

# The functions that have been called, and how many rows the answers had.
sub called { return keys %{ $_[0]{called} } }
sub rows { return $_[0]{rows} }

# Plays everything. Where the other side follows by itself, as a standby does, $caught_up waits for it, and only what reads is asked there.
sub run
{
	my ($self, $caught_up) = @_;
	note("MEMORY_SEED=$seed");
	srand($seed);
	for my $chapter (chapters())
	{
		my ($writes, $what, @statements) = @$chapter;
		if ($writes && $caught_up) { $self->transcript('plain', @statements); $caught_up->() }
		else { $self->same($what, @statements) }
	}
	return;
}

# A test: both sides answer the same.
sub same
{
	my ($self, $what, @statements) = @_;
	for my $statement (@statements) { $self->{called}{$1} = 1 while $statement =~ /memory\.(\w+)\(/g }
	my ($expected, $got) = map { $self->comparable($self->transcript($_, @statements)) } qw(plain other);
	same_lines($got, $expected, $what);
	$self->{rows} += () = $expected =~ /^(?!--|ERROR|HINT|DETAIL).+$/mg;
	return;
}

# What psql says to all of it, in one session.
sub transcript
{
	my ($self, $side, @statements) = @_;
	my ($node, $database) = @{ $self->{$side} };
	my $script = join '', map { '\echo -- ' . s/:'/: '/gr . "\n$_" . (/\\gset$/ ? "\n" : ";\n") } map { s/\s*\n\s*/ /gr } "SET TimeZone = 'UTC'", @statements;
	my $out = '';
	IPC::Run::run([ 'psql', '-XAtq', '-v', 'VERBOSITY=verbose', '-d', $node->connstr($database) ], '<', \$script, '>&', \$out);
	return $out;
}

sub comparable
{
	my ($self, $text) = @_;
	my ($n, %id) = (0);
	$text =~ s/\b([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12})\b/$id{$1} \/\/= 'id' . ++$n/ge;
	$text =~ s/(?:$self->{today})[ T][\d:.]+(\+00(:00)?)?/now/g;
	$text =~ s/^- \d\d:\d\d /- now /mg;
	$text =~ s/"digest": "\w+"/"digest": …/g;
	$text =~ s/^(psql:)?<stdin>:\d+: //mg;
	$text =~ s/^CONTEXT: .*\n((?!ERROR|HINT|DETAIL|WARNING|--)[^\n]*\n)*//mg;
	$text =~ s/("line": )"?(-?\d+)"?/$1 . ($id{"line $2"} \/\/= 'line' . ++$n)/ge;
	$text =~ s/^(NOTICE:  (00000: )?PL\/Proxy: dropping stale conn|LOCATION: .*)\n//mg;
	return $text;
}

# --- what is played -----------------------------------------------------------------------------------

# The chapters in their order, each a session: whether it writes, what it shows, its statements. $u of a user is quoted.
my @users = ("'ada'", "'bob'", "'Zoë'", "'東京'", "'o''hara'", 'NULL', map { "'user $_'" } 1 .. 6);

sub chapters
{
	my $n = 0;
	return (
		(map { [ 1, "what $_ writes answers the same", writes($_, ++$n), random_writes($_) ] } @users),
		(map { [ 0, "and what $_ reads", reads($_), random_reads($_) ] } @users, "'nobody'"),
		[ 1, 'settings: namespace, user, agent, session', "SET memory.namespace = 'work'", "SET memory.user_id = 'ada'", "SET memory.agent_id = 'critic'", "SET memory.session_id = 's'",
			"SELECT memory.remember('the meeting is at ten', occurred_at => '2026-01-01')", 'SELECT content, agent_id, session_id FROM memory.recall_recent()', 'RESET memory.agent_id', "SELECT memory.remember('without an agent', occurred_at => '2026-01-02')",
			'SELECT content, agent_id, session_id FROM memory.recall_recent()', 'SELECT * FROM memory.scope()', 'SELECT memory.current_user_id()', "SELECT * FROM memory.set_scope('bob')", "SELECT * FROM memory.recall('meeting')", "SELECT * FROM memory.recall('night train')",
			"SELECT m.content FROM memory.set_scope(user_id => 'ada', is_local => true) s, LATERAL memory.recall('night train', user_id => s.user_id) m", 'SELECT user_id FROM memory.scope()' ],
		[ 1, 'limits and weights', "SET memory.max_content = '1kB'", "SELECT memory.remember(repeat('x', 1025), user_id => 'ada')", 'SET memory.fusion = rrf', "SELECT * FROM memory.recall_scored('night train', user_id => 'ada', embedding => '[1,1,2]')",
			'RESET memory.max_content', "SELECT memory.remember(repeat('x', 1025), user_id => 'ada') IS NOT NULL" ],
		[ 1, 'anonymous calls', "SET memory.anonymous = 'deny'", "SELECT memory.recall('train')", "SELECT memory.remember('x')" ],
		[ 1, 'errors: SQLSTATE, message and hint', "SELECT memory.remember(NULL, user_id => 'ada')", "SELECT memory.remember('x', user_id => '')", "SELECT * FROM memory.recall('x', k => -1, user_id => 'bob')", "SELECT * FROM memory.recall('x', filter => '{\"a\": {\"\$nope\": 1}}', user_id => 'ada')",
			"SELECT memory.remember('x', embedding => '[1,2]', user_id => 'Zoë')", "SELECT memory.forget(user_id => 'ada')", "SELECT memory.put_item('{a}', 'k', '1', expected_version => 77, user_id => 'ada')" ],
		[ 0, 'functions without a user', "SELECT * FROM memory.tokens('night trains', 'english_stem')", "SELECT memory.highlight('the night train', 'train')", "SELECT memory.clean_json('{\"a\": \"\\u0000b\"}')", "SELECT memory.hash_embedding('a text', 8)",
			"SELECT memory.normalize_predicate('Lives In')", "SELECT * FROM memory.message_text('{\"role\": \"user\", \"content\": \"hello\"}')", "SELECT memory.shard_of('ada', 64), memory.shard_of(NULL, 4)" ],
		[ 1, 'what is for all databases', "SELECT memory.use_model('embed', 'hash', options => '{\"dimensions\": 3}')", 'SELECT * FROM memory.used_models()', "SELECT memory.define_predicate('visits', 'many')", "SELECT memory.set_retention('episode', 'short_term', ttl => '1 day')",
			(map { "SELECT memory.remember('embedded here', user_id => $_, occurred_at => '2026-02-01')" } @users), (map { "SELECT * FROM memory.recall_scored('embedded here', user_id => $_)" } @users),
			"SELECT memory.drop_model('embed')", 'SELECT * FROM memory.used_models()', "SELECT memory.retry_jobs()", "SELECT memory.set_dictionary('simple')", "SELECT memory.sweep() ->> 'episodes'", 'SET client_min_messages = error', 'SELECT memory.scrub() >= 0' ],
		[ 1, 'a user as lines', q{SELECT array_agg(replace(line::text, '"user_id": "ada"', '"user_id": "noa"')) AS lines FROM memory.export_user('ada') line \gset},
			"SELECT memory.import_user(:'lines'::jsonb[])", "SELECT memory.import_user(:'lines'::jsonb[], 'eve')" ],
		(map { [ 0, "... and what $_ reads", reads($_) ] } "'noa'", "'eve'"),
		[ 1, 'forgetting', "SELECT memory.forget('ada', id => '00000000-0000-7000-8000-000000000001')", "SELECT memory.forget('bob', session_id => 'monday')", "SELECT memory.forget_user('Zoë')", "SELECT memory.forget(before => 'infinity')" ],
		(map { [ 0, "... and what $_ reads", reads($_) ] } "'ada'", "'bob'", "'Zoë'", 'NULL'));
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
		"SELECT memory.put_writes('monday', 'c3', 'task', '{0}', '{channel}', '{json}', ARRAY['\\x7b7d'::bytea], user_id => $u)",
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

# --- at random ----------------------------------------------------------------------------------------

my @words = qw(night train Vienna tea coffee Oslo winter ticket window river bridge letter sister garden music violin concert Tuesday morning rain harbour boat island map compass);
sub one_of { return $_[ int rand @_ ] }
sub text { my ($most) = @_; return join ' ', map { one_of(@words) } 1 .. 1 + int rand $most }
sub vector { return sprintf '[%d,%d,%d]', 1 + int rand 5, map { int rand 5 } 1 .. 2 }
sub id { return sprintf '00000000-0000-7000-8000-%012x', 256 + int rand 20 }
sub day { return sprintf '2026-%02d-%02d', 1 + int rand 6, 1 + int rand 28 }

# Of each room what changes rows; ids come again, so that some of it is refused.
sub random_writes
{
	my ($u) = @_;
	my @kinds = (
		(sub { sprintf "SELECT memory.remember('%s', user_id => $u, id => '%s', embedding => '%s', occurred_at => '%s', agent_id => '%s', metadata => '{\"n\": %d}', importance => %.1f)", text(8), id(), vector(), day(), one_of(qw(guide critic)), rand 9, 0.1 + rand 0.9 }) x 5,
		sub { sprintf "SELECT memory.revise('%s', '%s', user_id => $u)", id(), text(8) },
		sub { sprintf "SELECT memory.reinforce('{%s}', %d, user_id => $u)", id(), 1 + rand 3 },
		sub { sprintf "SELECT memory.forget($u, id => '%s')", id() },
		(sub { sprintf "SELECT memory.assert_fact('%s', '%s', '%s', user_id => $u, valid_from => '%s', confidence => %.1f)", one_of(@words[ 0 .. 4 ]), one_of('is near', 'likes', 'lives in'), one_of(@words), day(), rand }) x 3,
		sub { sprintf "SELECT memory.retract_fact('%s', '%s', user_id => $u, valid_from => '%s')", one_of(@words[ 0 .. 4 ]), one_of('is near', 'likes', 'lives in'), day() },
		sub { sprintf "SELECT memory.put_item('{%s}', '%s', '{\"n\": %d}', user_id => $u, texts => '{%s}')", one_of('a', 'a,b', 'c'), one_of(qw(k l m)), rand 9, text(3) },
		sub { sprintf "SELECT memory.delete_items('{%s}', '{%s}', user_id => $u)", one_of('a', 'c'), one_of(qw(k l m)) },
		sub { sprintf "SELECT memory.set_block('%s', '%s', user_id => $u)", one_of(qw(human plan)), text(6) },
		sub { sprintf "SELECT * FROM memory.add_messages('%s', '[{\"role\": \"%s\", \"content\": \"%s\"}]', user_id => $u)", one_of(qw(s t)), one_of(qw(user assistant)), text(8) },
		sub { sprintf "SELECT memory.put_checkpoint('%s', '{\"text\": \"%s\"}', id => '%s', user_id => $u)", one_of(qw(s t)), text(8), one_of(qw(x y z)) });
	my @first = map { one_of(@kinds)->() } 1 .. 40;
	my @second = map { one_of(@kinds)->() } 1 .. 20;
	return (@first, 'SELECT clock_timestamp() AS known \gset', @second, "SELECT * FROM memory.facts(user_id => $u, k => 100, known_at => :'known')");
}

sub random_reads
{
	my ($u) = @_;
	return (
		(map { sprintf "SELECT * FROM memory.recall_scored('%s', user_id => $u, k => 20%s)", text(3), one_of('', sprintf(", embedding => '%s'", vector()), sprintf(", since => '%s'", day()), ', diversity => 0.5', ", agent_id => 'guide'") } 1 .. 6),
		(map { sprintf "SELECT * FROM memory.facts(user_id => $u, valid_at => '%s', k => 100)", day() } 1 .. 3),
		(map { "SELECT * FROM memory.fact_history('$_', 'likes', user_id => $u)" } @words[ 0 .. 4 ]),
		sprintf("SELECT * FROM memory.items('{}', query => '%s', user_id => $u)", text(3)),
		(map { ("SELECT * FROM memory.messages('$_', user_id => $u)", "SELECT * FROM memory.checkpoints('$_', user_id => $u)") } qw(s t)),
		sprintf("SELECT memory.context('%s', user_id => $u)", text(4)));
}

1;
