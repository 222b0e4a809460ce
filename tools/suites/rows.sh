# Sourced by the suite clients: what its runs say of adapters, as rows of the table in docs/frameworks.md. A row is made of logs of
# runs and of nothing else. `make clients` writes the page; otherwise a row that ran must be the page's.
# shellcheck shell=bash

ROWS=$LOGS/frameworks.rows
FRAMEWORKS=$ROOT/docs/frameworks.md
mkdir -p "$LOGS"
: >"$ROWS"

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
}

# The page's table with the rows of this run in the place of those of the same adapter and suite.
table() {
    awk -F' [|] ' '
        FNR == NR { new[$1 FS $3] = $0; order[++n] = $1 FS $3; next }
        { print ($1 FS $3 in new) ? new[$1 FS $3] : $0; known[$1 FS $3] }
        END { for (i = 1; i <= n; i++) if (!(order[i] in known)) print new[order[i]] }' "$ROWS" <(page_rows) | LC_ALL=C sort -f
}
page_rows() { sed -n '/^<!-- rows -->$/,/^<!-- end of rows -->$/p' "$FRAMEWORKS" | grep '^| ' | tail -n +2; }

# Numbers of an older copy of a public repository are no failure: its row has another version.
compare_rows() {
    local line key
    while read -r line; do
        key=$(cut -d'|' -f2,4,5 <<<"$line")
        ! page_rows | cut -d'|' -f2,4,5 | grep -qFx "$key" || page_rows | grep -qFx "$line" ||
            fail "docs/frameworks.md has other figures than this run: $line"
    done <"$ROWS"
}

write_rows() {
    local new=$ROWS.page
    { sed '/^<!-- rows -->$/q' "$FRAMEWORKS"
      printf '| adapter | lines | suite | its version | passed / all | left out |\n|---|---|---|---|---|---|\n'
      table
      sed -n '/^<!-- end of rows -->$/,$p' "$FRAMEWORKS"; } >"$new"
    cp "$new" "$FRAMEWORKS"
}

# What a run that failed says is not the page's.
settle_rows() {
    if [[ ${WRITE_FRAMEWORKS:-} != 1 ]]; then compare_rows; elif ((failed == 0)); then write_rows; fi
}
