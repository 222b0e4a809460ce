# Facts: assertions of one client, and reads and walks over a million facts of one user: a graph of 50,000
# entities with twenty facts out of each, and as many into it on the average.
set -euo pipefail
. tests/bench/measure.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rounds=7 statements=2000 entities=50000 fan_out=20

cat >"$work/new.sql" <<'SQL'
\set n random(1, 2000000000)
SELECT memory.assert_fact('subject ' || :n, 'lives in', 'place ' || :n % 1000, 'writer');
SQL
cat >"$work/next.sql" <<'SQL'
\set n random(1, 1000)
\set o random(1, 1000)
SELECT memory.assert_fact('changing ' || :n, 'lives in', 'place ' || :o, 'writer');
SQL
cat >"$work/batch.sql" <<'SQL'
SELECT count(*) FROM memory.assert_facts((SELECT jsonb_agg(jsonb_build_object('subject', 'batch ' || random(), 'predicate', 'lives in',
    'object', 'place ' || n)) FROM generate_series(1, 100) n), 'writer');
SQL
echo 'SELECT 1;' >"$work/nothing.sql"
cat >"$work/point.sql" <<SQL
\set n random(1, $entities)
SELECT * FROM memory.facts('e' || :n, 'lives in', user_id => 'graph');
SQL
cat >"$work/many.sql" <<SQL
\set n random(1, $entities)
SELECT * FROM memory.facts('e' || :n, 'linked to', user_id => 'graph');
SQL
cat >"$work/recall.sql" <<SQL
\set n random(1, $entities)
SELECT * FROM memory.recall_facts('e' || :n || ' lives in', user_id => 'graph');
SQL
walk() {
    printf '\\set n random(1, %s)\nSELECT count(*) FROM memory.traverse(ARRAY['"'e' || :n], hops => %s, k => %s, user_id => 'graph');\n" \
        "$entities" "$1" "$2"
}
walk 1 50 >"$work/walk1.sql"
walk 3 50 >"$work/walk3.sql"
walk 3 1000 >"$work/walk3_many.sql"
walk 3 1000000 >"$work/walk3_all.sql"

# in_server ARGUMENTS: assertions a second in a loop in the server, each committed; no client waits for answers.
in_server() {
    sql "$(cat <<SQL
DO \$do\$ DECLARE n int; began timestamptz := clock_timestamp(); BEGIN
    FOR i IN 1..$statements LOOP
        n := 2000000000 * random();
        PERFORM memory.assert_fact($1);
        COMMIT;
    END LOOP;
    CREATE TEMP TABLE took AS SELECT clock_timestamp() - began AS time;
END \$do\$
SQL
)" -c "SELECT round($statements / extract(epoch FROM time)) FROM took"
}

writes() {
    local round
    for round in $(seq "$rounds"); do
        echo "$(tps "$work/new.sql" $statements) $(tps "$work/next.sql" $statements) $(tps "$work/batch.sql" 20)" \
            "$(in_server "'subject ' || n, 'lives in', 'place ' || n % 1000, 'writer'")" \
            "$(in_server "'changing ' || n % 1000, 'lives in', 'place ' || n / 1000 % 1000, 'writer'")" \
            "$(tps "$work/nothing.sql" $statements)"
    done
}

