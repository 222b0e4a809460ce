# The command line.
package main;

my $usage = <<'USAGE';
usage: memory-shards [OPTIONS] COMMAND
  create                     make the databases that are missing
  list                       where each database is
  check                      look for what is wrong: databases, poolers, versions, users, indexes
  move DATABASE SERVER       move a database while clients go on; again, to go on after it was stopped
  cancel DATABASE            stop moving it, or splitting it off, and stay
  drop-moved DATABASE        drop what was left behind by a move
  double                     split each database in two, after shards has been doubled in the file
  move-user USER DATABASE    bring a user who is in this database to the one that shard_of says
  cancel-user USER DATABASE  let that user be written again where it is
  pooler                     write the databases of the poolers
  front                      make the functions of the fronts
options:
  -c, --config FILE          /etc/memory-shards.conf
  -n, --dry-run              show what would be done, and change nothing
  -v, --verbose              show what is done
      --wait SECONDS         move, double: how long clients may be kept waiting for a transaction or for the target (10)
      --verify               move, double: compare every row while clients wait
      --merge                move-user: the user may have other rows there already
      --fast                 check: not the indexes
docs/scale.md explains each of them.
USAGE

sub options
{
	my %options = (config => '/etc/memory-shards.conf');
	Getopt::Long::Configure(qw(gnu_getopt));
	Getopt::Long::GetOptions(\%options, 'config|c=s', 'dry-run|n', 'verbose|v', 'wait=i', 'verify', 'merge', 'fast', 'help|h')
	  or die $usage;
	if ($options{help}) { print $usage; exit 0 }
	($Server::dry_run, $Server::verbose) = ($options{'dry-run'}, $options{verbose});
	return %options;
}

sub main
{
	my %options = options();
	my ($command, @arguments) = @ARGV;
	my %commands = (
		create => [ 0, sub { Create::create($_[0]) } ],
		list => [ 0, sub { Create::list($_[0]) } ],
		check => [ 0, sub { exit(Check->new($_[0], %options)->run ? 1 : 0) } ],
		move => [ 2, sub { Move->new(@_, %options)->move } ],
		cancel => [ 1, sub { Move::cancel(@_) } ],
		'drop-moved' => [ 1, sub { Move::drop_moved(@_) } ],
		double => [ 0, sub { Double::double($_[0], %options) } ],
		'move-user' => [ 2, sub { User->new(@_, %options)->move } ],
		'cancel-user' => [ 2, sub { User->new(@_)->cancel } ],
		pooler => [ 0, sub { $_[0]->write_poolers } ],
		front => [ 0, sub { Front::make(@_) } ]);
	my $chosen = $commands{ $command // '' };
	die $usage unless $chosen && @arguments == $chosen->[0];
	delete @ENV{qw(PGDATABASE PGSERVICE PGOPTIONS)};
	$ENV{PGCLIENTENCODING} = 'UTF8';
	$ENV{PGAPPNAME} = 'memory-shards';
	$| = 1;
	my $fleet = Fleet->new($options{config});
	$fleet->lock unless $options{'dry-run'} || $command =~ /^(list|check)$/;
	$chosen->[1]->($fleet, @arguments);
	return;
}

eval { main(); 1 } or do { print STDERR $@ =~ /^usage/ ? $@ : "memory-shards: $@"; exit 2 };
