# Sourced by parts/index.sh: the table and the plot of what lies in $work, a file each of milliseconds
# (ENGINE.tenant, .shared, .inserts) or of one number (ENGINE.build, .bytes, .wal).
# shellcheck shell=bash disable=SC2154

declare -A title=([memory]='`memory`' [gin]='GIN + ts_rank' [rum]=RUM [fts5]='SQLite FTS5' [xapian]=Xapian [lucene]=Lucene)

# percentile FILE PART
percentile() {
    sort -g "$1" | awk -v part="$2" '{v[NR] = $1} END {i = int(part * NR) + 1; print v[(i > NR) ? NR : i]}'
}
average() { awk '{sum += $1} END {print sum / NR}' "$1"; }
worst() { sort -g "$1" | tail -n 1; }
short() { awk '{printf "%.3g", $1}'; }

# What a cell of the table says; an engine that was not measured so has a dash.
cell_latency() { echo "$(percentile "$1.tenant" 0.5 | short) / $(percentile "$1.tenant" 0.99 | short)"; }
cell_relative() {
    [[ $1 != "$work/memory" && -s $work/memory.tenant ]] || { echo -; return; }
    echo "$(quotient "$work/memory.tenant" "$1.tenant" 0.5) / $(quotient "$work/memory.tenant" "$1.tenant" 0.99)"
}
quotient() {
    awk -v a="$(percentile "$1" "$3")" -v b="$(percentile "$2" "$3")" 'BEGIN {printf "%.3g×", a / b}'
}
cell_shared() { average "$1.shared" | short; }
cell_megabytes() { awk '{printf "%.0f", $1 / 1e6}' "$1.bytes"; }
cell_build() { awk '{printf "%.1f", $1}' "$1.build"; }
cell_build_by_two() { if [[ -s $1.build_by_two ]]; then awk '{printf "%.1f", $1}' "$1.build_by_two"; else echo -; fi; }
cell_inserts() { [[ -s $1.inserts ]] && awk '{sum += $1} END {printf "%.0f", 1000 * NR / sum}' "$1.inserts" || echo -; }
cell_worst() { [[ -s $1.inserts ]] && worst "$1.inserts" | short || echo -; }
cell_wal() { if [[ -s $1.wal ]]; then cat "$1.wal"; else echo -; fi; }

# row WHAT MUST CELL
row() {
    local engine
    printf '| %s | %s |' "$1" "$2"
    for engine in "${engines[@]}"; do printf ' %s |' "$("cell_$3" "$work/$engine")"; done
    printf '\n'
}

plot() {
    local engine arguments=()
    command -v python3 >/dev/null || { say 'no plot: no python3'; return 0; }
    for engine in "${engines[@]}"; do arguments+=("${title[$engine]//\`/}=$work/$engine.tenant"); done
    python3 tests/bench/index/plot.py "${arguments[@]}" >"$BUILD/bench/benchmarks-index.svg"
}

table() {
    local engine
    printf '| what | must |'
    for engine in "${engines[@]}"; do printf ' %s |' "${title[$engine]}"; done
    printf '\n|---|---|'
    for engine in "${engines[@]}"; do printf -- '---:|'; done
    printf '\n'
    row 'top 10 of a tenant, p50 / p99, ms' '0.39 / 0.75' latency
    row '– `memory` to this one' 'GIN: ≤ 0.6× / ≤ 0.03×' relative
    row 'top 10 of one shared corpus, average, ms' 0.6 shared
    row 'index size, MB' 100 megabytes
    row 'build by one process, s' 18 build
    row '– by two' 18 build_by_two
    row 'single-row inserts/s' 10000 inserts
    row 'worst insert, ms' 10 worst
    row 'WAL per insert with its row and commit, bytes' 1200 wal
}

corpus_said() {
    awk -F'\t' -v count="$documents" '{words += split($3, word, " "); bytes += length($3)}
        END {printf "%d documents of %.1f words on average (%.0f MB)", count, words / NR, bytes / 1e6}' "$work/texts.tsv"
}
largest_tenant() { awk -F'\t' '++count[$2] > most {most = count[$2]} END {print most}' "$work/texts.tsv"; }

queries_done() {
    local engine
    for engine in "${engines[@]}"; do
        printf '%s %s and %s; ' "${title[$engine]//\`/}" "$(wc -l <"$work/$engine.tenant")" "$(wc -l <"$work/$engine.shared")"
    done | sed 's/; $//'
}

many_to_few() {
    printf '%s (%s and %s ms)' "$(quotient "$work/many.tenant" "$work/few.tenant" 0.5)" \
        "$(percentile "$work/many.tenant" 0.5 | short)" "$(percentile "$work/few.tenant" 0.5 | short)"
}

report() {
    local compared wrong
    read -r compared wrong <"$work/exactness"
    cat <<SECTION
## The index

$(corpus_said), $tenants tenants of Zipf sizes, the largest of
$(largest_tenant) documents, $(wc -l <"$work/tenant.tsv") queries of one to six words (tests/bench/zipf_corpus.h). Load of the machine: $load
when this part started, $(load) at its end (over 1, 5 and 15 minutes); one is the measurement's own, what is
above it is other work, which weighs most on the worst insert and the 99th percentiles.

$(table)

![Latency by engine](benchmarks-index.svg)

Warm, one client, $rounds interleaved rounds, each after an unseen one (two for Lucene, whose compiler needs them).
PostgreSQL's engines are timed in the server around a prepared statement in PL/pgSQL, the others in their
process around the search; no client is counted. A round ends after $budget s (queries of a tenant and of the
shared corpus done in $rounds rounds: $(queries_done)).
Of the shared corpus the first $shared_queries queries are asked. \`memory\` cuts the texts, stems them and reads the heap;
GIN and RUM are on \`to_tsvector('simple', …)\`, whose making is part of the build, and search the lexemes joined by OR;
FTS5, Xapian and Lucene find the tenant by a term and keep no text; Lucene's and FTS5's index is merged into one, and holds
the words' positions, which \`memory\` leaves to the text.
A peer that is not installed is left out; \`tools/setup peers\` installs what the distribution has.
Inserts are a transaction each, synchronous_commit off, $inserts of them; into a table without index they are
$(cell_inserts "$work/bare")/s, the worst $(cell_worst "$work/bare") ms, $(cat "$work/bare.wal") bytes of WAL. A checkpoint comes before the queries and none later: WAL holds
the full image of every page that an insert is the first to touch.

| what | must | \`memory\` |
|---|---|---:|
| wrong scores, with $inserts rows inserted and a tenth deleted, not vacuumed | 0 | $wrong of $compared |
| $((documents / 10)) tenants of ten documents, p50, to 100 such tenants | ≤ 1.2× | $(many_to_few) |
SECTION
    plot
}
