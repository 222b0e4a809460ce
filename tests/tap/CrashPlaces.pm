# A recall index, of texts or of codes, while the server dies at every place where the index changes in more than one step
# (src/index/crash_point.h).
package CrashPlaces;

use strict;
use warnings FATAL => 'all';
use Exporter 'import';
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

our @EXPORT = qw(is_sound dies_everywhere);

sub is_sound
{
	my ($node, $index, $what) = @_;
	is($node->safe_psql('postgres', "SELECT string_agg(p, ', ') FROM memory.verify_index('$index') p"), '', "$what: the index is sound");
	return;
}

# At each place: the server dies while it does the load, a statement a line; the index is sound; pages of a new run, if it was one, are lost,
# and VACUUM gives them back; the first lines of the load, so many, go on. Then check->(place).
sub dies_everywhere
{
	my ($node, $table, $index, $load, $lines, $check) = @_;
	for my $place ('promoted', 'split', 'log page', 'segment page', 'linked', 'publish', 'published', 'freed', 'vacuumed')
	{
		my ($out, $err) = ('', '');
		my $status = $node->psql('postgres', "SET memory.crash_at = '$place';\n$load", stdout => \$out, stderr => \$err, on_error_stop => 0);
		isnt($status, 0, "$place: the server dies there") or next;
		$node->{_pid} = undef;
		for (1 .. 600) { last unless -e $node->data_dir . '/postmaster.pid'; usleep(100_000) } # it ends by itself
		$node->start;
		is_sound($node, $index, $place);
		my $lost = $node->safe_psql('postgres', "SELECT lost_pages FROM memory.index_stats('$index')");
		if (grep { $_ eq $place } 'segment page', 'linked', 'publish') { cmp_ok($lost, '>', 0, "$place: pages of a new run are lost") }
		else { is($lost, 0, "$place: no page is lost") }
		$node->safe_psql('postgres', "VACUUM $table");
		is($node->safe_psql('postgres', qq{
			SELECT lost_pages, free_pages - (SELECT count(*) FROM pg_freespace('$index') WHERE avail > 0)
			FROM memory.index_stats('$index')}), '0|0', "$place: after VACUUM none is, and the free space map knows all that are free");
		is_sound($node, $index, "$place, after VACUUM");
		$node->safe_psql('postgres', $load =~ s/^((?:.*\n){$lines}).*/$1/sr);
		is_sound($node, $index, "$place, when the load goes on");
		$check->($place) if $check;
	}
	return;
}

1;
