# double: after shards is twice what it was in the file, each database is split in two while clients go on. It is copied and
# followed on its own server, as for a move; then clients of the new half wait, a fraction of a second, for the rest. The
# other half does not wait.
#
# Poolers send clients of memory_05 to memory_01 until it is split. What has been done is seen from what is there:
#     memory_01                                          nothing, or a publication
#     ... and memory_05_incoming without a subscription  half a schema: made again. With memory_01 guarded: the switch
#     ... with a subscription                            copied, or being copied
#     memory_05, and one of both guarded                 done but for the poolers, and for what is forgotten in each
package Double;
our @ISA = ('Move');

use constant guard => 'memory_shards_split';

sub new
{
	my ($class, $fleet, $shard, %options) = @_;
	my ($low, $high) = ($fleet->database_of($shard - $fleet->shards / 2), $fleet->database_of($shard));
	my $home = $fleet->home($low);
	return bless { fleet => $fleet, shard => $shard, database => $low, high => $high, incoming => "${high}_incoming", slot => "memory_shards_$high", source => $home, target => $home,
		limit => $options{wait} // 10, verify => $options{verify} }, $class;
}

sub double
{
	my ($fleet, %options) = @_;
	die "shards is 1; write twice as many as there are\n" if $fleet->shards == 1;
	my @all = map { Double->new($fleet, $_, %options) } $fleet->shards / 2 .. $fleet->shards - 1;
	my @unknown = grep { $_->is_unknown } @all;
	$fleet->write_poolers;
	if (@unknown && !$Server::dry_run)
	{
		print "the poolers know $_->{high}, which is $_->{database} so far\n" for @unknown;
		printf "when the applications have n = %d: memory-shards double\n", $fleet->shards;
		return;
	}
	$_->split for @all;
	printf "%d databases, all of them split\n", $fleet->shards unless $Server::dry_run;
	return;
}

# Clients cannot be told to wait under a name that the poolers did not have before.
sub is_unknown
{
	my ($self) = @_;
	my ($fleet, $high) = @$self{qw(fleet high)};
	return !$fleet->holders($high) && grep { !Fleet::pooled($_)->{$high} } $fleet->poolers;
}

sub split
{
	my ($self) = @_;
	my ($fleet, $source, $database, $high, $incoming) = @$self{qw(fleet source database high incoming)};
	if ($fleet->holders($high)) { return $self->finish }
	die "$database is being moved: memory-shards move ends it, cancel gives it up\n" if $fleet->holders("${database}_incoming");
	my @elsewhere = grep { $_->name ne $source->name } $fleet->holders($incoming);
	die "$incoming is on $elsewhere[0]{name}, and $database on " . $source->name . ": drop it\n" if @elsewhere;
	if ($fleet->holders($incoming) && !$self->has_subscription && Guard::is_put($source, $database, guard)) { return $self->release }
	$self->recover;
	$self->check;
	$self->copy unless $self->is_subscribed;
	$self->guard_users($incoming);
	$self->follow;
	$self->switch;
	return;
}

# The users of the other half are refused: in the old database from the switch on, in the new one from the start.
sub guard_users
{
	my ($self, $database, $limit) = @_;
	my ($n, $shard, $low) = ($self->{fleet}->shards, $self->{shard}, $self->{database});
	my ($is, $to) = $database eq $low ? ('=', $self->{high}) : ('<>', $low);
	Guard::put($self->{source}, $database, guard, "memory.shard_of(nullif(ROW.user_id, ''), $n) $is $shard", '', $to, $low, $limit);
	return;
}

sub has_subscription
{
	my ($self) = @_;
	return $self->{target}->value($self->{incoming}, 'SELECT count(*) FROM pg_subscription s JOIN pg_database d ON d.oid = subdbid WHERE datname = current_database() AND subname = ' . Server::literal($self->{slot}));
}

# On one server the slot has to be there before the subscription.
sub subscribe
{
	my ($self, $from) = @_;
	my ($source, $database, $target, $incoming, $slot) = @$self{qw(source database target incoming slot)};
	$source->run($database, 'SELECT pg_create_logical_replication_slot(' . Server::literal($slot) . ", 'pgoutput');");
	$target->run($incoming, "CREATE SUBSCRIPTION $slot CONNECTION $from PUBLICATION " . Move::publication . ' WITH (create_slot = false);');
	return;
}

# A switch that was stopped half-way is taken back: clients go on meanwhile.
sub recover
{
	my ($self) = @_;
	Guard::drop($self->{source}, $self->{database}, guard) if Guard::is_put($self->{source}, $self->{database}, guard);
	$self->{fleet}->resume($self->{high}) unless $Server::dry_run;
	return;
}

sub switch
{
	my ($self) = @_;
	my ($fleet, $source, $database, $target, $incoming, $slot) = @$self{qw(fleet source database target incoming slot)};
	$target->run($incoming, "ALTER SUBSCRIPTION $slot SET (synchronous_commit = 'local');");
	$fleet->keep_connections;
	$target->keep($_) for $database, $incoming;
	$self->{paused_since} = Time::HiRes::time();
	if (!eval { $self->stop_writers; 1 })
	{
		my $why = $@;
		$self->recover;
		die $why . "$database is not split; the copy is kept, and the same command tries again\n";
	}
	eval { $self->release; 1 } or die $@ . "clients of $self->{high} wait: run the same command again\n";
	return;
}

sub stop_writers
{
	my ($self) = @_;
	my ($fleet, $database, $target) = @$self{qw(fleet database target)};
	$fleet->pause($self->{high}, $self->{limit}) or die "a transaction did not end within $self->{limit} seconds\n";
	$self->guard_users($database, $self->{limit});
	$self->caught_up($self->mark, $self->{limit}) or die "$self->{incoming} did not catch up within $self->{limit} seconds\n";
	$self->compare if $self->{verify};
	return;
}

# The rows that go to the new half, at both ends.
sub compare
{
	my ($self) = @_;
	my ($source, $database, $incoming) = @$self{qw(source database incoming)};
	if ($Server::dry_run) { print "-- every table has the same rows of these users at both ends\n"; return }
	my $these = "WHERE memory.shard_of(nullif(user_id, ''), " . $self->{fleet}->shards . ") = $self->{shard}";
	my @tables = map { "memory.$_" } $source->column($database, Users::tables);
	my ($before, $after) = map { Move::digest($source, $_, $these, @tables) } $database, $incoming;
	my @other = grep { $before->{$_} ne $after->{$_} } @tables;
	die "the rows of @other differ\n" if @other;
	return;
}

# What the copy has is all; it becomes the database.
sub release
{
	my ($self) = @_;
	my ($target, $high, $incoming, $slot) = @$self{qw(target high incoming slot)};
	$target->run($incoming, "BEGIN;\nALTER SUBSCRIPTION $slot DISABLE;\nALTER SUBSCRIPTION $slot SET (slot_name = NONE);\nDROP SUBSCRIPTION $slot;\nCOMMIT;")
	  if $Server::dry_run || $self->has_subscription;
	$target->let_go($incoming);
	my $name = Server::literal($incoming);
	Server::until_true('its worker is gone', sub { !$target->value('postgres', "SELECT count(*) FROM pg_stat_activity WHERE datname = $name") }, $self->{limit});
	$target->run('postgres', "ALTER DATABASE $incoming RENAME TO $high;");
	return $self->finish;
}

# Clients go on in the new half; then each half forgets the users of the other.
sub finish
{
	my ($self) = @_;
	my ($fleet, $source, $database, $high, $slot) = @$self{qw(fleet source database high slot)};
	$fleet->write_poolers;
	$fleet->resume($high);
	my $waited = defined $self->{paused_since} && !$Server::dry_run ? sprintf '; clients waited for %.0f ms', 1000 * (Time::HiRes::time() - $self->{paused_since}) : '';
	my $name = Server::literal($slot);
	$source->run('postgres', "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $name;")
	  if $Server::dry_run || $source->value('postgres', "SELECT count(*) FROM pg_replication_slots WHERE slot_name = $name");
	my $home = $Server::dry_run ? $source : $fleet->home($high);
	my %guarded = map { $_->[0] => $Server::dry_run || Guard::is_put($_->[1], $_->[0], guard) } [ $database, $source ], [ $high, $home ];
	return unless $guarded{$database} || $guarded{$high};
	$source->run($database, 'DROP PUBLICATION IF EXISTS ' . Move::publication . ';');
	my $others = $guarded{$high} ? forget_others($home, $high, $fleet->shards, $self->{shard}) : 0;
	my $gone = $guarded{$database} ? forget_others($source, $database, $fleet->shards, $self->{shard} - $fleet->shards / 2, $home, $high) : 0;
	$_->let_go for $source, $home;
	Guard::drop($home, $high, guard);
	Guard::drop($source, $database, guard);
	print "$database keeps $others users, $high has $gone$waited\n" unless $Server::dry_run;
	return;
}

# Forgets the users that do not belong to a shard, a few hundred in a transaction; returns how many there were in their
# namespaces. With another database, they must be there.
sub forget_others
{
	my ($server, $database, $shards, $shard, $home, $there) = @_;
	my $list = sub { my ($where, $database) = @_; return grep { @$_ > 1 } $where->rows($database, 'SELECT namespace, user_id FROM (' . Users::query($where, $database) . ") u WHERE memory.shard_of(nullif(user_id, ''), $shards) <> $shard ORDER BY 1, 2") };
	if ($Server::dry_run)
	{
		$server->show($database, Guard::as_mover . "SELECT memory.forget_user(user_id) FROM (each user) u WHERE memory.shard_of(user_id, $shards) <> $shard;");
		return 0;
	}
	my @others = $list->($server, $database);
	if ($there)
	{
		my %known = map { join("\0", @$_) => 1 } $list->($home, $there);
		my @lost = grep { !$known{ join "\0", @$_ } } @others;
		die "$database: user $lost[0][1] (in $lost[0][0]) and " . (@lost - 1) . " others are not in $there: forgotten there since the switch, or lost; nothing is forgotten.\n"
		  . "memory-shards move-user brings one there; SET memory_shards.mover = 'on'; SELECT memory.forget_user('…') takes it away here\n" if @lost;
	}
	my %of;
	push @{ $of{ $_->[0] } }, $_->[1] for @others;
	for my $namespace (sort keys %of)
	{
		my $set = Guard::as_mover . 'SET memory.namespace = ' . Server::literal($namespace) . ";\nSET memory.anonymous = 'allow';\nRESET memory.user_id;\n";
		my @users = grep { $_ ne '' } @{ $of{$namespace} };
		$server->run($database, "${set}SELECT memory.forget(before => 'infinity');") if @users < @{ $of{$namespace} };
		while (my @some = splice @users, 0, 500)
		{
			$server->run($database, "${set}SELECT count(memory.forget_user(u)) FROM unnest(ARRAY[" . join(', ', map { Server::literal($_) } @some) . ']) u;');
		}
	}
	return scalar @others;
}

sub cancel
{
	my ($self) = @_;
	$self->recover;
	$self->drop_incoming;
	$self->{source}->run($self->{database}, 'DROP PUBLICATION IF EXISTS ' . Move::publication . ';');
	print "$self->{database} is not split\n" unless $Server::dry_run;
	return;
}
