# The recall index beside PostgreSQL's own text search, RUM, SQLite FTS5, Xapian and Lucene: the same
# texts and queries, warm, one client, in interleaved rounds. What is not installed is left out.
# BENCH_DOCUMENTS=50000 BENCH_TENANTS=500 tries it quickly. BENCH_WORDS=300 has texts of that length; BENCH_DOCUMENTS=10000000 needs a disk for it.
# BENCH_ENGINES=memory leaves the others out.
set -euo pipefail
. tests/bench/measure.sh
. tests/bench/index/report.sh
documents=${BENCH_DOCUMENTS:-1000000} tenants=${BENCH_TENANTS:-2000} words=${BENCH_WORDS:-29}
inserts=$((documents < 50000 ? documents : 50000))
rounds=3
budget=20       # seconds for one round of one engine
shared_queries=250

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
lucene_jars=$(printf '%s:' /usr/share/java/lucene-{core,analyzers-common}-[0-9]*.jar)

# --- which engines are here ------------------------------------------------------------------

say() { echo "bench: $(date +%T) $*" >&2; }

server_has() { [[ -n $(sql "SELECT name FROM pg_available_extensions WHERE name = '$1'") ]]; }

# python_with MODULE: the first Python that has it.
python_with() {
    local python
    for python in python3 /usr/bin/python3; do
        "$python" -c "import $1" 2>/dev/null && echo "$python" && return
    done
    return 1
}

find_engines() {
    engines=(memory)
    [[ ${BENCH_ENGINES:-} != memory ]] || return 0
    if server_has btree_gin; then engines+=(gin); else say 'GIN left out: no btree_gin (postgresql-contrib)'; fi
    if server_has rum; then engines+=(rum); else say 'RUM left out: no postgresql-15-rum on the stage'; fi
    if fts5=$(python_with sqlite3); then engines+=(fts5); else say 'SQLite FTS5 left out: no python3'; fi
    if xapian=$(python_with xapian); then engines+=(xapian); else say 'Xapian left out: no python3-xapian'; fi
    if compile_lucene; then engines+=(lucene); else say 'Lucene left out: no javac or liblucene8-java'; fi
}

compile_lucene() {
    command -v javac >/dev/null && javac -cp "$lucene_jars" -d "$work" tests/bench/index/Lucene.java 2>/dev/null
}

# --- the corpus ------------------------------------------------------------------------------

load_texts() {
    corpus documents $((documents + inserts)) "$tenants" "$words" >"$work/all.tsv"
    head -n "$documents" "$work/all.tsv" >"$work/texts.tsv"
    corpus queries "$documents" "$tenants" "$words" >"$work/tenant.tsv"
    head -n $shared_queries "$work/tenant.tsv" >"$work/shared.tsv"
    sql 'ALTER DATABASE bench SET search_path = public, memory'
    sql 'CREATE TABLE texts (id int, tenant int, body text)' -c "\\copy texts FROM '$work/all.tsv'" \
        -c 'CREATE TABLE queries (n serial, tenant int, words text, lexemes tsquery)' \
        -c "\\copy queries (tenant, words) FROM '$work/tenant.tsv'" \
        -c "UPDATE queries SET lexemes = replace(words, ' ', ' | ')::tsquery" \
        -c "CREATE VIEW some_queries AS SELECT * FROM queries WHERE n <= $shared_queries" \
        -c "CREATE TABLE texts_to_insert AS SELECT * FROM texts WHERE id > $documents" \
        -c "DELETE FROM texts WHERE id > $documents" -c 'VACUUM ANALYZE texts' -c '\i tests/bench/index/server.sql'
}

# --- PostgreSQL's engines --------------------------------------------------------------------

# new_table NAME: the texts, in the order in which they came. VACUUM calls a page all-visible only when
# the commits on it are on disk: hence the checkpoint, as synchronous_commit is off.
new_table() {
    sql "CREATE TABLE $1 (id int, tenant int, body text)" -c "INSERT INTO $1 SELECT * FROM texts ORDER BY id" \
        -c CHECKPOINT -c "VACUUM ANALYZE $1"
}

# server_engine NAME TABLE INDEX BUILD TENANT-QUERY SHARED-QUERY
server_engine() {
    seconds sql "$4" >"$work/$1.build"
    sql "VACUUM ANALYZE $2"
    sql "SELECT pg_relation_size('$3')" >"$work/$1.bytes"
    sql "CALL make_timed('$1_tenant', 'queries', \$\$$5\$\$)" -c "CALL make_timed('$1_shared', 'some_queries', \$\$$6\$\$)" \
        -c "CALL make_inserts('$1', '$2')"
}

# server_query NAME tenant|shared: run once unseen, then timed.
server_query() { sql "SELECT FROM $1_$2($budget)" -c "SELECT * FROM $1_$2($budget)" | grep .; }

build_memory() {
    local build='CREATE INDEX documents_recall ON documents USING recall (tenant, body)'
    new_table documents
    seconds sql 'SET max_parallel_maintenance_workers = 1' -c "$build" >"$work/memory.build_by_two"
    sql 'DROP INDEX documents_recall'
    server_engine memory documents documents_recall "$build" \
        'SELECT id FROM documents WHERE tenant = who AND body @@@ memory.query(words)
          ORDER BY body <@> memory.query(words) LIMIT 10' \
        'SELECT id FROM shared_documents WHERE body @@@ memory.query(words)
          ORDER BY body <@> memory.query(words) LIMIT 10'
    new_table shared_documents
    sql 'CREATE INDEX ON shared_documents USING recall (body)' -c 'VACUUM ANALYZE shared_documents'
}
query_memory() { server_query memory "$1"; }

