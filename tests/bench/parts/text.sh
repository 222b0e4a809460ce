# How fast texts become words: `@@@` without an index analyses every text, beside `@@` on to_tsvector.
# English chat turns and Common Voice sentences of 139 languages, from ../shared/data; skipped without.
set -euo pipefail
. tests/bench/measure.sh
rounds=7
data=../shared/data
if [[ ! -f $data/commonvoice.jsonl.gz ]]; then
    echo "bench: text is skipped: there is no $data" >&2
    exit 0
fi

# load TABLE SET: texts of five sentences each, in an order of their own.
load() {
    sql "CREATE TABLE lines (line jsonb); CREATE TABLE $1 (body text)"
    zcat "$data/$2" | sed 's/\\/\\\\/g' | psql -Xq -c '\copy lines from stdin'
    sql "INSERT INTO $1 SELECT string_agg(line->>'text', ' ') FROM
             (SELECT line, row_number() OVER (ORDER BY md5(line::text)) AS n FROM lines) s
         GROUP BY n / 5 LIMIT 20000; DROP TABLE lines" -c "VACUUM ANALYZE $1"
}

ours() { sql "SELECT count(*) FROM $1 WHERE body OPERATOR(memory.@@@) memory.query('zzz')"; }
theirs() { sql "SET max_parallel_workers_per_gather = 0;
                SELECT count(*) FROM $1 WHERE to_tsvector('english', body) @@ to_tsquery('english', 'zzz')"; }

# A line of the table: MB/s of both, medians of interleaved rounds.
row() {
    local megabytes round log
    log=$(mktemp)
    megabytes=$(sql "SELECT sum(octet_length(body)) / 1e6 FROM $1")
    for round in $(seq "$rounds"); do
        echo "$(seconds ours "$1") $(seconds theirs "$1")"
    done >"$log"
    printf '| %s, %.0f MB | %.1f | %.1f | %s |\n' "$2" "$megabytes" \
        "$(awk -v m="$megabytes" '{print m / $1}' "$log" | median)" \
        "$(awk -v m="$megabytes" '{print m / $2}' "$log" | median)" "$(ratio "$log" 2 1)"
    rm -f "$log"
}

load english sgd.docs.jsonl.gz
load mixed commonvoice.jsonl.gz
cat <<SECTION
## Words

Analysis of every text of a table without an index, medians of $rounds interleaved rounds, one process.

| texts | memory, MB/s | to_tsvector('english'), MB/s | of its speed |
|---|---:|---:|---:|
$(row english 'English chat turns')
$(row mixed 'Common Voice, 139 languages')
SECTION