# By hand, as a bulk load would: rows first, indexes afterwards.
load() {
    sql "SELECT memory.define_predicate('linked to', 'many')" >/dev/null
    sql "ALTER TABLE memory.facts DROP CONSTRAINT one_belief_at_a_time, DROP CONSTRAINT line_of_the_user" \
        -c "DROP INDEX memory.facts_by_subject, memory.facts_by_object, memory.facts_by_line, memory.facts_by_text" \
        -c "INSERT INTO memory.timelines (namespace, user_id, subject_key, predicate, slot, last_known, changes)
            SELECT 'default', 'graph', 'e' || n % $entities, CASE n / $entities WHEN 0 THEN 'lives_in' ELSE 'linked_to' END,
                CASE n / $entities WHEN 0 THEN '' ELSE 'e' || (hashint4(n) & 2147483647) % $entities END, now(), 1
            FROM generate_series(0, $entities * $fan_out - 1) n ON CONFLICT DO NOTHING" \
        -c "INSERT INTO memory.facts (namespace, user_id, line, valid_from, known_from, subject_key, predicate, object_key, subject, object)
            SELECT namespace, user_id, line, now() - line % 10000 * interval '1 minute', last_known, subject_key, predicate, o, subject_key, o
            FROM memory.timelines, LATERAL (SELECT CASE slot WHEN '' THEN 'e' || (hashint8(line) & 2147483647) % $entities ELSE slot END AS o) p
            WHERE user_id = 'graph'" \
        -c "SELECT memory.init()" -c "VACUUM ANALYZE" >/dev/null
}

# latencies SCRIPT TRANSACTIONS: median, 95th percentile, in ms.
latencies() {
    rm -f "$work"/log*
    (cd "$work" && pgbench --no-vacuum --protocol prepared --client 1 --transactions "$2" --log --log-prefix log \
        --file "$1" >/dev/null 2>&1)
    cat "$work"/log* | awk '{print $3 / 1000}' | sort -g |
        awk '{v[NR] = $1} END {printf "%.2f | %.2f", v[int(NR * 0.5) + 1], v[int(NR * 0.95) + 1]}'
}

# What SELECT 1 takes of an assertion of a new subject.
share_of_waiting() { awk '{print 100 * $1 / $6}' "$work/rates" | median | xargs printf '%.0f %%'; }

writes >"$work/rates"
load
sql "SELECT count(*) FROM memory.facts WHERE user_id = 'graph'" >"$work/loaded"
sql "SELECT round(avg(n)) FROM generate_series(1, 20) s, LATERAL (SELECT count(*) AS n
    FROM memory.traverse(ARRAY['e' || s], hops => 3, k => 1000000, user_id => 'graph')) t" >"$work/paths"
cat <<SECTION
## Facts

One client, synchronous_commit off. Assertions: medians of $rounds interleaved rounds of $statements statements (20 batches), each
a transaction; by a client that waits for every answer (pgbench, which does $(column "$work/rates" 6 | median) \`SELECT 1\`/s), and in a loop in the server.

| assertions | by a client, facts/s | in the server, facts/s |
|---|---:|---:|
| of new subjects | $(column "$work/rates" 1 | median) | $(column "$work/rates" 4 | median) |
| that supersede, of a thousand subjects | $(column "$work/rates" 2 | median) | $(column "$work/rates" 5 | median) |
| of new subjects, a hundred in an assert_facts | $(column "$work/rates" 3 | awk '{print $1 * 100}' | median) | - |

The goal is 5,000 a second of one client. One that waits for each answer spends $(share_of_waiting) of its time on the round trip.
One that is new to its line is two statements and two looks into indexes; where the line is known, one more reads it and one ends
each version that gives way. A batch inserts all with one.

Reads over $(cat "$work/loaded") facts of one user, $entities entities, $fan_out facts out of each.

| | median, ms | 95 %, ms |
|---|---:|---:|
| facts(subject, predicate), one of them | $(latencies "$work/point.sql" 4000) |
| facts(subject, predicate), nineteen | $(latencies "$work/many.sql" 4000) |
| traverse, 1 hop | $(latencies "$work/walk1.sql" 1000) |
| traverse, 3 hops, the first 50 paths | $(latencies "$work/walk3.sql" 300) |
| traverse, 3 hops, the first 1,000 | $(latencies "$work/walk3_many.sql" 300) |
| traverse, 3 hops, all $(cat "$work/paths") of them | $(latencies "$work/walk3_all.sql" 30) |
| recall_facts, two frequent words and a rare one | $(latencies "$work/recall.sql" 20) |

Facts are walked both ways, so an entity has forty. Shorter paths come first: the first 50 and the first 1,000 of three hops
are there after two.
SECTION