build_gin() {
    new_table gin_documents
    sql 'CREATE EXTENSION btree_gin'
    server_engine gin gin_documents gin_index \
        "ALTER TABLE gin_documents ADD tsv tsvector GENERATED ALWAYS AS (to_tsvector('simple', body)) STORED;
         CREATE INDEX gin_index ON gin_documents USING gin (tenant, tsv)" \
        'SELECT id FROM gin_documents WHERE tenant = who AND tsv @@ lexemes ORDER BY ts_rank(tsv, lexemes) DESC LIMIT 10' \
        'SELECT id FROM gin_documents WHERE tsv @@ lexemes ORDER BY ts_rank(tsv, lexemes) DESC LIMIT 10'
}
query_gin() { server_query gin "$1"; }

build_rum() {
    new_table rum_documents
    sql 'CREATE EXTENSION rum'
    server_engine rum rum_documents rum_index \
        "ALTER TABLE rum_documents ADD tsv tsvector GENERATED ALWAYS AS (to_tsvector('simple', body)) STORED;
         CREATE INDEX rum_index ON rum_documents USING rum (tsv rum_tsvector_ops, tenant)" \
        'SELECT id FROM rum_documents WHERE tenant = who AND tsv @@ lexemes ORDER BY tsv <=> lexemes LIMIT 10' \
        'SELECT id FROM rum_documents WHERE tsv @@ lexemes ORDER BY tsv <=> lexemes LIMIT 10'
}
query_rum() { server_query rum "$1"; }

# --- engines in a process of their own -------------------------------------------------------

run_fts5() { "$fts5" tests/bench/index/fts5.py "$@"; }
run_xapian() { "$xapian" tests/bench/index/xapian_peer.py "$@"; }
run_lucene() { java -Xmx2g -cp "$work:$lucene_jars" Lucene "$@"; }

# process_build NAME: leaves its seconds and bytes.
process_build() {
    local took bytes
    read -r took bytes < <("run_$1" build "$work/$1.index" "$work/texts.tsv")
    echo "$took" >"$work/$1.build"
    echo "$bytes" >"$work/$1.bytes"
}
process_query() { "run_$1" query "$work/$1.index" "$work/$2.tsv" "$budget" "$2"; }
for engine in fts5 xapian lucene; do
    eval "build_$engine() { process_build $engine; }"
    eval "query_$engine() { process_query $engine \"\$1\"; }"
done

# --- what is measured ------------------------------------------------------------------------

measure_queries() {
    local kind round engine
    for kind in tenant shared; do
        for round in $(seq $rounds); do
            say "$kind queries, round $round"
            for engine in "${engines[@]}"; do
                "query_$engine" "$kind" >>"$work/$engine.$kind"
            done
        done
    done
}

measure_inserts() {
    local engine
    sql 'CREATE TABLE bare_documents (id int, tenant int, body text)' -c "CALL make_inserts('bare', 'bare_documents')"
    for engine in bare memory gin rum; do
        [[ $engine = bare || " ${engines[*]} " = *" $engine "* ]] || continue
        say "inserts: $engine"
        sql "CALL insert_$engine()"
        sql "SELECT milliseconds FROM inserted WHERE engine = '$engine'" >"$work/$engine.inserts"
        sql "SELECT round(bytes) FROM inserted_wal WHERE engine = '$engine'" >"$work/$engine.wal"
    done
}

# After the inserts, and with a tenth of all rows deleted and not vacuumed.
measure_exactness() {
    say 'exactness'
    sql 'DELETE FROM documents WHERE id % 10 = 3'
    sql "SELECT sum(compared), sum(wrong) FROM (SELECT * FROM queries WHERE n % 12 = 0 ORDER BY n) q, compare_scores(tenant, words)" |
        tr '|' ' ' >"$work/exactness"
}

# Tenants of ten documents: a table with very many of them, and one with a hundred.
measure_many_tenants() {
    local round many=$((documents / 10))
    say "$many tenants"
    sql "CREATE TABLE many AS SELECT id, id % $many AS tenant, body FROM texts" \
        -c 'CREATE TABLE few AS SELECT * FROM many WHERE tenant < 100' \
        -c 'CREATE INDEX ON many USING recall (tenant, body)' -c 'CREATE INDEX ON few USING recall (tenant, body)' \
        -c CHECKPOINT -c 'VACUUM ANALYZE many' -c 'VACUUM ANALYZE few' \
        -c "CREATE VIEW queries_of_few AS SELECT n, n % 100 AS tenant, words, lexemes FROM queries" \
        -c "CREATE VIEW queries_of_many AS SELECT n, (n * 7919) % $many AS tenant, words, lexemes FROM queries"
    for table in few many; do
        sql "CALL make_timed('${table}_tenant', 'queries_of_$table', \$\$SELECT id FROM $table
              WHERE tenant = who AND body @@@ memory.query(words) ORDER BY body <@> memory.query(words) LIMIT 10\$\$)"
    done
    for round in $(seq $rounds); do
        for table in few many; do server_query "$table" tenant >>"$work/$table.tenant"; done
    done
}

load() { cut -d' ' -f1-3 /proc/loadavg; }

load=$(load)
find_engines
say "a corpus of $documents texts of $tenants tenants"
load_texts
for engine in "${engines[@]}"; do
    say "builds $engine"
    "build_$engine"
done
sql CHECKPOINT
measure_queries
measure_many_tenants
measure_inserts
measure_exactness
report
