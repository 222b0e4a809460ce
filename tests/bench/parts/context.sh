# Prompts: memory.context() for a user of 10,000 episodes with vectors of 384 dimensions, 1,000 facts and 20 pinned blocks, beside other users, and
# memory.overview() for one of 100,000 episodes.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
rounds=3 asked=300

# The words of the corpus of the other parts; vectors by hash_embedding.
load() {
    load_corpus 20000 2 29 $asked
    sql 'ALTER TABLE queries ADD direction vector(384)' -c 'UPDATE queries SET direction = memory.hash_embedding(words)' \
        -c "INSERT INTO memory.episodes (user_id, session_id, role, content, occurred_at)
            SELECT CASE WHEN n <= 10000 THEN 'large' ELSE 'other' END, 's' || n / 50, CASE n % 2 WHEN 0 THEN 'user' ELSE 'assistant' END, body, now() - n % 10000 * interval '50 minutes'
            FROM (SELECT row_number() OVER (ORDER BY id) AS n, body FROM texts) t" \
        -c "INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT user_id, id, memory.hash_embedding(content) FROM memory.episodes" \
        -c "SELECT count(memory.assert_fact('person ' || n % 200, 'likes ' || n % 40, left(body, 60), 'large', valid_from => now() - n * interval '8 hours'))
            FROM (SELECT row_number() OVER (ORDER BY id) AS n, body FROM texts) t WHERE n <= 1000" \
        -c "SELECT count(memory.set_block('block ' || n, left(body, 120), 'large')) FROM (SELECT row_number() OVER (ORDER BY id) AS n, body FROM texts) t WHERE n <= 20" \
        -c "INSERT INTO memory.episodes (user_id, kind, content) SELECT 'huge', (ARRAY['episodic', 'semantic', 'long_term'])[1 + n % 3], repeat('word ', 30) || n FROM generate_series(1, 100000) n" \
        -c 'VACUUM ANALYZE' >/dev/null
}

# latencies STATEMENT [CALLS]: 50th and 99th percentile in ms over all queries; :n is the number of one.
latencies() {
    printf '\\set n random(1, %s)\n%s;\n' $asked "$1" >"$work/call.sql"
    rm -f "$work"/log*
    (cd "$work" && pgbench --no-vacuum --protocol prepared --client 1 --transactions "${2:-$((rounds * asked))}" --log --log-prefix log --file call.sql >/dev/null 2>&1)
    cat "$work"/log* | awk '{print $3 / 1000}' | sort -g | awk '{v[NR] = $1} END {printf "%.2f / %.2f", v[int(NR * 0.5) + 1], v[int(NR * 0.99) + 1]}'
}
# processor STATEMENT: milliseconds of processor time that a call takes of its backend, which other work on the machine changes less.
processor() {
    local calls=300
    executes() { local n; for ((n = 0; n < $1; n++)); do echo "EXECUTE asked($((n * 7 % asked + 1)));"; done; }
    {
        echo "PREPARE asked(int) AS ${1//:n/\$1};"
        printf '%s\n' 'SELECT pg_backend_pid() AS pid \gset' '\setenv PID :pid' '\o /dev/null'
        executes 20
        echo "\\! cut -d ' ' -f 1 /proc/\$PID/schedstat"
        executes $calls
        echo "\\! cut -d ' ' -f 1 /proc/\$PID/schedstat"
    } | psql -XqAt | awk -v calls=$calls '{v[NR] = $1} END {printf "%.2f", (v[2] - v[1]) / calls / 1e6}'
}
# measured LABEL STATEMENT [CALLS]: a row of the table.
measured() { echo "| $1 | $(latencies "$2" "${3:-}") | $(processor "$2") |"; }
of_query() { echo "SELECT $1 FROM queries WHERE n = :n"; }

load
cat <<SECTION
## Prompts

\`memory.context\` with 2,000 tokens, for a user of 10,000 episodes (a year of them, vectors of 384 dimensions), 1,000 facts and 20 pinned blocks of 120 letters. One client, warm, $asked queries of 1 to 6
words, $((rounds * asked)) calls; p50 / p99 in milliseconds, and the processor time that the backend takes for a call on average. Load of the machine: $(cut -d' ' -f1-3 /proc/loadavg)
when this part started to measure (over 1, 5 and 15 minutes); one is the measurement's own, and above the number of cores it waits for its turn. Beside it the recall that is part of it.

| call | p50 / p99 | processor |
|---|---|---|
$(measured '`context(query, embedding)`' "$(of_query "memory.context(words, user_id => 'large', embedding => direction)")")
$(measured '`recall_scored(query, embedding, k => 20)`' "SELECT r.content FROM queries, memory.recall_scored(words, direction, k => 20, user_id => 'large') r WHERE n = :n")
$(measured '`context(query)`' "$(of_query "memory.context(words, user_id => 'large')")")
$(measured '`recall_scored(query, k => 20)`' "SELECT r.content FROM queries, memory.recall_scored(words, k => 20, user_id => 'large') r WHERE n = :n")
$(measured '`context()`: the newest' "SELECT memory.context(user_id => 'large') FROM queries WHERE n = :n")
$(measured '`context(query, embedding, max_tokens => 32000)`' "$(of_query "memory.context(words, 32000, user_id => 'large', embedding => direction)")")
$(measured '`overview()`' "SELECT memory.overview('large') FROM queries WHERE n = :n" 300)
$(measured '`overview()` of a user of 100,000 episodes' "SELECT memory.overview('huge') FROM queries WHERE n = :n" 50)

The goal is 5 / 20 ms, better 3 / 10.
SECTION
