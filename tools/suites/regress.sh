# Sourced by the suites that pg_regress or pg_isolation_regress runs on the tests' server.
# shellcheck shell=bash

# with_regress RUNNER DIRECTORY NAMES OPTION…: one test a name, on a fresh database of the suite's.
with_regress() {
    local runner=$1 input=$2 names=$3; shift 3
    local output=$RUN/work/$suite status=0
    as_server_user rm -rf "$output"
    as_server_user mkdir -p "$output"
    [[ -n $names ]] || { must_have_run; return; }
    # shellcheck disable=SC2086
    (cd "$RUN/work" && as_server_user "$runner" --inputdir="$input" --outputdir="$output" \
        --bindir="$STAGE_BIN" --dbname="memory_$suite" "$@" $names) >"$LOGS/$suite.out" 2>&1 || status=$?
    cat "$LOGS/$suite.out"
    # "test name ... ok" up to 15, "ok 1 - name" after.
    count "$LOGS/$suite.out" '\.\.\. +ok |^ok [0-9]' '\.\.\. FAILED|^not ok [0-9]' $status
    [[ ! -s $output/regression.diffs ]] || cat "$output/regression.diffs"
}
