# compile_commands.json: every source once, the pure rooms without PostgreSQL's headers, the shell with them.
. "$(dirname "$0")/tally.bash"
cd "$ROOT"

make --no-print-directory BUILD="$SCRATCH" "$SCRATCH/compile_commands.json" >/dev/null
# file<TAB>command, by a parser of JSON.
perl -MJSON::PP -0777 -ne 'print "$_->{file}\t$_->{command}\n" for @{ decode_json($_) }' \
    "$SCRATCH/compile_commands.json" >"$SCRATCH/commands"
command_of() { awk -F '\t' -v file="$1" '$1 == file { print $2 }' "$SCRATCH/commands"; }
compiles() { $(command_of "$1") -fsyntax-only -Wno-unused-command-line-argument 2>"$SCRATCH/said" && echo compiles || cat "$SCRATCH/said"; }

is "$(cut -f 1 "$SCRATCH/commands" | grep '^src/' | LC_ALL=C sort)" \
    "$(find src -name '*.cpp' | LC_ALL=C sort)" 'each source is there, and once'
is "$(compiles src/rank/bm25.cpp)" compiles 'a file of a pure room compiles as it says'
is "$(compiles src/pg/uuid7.cpp)" compiles 'so does one of the shell'
is "$(compiles src/text/tokens_sql.cpp)" compiles "and the shell's side of a pure room"
is "$(compiles tests/unit/rank_order_test.cpp)" compiles 'and a test'
includes_server() { [[ $(command_of "$1") = *"$(${PG_CONFIG:-pg_config} --includedir-server)"* ]] && echo yes || echo no; }
is "$(includes_server src/rank/bm25.cpp)" no "a pure room does not see PostgreSQL's headers"
is "$(includes_server src/pg/uuid7.cpp)" yes 'the shell does'
end
