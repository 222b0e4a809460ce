# An index of vector codes: memory.recall_semantic and recall_scored with it and without, in interleaved rounds over the same rows; what is
# found; and what a row takes in the index, in the WAL and in time. BENCH_CODES="1000 10000" tries it quickly.
set -euo pipefail
. tests/bench/measure.sh
sizes=${BENCH_CODES:-1000 10000 100000} dimensions=768 rounds=5 asked=20
smallest=${sizes%% *}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
index='CREATE INDEX embeddings_by_code ON memory.embeddings USING recall (namespace, user_id, model, embedding)'

# Texts like people's, as vectors; the last ones ask. Foreign keys are not what is measured.
load() {
    local corpus=$BUILD/bench/corpus most=$1
    make --no-print-directory -s "$corpus" BUILD="$BUILD" >&2
    "$corpus" documents $((most + asked)) 1 >"$work/texts.tsv"
    sql 'CREATE TABLE texts (id int, tenant int, body text)' -c "\\copy texts FROM '$work/texts.tsv'" \
        -c "CREATE TABLE questions AS SELECT row_number() OVER () AS n, body, memory.hash_embedding(body, $dimensions) AS v FROM (SELECT body FROM texts ORDER BY id DESC LIMIT $asked) t"
}

# fill ROWS: a user of so many vectors.
fill() {
    sql 'SET session_replication_role = replica' \
        -c "INSERT INTO memory.episodes (user_id, id, content) SELECT 'u$1', lpad(to_hex(id), 32, '0')::uuid, body FROM texts ORDER BY id LIMIT $1" \
        -c "INSERT INTO memory.embeddings (user_id, episode_id, embedding) SELECT 'u$1', lpad(to_hex(id), 32, '0')::uuid, memory.hash_embedding(body, $dimensions) FROM texts ORDER BY id LIMIT $1"
}

# What is asked: of a user by a vector, by the first words of a text and its vector.
nearest="memory.recall_semantic(q.v, k => 10, threshold => 0, user_id =>"
hybrid="memory.recall_scored(substring(q.body FOR 40), q.v, k => 10, user_id =>"

# times ROWS CALL [STATEMENT]: milliseconds of each question, a line each; the statement runs before, in the same transaction, which
# ends with nothing done.
times() {
    sql "BEGIN; ${3:-SELECT 1}; DO \$do\$ DECLARE q record; found int; began timestamptz; ms float8[] := '{}'; BEGIN
            FOR q IN SELECT body, v FROM questions ORDER BY n LOOP
                began := clock_timestamp();
                SELECT count(*) INTO found FROM $2 'u$1');
                ms := ms || (1000 * extract(epoch FROM clock_timestamp() - began))::float8;
            END LOOP;
            CREATE TEMP TABLE taken AS SELECT unnest(ms) AS ms;
        END \$do\$; SELECT ms FROM taken; ROLLBACK" | grep '\.'
}

# found ROWS: how many of the ten nearest are answered with, as a share; of equal ones any will do.
found() {
    sql "SELECT round(avg(best), 4) FROM (SELECT count(*) FILTER (WHERE r.similarity >= e.tenth - 1e-6) / 10.0 AS best FROM questions q
        CROSS JOIN LATERAL (SELECT 1 - max(distance) AS tenth FROM (SELECT embedding <=> q.v AS distance FROM memory.embeddings WHERE user_id = 'u$1' ORDER BY 1 LIMIT 10) t) e
        CROSS JOIN LATERAL memory.recall_semantic(q.v, k => 10, threshold => -1, user_id => 'u$1') r GROUP BY q.n) a"
}

# insertions N: microseconds and bytes of WAL of each of 1,000 vectors that are inserted alone, of model N.
insertions() {
    sql "DO \$do\$ DECLARE ids uuid[] := ARRAY(SELECT id FROM memory.episodes WHERE user_id = 'u$smallest' ORDER BY id LIMIT 1000);
            vs vector[] := ARRAY(SELECT v FROM questions ORDER BY n); before pg_lsn := pg_current_wal_insert_lsn(); began timestamptz := clock_timestamp(); BEGIN
            FOR i IN 1 .. cardinality(ids) LOOP
                INSERT INTO memory.embeddings (user_id, episode_id, model, embedding) VALUES ('u$smallest', ids[i], 'm$1', vs[1 + i % $asked]);
            END LOOP;
            CREATE TEMP TABLE taken AS SELECT extract(epoch FROM clock_timestamp() - began) * 1e6 / cardinality(ids) AS us, (pg_current_wal_insert_lsn() - before) / cardinality(ids) AS bytes;
        END \$do\$; SELECT round(us, 1) || ' ' || round(bytes, 1) FROM taken"
}

load "$(tr ' ' '\n' <<<"$sizes" | sort -g | tail -n 1)"
for size in $sizes; do fill "$size"; done
sql 'VACUUM ANALYZE memory.embeddings' -c 'VACUUM ANALYZE memory.episodes' -c 'DROP INDEX memory.embeddings_by_code' -c "$index"

cat <<HEAD
## Codes of vectors

\`recall_semantic\` and \`recall_scored\` (words and vectors), k = 10, of a user with so many vectors of $dimensions dimensions (\`hash_embedding\` of texts), by an index of codes and by
comparing all: milliseconds, the median of $asked questions in $rounds interleaved rounds; and the share of the ten nearest that the codes find.

| vectors | nearest by codes | all compared | found | hybrid by codes | all compared |
|---|---|---|---|---|---|
HEAD
for size in $sizes; do
    for _ in $(seq "$rounds"); do
        for call in nearest hybrid; do
            times "$size" "${!call}" >>"$work/codes.$call.$size"
            times "$size" "${!call}" 'DROP INDEX memory.embeddings_by_code' >>"$work/all.$call.$size"
        done
    done
    printf '| %s | %.2f | %.2f | %s | %.2f | %.2f |\n' "$size" "$(median <"$work/codes.nearest.$size")" "$(median <"$work/all.nearest.$size")" "$(found "$size")" \
        "$(median <"$work/codes.hybrid.$size")" "$(median <"$work/all.hybrid.$size")"
done
rows=$(sql 'SELECT count(*) FROM memory.embeddings')
printf '\nThe index takes %.1f bytes a row: the code 192, its place and two numbers 16, the rest pages.\n' "$(sql "SELECT pg_relation_size('memory.embeddings_by_code')::float8 / $rows")"


insertions 0 >/dev/null
for round in $(seq "$rounds"); do
    with=$(insertions "$round-with")
    sql 'DROP INDEX memory.embeddings_by_code'
    echo "$with $(insertions "$round-without")"
    sql "$index"
    insertions "$round-again" >/dev/null # after a build pages go into the WAL as a whole once
done >"$work/inserted"
printf '\nA row inserted alone takes %s of the time without the index, and %s bytes of WAL more.\n' \
    "$(ratio "$work/inserted" 1 3)" "$(awk '{print $2 - $4}' "$work/inserted" | median)"
