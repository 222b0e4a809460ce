"""The program: statuses, options, the key, logs, metrics."""

import os
import re
import shutil
import stat
import subprocess

from model_server import ModelServer
from support import *

server = ModelServer()
set_up()
NO_KEY = {"key": None}


def status_of(*options, **others):
    return run_worker("--once", "--log", "json", *options, **others)


def refusal(*options, **others):
    status, said = status_of(*options, **others)
    return status, said.strip().splitlines()[-1]


# --- statuses -----------------------------------------------------------------------------------

equal(refusal("--frob"), (2, "memory-worker: --frob is unknown; --help lists the options"), "an unknown option")
equal(refusal("--key-file", "/none"), (2, "memory-worker: --key-file: /none cannot be read"), "no file of a key")
equal(refusal("--metrics", "/none/x"), (2, "memory-worker: --metrics: /none/x cannot be written"), "no place for metrics")
equal(refusal(key="a\nb"), (2, "memory-worker: the key has characters in it that no key has"), "a key of two lines")
status, said = status_of(database="no_such_database")
ok(status == 3 and "no_such_database" in said, "a database that is not there", (status, said))
status, said = status_of(environment={"PGHOST": "/none"})
ok(status == 3 and "/none" in said, "a server that is not there", (status, said))
sql("DROP DATABASE IF EXISTS memory_worker_empty", "postgres")
sql("CREATE DATABASE memory_worker_empty", "postgres")
status, said = status_of(database="memory_worker_empty")
sql("DROP DATABASE memory_worker_empty", "postgres")
ok(status == 4 and "CREATE EXTENSION" in said, "a database without the extension", (status, said))
status, said = status_of(user="stranger")
ok(status == 4 and "permission denied" in said, "a role without access", (status, said))
ok("--once" in run_worker("--help")[1], "--help")

# --- the key ------------------------------------------------------------------------------------

start_over(server.url)
remember(3)
server.faults("500", "401")
log = ""
for _ in range(3):
    hurry()
    status, said = status_of("--batch", "1", "--requests", "1")
    log += said
ok(KEY not in log, "a key that the server repeats is in no log", log)
equal(sql(f"SELECT count(*) FROM memory.jobs WHERE error LIKE '%{KEY}%'"), "0", "… and not in the database")
ok("***" in log, "… but that it was there", log)
equal({headers.get("Authorization") for headers in server.headers}, {"Bearer " + KEY}, "the key is in Authorization")


def asked_with(url, *options, **others):
    """The last request's path, Authorization and api-key."""
    server.reset_counts()
    start_over(url)
    remember(1)
    status_of(*options, **others)
    headers = server.headers[-1]
    return server.paths[-1], headers.get("Authorization"), headers.get("api-key")


azure = f"http://127.0.0.1:{server.port}/openai/deployments/d"
equal(asked_with(azure + "?api-version=2024-10-21"), ("/openai/deployments/d/embeddings?api-version=2024-10-21", None, KEY),
      "Azure has a version in the query, and the key in api-key")
equal(asked_with(server.url, "--header", "api-key"), ("/v1/embeddings", None, KEY), "--header says which")
equal(asked_with("http://0x7f.0.0.1:" + str(server.port)), ("/embeddings", None, None),
      "an address that only the database says is asked without the key")
equal(asked_with("http://127.0.0.1:1", "--url", server.url), ("/v1/embeddings", "Bearer " + KEY, None),
      "--url comes before what the database says")
equal(asked_with(server.url, **NO_KEY), ("/v1/embeddings", None, None), "without a key there is no header")
file = os.path.join(SCRATCH, "key")
with open(file, "w") as out:
    out.write(" from-the-file\n")
equal(asked_with(server.url, "--key-file", file)[1], "Bearer from-the-file", "--key-file comes before the environment")
start_over("https://api.openai.com/v1")
remember(1)
status, said = status_of(**NO_KEY)
ok(status == 5 and "there is no key" in said, "OpenAI is not asked without a key", (status, said))

server.reset_counts()
start_over(server.url)
sql("SELECT memory.use_model('embed', 'text-embedding-3-small', %s, '{\"dimensions\": 8}')" % repr(server.url))
remember(1)
status_of()
request = json.loads(server.bodies[-1])
equal((request["model"], request["dimensions"]), ("text-embedding-3-small", 8), "dimensions that are declared are sent")
remember(1, "more")
status_of("--model", "name-there", "--dimensions", "8")
equal(json.loads(server.bodies[-1])["model"], "name-there", "--model is the name on the server")
equal(sql("SELECT DISTINCT model FROM memory.embeddings"), "text-embedding-3-small", "… and not in the database")

