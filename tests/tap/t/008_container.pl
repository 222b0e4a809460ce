# The image's entry point, as a script on this system's server: the conventions of the official image, and nothing
# in template1 but what needs a superuser.
use strict;
use warnings FATAL => 'all';
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $entry = abs_path(dirname(__FILE__) . '/../../../tools/container');
my $home = PostgreSQL::Test::Utils::tempdir_short();
my $scripts = "$home/scripts";
mkdir "$home/$_" or die for qw(scripts socket);
my $options = [ '-c', "unix_socket_directories=$home/socket", '-c', 'fsync=off', '-c', 'max_connections=20', '-c', 'listen_addresses=' ];
delete @ENV{ grep { /^(POSTGRES_|PG)/ } keys %ENV };
my %env = (INIT_SCRIPTS => $scripts);

# What the entry point says and returns, for a start that is to end by itself.
sub ended
{
	my ($env, @command) = @_;
	local %ENV = (%ENV, %env, %$env);
	my ($out, $err) = ('', '');
	IPC::Run::run([ $entry, @command ], '<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

sub ask
{
	my ($user, $database, $sql) = @_;
	local $ENV{PGOPTIONS} = '-c client_min_messages=warning';
	my ($out, $err) = ('', '');
	IPC::Run::run([ 'psql', '-XAtq', '-h', "$home/socket", '-U', $user, '-d', $database, '-c', $sql ], '>', \$out, '2>', \$err);
	chomp $out;
	return $out . ($err ? "!$err" : '');
}

# Runs until it is stopped; back when it is ready, after the cluster has been made.
my ($server, $log, $made) = (undef, '', '');
sub start
{
	my ($env, @command) = @_;
	local %ENV = (%ENV, %env, %$env);
	$log = '';
	$server = IPC::Run::start([ $entry, @command ], '<', \undef, '>&', \$log);
	for (1 .. 600)
	{
		$server->pump_nb;
		last if $log =~ ($env->{PGDATA} eq $made ? qr/ready to accept connections/ : qr/the cluster is made.*ready to accept connections/s);
		die "it has ended: $log" unless $server->pumpable;
		usleep(100_000);
	}
	return;
}
sub stop { $server->signal('INT'); $server->finish; return }

my ($status, $out, $err) = ended({ PGDATA => "$home/none" });
is($status, 1, 'without a password there is no cluster');
like($err, qr/POSTGRES_PASSWORD/, '... and it says so');
ok(!-e "$home/none/PG_VERSION", '... and has made none');
append_to_file("$home/password", "se'cret\n");
($status, $out, $err) = ended({ PGDATA => "$home/none", POSTGRES_PASSWORD => 'a', POSTGRES_PASSWORD_FILE => "$home/password" });
like($err, qr/POSTGRES_PASSWORD and POSTGRES_PASSWORD_FILE are both set/, 'a password is given once');
append_to_file("$home/none/precious", 'mine');
($status, $out, $err) = ended({ PGDATA => "$home/none", POSTGRES_PASSWORD => 'a' });
ok($status == 1 && -e "$home/none/precious", "a volume with other people's files is left alone");
($status, $out) = ended({ PGDATA => "$home/none" }, 'psql', '--version');
like($out, qr/^psql \(PostgreSQL\)/, 'another command is run as it is');

# A script that fails leaves nothing that would pass for a cluster.
append_to_file("$scripts/05-fails.sql", "SELECT 1/0;\n");
($status, $out, $err) = ended({ PGDATA => "$home/failed", POSTGRES_PASSWORD => 'a' }, @$options);
is($status, 1, 'a script that fails ends it');
like($err, qr/division by zero/, '... with its error');
ok(!-e "$home/failed/PG_VERSION", '... and the directory is empty again');
unlink "$scripts/05-fails.sql";

append_to_file("$scripts/10-table.sql", "CREATE TABLE told (by text);\nINSERT INTO told VALUES ('sql in ' || current_database() || ' as ' || current_user);\n");
append_to_file("$scripts/20-run.sh", "#!/bin/sh\nset -e\npsql -v ON_ERROR_STOP=1 -U \"\$POSTGRES_USER\" -d \"\$POSTGRES_DB\" -c \"INSERT INTO told VALUES ('sh')\"\n");
chmod 0755, "$scripts/20-run.sh";
append_to_file("$scripts/30-sourced.sh", "run_sql --command \"INSERT INTO told VALUES ('sourced')\"\n");
append_to_file("$scripts/40-packed.sql", "INSERT INTO told VALUES ('packed');\n");
system_or_bail('gzip', "$scripts/40-packed.sql");
append_to_file("$scripts/50-readme", 'not for us');
my $data = "$home/data";
start({ PGDATA => $data, POSTGRES_USER => 'app', POSTGRES_DB => 'my shop', POSTGRES_PASSWORD_FILE => "$home/password", POSTGRES_INITDB_ARGS => '--data-checksums' }, @$options);
is(ask('app', 'my shop', 'SELECT string_agg(by, $$, $$) FROM told'), 'sql in my shop as app, sh, sourced, packed', 'scripts are run in their order, in the database, as the user');
is(ask('app', 'my shop', q{SELECT string_agg(extname, ' ' ORDER BY extname) FROM pg_extension WHERE extname IN ('memory', 'vector')}), 'memory vector', 'the database has memory');
is(ask('app', 'template1', q{SELECT string_agg(extname, ' ' ORDER BY extname) FROM pg_extension WHERE extname <> 'plpgsql'}), 'vector', 'template1 has pgvector alone');
is(ask('app', 'template1', q{SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'memory%'}), '0', '... and no schema of ours');
is(ask('app', 'my shop', q{SELECT string_agg(rolname || ' ' || rolsuper || ' ' || left(rolpassword, 13), ',') FROM pg_authid WHERE rolcanlogin}), 'app true SCRAM-SHA-256', 'the user is the superuser, with its password');
is(ask('app', 'my shop', 'SHOW data_checksums'), 'on', 'POSTGRES_INITDB_ARGS reaches initdb');
like(slurp_file("$data/pg_hba.conf"), qr/^host all all all scram-sha-256$/m, 'the network asks for a password');
is(ask('app', 'my shop', 'CREATE ROLE tenant LOGIN; SELECT 1'), '1', 'a role without rights');
is(ask('app', 'my shop', 'CREATE DATABASE own OWNER tenant'), '', '... owns a database');
is(ask('tenant', 'own', 'CREATE EXTENSION memory; SELECT memory.init() IS NOT NULL'), 't', '... and makes memory there by itself');
my ($pid) = split /\n/, slurp_file("$data/postmaster.pid");
unlike(slurp_file("/proc/$pid/environ"), qr/POSTGRES_PASSWORD=/, 'the server does not carry the password');
stop();

# Once more: nothing is asked for, and nothing is run.
$made = $data;
start({ PGDATA => $data }, 'postgres', @$options);
is(ask('app', 'my shop', 'SELECT count(*) FROM told'), '4', 'the next start runs no script');
unlike($log, qr/running|cluster is made/, '... and makes nothing');
stop();

# Without a password, if it is said that everybody may come in.
start({ PGDATA => "$home/open", POSTGRES_HOST_AUTH_METHOD => 'trust', INIT_SCRIPTS => "$home/socket" }, @$options);
is(ask('postgres', 'postgres', q{SELECT count(*) FROM pg_extension WHERE extname = 'memory'}), '1', 'user and database are postgres unless told otherwise');
like(slurp_file("$home/open/pg_hba.conf"), qr/^host all all all trust$/m, 'POSTGRES_HOST_AUTH_METHOD is what the network needs');
stop();
done_testing();
