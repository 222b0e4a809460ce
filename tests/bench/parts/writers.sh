# Writers and readers at once: inserts of eight clients, each into a tenant of its own or all into one, beside a table without an
# index; and sixteen readers with and without a thousand updates a second. BENCH_DOCUMENTS=20000 BENCH_SECONDS=3 tries it quickly;
# BENCH_WORDS=300 has documents of that length.
set -euo pipefail
. tests/bench/measure.sh
documents=${BENCH_DOCUMENTS:-200000} tenants=64 words=${BENCH_WORDS:-29} seconds=${BENCH_SECONDS:-10} rounds=3
writers=${BENCH_WRITERS:-8} readers=${BENCH_READERS:-16} updates=${BENCH_UPDATES:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"

make_tables() {
    load_corpus "$documents" "$tenants" "$words"
    sql 'CREATE TABLE indexed (id bigserial PRIMARY KEY, tenant int, body text)' -c 'INSERT INTO indexed SELECT * FROM texts ORDER BY id' \
        -c 'CREATE INDEX ON indexed USING recall (tenant, body)' -c "SELECT setval('indexed_id_seq', $documents)" \
        -c 'CREATE TABLE bare (id bigserial PRIMARY KEY, tenant int, body text)' -c CHECKPOINT -c 'VACUUM ANALYZE' >/dev/null
}

# The body is found by its id, so that what comes over the wire is the same for all.
write_scripts() {
    local table
    for table in indexed bare; do
        printf '%s\n' "\\set n random(1, $documents)" "INSERT INTO $table (tenant, body) SELECT :client_id + 1, body FROM texts WHERE id = :n;" >"$work/$table-own.sql"
        printf '%s\n' "\\set n random(1, $documents)" "INSERT INTO $table (tenant, body) SELECT 1, body FROM texts WHERE id = :n;" >"$work/$table-one.sql"
    done
    printf '%s\n' "\\set n random(1, $documents)" "\\set m random(1, $documents)" \
        'UPDATE indexed SET body = t.body FROM texts t WHERE indexed.id = :n AND t.id = :m;' >"$work/update.sql"
    printf '%s\n' "\\set n random(1, $(sql 'SELECT max(n) FROM queries'))" 'SELECT tenant AS who, words AS asked FROM queries WHERE n = :n \gset' \
        "SELECT id FROM indexed WHERE tenant = :who AND body @@@ query(:asked::text) ORDER BY body <@> query(:asked::text) LIMIT 10;" >"$work/read.sql"
}

# rate SCRIPT CLIENTS: transactions a second.
rate() {
    pgbench --no-vacuum --protocol prepared --client "$2" --jobs 2 --time "$seconds" --file "$work/$1.sql" 2>/dev/null | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}

# What backends wait for, sampled until the file is gone.
sample_waits() {
    touch "$work/sampling"
    while [[ -e $work/sampling ]]; do
        sql "SELECT coalesce(wait_event_type || ':' || wait_event, 'running') FROM pg_stat_activity
             WHERE state = 'active' AND query LIKE 'INSERT INTO indexed%'"
        sleep 0.02
    done >"$work/waits"
}

# shares: the waits of more than 2 % of the samples.
shares() { sort "$work/waits" | uniq -c | awk '{n[$2] = $1; all += $1} END {for (e in n) if (n[e] > .02 * all) printf "%s%s %.0f %%", s++ ? ", " : "", e, 100 * n[e] / all}'; }

measure_writers() {
    local round table
    for round in $(seq $rounds); do
        for table in indexed bare; do
            echo "$(rate $table-own 1) $(rate $table-own "$writers") $(rate $table-one "$writers")"
        done | paste -sd' ' >>"$work/rounds"
    done
    sample_waits &
    rate indexed-own "$writers" >/dev/null
    rm "$work/sampling"
    wait
}

# latencies SCRIPT CLIENTS: p50, p99 and the most, in milliseconds.
latencies() {
    rm -f "$work"/log.*
    pgbench --no-vacuum --protocol prepared --client "$2" --jobs 2 --time "$seconds" --file "$work/$1.sql" --log --log-prefix "$work/log" >/dev/null 2>&1
    cat "$work"/log.* | awk '{print $3 / 1000}' | sort -g | awk '{v[NR] = $1} END {printf "%.2f %.2f %.2f\n", v[int((NR + 1) / 2)], v[int(NR * .99 + .5)], v[NR]}'
}

# measure_inserts FILE: of one writer.
measure_inserts() {
    local round table
    for round in $(seq $rounds); do
        for table in indexed bare; do latencies $table-own 1; done | paste -sd' ' >>"$work/$1"
    done
}

# What autovacuum does, which is off here. Only what is on disk is all-visible.
vacuum() { sql CHECKPOINT -c 'VACUUM ANALYZE indexed' -c 'VACUUM ANALYZE bare'; }

# The readers' table is that of the beginning, vacuumed: what the writers have put there is another subject.
measure_readers() {
    local round
    sql "DELETE FROM indexed WHERE id > $documents"
    vacuum
    for round in $(seq $rounds); do
        latencies read "$readers" >>"$work/alone"
        pgbench --no-vacuum --protocol prepared --client 2 --jobs 1 --rate "$updates" --time $((seconds + 1)) --file "$work/update.sql" >"$work/updates" 2>&1 &
        latencies read "$readers" >>"$work/beside"
        wait
        sed -n 's/^tps = \([0-9]*\).*/\1/p' "$work/updates" >>"$work/updated"
    done
}

make_tables
write_scripts
measure_writers
measure_inserts inserts
vacuum
measure_inserts inserts-vacuumed
measure_readers
paste -d' ' "$work/alone" "$work/beside" >"$work/readers"
of() { column "$work/$1" "$2" | median; }
cat <<PAGE
## Writers and readers at once

$documents documents of about $words words, $tenants tenants, synchronous_commit off; medians of $rounds rounds of $seconds seconds. Load of the machine: $(cut -d' ' -f1-3 /proc/loadavg) at the end.

| inserts/s | one writer | $writers writers of $writers tenants | $writers writers of one |
|---|---:|---:|---:|
| with a recall index | $(of rounds 1) | $(of rounds 2) ($(ratio "$work/rounds" 2 1) of one) | $(of rounds 3) ($(ratio "$work/rounds" 3 1)) |
| without | $(of rounds 4) | $(of rounds 5) ($(ratio "$work/rounds" 5 4)) | $(of rounds 6) ($(ratio "$work/rounds" 6 4)) |

| an insert of one writer | p50 / p99, ms | the slowest of a round, ms |
|---|---:|---:|
| with a recall index | $(of inserts 1) / $(of inserts 2) | $(of inserts 3) |
| without | $(of inserts 4) / $(of inserts 5) | $(of inserts 6) |
| with a recall index, after a VACUUM | $(of inserts-vacuumed 1) / $(of inserts-vacuumed 2) | $(of inserts-vacuumed 3) |
| without, after a VACUUM | $(of inserts-vacuumed 4) / $(of inserts-vacuumed 5) | $(of inserts-vacuumed 6) |

What the $writers writers of $writers tenants were seen waiting for, more than 2 % of samples: $(shares).

| $readers readers of top tens | p50 / p99, ms |
|---|---|
| alone | $(of alone 1) / $(of alone 2) |
| beside $(median <"$work/updated") updates/s | $(of beside 1) / $(of beside 2) |

The 99th percentile beside updates is $(ratio "$work/readers" 5 2) of that alone; the goal is 200 %. The goal of the slowest insert is 10 ms above a bare table's.
The first inserts had no VACUUM since the tables were made, so that segments have become many: a background worker merges the large ones beside the writers.
PAGE
