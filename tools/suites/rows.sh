# Sourced by the suite clients: what its runs say of adapters, as rows of the tables in docs/frameworks.md: figures, and each case that
# is not passed with its reason. A row is made of logs of runs and of nothing else. `make clients` writes the page; otherwise a row that
# ran must be the page's.
# shellcheck shell=bash

ROWS=$LOGS/frameworks.rows
DIFFERENCES=$LOGS/frameworks.differences
FRAMEWORKS=$ROOT/docs/frameworks.md
mkdir -p "$LOGS"
: >"$ROWS"
: >"$DIFFERENCES"

# row ADAPTER FILES SUITE VERSION LOG…: LOGs are names of logs of `tested`, or patterns. Without a log nothing ran, and there is no row.
# Lines are those of code: neither blank nor comments.
row() {
    local adapter=$1 files=$2 suite=$3 version=$4 names=("${@:5}") logs=() name log lines passed differ left
    for name in "${names[@]}"; do
        for log in "$LOGS"/clients-$name.log; do [[ ! $log -nt $STARTED ]] || logs+=("$log"); done
    done
    ((${#logs[@]})) || return 0
    # shellcheck disable=SC2086
    lines=$(cat $files | grep -cvE '^[[:space:]]*(#|//|\*|/\*|$)')
    passed=$(cat "${logs[@]}" | grep -cE '^ok ' || true)
    differ=$(cat "${logs[@]}" | grep -cE '^(not ok |# differs: )' || true)
    left=$(cat "${logs[@]}" | awk '/^# [0-9]+ left out: / { n += $2 } END { print n + 0 }')
    printf '| %s | %d | %s | %s | %d / %d | %d |\n' "$adapter" "$lines" "$suite" "$version" "$passed" $((passed + differ)) "$left" >>"$ROWS"
    differences "$adapter" "$suite" "${logs[@]}"
    unknown_names "$adapter, $suite" "${logs[@]}"
}

# A line for each case that is run and must not pass: one that does is a failure (public_suite.py, public_suite.config.mjs), and so is another
# that does not.
differences() {
    local adapter=$1 suite=$2; shift 2
    { grep -h '^# differs: ' "$@" || true; } | sed 's/^# differs: //; s/|/\\|/g' | LC_ALL=C sort -u |
        awk -F'\t' -v adapter="$adapter" -v suite="$suite" '{ printf "| %s | %s | `%s` | %s |\n", adapter, suite, $1, $2 }' >>"$DIFFERENCES"
}

# What a list of cases (swap.py, swap.mjs) names, and no case is called in any of the logs, is out of date.
unknown_names() {
    local name
    while read -r name; do fail "$1: the list of its cases names $name, and there is no such case"; done < <(
        comm -13 <(cut -s -f2 <(grep -h '^# listed: met' "${@:2}") | LC_ALL=C sort -u) \
            <(cut -s -f2 <(grep -h '^# listed: not met' "${@:2}") | LC_ALL=C sort -u))
}

# The page's table with the rows of this run in the place of those of the same adapter and suite.
table() {
    awk -F' [|] ' '
        FNR == NR { new[$1 FS $3] = $0; order[++n] = $1 FS $3; next }
        { print ($1 FS $3 in new) ? new[$1 FS $3] : $0; known[$1 FS $3] }
        END { for (i = 1; i <= n; i++) if (!(order[i] in known)) print new[order[i]] }' "$ROWS" <(page_rows) | LC_ALL=C sort -f
}
page_rows() { page_part rows; }
page_differences() { page_part differences; }
page_part() { sed -n "/^<!-- $1 -->\$/,/^<!-- end of $1 -->\$/p" "$FRAMEWORKS" | grep '^| ' | tail -n +2; }
# Lines of stdin that are of an adapter and a suite of this run, or (-v) that are not.
of_this_run() {
    awk -F' [|] ' -v others="${1:-}" 'FNR == NR { ran[$1 FS $3]; next } (($1 FS $2) in ran) == (others == "")' "$ROWS" -
}

# Numbers of an older copy of a public repository are no failure: its row has another version.
compare_rows() {
    local line key
    while read -r line; do
        key=$(cut -d'|' -f2,4,5 <<<"$line")
        ! page_rows | cut -d'|' -f2,4,5 | grep -qFx "$key" || page_rows | grep -qFx "$line" ||
            fail "docs/frameworks.md has other figures than this run: $line"
        ! page_rows | cut -d'|' -f2,4,5 | grep -qFx "$key" ||
            diff <(page_differences | of_one "$line") <(of_one "$line" <"$DIFFERENCES") ||
            fail "docs/frameworks.md names other cases than this run: $line"
    done <"$ROWS"
}
# Lines of stdin that are of the row's adapter and suite.
of_one() { awk -F' [|] ' -v row="$1" 'BEGIN { split(row, of, / [|] /) } $1 == of[1] && $2 == of[3]'; }

write_rows() {
    local new=$ROWS.page
    { sed '/^<!-- rows -->$/q' "$FRAMEWORKS"
      printf '| adapter | lines | suite | its version | passed / all | left out |\n|---|---|---|---|---|---|\n'
      table
      sed -n '/^<!-- end of rows -->$/,/^<!-- differences -->$/p' "$FRAMEWORKS"
      printf '| adapter | suite | case | why |\n|---|---|---|---|\n'
      { page_differences | of_this_run -v; cat "$DIFFERENCES"; } | LC_ALL=C sort -f -u
      sed -n '/^<!-- end of differences -->$/,$p' "$FRAMEWORKS"; } >"$new"
    cp "$new" "$FRAMEWORKS"
}

# What a run that failed says is not the page's.
settle_rows() {
    if [[ ${WRITE_FRAMEWORKS:-} != 1 ]]; then compare_rows; elif ((failed == 0)); then write_rows; fi
}
