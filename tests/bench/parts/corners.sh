# The slow corners: realistic calls of the whole interface that are likely to be slow, each beside a plain sibling that asks
# nearly the same, over one database of a million episodes. Which calls those are is in tests/bench/corners.sql.
# BENCH_EPISODES=100000 tries it quickly. ONLY=websearch measures the calls with that word in their names.
set -euo pipefail
. tests/bench/measure.sh
episodes=${BENCH_EPISODES:-1000000} tenants=${BENCH_TENANTS:-2000} asked=${BENCH_QUERIES:-200}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

load_corpus "$episodes" "$tenants" 29 "$asked"
sql "SET bench.calls = '${ONLY:-}'" -c '\i tests/bench/corners.sql' | grep . >"$work/report"
cat <<PAGE
## Slow corners

$episodes episodes of $tenants users of Zipf sizes, sessions of fifty; the largest user also has 20,000 facts. $asked queries, one client, warm: p50 / p99 in
milliseconds and buffers on average, each call beside its plain sibling. Load of the machine: $(cut -d' ' -f1-3 /proc/loadavg) at the end.

| call | p50 / p99 | buffers | plain sibling | p50 / p99 | buffers | p50, × | buffers, × |
|---|---:|---:|---|---:|---:|---:|---:|
PAGE
cat "$work/report"
cat <<'PAGE'

What takes more than three times its sibling is more work: a prefix reads the places of every word that begins so; and before any VACUUM each row of a user is looked up in the
table, a buffer each where they are scattered, since what no VACUUM has seen may not be visible ([index.md](index.md#statistics-are-the-snapshots)).
PAGE
