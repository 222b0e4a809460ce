"""Every episode ends with exactly one right vector, or a visible failed job, whatever the model's server does."""

import signal

from model_server import CRASHES, REFUSED, SHORT, ModelServer
from support import *

server = ModelServer()
set_up()


def worker(*options, **others):
    return Worker("--log", "json", "--batch", "16", *options, **others)


def begin(count, **others):
    server.reset_counts()
    start_over(server.url)
    remember(count, **others)


# --- what is there is embedded ------------------------------------------------------------------

begin(500)
status, said = run_worker("--once", "--log", "json")
equal((status, state()), (0, (500, 500, 0, 0)), "500 episodes have one right vector each")
equal(max(server.texts.values()), 1, "no text is asked for twice")
ok(server.requests <= 12, "they go in batches", server.requests)
equal(sql("SELECT done, waiting, failed FROM memory.used_models()"), "500|0|0", "the database has counted them")
equal(run_worker("--once", "--log", "none")[0], 0, "a second run finds nothing to do, and is well")
equal(sql(f"SELECT count(*) FROM information_schema.role_table_grants WHERE grantee = '{ROLE}' AND privilege_type <> 'REFERENCES'"), "0",
      "the worker's role reads and writes no table")

begin(40)
with worker() as running:
    ok(wait_until(lambda: state()[1] == 40), "a worker that runs embeds what is there", state())
    remember(10, "later")
    ok(wait_until(lambda: state()[1] == 50, 10), "… and what comes later, within seconds", state())
    equal(running.end(), 0, "SIGTERM ends it well")

# --- faults -------------------------------------------------------------------------------------

for fault in ["429 1", "429 date", "503", "500", "502", "reset", "truncated", "partial", "count", "dimensions", "order",
              "nan", "html", "404", "401", "307", "slow 1", "hang"]:
    begin(40)
    server.faults(fault, "ok", fault)
    with worker("--timeout", "2") as running:
        ok(settled(), f"{fault}: all jobs end", sql("SELECT error, attempts FROM memory.jobs") + running.said())
        equal(state(), (40, 40, 0, 0), f"{fault}: each episode has one right vector")
        equal(running.end(), 0, f"{fault}: the worker goes on")

begin(48)
server.faults(*["429 2"] * 3)
with worker() as running:
    ok(wait_until(lambda: server.requests >= 3, 20), "a server that is busy is asked three times at once")
    ok(settled() and state() == (48, 48, 0, 0), "… and left alone until it is not", state())
    equal(sql("SELECT count(*) FROM memory.jobs"), "0", "… without a failure")

begin(40)
remember(1, REFUSED)
remember(1, CRASHES)
remember(1, SHORT)
with worker() as running:
    ok(settled(), "texts that cannot be embedded end, too", sql("SELECT error, attempts, due_at FROM memory.jobs"))
    equal(state(), (43, 40, 3, 0), "… as jobs that have failed; all others have their vector")
    errors = sql("SELECT string_agg(error, ' / ') FROM memory.jobs")
    ok("status 400" in errors and "status 500" in errors and "dimensions" in errors, "… and say why", errors)
equal(sql("SELECT failed FROM memory.used_models()"), "3", "they are seen in used_models()")

# --- an outage ----------------------------------------------------------------------------------

begin(300)
down = ModelServer()
start_over(down.url)
remember(300)
port = down.port
down.stop()
with worker() as running:
    ok(wait_until(lambda: running.said().count("onnect") >= 1, 20), "a server that is not there is told of", running.said())
    ok(wait_until(lambda: int(sql("SELECT count(*) FROM memory.jobs WHERE error <> ''")) > 0), "its jobs wait")
    ok(int(sql("SELECT count(*) FROM memory.jobs WHERE attempts > 0")) < 300,
       "an outage does not use up the attempts of all jobs")
    sql(f"SELECT memory.use_model('embed', 'test-model', '{server.url}')")
    ok(settled() and state() == (300, 300, 0, 0), "another address ends it", state())

# --- rows that change meanwhile -----------------------------------------------------------------

begin(3)
server.faults("slow 2")
with worker() as running:
    wait_until(lambda: server.requests == 1)
    sql("""SELECT memory.revise((SELECT id FROM memory.episodes WHERE content = 'text 1'), 'revised', user_id => 'ada');
        DELETE FROM memory.episodes WHERE content = 'text 2'""")
    ok(settled() and wait_until(lambda: state() == (2, 2, 0, 0)),
       "a text that is revised meanwhile gets the vector of the new one, and one that is forgotten none", state())
    equal(sql("SELECT count(*) FROM memory.embeddings"), "2", "no vector is left of what is gone")
    running.end()
    equal(running.lines()[-1]["void"] >= 1, True, "answers that came too late are counted as void")

# --- several workers ----------------------------------------------------------------------------

begin(2000)
with worker("--requests", "2") as one, worker("--requests", "2") as two:
    ok(settled() and state() == (2000, 2000, 0, 0), "two workers side by side", state())
    one.end(), two.end()
    done = [running.lines()[-1]["done"] for running in (one, two)]
    equal(sum(done), 2000, "… do each job once")
    equal(max(server.texts.values()), 1, "… and ask for each text once")

# --- ends in the middle -------------------------------------------------------------------------

begin(64)
server.faults("slow 2")
with worker("--requests", "1") as running:
    wait_until(lambda: server.requests == 1)
    equal(running.end(), 0, "SIGTERM with a request under way")
    equal(sql("SELECT count(*) FROM memory.jobs WHERE leased_until IS NOT NULL"), "0", "… finishes what it has")
    equal(state()[1] >= 16, True, "… the answer under way with it")
equal(run_worker("--once", "--log", "none")[0], 0, "another goes on")
equal(state(), (64, 64, 0, 0), "… with what is left")

kills = 50 if THOROUGH else 5
begin(60 * kills)
for round in range(kills):
    server.faults("slow 0.3")
    before = server.requests
    with worker("--timeout", "1", "--lease", "2") as running:
        wait_until(lambda: server.requests > before, 30)
        running.end(signal.SIGKILL)
    # Each kill is an attempt of what it held; it is not what ends a job here.
    sql("UPDATE memory.jobs SET attempts = least(attempts, 3) WHERE due_at <> 'infinity'")
    remember(1, f"round {round}")
with worker("--lease", "70") as running:
    ok(settled(), f"killed {kills} times in the middle, the next one ends it",
       sql("SELECT attempts, due_at, leased_until, error FROM memory.jobs LIMIT 5"))
    equal(state(), (61 * kills, 61 * kills, 0, 0), "… each episode has one right vector")

# --- the database goes away ---------------------------------------------------------------------

begin(200)
server.faults("slow 1")
with worker() as running:
    wait_until(lambda: server.requests >= 1)
    sql(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '{ROLE}'")
    ok(settled() and state() == (200, 200, 0, 0), "a lost connection is made again, and no answer is lost", state())
    equal(max(server.texts.values()), 1, "… nor asked for twice")
    equal(running.end(), 0, "… and the worker goes on")

# --- other things than episodes -----------------------------------------------------------------

server.reset_counts()
start_over(server.url)
sql("SELECT memory.assert_fact('Ada', 'lives in', 'Paris', user_id => 'ada')")
status, said = run_worker("--once", "--log", "none")
equal((status, sql("SELECT count(*) FROM memory.fact_embeddings")), (0, "1"), "facts are embedded, too")

server.stop()
finish()
