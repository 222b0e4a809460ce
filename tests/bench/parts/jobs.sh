# Jobs: what the queue and a vector cost a remember, what a NOTIFY costs writers, how many episodes a second go through memory-worker,
# and what the queue leaves behind before a vacuum. ROUNDS, JOBS and SECONDS make it another size.
set -euo pipefail
. tests/bench/measure.sh
loads() { cut -d ' ' -f 1-3 /proc/loadavg; }
at_start=$(loads)
work=$(mktemp -d)
trap 'rm -rf "$work"; sql "ALTER SYSTEM RESET fsync" -c "SELECT pg_reload_conf()" >/dev/null' EXIT
rounds=${ROUNDS:-9} each=4000 jobs=${JOBS:-50000} seconds_each=${SECONDS_EACH:-4} texts=${TEXTS:-20000}
export MEMORY_WORKER=${MEMORY_WORKER:-$BUILD/memory-worker}

in_namespace() { local name=$1; shift; PGOPTIONS="$PGOPTIONS -c memory.namespace=$name" "$@"; }
cat >"$work/remember.sql" <<'SQL'
\set u random(1, 1000)
SELECT memory.remember('The night train to Vienna leaves at nine, says ' || :u || '.', user_id => 'user-' || :u, role => 'user');
SQL

# The queue's rows of one measurement are gone at the next.
forget_jobs() { sql 'TRUNCATE memory.jobs'; }
# Each begins with the same queue but for 10,000 jobs of another namespace, in the same namespace; every other round goes backwards, so that what
# comes later in a round has no part in the difference.
remembers_in() {
    forget_jobs
    [[ $1 != waiting ]] || sql 'INSERT INTO memory.jobs SELECT * FROM waiting_jobs'
    in_namespace "${1/waiting/asked}" tps "$work/remember.sql" $each
}
remembers() {
    local round name names=(plain asked waiting hashed)
    for round in $(seq "$rounds"); do
        local -A rates=()
        for name in $([[ $((round % 2)) = 1 ]] && echo "${names[@]}" || printf '%s\n' "${names[@]}" | tac); do
            rates[$name]=$(remembers_in "$name")
        done
        echo "${rates[plain]} ${rates[asked]} ${rates[waiting]} ${rates[hashed]}"
    done
}

# rate CLIENTS NOTIFY COMMIT: remembers a second.
rate() {
    sql "ALTER SYSTEM SET fsync = $3" -c 'SELECT pg_reload_conf()' >/dev/null
    PGOPTIONS="-c client_min_messages=warning -c synchronous_commit=$3 -c memory.namespace=notified -c memory.notify_jobs=$2" \
        pgbench --no-vacuum --protocol prepared --client "$1" --jobs 2 --time "$seconds_each" --file "$work/remember.sql" 2>/dev/null |
        sed -n 's/^tps = \([0-9]*\).*/\1/p'
}
notifications() {
    local round commit
    for round in $(seq 5); do
        for commit in off on; do
            printf '%s %s ' "$(rate 16 off $commit)" "$(rate 16 on $commit)"
        done
        echo
        forget_jobs
    done
}

# What one session leaves that writes the jobs at once, claims and answers them 500 at a time, without a vacuum: the table's and its
# indexes' bytes, the share of updates in their page, and the buffers of a poll that finds nothing, the first and the next.
# Behind a call of another task, for which the session makes its plans.
polled() {
    in_namespace left sql "SELECT count(*) FROM memory.next_jobs(tasks => '{summarize}')" \
        -c 'EXPLAIN (ANALYZE, BUFFERS, TIMING OFF, SUMMARY OFF, COSTS OFF) SELECT count(*) FROM memory.next_jobs()' |
        sed -n '/Function Scan/{n;s/.*hit=\([0-9]*\).*/\1/p}'
}
leaves() {
    sql 'TRUNCATE memory.jobs' -c "SELECT pg_stat_reset_single_table_counters('memory.jobs'::regclass)" >/dev/null
    in_namespace left sql "SELECT memory.use_model('embed', 'left'), memory.use_model('summarize', 'left')" \
        -c "INSERT INTO memory.episodes (user_id, content) SELECT 'user-' || n % 100, 'note ' || n FROM generate_series(1, $jobs) n" \
        -c "CREATE PROCEDURE work_off() LANGUAGE plpgsql AS \$\$
DECLARE claimed memory.job[];
BEGIN
    LOOP
        claimed := ARRAY(SELECT j FROM memory.next_jobs(500) j);
        COMMIT;
        EXIT WHEN cardinality(claimed) = 0;
        PERFORM memory.finish_job(id, embedding => '[1,2,3]') FROM unnest(claimed);
        COMMIT;
    END LOOP;
END \$\$" -c 'CALL work_off()' -c 'SELECT pg_stat_force_next_flush()' >/dev/null
    sql "SELECT pg_size_pretty(pg_relation_size('memory.jobs')), pg_size_pretty(pg_indexes_size('memory.jobs')), round(100.0 * n_tup_hot_upd / n_tup_upd) || ' %'
        FROM pg_stat_user_tables WHERE relid = 'memory.jobs'::regclass"
    polled
    polled
    sql 'VACUUM memory.jobs'
    polled
}

