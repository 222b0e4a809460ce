# Conversations: messages a second into one session and into a thousand, by one client and by sixteen, with and
# without waiting for the disk; and the newest of a long session.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"; sql "ALTER SYSTEM RESET fsync" -c "SELECT pg_reload_conf()" >/dev/null' EXIT
rounds=5 seconds_each=4 long=100000

cat >"$work/one.sql" <<'SQL'
SELECT memory.add_messages('hot', '[{"role": "user", "content": "The train to Vienna leaves at nine, and there is one more after it."}]', 'writer');
SQL
cat >"$work/thousand.sql" <<'SQL'
\set s random(1, 1000)
SELECT memory.add_messages('session ' || :s, '[{"role": "user", "content": "The train to Vienna leaves at nine, and there is one more after it."}]', 'writer');
SQL
cat >"$work/remember_in.sql" <<'SQL'
SELECT memory.remember('The train to Vienna leaves at nine, and there is one more after it.', user_id => 'rememberer', session_id => 'one');
SQL
cat >"$work/remember.sql" <<'SQL'
SELECT memory.remember('The train to Vienna leaves at nine, and there is one more after it.', user_id => 'rememberer');
SQL
cat >"$work/newest.sql" <<'SQL'
SELECT * FROM memory.messages('long', user_id => 'reader');
SQL

# rate CLIENTS SCRIPT COMMIT: messages a second. The server of the benchmarks does not flush unless it is told to.
rate() {
    sql "ALTER SYSTEM SET fsync = $3" -c "SELECT pg_reload_conf()" >/dev/null
    PGOPTIONS="-c client_min_messages=warning -c synchronous_commit=$3" \
        pgbench --no-vacuum --protocol prepared --client "$1" --jobs 2 --time "$seconds_each" \
        --file "$work/$2.sql" 2>/dev/null | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}

# milliseconds SCRIPT: the median and the 99th percentile of one client.
milliseconds() {
    rm -f "$work"/log.*
    (cd "$work" && pgbench --no-vacuum --protocol prepared --client 1 --transactions 3000 --log \
        --log-prefix log --file "$1.sql" >"$work/out" 2>&1)
    awk '{print $3 / 1000}' "$work"/log.* | sort -g |
        awk '{v[NR] = $1} END {printf "%.3f %.3f\n", v[int((NR + 1) / 2)], v[int(NR * .99)]}'
}

# Pages that reading the newest 20 touches, when the backend has planned it.
buffers() {
    sql "SELECT count(*) FROM memory.messages('long', user_id => 'reader')" \
        -c "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF) SELECT * FROM memory.messages('long', user_id => 'reader')" |
        sed -n '/Function Scan/{n;s/.*hit=\([0-9]*\).*/\1/p}'
}

rate 16 one off >/dev/null
hot=$(sql "SELECT round(100.0 * n_tup_hot_upd / n_tup_upd) FROM pg_stat_user_tables WHERE relname = 'sessions'")
for round in $(seq "$rounds"); do
    for commit in off on; do
        echo "$(rate 1 one $commit) $(rate 16 one $commit) $(rate 1 thousand $commit) $(rate 16 thousand $commit)" \
            >>"$work/$commit"
    done
    echo "$(tps "$work/remember_in.sql" 4000) $(tps "$work/remember.sql" 4000)" >>"$work/remember"
done
sql "SELECT count(*) FROM generate_series(0, $long / 1000 - 1) g, memory.add_messages('long', (SELECT jsonb_agg(jsonb_build_object(
         'role', CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, 'content', 'Message ' || n || ' says that the train to Vienna leaves at nine.'))
         FROM generate_series(g * 1000 + 1, g * 1000 + 1000) n), 'reader')" >/dev/null
sql 'VACUUM ANALYZE'
read -r newest_p50 newest_p99 < <(milliseconds newest)

row() { printf '| %s | %s | %s |\n' "$1" "$(column "$work/off" "$2" | median)" "$(column "$work/on" "$2" | median)"; }
cat <<SECTION
## Conversations

Messages of 67 letters, one a call, each recalled by its words afterwards: medians of $rounds interleaved rounds of $seconds_each seconds. With
\`synchronous_commit\` on the flushes of the disk bound them. Of the updates of the row of one busy
session $hot % were heap-only.

| messages/s | synchronous_commit off | on |
|---|---:|---:|
$(row 'one client, one session' 1)
$(row '16 clients, one session' 2)
$(row 'one client, 1,000 sessions' 3)
$(row '16 clients, 1,000 sessions' 4)

\`remember\` of the same text by one client: $(column "$work/remember" 2 | median) a second without a session, $(column "$work/remember" 1 | median) with one ($(ratio "$work/remember" 1 2)).

The last 20 of a session of $long messages: $newest_p50 ms (p50), $newest_p99 ms (p99), $(buffers) buffers.
SECTION
