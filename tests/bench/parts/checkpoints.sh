# Checkpoints: a thousand steps of a state of 1 MB, kept by us as a part and as jsonb, by the tables of LangGraph's PostgresSaver, and as
# a plain table of jsonb, by turns in one run; every state is read back. BENCH_STEPS=100 tries it quickly.
set -euo pipefail
. tests/bench/measure.sh
steps=${BENCH_STEPS:-1000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declare -A title=([scattered]='1 MB, 1 % of it here and there' [one-place]='1 MB, 1 % of it in one place' [chat]='a chat that grows 1.2 kB a step')
kinds=(scattered one-place chat)

load() {
    make --no-print-directory -s "$BUILD/bench/states" BUILD="$BUILD" >&2
    new_database
    psql -Xq -v ON_ERROR_STOP=1 -f tests/bench/checkpoints/tables.sql
    "$BUILD/bench/states" "$1" "$steps" | sql 'COPY states FROM STDIN'
    sql 'VACUUM ANALYZE states' -c CHECKPOINT
}

# measure KIND: leaves KIND.took, a line for each of what was timed, and KIND.kept, one for each that has bytes.
measure() {
    load "$1"
    psql -Xq -v ON_ERROR_STOP=1 -f tests/bench/checkpoints/puts.sql -f tests/bench/checkpoints/gets.sql
    sql 'COPY took TO STDOUT' >"$work/$1.took"
    sql 'COPY kept TO STDOUT' >"$work/$1.kept"
}

# sorted KIND WHAT [FIRST-STEP LAST-STEP]: milliseconds; times: p50 / p95 of them.
sorted() { awk -F'\t' -v what="$2" -v a="${3:-1}" -v b="${4:-$steps}" '$1 == what && $2 >= a && $2 <= b {print $3}' "$work/$1.took" | sort -g; }
at() { awk -v part="$1" '{v[NR] = $1} END {i = int(part * NR) + 1; print v[(i > NR) ? NR : i]}'; }
times() { printf '%.2f / %.2f' "$(sorted "$@" | at 0.5)" "$(sorted "$@" | at 0.95)"; }
# of_medians KIND A B: how many times as long A takes as B.
of_medians() { awk -v a="$(sorted "$1" "$2" | at 0.5)" -v b="$(sorted "$1" "$3" | at 0.5)" 'BEGIN {printf "%.2f×", a / b}'; }
# The last 48 puts beside the second to the 49th: about as many as a chain has.
last_to_first() { awk -v a="$(sorted "$1" put $((steps - 47)) "$steps" | at 0.5)" -v b="$(sorted "$1" put 2 49 | at 0.5)" 'BEGIN {printf "%.2f×", a / b}'; }
wal() { awk -F'\t' -v what="$2" '$1 == what {sum += $4; ++n} END {printf "%.1f", sum / n / 1000}' "$work/$1.took"; }
same() { awk -F'\t' -v what="$2" '$1 == what && $5 == "t" {++n} END {printf "%d", n}' "$work/$1.took"; }
# megabytes KIND WHAT; kept is with its share of full copies.
megabytes() { awk -v what="$2" '$1 == what {printf "%.1f", $2 / 1e6}' "$work/$1.kept"; }
kept() { awk -v what="$2" '{bytes[$1] = $2} END {printf "%.1f (%.2f %%)", bytes[what] / 1e6, 100 * bytes[what] / bytes["full"]}' "$work/$1.kept"; }

for kind in "${kinds[@]}"; do measure "$kind"; done
cat <<SECTION
## Checkpoints

$steps steps of an agent's state, a JSON text of entries of words (tests/bench/states.cpp, fixed seeds), one client, synchronous_commit off, each
put a transaction. "Here and there" replaces some 1,100 phrases of nine bytes a step. Five ways in one run, by turns: \`put_checkpoint\` with the
state as a part; LangGraph's PostgresSaver, its tables and statements; its DeltaChannel; \`put_checkpoint\` with the state as jsonb; INSERT of the same
jsonb into a plain table. Bytes are pg_total_relation_size of all tables after VACUUM, in MB, and of full copies as they are.

| bytes | full copies | PostgresSaver | DeltaChannel | \`memory\`, a part | \`memory\`, jsonb |
|---|---:|---:|---:|---:|---:|
$(for kind in "${kinds[@]}"; do
    echo "| ${title[$kind]} | $(megabytes "$kind" full) | $(kept "$kind" saver) | $(kept "$kind" delta) | $(kept "$kind" part) | $(kept "$kind" jsonb) |"
done)

The goal is 5 % of full copies, the aim 2.5 %. A DeltaChannel keeps what each step wrote, and a snapshot when a value is set as a whole and at every
thousandth step; it is modelled by these rows, with writes of the least form that a reducer could do with (entry, word, new words). What a task
wrote is in checkpoint_writes in any case, and in memory.checkpoint_writes alike; the other columns are without it. Its reader brings all writes since the snapshot and
applies them itself: for the last step $(megabytes scattered replayed), $(megabytes one-place replayed) and $(megabytes chat replayed) MB.

| read back as it was put | a part | jsonb |
|---|---:|---:|
$(for kind in "${kinds[@]}"; do echo "| ${title[$kind]} | $(same "$kind" get) of $steps | $(same "$kind" 'get of jsonb') of $steps |"; done)

| a part, p50 / p95 in ms | put | put after any step | PostgresSaver | get of any step | PostgresSaver | last 48 puts to first | WAL a put, kB | PostgresSaver |
|---|---:|---:|---:|---:|---:|---:|---:|---:|
$(for kind in "${kinds[@]}"; do
    echo "| ${title[$kind]} | $(times "$kind" put) | $(times "$kind" 'put after any step') | $(times "$kind" 'saver put') | $(times "$kind" get) | $(times "$kind" 'saver get') | $(last_to_first "$kind") | $(wal "$kind" put) | $(wal "$kind" 'saver put') |"
done)

The goal for 1 MB is 2 and 5 ms at the 95th percentile, the aim 1 and 3, and a put at the end at most 2× one at the beginning (of the chat the state is then
a hundred times as large). A backend keeps what it wrote last, so that the next step need not read the one before it; "after any step" are 200 puts that
go on from other steps, as after a rewind or on another connection.

| jsonb from and to text, p50 / p95 in ms | put | INSERT | put to INSERT | get | SELECT | get to SELECT |
|---|---:|---:|---:|---:|---:|---:|
$(for kind in "${kinds[@]}"; do
    echo "| ${title[$kind]} | $(times "$kind" 'put of jsonb') | $(times "$kind" 'INSERT of jsonb') | $(of_medians "$kind" 'put of jsonb' 'INSERT of jsonb') | $(times "$kind" 'get of jsonb') | $(times "$kind" 'SELECT of jsonb') | $(of_medians "$kind" 'get of jsonb' 'SELECT of jsonb') |"
done)

The goal is 1.5×, the aim 1.2×. A list of 50 without payload takes $(times scattered list) ms; the goal is 1.
SECTION