# --- TLS ----------------------------------------------------------------------------------------

if shutil.which("openssl"):
    certificate, private = os.path.join(SCRATCH, "certificate"), os.path.join(SCRATCH, "private")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
                    "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", private, "-out", certificate],
                   check=True, capture_output=True)
    secure = ModelServer((certificate, private))
    start_over(secure.url)
    remember(1)
    status, said = status_of()
    ok(status == 5 and "certificate" in said, "a server whose certificate nothing vouches for is not asked", (status, said))
    equal(secure.requests, 0, "… and learns no key")
    hurry()
    equal(status_of("--ca-file", certificate)[0], 0, "--ca-file vouches for it")
    equal(secure.headers[0].get("Authorization"), "Bearer " + KEY, "… and the key is sent")
    secure.stop()
else:
    print("ok - TLS # SKIP there is no openssl")

# --- statuses of --once -------------------------------------------------------------------------

server.reset_counts()
start_over(server.url)
remember(3)
server.faults("500")
equal(status_of()[0], 5, "--once says that a job has failed")
hurry()
equal(status_of()[0], 0, "… and that none has")

# --- choosing -----------------------------------------------------------------------------------

sql("SELECT memory.drop_model('embed')")
equal(run_worker("--choose", user="postgres", **NO_KEY), (0, "hash\n"), "without a key the database embeds by itself")
equal(run_worker("--choose", user="postgres"), (0, "hash\n"), "what has been chosen stays")
sql("SELECT memory.drop_model('embed')")
equal(run_worker("--choose", user="postgres"), (0, "text-embedding-3-small\n"), "with one it is the small model")
equal(sql("SELECT task, model, url FROM memory.used_models()"), "embed|text-embedding-3-small|", "… and that is noted")
equal(run_worker("--choose")[0], 4, "the worker's role chooses nothing")

# --- what it says -------------------------------------------------------------------------------

server.reset_counts()
start_over(server.url)
remember(100, "a secret thought")
server.faults("html", "400", "500")
metrics = os.path.join(SCRATCH, "metrics.prom")
status, said = status_of("--metrics", metrics, "--batch", "10")
lines = [json.loads(line) for line in said.splitlines()]
ok(all({"time", "level", "message"} <= line.keys() for line in lines), "every line is JSON", said)
ok("secret" not in said, "no text of a memory is in them", said)
equal(lines[-1]["done"] + lines[-1]["failed"], 100, "the last one has the sum")
with open(metrics) as text:
    metrics_text = text.read()
wanted = re.compile(r"(# (HELP|TYPE) memory_worker_\w+ .+|memory_worker_\w+(\{[^}]+\})? [0-9.e+-]+)\Z")
equal([line for line in metrics_text.splitlines() if not wanted.match(line)], [], "metrics are what Prometheus reads")
ok(f'memory_worker_jobs_total{{task="embed",outcome="done"}} {lines[-1]["done"]}\n' in metrics_text, "… with the same sum",
   metrics_text)
ok('memory_worker_requests_total{status="400"} 1\n' in metrics_text, "… and every status", metrics_text)
equal([name for name in os.listdir(SCRATCH) if name.startswith("metrics.prom.")], [], "the file is replaced as a whole")
equal(stat.S_IMODE(os.stat(metrics).st_mode), 0o644, "… and readable for a collector")
equal(run_worker("--once", "--log", "none"), (0, ""), "--log none says nothing")

# --- polling and LISTEN -------------------------------------------------------------------------


def query_age():
    return float(sql(f"""SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0) FROM pg_stat_activity
        WHERE usename = '{ROLE}' AND state = 'idle'""") or 0)


start_over(server.url)
with Worker("--log", "json", "--poll", "500") as running:
    wait_until(lambda: query_age() > 0.2)
    wait_until(lambda: query_age() < 0.2)
    ok(query_age() < 0.6, "an idle worker looks again within --poll")
if THOROUGH:
    sql(f"ALTER ROLE {ROLE} SET memory.notify_jobs = on; ALTER DATABASE {DATABASE} SET memory.notify_jobs = on")
    with Worker("--log", "json", "--poll", "60000") as running:
        # Then the time to the next look is 12.8 s at least, of which more than 5 are left.
        ok(wait_until(lambda: query_age() > 7), "a worker that LISTENs looks rarely")
        remember(1, "told")
        ok(wait_until(lambda: state()[1] == 1, 4), "… and is told", state())

server.stop()
finish()
