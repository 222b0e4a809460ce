# A front (PL/Proxy) beside the database itself, with the statements of a call, and 16 partitions beside none, where init() makes
# them.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=5 calls=1000 users=200

# fill: each of the users has 50 episodes and 20 facts.
fill() {
    sql "SELECT count(*) FROM generate_series(1, $users) u, memory.remember_many((SELECT jsonb_agg(jsonb_build_object('content', format('message %s of the train to place %s', n, (n * 7 + u) % 50),
            'occurred_at', '2026-01-01'::timestamptz + n * interval '1 hour')) FROM generate_series(1, 50) n), 'user ' || u)" \
        -c "SELECT count(memory.assert_fact('person ' || n, 'lives in', 'place ' || n, 'user ' || u)) FROM generate_series(1, $users) u, generate_series(1, 20) n" \
        -c 'VACUUM ANALYZE' >/dev/null
}

scripts() {
    cat >"$work/recall" <<SQL
\set u random(1, $users)
\set p random(1, 50)
SELECT * FROM memory.recall('train place ' || :p, user_id => 'user ' || :u);
SQL
    cat >"$work/facts" <<SQL
\set u random(1, $users)
\set p random(1, 20)
SELECT * FROM memory.facts('person ' || :p, user_id => 'user ' || :u);
SQL
    cat >"$work/remember" <<SQL
\set u random(1, $users)
SELECT memory.remember('another message of the train', user_id => 'user ' || :u);
SQL
    cat >"$work/assert_fact" <<SQL
\set u random(1, $users)
\set n random(1, 1000000000)
SELECT memory.assert_fact('person ' || :n, 'lives in', 'place ' || :n, user_id => 'user ' || :u);
SQL
}

# per_call DATABASE SCRIPT: microseconds of a call of one client.
per_call() { PGDATABASE=$1 tps "$work/$2" "$calls" | awk '{printf "%.0f", 1000000 / $1}'; }

# transactions DATABASE PROGRAM…: how many a database has committed meanwhile, but for those that ask.
transactions() {
    local database=$1 before
    shift
    before=$(committed "$database")
    "$@" >/dev/null
    echo $(($(committed "$database") - before))
}
committed() {
    sleep 1.2 # sessions that are idle have reported what they did
    sql "SELECT pg_stat_clear_snapshot()" -c "SELECT xact_commit FROM pg_stat_database WHERE datname = '$1'" | tail -n 1
}

# compare A B: a row for each script, the second database beside the first.
compare() {
    local script
    for script in recall facts remember assert_fact; do
        for _ in $(seq "$rounds"); do echo "$(per_call "$1" "$script") $(per_call "$2" "$script")"; done >"$work/rounds"
        printf '| `%s` | %s | %s | %s |\n' "$script" "$(column "$work/rounds" 1 | median)" "$(column "$work/rounds" 2 | median)" "$(ratio "$work/rounds" 2 1)"
    done
}

# configure [MORE]: one database, bench_00, on the server of the bench.
configure() {
    cat >"$work/conf" <<CONF
shards = 1
prefix = bench_
[server a]
connect = host=$PGHOST port=$PGPORT user=$PGUSER
${1:-}
CONF
}

front() {
    [[ $(sql "SELECT count(*) FROM pg_available_extensions WHERE name = 'plproxy'") = 1 ]] ||
        { printf 'The front was not measured: PL/Proxy is not installed.\n'; return; }
    configure "[front f]
connect = host=$PGHOST port=$PGPORT user=$PGUSER dbname=bench_front"
    sql 'DROP DATABASE IF EXISTS bench_front' -c 'CREATE DATABASE bench_front' -c 'DROP DATABASE IF EXISTS bench_00'
    memory-shards -c "$work/conf" create >/dev/null
    memory-shards -c "$work/conf" front >/dev/null
    PGDATABASE=bench_00 fill
    cat <<'SECTION'
### A front, beside the database itself

Microseconds a call, one client, prepared statements, everything on one machine; medians of interleaved rounds.

| call | direct | through the front | front to direct |
|---|---|---|---|
SECTION
    compare bench_00 bench_front
    printf '\n%s calls of `recall` through the front are %s transactions there and %s at the database; each is a statement and a round trip.\n' \
        "$calls" "$(transactions bench_front per_call bench_front recall)" "$(transactions bench_00 per_call bench_front recall)"
}

partitions() {
    sql 'DROP DATABASE IF EXISTS bench_partitions' -c 'CREATE DATABASE bench_partitions'
    PGDATABASE=bench_partitions sql 'CREATE EXTENSION memory CASCADE'
    if ! PGDATABASE=bench_partitions sql 'SELECT memory.init(partitions => 16)' >/dev/null 2>&1; then
        printf '\nPartitions were not measured: this version makes none.\n'
        return
    fi
    PGDATABASE=bench_partitions fill
    fill
    cat <<'SECTION'

### 16 partitions, beside none

| call | no partitions, µs | 16 partitions, µs | 16 to none |
|---|---|---|---|
SECTION
    compare bench bench_partitions
}

scripts
printf '## Past one database\n\n'
front
partitions
