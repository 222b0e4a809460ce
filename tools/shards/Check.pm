# check: what is wrong, a line each. It only reads.
package Check;

sub new
{
	my ($class, $fleet, %options) = @_;
	return bless { fleet => $fleet, problems => 0, %options }, $class;
}

sub problem { my ($self, $text) = @_; $self->{problems}++; print "$text\n"; return }

# How many problems there are.
sub run
{
	my ($self) = @_;
	my $fleet = $self->{fleet};
	my %homes;
	my @down = $fleet->look_for_servers;
	$_->keep('postgres') for $fleet->servers;
	$self->problem(s/\s+\z//r) for @down;
	for my $database ($fleet->databases)
	{
		my $home = eval { $fleet->home($database) };
		if ($home) { $homes{$database} = $home } elsif (!@down || $fleet->holders($database)) { $self->problem($@ =~ s/\s+\z//r) }
		$self->moves($database);
	}
	$self->slots;
	$self->others;
	$self->poolers(\%homes);
	for my $database (sort keys %homes)
	{
		eval { $homes{$database}->keep($database); $self->inside($database, $homes{$database}); 1 } or $self->problem($@ =~ s/\s+\z//r);
		$homes{$database}->let_go($database);
	}
	$self->same($_) for 'memory', 'PostgreSQL', 'settings of namespaces';
	$self->fronts(\%homes);
	$self->users(\%homes);
	print $self->{problems} ? "$self->{problems} problems\n" : "no problems\n";
	return $self->{problems};
}

sub moves
{
	my ($self, $database) = @_;
	my $fleet = $self->{fleet};
	my $how = $fleet->unsplit($database) ? 'double' : "move $database";
	$self->problem("$database is on its way to $_->{name}: memory-shards " . ($how eq 'double' ? $how : "$how $_->{name}") . ", or cancel $database") for $fleet->holders("${database}_incoming");
	$self->problem("${database}_new on $_->{name} is half made: memory-shards create") for $fleet->holders("${database}_new");
	print "note: ${database}_moved on $_->{name} was left behind by a move: memory-shards drop-moved $database\n" for $fleet->holders("${database}_moved");
	return;
}

sub slots
{
	my ($self) = @_;
	my $fleet = $self->{fleet};
	my %moving = map { ("memory_shards_$_" => 1) } grep { $fleet->holders("${_}_incoming") } $fleet->databases;
	for my $server ($fleet->servers)
	{
		$self->problem("replication slot $_ on $server->{name} is of no move, and holds the log: SELECT pg_drop_replication_slot('$_')")
		  for grep { !$moving{$_} } $server->column('postgres', "SELECT slot_name FROM pg_replication_slots WHERE slot_name LIKE 'memory\\_shards\\_%' ORDER BY 1");
	}
	return;
}

# Databases of more shards than the file says: the file is that of another day.
sub others
{
	my ($self) = @_;
	my $fleet = $self->{fleet};
	my %known = map { $_ => 1 } $fleet->databases;
	for my $server ($fleet->servers)
	{
		$self->problem("$_ on $server->{name} is none of the $fleet->{shards} databases of $fleet->{file}")
		  for grep { !$known{ s/_(new|incoming|moved)$//r } } sort keys %{ $fleet->{there}{ $server->name } };
	}
	return;
}

sub poolers
{
	my ($self, $homes) = @_;
	for my $pooler ($self->{fleet}->poolers)
	{
		my $known = eval { Fleet::pooled($pooler) };
		if (!$known) { $self->problem($@ =~ s/\s+\z//r); next }
		for my $database ($self->{fleet}->databases)
		{
			my ($home, $there) = eval { $self->{fleet}->so_far($database) } or next;
			my $row = $known->{$database};
			if (!$row) { $self->problem("pooler $pooler->{name} does not know $database: memory-shards pooler"); next }
			my $should = join ' ', $home->part('host') // '', $home->part('port') // 5432, $there;
			my $is = join ' ', map { $_ // '' } @$row{qw(host port database)};
			$self->problem("pooler $pooler->{name} has $database at $is; it is at $should: memory-shards pooler") if $is ne $should;
			$self->problem("pooler $pooler->{name} lets clients of $database wait: go on with memory-shards move, or RESUME $database") if $row->{paused};
		}
	}
	return;
}

# A front that was made of other functions than the databases have.
sub fronts
{
	my ($self, $homes) = @_;
	my ($database) = sort keys %$homes or return;
	my $made_of = eval { $homes->{$database}->value($database, Front::made_of()) } // '';
	for my $front ($self->{fleet}->fronts)
	{
		my $is = eval { $front->value(undef, 'SELECT memory_front.made_of()') };
		$self->problem(!defined $is ? $@ =~ s/\s+\z//r : "front $front->{name} was made of another version: memory-shards front") if ($is // '') ne $made_of;
	}
	return;
}

# One database by itself, and what has to be the same in all.
sub inside
{
	my ($self, $database, $server) = @_;
	my ($version) = $server->column($database, "SELECT extversion FROM pg_extension WHERE extname = 'memory'");
	if (!defined $version) { $self->problem("$database has no extension memory"); return }
	$self->{memory}{$version}{$database} = 1;
	$self->{PostgreSQL}{ $server->value($database, 'SHOW server_version_num') =~ s/....$//r }{$database} = 1;
	eval { $server->value($database, 'SELECT count(*) FROM memory.used_models()'); 1 } or $self->problem($@ =~ s/\s+\z//r);
	$self->{'settings of namespaces'}{ $server->value($database, settings($server, $database)) }{$database} = 1;
	$self->problem("$database is not split to the end: memory-shards double") if Guard::is_put($server, $database, Double::guard);
	$self->problem("$database refuses to write user $_: a move-user was not finished; memory-shards move-user $_ $database, or cancel-user")
	  for $server->column($database, "SELECT DISTINCT convert_from(substring(tgargs FROM 1 FOR position('\\x00'::bytea IN tgargs) - 1), getdatabaseencoding()) FROM pg_trigger WHERE tgname LIKE 'memory\\_shards\\_%' AND tgname NOT LIKE 'memory\\_shards\\_split\\_%'");
	$self->problem("$database has still the subscription of its move: memory-shards move $database $server->{name}")
	  if $server->value($database, "SELECT count(*) FROM pg_subscription s JOIN pg_database d ON d.oid = subdbid WHERE datname = current_database() AND subname LIKE 'memory\\_shards\\_%'");
	$self->problem("$database: $_") for $server->column($database, "SELECT concat_ws(' ', thing, name) || ': ' || problem FROM memory.status WHERE problem IS NOT NULL ORDER BY 1");
	$self->indexes($database, $server);
	return;
}

# What users share: models, retention, definitions.
sub settings
{
	my ($server, $database) = @_;
	my @tables = $server->column($database, q{SELECT quote_ident(c.relname) FROM pg_class c WHERE c.relnamespace = 'memory'::regnamespace AND c.relkind = 'r' AND c.relname <> 'jobs_done'
		AND NOT EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'user_id') ORDER BY 1});
	return 'SELECT md5(concat(' . join(', ', map { "(SELECT string_agg(t::text, ';' ORDER BY t::text) FROM memory.$_ t)" } @tables) . '))';
}

sub indexes
{
	my ($self, $database, $server) = @_;
	return if $self->{fast};
	for my $index ($server->column($database, q{SELECT c.oid::regclass FROM pg_class c JOIN pg_am a ON a.oid = c.relam JOIN pg_index i ON i.indexrelid = c.oid
		WHERE a.amname = 'recall' AND c.relkind = 'i' AND i.indisvalid ORDER BY c.oid::regclass::text}))
	{
		eval { $server->value($database, 'SELECT memory.verify_index(' . Server::literal($index) . ')'); 1 } or $self->problem("$index: " . $@ =~ s/\s+\z//r);
	}
	return;
}

sub same
{
	my ($self, $what) = @_;
	my $found = $self->{$what} // {};
	return if keys %$found <= 1;
	my ($most) = sort { keys %{ $found->{$b} } <=> keys %{ $found->{$a} } || $a cmp $b } keys %$found;
	my $shown = sub { length $_[0] < 20 ? " $_[0]" : '' };
	for my $other (grep { $_ ne $most } sort keys %$found)
	{
		$self->problem(join(', ', sort keys %{ $found->{$other} }) . ": $what" . $shown->($other) . ' differs from' . ($shown->($most) || ' that of the others'));
	}
	return;
}

sub users
{
	my ($self, $homes) = @_;
	my $shards = $self->{fleet}->shards;
	for my $database (sort keys %$homes)
	{
		next if Guard::is_put($homes->{$database}, $database, Double::guard);
		my $users = eval { Users::query($homes->{$database}, $database) } or next;
		my ($shard) = $database =~ /(\d+)$/;
		my @wrong = $homes->{$database}->rows($database, qq{
			SELECT user_id, shard, string_agg(namespace, ', ' ORDER BY namespace) FROM ($users) u, LATERAL memory.shard_of(nullif(user_id, ''), $shards) shard
			WHERE shard <> $shard GROUP BY 1, 2 ORDER BY 1});
		for my $row (grep { @$_ > 1 } @wrong)
		{
			my ($user, $right, $namespaces) = ($row->[0], $self->{fleet}->database_of($row->[1]), $row->[2]);
			next if ($self->{fleet}->unsplit($right) // '') eq $database;
			my $who = $user eq '' ? 'the anonymous user' : "user $user";
			my $twice = $homes->{$right} && Users::namespaces($homes->{$right}, $right, $user) ? ', and is there, too' : '';
			$self->problem("$who (in $namespaces) is in $database, but belongs to $right$twice" . ($user eq '' ? '' : ": memory-shards move-user $user $database"));
		}
	}
	return;
}