for dimensions in 32 1536; do
    for round in 1 2 3; do
        in_namespace "rate-$dimensions-$round" python3 tests/bench/embedding_rate.py "$texts" "$dimensions" >>"$work/rate-$dimensions"
    done
done
leaves >"$work/leaves"
# Behind those: a worker would ask for these jobs, too.
for name in asked waiting notified; do
    in_namespace "$name" sql "SELECT memory.use_model('embed', '$name')" >/dev/null
done
in_namespace hashed sql "SELECT memory.use_model('embed', 'hash')" >/dev/null
in_namespace waiting sql "INSERT INTO memory.episodes (user_id, content) SELECT 'user-' || n % 100, 'waiting ' || n FROM generate_series(1, 10000) n" \
    -c "CREATE TABLE waiting_jobs AS SELECT * FROM memory.jobs WHERE namespace = 'waiting'"
remembers >"$work/remembers"
notifications >"$work/notifications"
mapfile -t left < <(tr '|' '\n' <"$work/leaves")
rate_row() { printf '| %s | %s | %s | %s | %s |\n' "$1" "$(column "$work/rate-$1" 1 | median)" "$(column "$work/rate-$1" 2 | median)" "$(column "$work/rate-$1" 3 | median)" "$(column "$work/rate-$1" 4 | median)"; }
remember_row() { printf '| %s | %s | %s |\n' "$1" "$(column "$work/remembers" "$2" | median)" "$(awk -v n="$2" '{ print 100 * ($1 / $n - 1) }' "$work/remembers" | median | xargs printf '%+.1f %%')"; }
cat <<SECTION
## Jobs

\`remember\` of 50 characters by one client that waits for each answer, \`synchronous_commit\` off: medians of $rounds interleaved rounds of $each calls, and of the ratios
within a round. Load of the machine: $at_start when this part started, $(loads) at its end (over 1, 5 and 15 minutes); one or two are the measurement's own. (In instructions of the backend, which do
not depend on the machine: [jobs.md](jobs.md#what-it-costs).)

| | calls/s | time of a call |
|---|---:|---:|
$(remember_row 'no model' 1)
$(remember_row 'a job for its vector' 2)
$(remember_row 'the same, 10,000 jobs waiting' 3)
$(remember_row '`hash`: the vector' 4)

16 clients, each \`remember\` with a job and a commit; with \`memory.notify_jobs\` each commit notifies, and PostgreSQL has one after the other. Medians of 5 interleaved rounds of $seconds_each s.

| calls/s | no notification | \`memory.notify_jobs = on\` |
|---|---:|---:|
| \`synchronous_commit\` off | $(column "$work/notifications" 1 | median) | $(column "$work/notifications" 2 | median) |
| on | $(column "$work/notifications" 3 | median) | $(column "$work/notifications" 4 | median) |

$texts episodes through \`memory-worker --once\`, one worker with its defaults and a model's server in Python beside it; medians of 3 runs. While the server works so do
the worker and the database, so that where it takes most of the time the rate without it is an upper bound.

| dimensions | jobs/s | without the server's time | seconds of the server | the worker's own processor time |
|---|---:|---:|---:|---:|
$(rate_row 32)
$(rate_row 1536)

The goal is 500 a second, better 2,000.

$jobs jobs written in one statement, claimed and answered 500 at a time by one session, and no vacuum: the table has ${left[0]}, its indexes ${left[1]}; ${left[2]} of the claims stayed in their page. A poll that
finds nothing then reads ${left[3]} buffers at first, ${left[4]} the next time, and ${left[5]} after a vacuum, for which autovacuum comes after 2,000 dead rows.
SECTION
