# Sourced by every suite: the common tools, and a tally that is written when the suite ends.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"

suite=${0##*/}
LOGS=$BUILD/test
passed=0 failed=0
trap 'echo "$passed $failed" >"$LOGS/$suite.count"' EXIT
cd "$ROOT"

pass() { passed=$((passed + ${1:-1})); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
# Nothing to do is no failure; a directory without a test in it is.
only_if_there() { [[ -d $1 ]] || exit 0; }
must_have_run() { ((passed + failed > 0)) || fail "no test ran"; }

# count OUTPUT PASS-PATTERN FAIL-PATTERN STATUS: for runners that print one line a test.
count() {
    local p f
    p=$(grep -cE "$2" "$1" || true)
    f=$(grep -cE "$3" "$1" || true)
    pass "$p"
    failed=$((failed + f))
    [[ $4 = 0 || $f != 0 ]] || fail "the runner gave up (status $4)"
}
