# Sourced by tools/test-all and tools/test-ci: runs of make test on several systems, each a part with a
# name, and their sum.
# shellcheck shell=bash
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
passed=0 failed=0 results=()
mkdir -p "$BUILD/parts"
HERE=$(. /etc/os-release && echo "${VERSION_CODENAME:-here}")

# part NAME COMMAND…: its lines carry its name, so that the last line is the only plain one.
part() {
    local name=$1 log=$BUILD/parts/$1.log status closing began=$SECONDS; shift
    set +e
    "$@" </dev/null 2>&1 | tee "$log" | sed -u "s/^/$name | /"
    status=${PIPESTATUS[0]}
    set -e
    if [[ $status = 77 ]]; then
        results+=("$(printf '%-10s skipped: %s' "$name" "$(sed -n '$s/.*: skipped [a-z]*: //p' "$log")")")
        return
    fi
    local p=0 f=1
    closing=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1 || true)
    if [[ $closing =~ ^([0-9]+)\ passed,\ ([0-9]+) ]]; then
        p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
        [[ $status = 0 || $f != 0 ]] || f=1
    fi
    passed=$((passed + p)) failed=$((failed + f))
    results+=("$(printf '%-10s %5d passed %4d failed %5d s' "$name" "$p" "$f" $((SECONDS - began)))")
}

# What each part came to, also what could not be run here, and the last line.
finish() {
    printf '%s\n' "${results[@]}"
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [[ $failed = 0 ]]
}
