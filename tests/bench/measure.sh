# Sourced by the parts of make bench: a database to measure in, and statistics over rounds.
# shellcheck shell=bash
export PGDATABASE=bench
export PGOPTIONS='-c client_min_messages=warning -c synchronous_commit=off'

new_database() {
    PGDATABASE=postgres psql -Xq -v ON_ERROR_STOP=1 \
        -c 'DROP DATABASE IF EXISTS bench' -c 'CREATE DATABASE bench'
    sql 'CREATE EXTENSION memory CASCADE' -c 'SELECT memory.init()' >/dev/null
}

sql() { psql -XqAt -v ON_ERROR_STOP=1 -c "$@"; }

# corpus documents|queries DOCUMENTS TENANTS [WORDS]: lines for COPY (tests/bench/corpus.cpp).
corpus() {
    make --no-print-directory -s "$BUILD/bench/corpus" BUILD="$BUILD" >&2
    "$BUILD/bench/corpus" "$@"
}

# load_corpus DOCUMENTS TENANTS [WORDS [QUERIES]]: tables texts (id, tenant, body), of so many words on average, and queries
# (n, tenant, words), the first so many; schema memory is in the search path.
load_corpus() {
    local words=${3:-29}
    sql 'ALTER DATABASE bench SET search_path = public, memory' \
        -c 'CREATE TABLE texts (id int PRIMARY KEY, tenant int, body text)' \
        -c 'CREATE TABLE queries (n serial PRIMARY KEY, tenant int, words text)'
    corpus documents "$1" "$2" "$words" | sql '\copy texts FROM STDIN'
    corpus queries "$1" "$2" "$words" | awk -v most="${4:-1000000}" 'NR <= most' | sql '\copy queries (tenant, words) FROM STDIN'
    sql 'VACUUM ANALYZE texts' -c 'VACUUM ANALYZE queries'
}

# tps SCRIPT TRANSACTIONS: transactions per second of one client with prepared statements.
tps() {
    pgbench --no-vacuum --protocol prepared --client 1 --transactions "$2" --file "$1" 2>/dev/null |
        sed -n 's/^tps = \([0-9]*\).*/\1/p'
}

# seconds COMMAND…: how long it took.
seconds() {
    local began=$EPOCHREALTIME
    "$@" >/dev/null
    awk -v a="$began" -v b="$EPOCHREALTIME" 'BEGIN {printf "%.4f", b - a}'
}

# median, of the numbers on standard input.
median() { sort -g | awk '{v[NR] = $1} END {print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2}'; }

# column FILE N: the Nth column of a file of rounds.
column() { awk -v n="$2" '{print $n}' "$1"; }

# ratio FILE A B: the median over the rounds of column A divided by column B, as a percentage.
ratio() { awk -v a="$2" -v b="$3" '{print 100 * $a / $b}' "$1" | median | xargs printf '%.0f %%'; }
