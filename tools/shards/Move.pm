# move: one database to another server, while clients go on. Until the last moment it is copied and followed by logical
# replication; then clients wait at the poolers, a fraction of a second, for the rest.
#
# What has been done is seen from what is there, so that the same command goes on after it was stopped anywhere:
#     memory_07 at the source                                     nothing, or a publication
#     ... and memory_07_incoming at the target, no subscription   half a schema: made again
#     ... with a subscription                                     copied, or being copied
#     memory_07_moved at the source, memory_07_incoming           the switch: only forwards from here
#     memory_07_moved at the source, memory_07 at the target      done but for the poolers, and for what followed
package Move;

use constant publication => 'memory_shards';

sub new
{
	my ($class, $fleet, $database, $to, %options) = @_;
	my $self = bless { fleet => $fleet, database => $database, target => $fleet->server($to), limit => $options{wait} // 10, verify => $options{verify} }, $class;
	$self->{incoming} = "${database}_incoming";
	$self->{moved} = "${database}_moved";
	$self->{slot} = "memory_shards_$database"; # and the subscription
	return $self;
}

sub move
{
	my ($self) = @_;
	my ($fleet, $database, $target) = @$self{qw(fleet database target)};
	my @elsewhere = grep { $_->name ne $target->name } $fleet->holders($self->{incoming});
	die "$database is being moved to $elsewhere[0]{name}: go on with that, or memory-shards cancel $database\n" if @elsewhere;
	my ($moved) = $fleet->holders($self->{moved});
	my ($home) = $fleet->holders($database);
	if ($moved && !$home && $fleet->holders($self->{incoming}))
	{
		$self->{source} = $moved;
		return $self->finish;
	}
	$self->{source} = $fleet->home($database);
	if ($self->{source}->name eq $target->name)
	{
		$self->settle;
		print "$database is on ", $target->name, "\n";
		return;
	}
	die "$self->{moved} is still on " . $moved->name . ", from an earlier move: memory-shards drop-moved $database\n" if $moved;
	$self->recover;
	$self->check;
	$self->copy unless $self->is_subscribed;
	$self->follow;
	$self->switch;
	return;
}

# What a switch that was stopped half-way has closed is open again: clients go on meanwhile.
sub recover
{
	my ($self) = @_;
	my ($source, $database) = @$self{qw(source database)};
	my $name = Server::literal($database);
	$source->run('postgres', "ALTER DATABASE $database ALLOW_CONNECTIONS true;")
	  if $source->value('postgres', "SELECT datallowconn FROM pg_database WHERE datname = $name") eq 'f';
	$self->{fleet}->resume($database) unless $Server::dry_run;
	return;
}

# What would fail later, or would be lost, is said before anything is done.
sub check
{
	my ($self) = @_;
	my ($source, $database, $target) = @$self{qw(source database target)};
	my $level = $source->value('postgres', 'SHOW wal_level');
	die $source->name . ": wal_level is $level; moving a database takes logical\n" if $level ne 'logical';
	my $version = $source->value($database, "SELECT extversion FROM pg_extension WHERE extname = 'memory'") // die "$database has no extension memory\n";
	my @there = $target->column('postgres', "SELECT version FROM pg_available_extension_versions WHERE name = 'memory'");
	grep { $_ eq $version } @there or die $target->name . " has no memory $version, only " . (join(', ', @there) || 'none') . "\n";
	my %roles = map { $_ => 1 } $target->column('postgres', 'SELECT rolname FROM pg_roles');
	my @missing = grep { !$roles{$_} } $source->column($database, q{
		SELECT DISTINCT r.rolname FROM pg_shdepend s JOIN pg_roles r ON r.oid = s.refobjid JOIN pg_database d ON d.datname = current_database()
		WHERE s.refclassid = 'pg_authid'::regclass AND (s.dbid = d.oid OR s.classid = 'pg_database'::regclass AND s.objid = d.oid) ORDER BY 1});
	die $target->name . ' lacks the role' . (@missing > 1 ? 's ' : ' ') . join(', ', @missing) . "\n" if @missing;
	my @lost = $source->column($database, q{
		SELECT format('sequence %s', c.oid::regclass) FROM pg_class c WHERE relkind = 'S'
		UNION ALL SELECT format('unlogged table %s', c.oid::regclass) FROM pg_class c WHERE relkind = 'r' AND relpersistence = 'u'
		UNION ALL SELECT format('table %s, which has no replica identity', c.oid::regclass) FROM pg_class c
			WHERE relkind = 'r' AND relpersistence = 'p' AND oid >= 16384 AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')
			AND relreplident <> 'f' AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND (c.relreplident = 'd' AND i.indisprimary OR c.relreplident = 'i' AND i.indisreplident))
		UNION ALL SELECT 'large objects' WHERE EXISTS (SELECT FROM pg_largeobject_metadata)
		UNION ALL SELECT format('prepared transaction %s', gid) FROM pg_prepared_xacts WHERE database = current_database()});
	die "$database cannot be moved by logical replication: it has " . join('; ', @lost) . "\n" if @lost;
	return;
}

