# create: the databases that are missing. Each is made under a name of its own and renamed when it is whole, so that one
# that is there is complete.
package Create;

# In equal parts, one after the other: with 16 databases on 2 servers, the first 8 are on the first.
sub server_for
{
	my ($fleet, $shard) = @_;
	my @servers = $fleet->servers;
	return $servers[ int($shard * @servers / $fleet->shards) ];
}

sub create
{
	my ($fleet) = @_;
	my $made = 0;
	for my $shard (0 .. $fleet->shards - 1)
	{
		my $database = $fleet->database_of($shard);
		my @homes = $fleet->holders($database);
		$fleet->home($database) if @homes > 1;
		next if @homes;
		my @moving = ($fleet->holders("${database}_moved"), $fleet->holders("${database}_incoming"));
		die "$database is on no server, but is being moved to " . $moving[-1]->name . ": go on with memory-shards move\n" if @moving;
		keeps_nothing_of($fleet, $database);
		make(server_for($fleet, $shard), $database, $fleet);
		$made++;
	}
	print "$made databases made, ", $fleet->shards - $made, " were there\n" unless $Server::dry_run;
	$fleet->write_poolers;
	return;
}

# A database that is not split yet has users of the one that would be made.
sub keeps_nothing_of
{
	my ($fleet, $database) = @_;
	my $low = $fleet->unsplit($database) // return;
	my $home = $fleet->home($low);
	my ($shards, $shard) = ($fleet->shards, $fleet->shard($database));
	die "the users of $database are in $low: memory-shards double\n"
	  if $home->value($low, 'SELECT count(*) FROM (' . Users::query($home, $low) . ") u WHERE memory.shard_of(nullif(user_id, ''), $shards) = $shard");
	return;
}

sub make
{
	my ($server, $database, $fleet) = @_;
	$server->run('postgres', "DROP DATABASE IF EXISTS ${database}_new;");
	$server->run('postgres', "CREATE DATABASE ${database}_new TEMPLATE template0 ENCODING 'UTF8'" . ($fleet->{create} ? " $fleet->{create}" : '') . ';');
	$server->run("${database}_new", "CREATE EXTENSION memory CASCADE;\nSELECT memory.init(" . ($fleet->{dimensions} // '') . ');');
	if (defined $fleet->{setup})
	{
		print "-- $fleet->{setup}\n" if $Server::dry_run || $Server::verbose;
		$server->run_file("${database}_new", $fleet->{setup});
	}
	$server->run('postgres', "ALTER DATABASE ${database}_new RENAME TO $database;");
	return;
}

sub list
{
	my ($fleet) = @_;
	my %about;
	for my $server ($fleet->servers)
	{
		$about{ $server->name }{ $_->[0] } = $_->[1]
		  for $server->rows('postgres', 'SELECT datname, pg_size_pretty(pg_database_size(oid)) FROM pg_database');
	}
	printf "%-30s %-16s %10s  %s\n", qw(database server size version);
	for my $database ($fleet->databases)
	{
		my @homes = $fleet->holders($database);
		printf "%-30s %-16s %10s  %s\n", $database, $_->name, $about{ $_->name }{$database},
		  $_->value($database, "SELECT extversion FROM pg_extension WHERE extname = 'memory'") // 'no extension'
		  for @homes;
		my $low = $fleet->unsplit($database);
		printf "%-30s %s\n", $database, $low ? "in $low, until memory-shards double" : 'missing' unless @homes;
		for my $state (qw(new incoming moved))
		{
			printf "%-30s %-16s %10s\n", "${database}_$state", $_->name, $about{ $_->name }{"${database}_$state"} for $fleet->holders("${database}_$state");
		}
	}
	return;
}
