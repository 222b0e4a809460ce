# Items: put_item, item and items (under a prefix, filtered, asked) at a million items of a thousand users, and of one user with a hundred
# thousand; p50 and p99 of one client. ITEMS and USERS make it another size.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
items=${ITEMS:-1000000} users=${USERS:-1000} calls=${CALLS:-3000} large=${LARGE:-100000}
each=$((items / users))

# The items of users first to last, as a put writes them: a path of two names of three, a few sentences, a number and a word to filter by.
# load FIRST LAST EACH PREFIX
load() {
    sql "INSERT INTO memory.items (user_id, path, key, value, updated_at, created_at)
        SELECT '$4' || u, ARRAY['area ' || n % 10, 'topic ' || n % 100], 'key ' || n,
            jsonb_build_object('n', n, 'kind', (ARRAY['red', 'green', 'blue', 'grey'])[1 + n % 4], 'text',
                (SELECT string_agg('word' || floor(5000 * random() ^ 3)::int, ' ') FROM generate_series(1, 12 + n % 8))), t, t
        FROM generate_series($1, $2) u, generate_series(1, $3) n, LATERAL (SELECT now() - (n % 1000) * interval '1 minute' AS t) times" >/dev/null
}
loaded=$(seconds eval 'for u in $(seq 1 100 "$users"); do load "$u" "$((u + 99 < users ? u + 99 : users))" "$each" user; done')
load 1 1 "$large" large
sql 'VACUUM ANALYZE' >/dev/null

script() { cat >"$work/$1.sql"; }
script 'put, new' <<SQL
\set u random(1, $users)
\set n random(1, 1000000000000)
SELECT memory.put_item('{area 1,topic 11}', 'new ' || :n, '{"n": 1, "kind": "red", "text": "The train to Vienna leaves at nine, and there is one more after it."}', user_id => 'user' || :u);
SQL
script 'put, over' <<SQL
\set u random(1, $users)
\set n random(1, $each)
SELECT memory.put_item(ARRAY['area ' || :n % 10, 'topic ' || :n % 100], 'key ' || :n, '{"n": 1, "kind": "red", "text": "The train to Vienna leaves at nine, and there is one more after it."}', user_id => 'user' || :u);
SQL
script 'item' <<SQL
\set u random(1, $users)
\set n random(1, $each)
SELECT * FROM memory.item(ARRAY['area ' || :n % 10, 'topic ' || :n % 100], 'key ' || :n, user_id => 'user' || :u);
SQL
for who in user large; do
    [[ $who = user ]] && last=$users || last=1
    script "$who: newest" <<SQL
\set u random(1, $last)
SELECT * FROM memory.items(user_id => '$who' || :u);
SQL
    script "$who: prefix, a tenth" <<SQL
\set u random(1, $last)
\set n random(0, 9)
SELECT * FROM memory.items(ARRAY['area ' || :n], user_id => '$who' || :u);
SQL
    script "$who: prefix, a hundredth" <<SQL
\set u random(1, $last)
\set n random(0, 99)
SELECT * FROM memory.items(ARRAY['area ' || :n % 10, 'topic ' || :n], user_id => '$who' || :u);
SQL
    script "$who: filter" <<SQL
\set u random(1, $last)
\set n random(0, 9)
SELECT * FROM memory.items(ARRAY['area ' || :n], filter => '{"kind": "red", "n": {"\$lt": 500}}', user_id => '$who' || :u);
SQL
    script "$who: query" <<SQL
\set u random(1, $last)
\set w random_zipfian(1, 4000, 1.1)
\set v random(1, 4000)
SELECT * FROM memory.items(query => 'word' || :w || ' word' || :v, user_id => '$who' || :u);
SQL
    script "$who: query under a prefix" <<SQL
\set u random(1, $last)
\set n random(0, 9)
\set w random_zipfian(1, 4000, 1.1)
SELECT * FROM memory.items(ARRAY['area ' || :n], 'word' || :w, user_id => '$who' || :u);
SQL
    script "$who: paths" <<SQL
\set u random(1, $last)
SELECT * FROM memory.item_paths(depth => 1, user_id => '$who' || :u);
SQL
done

# measured SCRIPT CALLS: the median and the 99th percentile of one client, in milliseconds.
measured() {
    rm -f "$work"/log.*
    (cd "$work" && pgbench --no-vacuum --protocol prepared --client 1 --transactions "$2" --log --log-prefix log --file "$1.sql" >"$work/out" 2>&1) ||
        { cat "$work/out" >&2; exit 1; }
    awk '{print $3 / 1000}' "$work"/log.* | sort -g |
        awk '{v[NR] = $1} END {printf "%.3f | %.3f", v[int((NR + 1) / 2)], v[int(NR * .99)]}'
}
row() { printf '| %s | %s |\n' "$1" "$(measured "$2" "$3")"; }

# What a put writes, by the server's own count: bytes of WAL a call, without full pages.
wal() {
    sql CHECKPOINT >/dev/null
    local before after
    sql 'ALTER SYSTEM SET full_page_writes = off' -c 'SELECT pg_reload_conf()' >/dev/null
    before=$(sql 'SELECT pg_current_wal_insert_lsn()')
    measured "$1" 1000 >/dev/null
    after=$(sql "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$before')::bigint / 1000")
    sql 'ALTER SYSTEM RESET full_page_writes' -c 'SELECT pg_reload_conf()' >/dev/null
    echo "$after"
}

size=$(sql "SELECT pg_size_pretty(pg_table_size('memory.items')) || ', its indexes ' || string_agg(pg_size_pretty(pg_relation_size(indexrelid)) || ' (' || replace(indexrelid::regclass::text, 'memory.', '') || ')', ', ' ORDER BY indexrelid::regclass::text)
    FROM pg_index WHERE indrelid = 'memory.items'::regclass")
cat <<SECTION
## Items

$items items of $users users, $each each, of about 150 bytes of JSON on paths of two names, and one user with $large. INSERT made the former in $loaded s.
The table has $size. One client, \`synchronous_commit\` off.

| | p50 ms | p99 ms |
|---|---:|---:|
$(row '`put_item`, a new one' 'put, new' "$calls")
$(row '`put_item`, over one that is there' 'put, over' "$calls")
$(row '`item`' item "$calls")
$(row "\`items\` of a user of $each: the newest 10" 'user: newest' "$calls")
$(row '… under a prefix that a tenth has' 'user: prefix, a tenth' "$calls")
$(row '… under one that a hundredth has' 'user: prefix, a hundredth' "$calls")
$(row '… with a filter under a tenth' 'user: filter' "$calls")
$(row '… that answer two words best' 'user: query' "$calls")
$(row '… that answer a word best, under a tenth' 'user: query under a prefix' "$calls")
$(row '`item_paths`, its first names' 'user: paths' "$((calls / 3))")
$(row "\`items\` of a user of $large: the newest 10" 'large: newest' "$((calls / 3))")
$(row '… under a prefix that a tenth has' 'large: prefix, a tenth' "$((calls / 3))")
$(row '… under one that a hundredth has' 'large: prefix, a hundredth' "$((calls / 3))")
$(row '… with a filter under a tenth' 'large: filter' "$((calls / 3))")
$(row '… that answer two words best' 'large: query' "$((calls / 3))")
$(row '… that answer a word best, under a tenth' 'large: query under a prefix' "$((calls / 3))")
$(row '`item_paths`, its first names' 'large: paths' "$((calls / 30))")

A put writes $(wal 'put, new') bytes of WAL where the item is new, $(wal 'put, over') over one that is there (full pages apart).
SECTION
