# Sourced by every suite: the common tools, the names of its tests, and a tally that is written when
# the suite ends. What could not be tested is said with `skip`, so that it is seen in the result.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/../common.sh"
. "$ROOT/tools/suites/tests.sh"

suite=${0##*/}
LOGS=$BUILD/test
passed=0 failed=0 skipped=0
write_count() { echo "$passed $failed $skipped" >"$LOGS/$suite.count"; }
trap write_count EXIT
cd "$ROOT"

pass() { passed=$((passed + ${1:-1})); }
fail() { failed=$((failed + 1)); echo "FAILED: $*"; }
skip() { skipped=$((skipped + 1)); echo "SKIPPED: $*"; }
# Nothing to do is no failure; a directory without a test in it is.
only_if_there() { [[ -e $1 ]] || { skip "there is no $1"; exit 0; }; }
must_have_run() { ((passed + failed + skipped > 0)) || fail "no test ran"; }

# count OUTPUT PASS-PATTERN FAIL-PATTERN STATUS: for runners that print one line a test.
count() {
    local p f
    p=$(grep -cE "$2" "$1" || true)
    f=$(grep -cE "$3" "$1" || true)
    pass "$p"
    failed=$((failed + f))
    [[ $4 = 0 || $f != 0 ]] || fail "the runner gave up (status $4)"
}
