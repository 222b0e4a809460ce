# The statements on a page below <!-- tested: sql/NAME.sql --> are those of that test, to the letter.
. "$(dirname "$0")/tally.bash"

# untested DIRECTORY: the marked blocks of its pages that are not in the test that they name.
untested() {
    perl -0777 -ne '
        while (/<!-- tested: (\S+) -->\n```\w+\n(.*?)^```$/msg) {
            my ($file, $block) = ($1, $2);
            my $test = -e "$ENV{AT}/$file" ? do { open my $in, "<", "$ENV{AT}/$file"; local $/; <$in> } : "";
            ++$blocks;
            print "$ARGV: not in $file: ", $block =~ /(.*)/, "\n" if index($test, $block) < 0;
        }
        END { print "$blocks blocks\n" }' "$1"/docs/*.md
}
mkdir -p "$SCRATCH"/{docs,sql}
printf '<!-- tested: sql/a.sql -->\n```sql\nSELECT 1;\nSELECT 2;\n```\n```sql\nSELECT 3;\n```\n' >"$SCRATCH/docs/page.md"
printf -- '-- A test\nSELECT 1;\nSELECT 2;\n' >"$SCRATCH/sql/a.sql"
export AT=$SCRATCH
is "$(untested "$SCRATCH")" '1 blocks' 'a block that its test has'
sed -i 's/2/4/' "$SCRATCH/sql/a.sql"
like "$(untested "$SCRATCH")" 'not in sql/a.sql: SELECT 1;' 'a block that the test has otherwise is found'
rm "$SCRATCH/sql/a.sql"
like "$(untested "$SCRATCH")" 'not in sql/a.sql: SELECT 1;' '… and one of a test that is not there'

export AT=$ROOT
is "$(untested "$ROOT" | sed '$d')" '' 'the pages and the tests have the same statements'
like "$(untested "$ROOT" | tail -n 1)" ' blocks' '… of which there are some'
end
