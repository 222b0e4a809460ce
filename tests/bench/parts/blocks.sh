# Blocks: appends, edits, whole writes and reads of a block of 2 kB and of one of 100 kB, what they write to WAL and to
# history; and sixteen clients in the blocks of one user.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
calls=400 seconds_each=3 rounds=3

load() {
    load_corpus 3000 2
    sql "CREATE TABLE text AS SELECT left(string_agg(body, E'\\n' ORDER BY id), 100000) AS body FROM texts" \
        -c "CREATE FUNCTION text_of(size int) RETURNS text LANGUAGE sql AS \$\$ SELECT overlay(left(body, size) PLACING ' now 0000 ' FROM size / 2) FROM text \$\$" \
        -c 'CREATE TABLE plain (name text PRIMARY KEY, body text)' >/dev/null
}

# The calls on one block, in the middle of which a number counts the edits.
cat >"$work/append.sql" <<'SQL'
SELECT memory.append_block('block', 'The train to Vienna leaves at nine, and there is another.', E'\n', 'ann');
SQL
cat >"$work/edit.sql" <<'SQL'
SELECT memory.edit_block('block', ' now ' || lpad((n + 1)::text, 4, '0') || ' ', ' now ' || lpad(n::text, 4, '0') || ' ', user_id => 'ann') FROM (SELECT (version - 1) % 10000 AS n FROM memory.block('block', 'ann')) b;
SQL
cat >"$work/insert.sql" <<'SQL'
SELECT memory.edit_block('block', 'The train to Vienna leaves at nine, and there is another.', line => 3, user_id => 'ann');
SQL
cat >"$work/set.sql" <<'SQL'
SELECT memory.set_block('block', reverse(content), 'ann') FROM memory.block('block', 'ann');
SQL
cat >"$work/read.sql" <<'SQL'
SELECT length(content) FROM memory.block('block', 'ann');
SQL
cat >"$work/history.sql" <<'SQL'
SELECT sum(length(content)) FROM memory.block_history('block', 20, 'ann');
SQL

# What a table of one's own takes for the same.
cat >"$work/plain.sql" <<'SQL'
UPDATE plain SET body = body || E'\nThe train to Vienna leaves at nine, and there is another.' WHERE name = 'block';
SQL

# A block of so many characters, so that all measurements begin alike.
make_block() {
    sql "SELECT memory.delete_block(name, user_id => 'ann') FROM memory.blocks(user_id => 'ann')" -c "SELECT memory.set_block('block', text_of($1), 'ann')" \
        -c 'TRUNCATE plain' -c "INSERT INTO plain VALUES ('block', text_of($1))" -c 'VACUUM memory.blocks' -c 'VACUUM memory.block_versions' -c CHECKPOINT >/dev/null
}

# times CALL: p50 and p99 in ms.
times() {
    rm -f "$work"/log.*
    (cd "$work" && pgbench --no-vacuum --protocol prepared --client 1 --transactions $calls --log --log-prefix log --file "$1.sql" >"$work/out" 2>&1)
    awk '{print $3 / 1000}' "$work"/log.* | sort -g | awk '{v[NR] = $1} END {printf "%.2f / %.2f", v[int((NR + 1) / 2)], v[int(NR * .99)]}'
}

# written SIZE CALL: the same, and bytes of WAL and of history a call.
written() {
    make_block "$1"
    local before
    before=$(sql 'SELECT pg_current_wal_insert_lsn()')
    times "$2"
    sql "SELECT ' | ' || round(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '$before') / $calls) || ' | '
         || coalesce((SELECT round(avg(pg_column_size(v.*)))::text FROM memory.block_versions v WHERE v.version > 1), '')"
}
both() { echo "$(written 2000 "$1") | $(written 100000 "$1")"; }
with_lz4() { PGOPTIONS="$PGOPTIONS -c default_toast_compression=lz4" both "$1"; }

# Reads after twenty appends.
read_both() {
    local size
    for size in 2000 100000; do
        make_block $size
        sql "SELECT memory.append_block('block', 'line ' || n, E'\n', 'ann') FROM generate_series(1, 20) n" >/dev/null
        times "$1"
        [[ $size = 100000 ]] && echo ' | |' || printf ' | | | '
    done
}

# rate SCRIPT: calls a second of 16 clients.
rate() {
    sql "SELECT memory.delete_block(name, true, 'ann') FROM memory.blocks(user_id => 'ann')" >/dev/null
    pgbench --no-vacuum --protocol prepared --client 16 --jobs 2 --time $seconds_each --file "$work/$1.sql" 2>/dev/null | sed -n 's/^tps = \([0-9]*\).*/\1/p'
}
cat >"$work/own_blocks.sql" <<'SQL'
SELECT memory.set_block('/notes/' || :client_id, md5(random()::text), 'ann');
SQL
cat >"$work/one_set.sql" <<'SQL'
SELECT memory.set_block('/notes/one', md5(random()::text), 'ann');
SQL

load
for _ in $(seq $rounds); do
    echo "$(rate one_set) $(rate own_blocks)" >>"$work/rates"
done
cat <<SECTION
## Blocks

One client, $calls calls on a block of 2 kB and on one of 100 kB of words, without waiting for the disk: p50 / p99 in milliseconds; bytes of WAL a call, full pages
after a checkpoint among them; and bytes of a row of history. A content is one value, which PostgreSQL compresses and writes anew: the time of a large one is that of its
compression, as an UPDATE of a table of one's own shows.

| call | 2 kB: ms | WAL | history | 100 kB: ms | WAL | history |
|---|---:|---:|---:|---:|---:|---:|
| \`append_block\`, 57 characters | $(both append) |
| the same with \`default_toast_compression = lz4\` | $(with_lz4 append) |
| UPDATE of a plain table, the same text | $(both plain) |
| \`edit_block(old)\`, 10 characters in the middle | $(both edit) |
| \`edit_block(line)\`, 57 characters near the top | $(both insert) |
| \`set_block\`, another text | $(both set) |
| \`block\` | $(read_both read) |
| \`block_history\`, 20 texts | $(read_both history) |

16 clients write files of one user, of 32 characters, $rounds interleaved rounds of $seconds_each seconds: $(column "$work/rates" 1 | median) a second into one block, $(column "$work/rates" 2 | median) each
into its own.
SECTION