sub is_subscribed
{
	my ($self) = @_;
	my ($target, $incoming) = @$self{qw(target incoming)};
	return 0 unless grep { $_->name eq $target->name } $self->{fleet}->holders($incoming);
	my $slot = Server::literal($self->{slot});
	my $there = $self->{source}->value('postgres', "SELECT count(*) FROM pg_replication_slots WHERE slot_name = $slot");
	my $enabled = $target->value($incoming, "SELECT subenabled FROM pg_subscription WHERE subname = $slot");
	return 0 unless $there && defined $enabled;
	$target->run($incoming, "ALTER SUBSCRIPTION $self->{slot} ENABLE;") if $enabled eq 'f';
	return 1;
}

sub copy
{
	my ($self) = @_;
	my ($source, $database, $target, $incoming) = @$self{qw(source database target incoming)};
	$self->drop_incoming;
	$self->copy_schema;
	my $from = Server::literal(($source->{subscribe} // $source->{connect}) . " dbname=$database");
	$source->run($database, 'CREATE PUBLICATION ' . publication . ' FOR ALL TABLES;')
	  unless $source->value($database, 'SELECT count(*) FROM pg_publication WHERE pubname = ' . Server::literal(publication));
	my @open = $source->column('postgres', "SELECT pid FROM pg_stat_activity WHERE backend_xid IS NOT NULL AND xact_start < now() - interval '5 seconds' ORDER BY xact_start");
	print STDERR "the copy begins when transactions of $source->{name} that have written end: process @open\n" if @open;
	$self->subscribe($from);
	return;
}

sub subscribe
{
	my ($self, $from) = @_;
	$self->{target}->run($self->{incoming}, "CREATE SUBSCRIPTION $self->{slot} CONNECTION $from PUBLICATION " . publication . ';');
	return;
}

# Schema, rights, policies and settings of the database, under the name that it has until the switch.
sub copy_schema
{
	my ($self) = @_;
	my ($source, $database, $target, $incoming) = @$self{qw(source database target incoming)};
	my @command = (qw(pg_dump --schema-only --create --no-publications --no-subscriptions -d), $source->connection($database));
	$target->show('postgres', 'pg_dump --schema-only --create --no-publications --no-subscriptions -d "' . $source->connection($database)
		. qq{" | sed 's/^\\(.*DATABASE \\|\\\\connect \\)$database\\b/\\1$incoming/' | psql -d "} . $target->connection('postgres') . '"');
	return if $Server::dry_run;
	my $schema = Server::output_of(\@command);
	$schema =~ s/^((?:CREATE|ALTER|COMMENT ON|(?:GRANT|REVOKE) .* ON) DATABASE |\\connect )\Q$database\E\b/$1$incoming/mg;
	my $file = Server::_script($schema);
	$target->run_file('postgres', $file->filename);
	$self->{fleet}->look;
	return;
}

# Until little is missing, clients notice nothing.
sub follow
{
	my ($self) = @_;
	my ($source, $target, $incoming) = @$self{qw(source target incoming)};
	Server::until_true("every table is copied: SELECT count(*) = 0 FROM pg_subscription_rel WHERE srsubstate <> 'r'",
		sub { $self->look_at_worker; $target->value($incoming, "SELECT count(*) FROM pg_subscription_rel WHERE srsubstate <> 'r'") == 0 });
	$target->run($incoming, 'ANALYZE;');
	my $start;
	do
	{
		$start = Time::HiRes::time();
		my $mark = $self->mark;
		$self->tell_distance until $self->caught_up($mark, 10);
	} until $Server::dry_run || Time::HiRes::time() - $start < 1;
	return;
}

# A target that falls back more and more never gets there: one worker applies what many clients write.
sub tell_distance
{
	my ($self) = @_;
	my $slot = Server::literal($self->{slot});
	my $distance = $self->{source}->value('postgres', "SELECT pg_size_pretty(pg_current_wal_lsn() - confirmed_flush_lsn) FROM pg_replication_slots WHERE slot_name = $slot");
	print STDERR "$self->{incoming} is $distance of log behind\n";
	return;
}

# Copying that cannot go on says why in the log of the target only.
sub look_at_worker
{
	my ($self) = @_;
	return if $self->{errors}++ % 20;
	my ($apply, $sync) = map { @$_ } $self->{target}->rows('postgres', 'SELECT apply_error_count, sync_error_count FROM pg_stat_subscription_stats WHERE subname = ' . Server::literal($self->{slot}));
	print STDERR 'the subscription has failed ', $apply + $sync, ' times and is tried again; the log of ', $self->{target}->name, " says why\n" if ($apply // 0) + ($sync // 0) > ($self->{failures} // 0);
	$self->{failures} = ($apply // 0) + ($sync // 0);
	return;
}

# A place in the log behind all that is committed; whether the target has come that far.
sub mark
{
	my ($self) = @_;
	my $lsn = $self->{source}->run('postgres', "SELECT pg_logical_emit_message(true, 'memory-shards', 'mark');");
	$lsn =~ s/\s+\z//;
	return $lsn;
}

sub caught_up
{
	my ($self, $lsn, $limit) = @_;
	my ($source, $slot) = ($self->{source}, Server::literal($self->{slot}));
	return Server::until_true('the target has all: SELECT confirmed_flush_lsn >= (the answer before) FROM pg_replication_slots WHERE slot_name = ' . $slot,
		sub { ($source->value('postgres', "SELECT confirmed_flush_lsn >= '$lsn' FROM pg_replication_slots WHERE slot_name = $slot") // '') eq 't' }, $limit);
}

sub switch
{
	my ($self) = @_;
	my ($fleet, $source, $database, $target, $incoming, $slot) = @$self{qw(fleet source database target incoming slot)};
	$target->run($incoming, "ALTER SUBSCRIPTION $slot SET (synchronous_commit = 'local');");
	$fleet->keep_connections;
	$target->keep($incoming);
	my $start = Time::HiRes::time();
	if (!eval { $self->stop_writers; 1 })
	{
		my $why = $@;
		$self->undo;
		die $why . "$database stays on " . $source->name . "; the copy is kept, and the same command tries again\n";
	}
	$source->run('postgres', "ALTER DATABASE $database RENAME TO $self->{moved};");
	$self->{paused_since} = $start;
	eval { $self->finish; 1 } or die $@ . "clients of $database wait: run the same command again\n";
	return;
}

# Nothing is written to the source from here on, and the target has all of it.
sub stop_writers
{
	my ($self) = @_;
	my ($fleet, $source, $database, $target, $incoming, $slot) = @$self{qw(fleet source database target incoming slot)};
	$fleet->pause($database, $self->{limit}) or die "a transaction did not end within $self->{limit} seconds\n";
	my $name = Server::literal($database);
	$source->run('postgres', "ALTER DATABASE $database ALLOW_CONNECTIONS false;\n"
		. "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $name AND backend_type <> 'walsender';");
	Server::until_true('they are gone', sub { !$source->value('postgres', "SELECT count(*) FROM pg_stat_activity WHERE datname = $name AND backend_type <> 'walsender'") }, $self->{limit})
	  or die "sessions of $database did not end within $self->{limit} seconds\n";
	$self->caught_up($self->mark, $self->{limit}) or die $target->name . " did not catch up within $self->{limit} seconds\n";
	$target->run($incoming, "ALTER SUBSCRIPTION $slot DISABLE;");
	$target->let_go($incoming);
	# Its worker would look whether it is disabled within a second.
	$source->run('postgres', "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = $name;");
	Server::until_true('the subscription has let go', sub { !$source->value('postgres', "SELECT count(*) FROM pg_stat_activity WHERE datname = $name") }, $self->{limit})
	  && Server::until_true('its worker is gone', sub { !$target->value('postgres', 'SELECT count(*) FROM pg_stat_activity WHERE datname = ' . Server::literal($incoming)) }, $self->{limit})
	  or die "the subscription did not stop within $self->{limit} seconds\n";
	return;
}

sub undo
{
	my ($self) = @_;
	$self->{source}->run('postgres', "ALTER DATABASE $self->{database} ALLOW_CONNECTIONS true;");
	$self->{target}->run($self->{incoming}, "ALTER SUBSCRIPTION $self->{slot} ENABLE;");
	$self->{fleet}->resume($self->{database});
	return;
}

# From the moment on at which the source has another name.
sub finish
{
	my ($self) = @_;
	my ($fleet, $source, $database, $target, $incoming, $slot) = @$self{qw(fleet source database target incoming slot)};
	$self->compare if $self->{verify};
	$target->run('postgres', "ALTER DATABASE $incoming RENAME TO $database;");
	$self->settle;
	printf "%s is on %s%s\n", $database, $target->name, defined $self->{waited} ? sprintf('; clients waited for %.0f ms', 1000 * $self->{waited}) : ''
	  unless $Server::dry_run;
	print "$self->{moved} stays on ", $source->name, " until memory-shards drop-moved $database\n" unless $Server::dry_run;
	return;
}

# Clients go on at the target; nothing holds the source's log any more.
sub settle
{
	my ($self) = @_;
	my ($fleet, $database) = @$self{qw(fleet database)};
	$fleet->write_poolers;
	$fleet->resume($database);
	$self->{waited} = Time::HiRes::time() - $self->{paused_since} if defined $self->{paused_since};
	my $name = Server::literal($self->{slot});
	my $target = $self->{target};
	$target->run($database, "BEGIN;\nALTER SUBSCRIPTION $self->{slot} DISABLE;\nALTER SUBSCRIPTION $self->{slot} SET (slot_name = NONE);\nDROP SUBSCRIPTION $self->{slot};\nCOMMIT;")
	  if $Server::dry_run || $target->value($database, "SELECT count(*) FROM pg_subscription WHERE subname = $name");
	for my $server ($Server::dry_run ? $self->{source} : $fleet->servers)
	{
		$server->run('postgres', "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = $name;")
		  if $Server::dry_run || $server->value('postgres', "SELECT count(*) FROM pg_replication_slots WHERE slot_name = $name");
	}
	return;
}

# Every row at both ends, while nothing is written at either.
sub compare
{
	my ($self) = @_;
	my ($source, $target, $incoming, $moved) = @$self{qw(source target incoming moved)};
	if ($Server::dry_run) { print "-- every table has the same rows at both ends\n"; return }
	$source->run('postgres', "ALTER DATABASE $moved ALLOW_CONNECTIONS true;");
	my ($before, $after) = (digest($source, $moved, '', tables($source, $moved)), digest($target, $incoming, '', tables($target, $incoming)));
	$source->run('postgres', "ALTER DATABASE $moved ALLOW_CONNECTIONS false;");
	my @other = grep { ($before->{$_} // '') ne ($after->{$_} // '') } sort keys %{ { %$before, %$after } };
	return unless @other;
	$source->run('postgres', "ALTER DATABASE $moved RENAME TO $self->{database};");
	$self->undo;
	die "not moved: the rows of @other differ\n";
}

sub digest
{
	my ($server, $database, $which, @tables) = @_;
	return { map { $_ => $server->value($database, "SET extra_float_digits = 1; SET TimeZone = 'UTC'; SELECT count(*) || ' ' || coalesce(sum(('x' || left(md5(t::text), 15))::bit(60)::bigint), 0) FROM $_ t $which") } @tables };
}

sub tables
{
	my ($server, $database) = @_;
	return $server->column($database, q{SELECT c.oid::regclass FROM pg_class c WHERE relkind = 'r' AND oid >= 16384
		AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = c.oid AND deptype = 'e')});
}

# --- the way back, before the switch ----------------------------------------------------------------

sub drop_incoming
{
	my ($self) = @_;
	my ($source, $target, $incoming, $slot) = @$self{qw(source target incoming slot)};
	my $name = Server::literal($slot);
	$target->let_go($incoming);
	if (grep { $_->name eq $target->name } $self->{fleet}->holders($incoming))
	{
		$target->run($incoming, "ALTER SUBSCRIPTION $slot DISABLE;\nALTER SUBSCRIPTION $slot SET (slot_name = NONE);\nDROP SUBSCRIPTION $slot;")
		  if $target->value($incoming, "SELECT count(*) FROM pg_subscription WHERE subname = $name");
		$target->run('postgres', "DROP DATABASE $incoming WITH (FORCE);");
	}
	my $slots = "FROM pg_replication_slots WHERE database = " . Server::literal($self->{database}) . " AND (slot_name = $name OR slot_name LIKE 'pg\\_%\\_sync\\_%')";
	if ($source->value('postgres', "SELECT count(*) $slots"))
	{
		Server::until_true('its slots are free', sub { !$source->value('postgres', "SELECT count(*) $slots AND active") }, $self->{limit});
		$source->run($self->{database}, "SELECT pg_drop_replication_slot(slot_name) $slots;");
	}
	return;
}

sub cancel
{
	my ($fleet, $database) = @_;
	return Double->new($fleet, $fleet->shard($database))->cancel if $fleet->unsplit($database);
	my ($to) = $fleet->holders("${database}_incoming") or die "$database is not being moved\n";
	die "$database has left its server already: go on with memory-shards move $database $to->{name}\n" unless $fleet->holders($database);
	my $self = Move->new($fleet, $database, $to->name);
	$self->{source} = $fleet->home($database);
	$self->recover;
	$self->drop_incoming;
	$self->{source}->run($database, 'DROP PUBLICATION IF EXISTS ' . publication . ';');
	print "$database stays on ", $self->{source}->name, "\n" unless $Server::dry_run;
	return;
}

sub drop_moved
{
	my ($fleet, $database) = @_;
	my @left = $fleet->holders("${database}_moved") or die "there is no ${database}_moved\n";
	my $home = $fleet->home($database);
	$_->run('postgres', "DROP DATABASE ${database}_moved;") for @left;
	return;
}
