# How fast memories are written: one at a time, and through COPY, each beside the same rows written
# without us: INSERT by hand into the same table, and COPY into a bare table of the same columns and
# indexes, without our checks and defaults.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
single_rounds=15 single_rows=4000 copy_rounds=7 copy_rows=100000
text='The quick brown fox jumps over the lazy dog, and then remembers that it left the stove on.'

sql "CREATE TABLE bare (LIKE memory.episodes INCLUDING INDEXES);
     ALTER TABLE bare ALTER namespace SET DEFAULT 'default', ALTER kind SET DEFAULT 'episodic',
       ALTER occurred_at SET DEFAULT now(), ALTER recorded_at SET DEFAULT now(),
       ALTER importance SET DEFAULT 1, ALTER metadata SET DEFAULT '{}'"

cat >"$work/remember.sql" <<SQL
\set u random(1, 1000)
SELECT memory.remember('$text', user_id => 'user-' || :u, role => 'user');
SQL
cat >"$work/insert.sql" <<SQL
\set u random(1, 1000)
INSERT INTO memory.episodes (user_id, role, content)
VALUES ('user-' || :u, 'user', '$text') RETURNING id;
SQL

singles() {
    local round
    for round in $(seq "$single_rounds"); do
        echo "$(tps "$work/remember.sql" $single_rows) $(tps "$work/insert.sql" $single_rows)"
    done
}

# COPY of the same file in a transaction that is rolled back, on tables emptied before.
copy_seconds() {
    sql 'TRUNCATE memory.episodes CASCADE' -c 'TRUNCATE bare'
    seconds psql -XqAt -v ON_ERROR_STOP=1 -c "\copy $1 from '$2'"
}

copies() {
    local columns='namespace, user_id, id, content' round
    sql "COPY (SELECT 'default', 'user-' || n % 1000, gen_random_uuid(), n || ' $text'
               FROM generate_series(1, $copy_rows) n) TO STDOUT" >"$work/with_id.tsv"
    cut -f2,4 "$work/with_id.tsv" >"$work/without_id.tsv"
    for round in $(seq "$copy_rounds"); do
        echo "$(copy_seconds "memory.episodes ($columns)" "$work/with_id.tsv")" \
             "$(copy_seconds "bare ($columns)" "$work/with_id.tsv")" \
             "$(copy_seconds 'memory.episodes (user_id, content)' "$work/without_id.tsv")"
    done
}

rate() { awk -v rows=$copy_rows '{printf "%d\n", rows / $1}' | median; }

singles >"$work/singles"
copies >"$work/copies"
cat <<SECTION
## Writing

One client, synchronous_commit off, all indexes of memory.episodes there, that of the texts too. Medians of $single_rounds interleaved rounds of
$single_rows statements, and of $copy_rounds interleaved rounds of $copy_rows rows of $((${#text} + 6)) bytes.

| one row a statement | rows/s | of the bare rate |
|---|---:|---:|
| INSERT INTO memory.episodes by hand | $(column "$work/singles" 2 | median) | 100 % |
| memory.remember() | $(column "$work/singles" 1 | median) | $(ratio "$work/singles" 1 2) |

| COPY | rows/s | of the bare rate |
|---|---:|---:|
| bare table, same columns and indexes, ids in the file | $(column "$work/copies" 2 | rate) | 100 % |
| memory.episodes, ids in the file | $(column "$work/copies" 1 | rate) | $(ratio "$work/copies" 2 1) |
| memory.episodes, ids by default | $(column "$work/copies" 3 | rate) | $(ratio "$work/copies" 2 3) |
SECTION
