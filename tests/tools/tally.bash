# Sourced by the tests of tools/: a scratch directory, and one line a statement, as TAP has them.
# shellcheck shell=bash
set -euo pipefail
ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SCRATCH=$(mktemp -d)
trap 'rm -rf "$SCRATCH"' EXIT
failed=0

# is GOT WANTED STATEMENT
is() {
    if [[ $1 = "$2" ]]; then echo "ok - $3"; else
        failed=1
        printf 'not ok - %s\n# got:    %s\n# wanted: %s\n' "$3" "$1" "$2"
    fi
}
# like GOT PART STATEMENT
like() { if [[ $1 = *"$2"* ]]; then is 1 1 "$3"; else is "$1" "… $2 …" "$3"; fi; }
end() { exit "$failed"; }
