# What `make install` installs: the library without its debug data, which is aside and belongs to it.
use strict;
use warnings FATAL => 'all';
use PostgreSQL::Test::Utils;
use Test::More;

my ($libraries) = run_command([ 'pg_config', '--pkglibdir' ]);
my $library = "$libraries/memory.so";
my $debug = "$library.debug";
sub sections { my ($out) = run_command([ 'readelf', '--sections', '--wide', shift ]); return $out }
sub build_id { my ($out) = run_command([ 'readelf', '--notes', shift ]); return $out =~ /Build ID: (\w+)/ ? $1 : 'none' }

cmp_ok(-s $library, '<', 4_000_000, 'memory.so is small');
unlike(sections($library), qr/ \.(debug_info|symtab) /, '... without debug data and symbols');
like(sections($library), qr/ \.gnu_debuglink /, '... and names the file that has them');
like(sections($debug), qr/ \.debug_info /, 'memory.so.debug has them');
is(build_id($debug), build_id($library), '... of the same build');
isnt(build_id($library), 'none', '... which both name');
my ($symbols) = run_command([ 'nm', '--dynamic', '--defined-only', $library ]);
like($symbols, qr/ T _PG_init$/m, 'what PostgreSQL calls is still exported');
done_testing();
