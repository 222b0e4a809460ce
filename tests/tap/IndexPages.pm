# The pages of a recall index as bytes, for tests that damage them (src/index/layout.h).
package IndexPages;

use strict;
use warnings FATAL => 'all';
use Exporter 'import';
use PostgreSQL::Test::Utils;
use Test::More;

use constant { PAGE => 8192, TAIL => 8176, CONTENTS => 24 };
use constant { META => 1, INNER => 2, LEAF => 3, ROOT => 4, LOG => 5, SEGMENT => 6 };

our @EXPORT = qw(PAGE TAIL CONTENTS META INNER LEAF ROOT LOG SEGMENT get put kind next_of of_kind item items seal_meta seal_root damage_file);

# A page is passed by reference.
sub get { my ($page, $at, $type, $size) = @_; return unpack($type, substr($$page, $at, $size)) }
sub put { my ($page, $at, $type, $value) = @_; my $bytes = pack($type, $value); substr($$page, $at, length $bytes) = $bytes; return }
sub kind { return get($_[0], TAIL + 8, 'S', 2) }
sub next_of { return get($_[0], TAIL, 'L', 4) }
sub of_kind { my ($pages, $kind) = @_; return grep { kind($pages->[$_]) == $kind } 0 .. $#$pages }
# The bytes of an item on a page of the directory: where they are.
sub item { my ($page, $n) = @_; return get($page, CONTENTS + 4 * $n, 'L', 4) & 0x7fff }
sub items { my ($page) = @_; return (get($page, 12, 'S', 2) - CONTENTS) / 4 }

my @crc_table = map { my $c = $_; $c = $c & 1 ? 0x82f63b78 ^ ($c >> 1) : $c >> 1 for 1 .. 8; $c } 0 .. 255;
sub crc32c { my $crc = 0xffffffff; $crc = $crc_table[($crc ^ $_) & 0xff] ^ ($crc >> 8) for unpack('C*', $_[0]); return $crc ^ 0xffffffff }
# As if it had been written so.
sub seal_meta { my ($page) = @_; put($page, CONTENTS + 44, 'L', crc32c(substr($$page, CONTENTS, 44))) }

sub seal_root
{
	my ($page) = @_;
	my $crc = crc32c(substr($$page, CONTENTS, 10) . substr($$page, CONTENTS + 12, 4) . substr($$page, CONTENTS + 16, 56 * get($page, CONTENTS + 8, 'S', 2)));
	put($page, CONTENTS + 10, 'S', ($crc ^ $crc >> 16) & 0xffff);
}

# Changes the file of an index of a server that is down. Whether it is another then.
sub damage_file
{
	my ($path, $change, @more) = @_;
	my $before = slurp_file($path);
	my @pages = map { \(my $page = $_) } unpack('(a' . PAGE . ')*', $before);
	$change->(\@pages, @more);
	my $after = join '', map { $$_ } @pages;
	open(my $file, '>:raw', $path) or BAIL_OUT("$path: $!");
	print $file $after;
	close($file) or BAIL_OUT("$path: $!");
	return $after ne $before;
}

1;
