# How fast texts become terms, beside to_tsvector('english'): both cut, fold and stem every text and look
# for a word that is not there. to_tsvector also sorts the distinct lexemes; @@@ looks at each term as it comes.
set -euo pipefail
. tests/bench/measure.sh
data=${QUALITY_DATA:-../shared/data}
rounds=7

if [[ ! -r $data/commonvoice.jsonl.gz ]]; then
    printf '## Texts into terms\n\nNot measured: no sentences in %s.\n' "$data"
    exit 0
fi

# sample TABLE FILE ROWS: texts of a data set, shuffled.
sample() {
    gzip -dc "$data/$2.jsonl.gz" | sed 's/\\/\\\\/g' |
        sql 'CREATE TEMP TABLE lines (line jsonb)' -c '\copy lines FROM STDIN' \
            -c "CREATE TABLE $1 AS SELECT line ->> 'text' AS body FROM lines
                 ORDER BY hashtextextended(line ->> 'text', 0) LIMIT $3" -c "VACUUM ANALYZE $1"
}

# megabytes_a_second TABLE CONDITION
megabytes_a_second() {
    sql "EXPLAIN (ANALYZE, TIMING OFF) SELECT FROM $1 WHERE $2" |
        awk -v bytes="$(sql "SELECT sum(octet_length(body)) FROM $1")" \
            '/^Execution Time/ { printf "%.2f", bytes / 1000 / $3 }'
}

# measure TABLE NAME
measure() {
    local table=$1 round
    for round in $(seq "$rounds"); do
        echo "$(megabytes_a_second "$table" "body OPERATOR(memory.@@@) memory.query('zzyzx')")" \
             "$(megabytes_a_second "$table" "to_tsvector('english', body) @@ 'zzyzx'::tsquery")" \
             "$(megabytes_a_second "$table" "to_tsvector('simple', body) @@ 'zzyzx'::tsquery")"
    done >"$work/rounds"
    printf '| %s | %s | %s | %s | %s |\n' "$2" "$(column "$work/rounds" 1 | median)" \
        "$(column "$work/rounds" 2 | median)" "$(column "$work/rounds" 3 | median)" \
        "$(ratio "$work/rounds" 1 2)"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sample utterances sgd.docs 40000
sample abstracts cranfield.docs 1400
sample sentences commonvoice 40000

cat <<'SECTION'
## Texts into terms

Megabytes of text a second, one client: every text is cut, folded and stemmed, and a word looked for that is in none
(`body @@@ memory.query(…)` without an index, beside `to_tsvector(…, body) @@ …`). `to_tsvector` sorts and stores its
lexemes besides, which `@@@` need not and an index must. Medians of interleaved rounds.

| texts | `memory` | `to_tsvector('english')` | `to_tsvector('simple')` | `memory` to `english` |
|---|---|---|---|---|
SECTION
measure utterances 'English utterances (SGD)'
measure abstracts 'English abstracts (Cranfield)'
measure sentences 'sentences in 139 languages (Common Voice)'
