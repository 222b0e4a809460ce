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
