# Every sentence that docs/contributing/invariants.md quotes is in the header that it names.
. "$(dirname "$0")/tally.bash"

# missing PAGE: the quotations that are not in their headers under src/ of the current directory.
missing() {
    perl -e '
        my ($page) = @ARGV;
        my $rows = 0;
        open my $in, "<", $page or die "$page: $!\n";
        while (<$in>) {
            my ($header, $sentence) = /^\| .* \| `([^`]+\.h)` \| (.*) \|$/ or next;
            ++$rows;
            my $text = "";
            if (open my $source, "<", "src/$header") {
                local $/;
                $text = <$source>;
            } else {
                print "src/$header: $!\n";
                next;
            }
            $text =~ s{^.*?//[/<]?}{}mg;    # what stands before a comment, and its mark
            $text =~ s/\s+/ /g;
            print "$header does not say: $sentence\n" if index($text, $sentence) < 0;
        }
        print "no sentence is quoted\n" unless $rows;
    ' "$1"
}

cd "$ROOT"
is "$(missing docs/contributing/invariants.md)" '' 'all that the page quotes is in the headers'

mkdir -p "$SCRATCH/src/room"
cd "$SCRATCH"
printf '// A line,\n// and one more.\nint x; // its end\n' >src/room/room.h
page() { printf '| invariant | header | sentence |\n| It holds. | `%s` | %s |\n' "$1" "$2" >page.md; }
page room/room.h 'A line, and one more.'
is "$(missing page.md)" '' 'a sentence may go over lines'
page room/room.h 'its end'
is "$(missing page.md)" '' 'or stand behind code'
page room/room.h 'A line, or none.'
is "$(missing page.md)" 'room/room.h does not say: A line, or none.' 'another sentence is missing'
page room/none.h 'A line,'
like "$(missing page.md)" 'src/room/none.h: No such file' 'and so is a header'
: >page.md
is "$(missing page.md)" 'no sentence is quoted' 'an empty page is no proof'
end
