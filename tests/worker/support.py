"""What the tests of the worker share: statements by psql, workers as processes, one line a statement."""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time

DATABASE = "memory_worker"
ROLE = "jobber"
KEY = "sk-secret-of-the-tests"
SCRATCH = tempfile.mkdtemp(prefix="memory-worker-")
PROGRAM = os.environ.get("MEMORY_WORKER", "memory-worker")
THOROUGH = os.environ.get("THOROUGH") == "1"

failures = 0


def ok(holds, statement, found=None):
    global failures
    print(("ok - " if holds else "not ok - ") + statement, flush=True)
    if not holds:
        failures += 1
        print("#   " + str(found).replace("\n", "\n#   "), flush=True)
    return holds


def equal(found, wanted, statement):
    return ok(found == wanted, statement, f"found:  {found!r}\nwanted: {wanted!r}")


def sql(statement, database=DATABASE, user="postgres"):
    """The rows as text: | between columns, a line each."""
    done = subprocess.run(
        ["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", "-U", user, "-d", database, "-f", "-"],
        input=statement,
        capture_output=True,
        text=True,
        env={**os.environ, "PGOPTIONS": "-c client_min_messages=warning"},
    )
    if done.returncode != 0:
        raise RuntimeError(f"{statement}\n{done.stderr}")
    return done.stdout.strip()


def wait_until(condition, seconds=60):
    """True as soon as the condition holds; False where it never does."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        time.sleep(0.05)
    return True


class Worker:
    """A worker that runs until it is ended."""

    def __init__(self, *options, key=KEY, user=ROLE, database=DATABASE, environment=None):
        self.log = tempfile.NamedTemporaryFile("w+", dir=SCRATCH, suffix=".log", delete=False)
        env = {name: value for name, value in os.environ.items() if not name.startswith("OPENAI")}
        env.update(environment or {})
        if key:
            env["OPENAI_API_KEY"] = key
        connection = [] if "--help" in options else [f"dbname={database} user={user}"]
        self.process = subprocess.Popen(
            [PROGRAM, *options, *connection], stdout=self.log, stderr=self.log, env=env
        )

    def end(self, how=signal.SIGTERM, seconds=60):
        """Its status."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "it did not end"

    def wait(self, seconds=120):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return "it did not end"

    def said(self):
        with open(self.log.name) as log:
            return log.read()

    def lines(self):
        return [json.loads(line) for line in self.said().splitlines()]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end(signal.SIGKILL)


def run_worker(*options, **others):
    """Status and words of a worker that ends by itself."""
    with Worker(*options, **others) as worker:
        return worker.wait(), worker.said()


# --- the database -----------------------------------------------------------------------------

# The vector that an episode must have, as model_server.vector_of() computes it.
EXPECTED = """(SELECT array_agg(((get_byte(d.digest, n) - 128) / 128.0)::real ORDER BY n)::vector
  FROM (SELECT sha256(convert_to(e.content, 'UTF8')) AS digest) d, generate_series(0, 7) n)"""


def set_up():
    sql(f"DROP DATABASE IF EXISTS {DATABASE}", "postgres")
    sql(f"DROP ROLE IF EXISTS {ROLE}; CREATE ROLE {ROLE} LOGIN; DROP ROLE IF EXISTS stranger; CREATE ROLE stranger LOGIN",
        "postgres")
    sql(f"CREATE DATABASE {DATABASE}", "postgres")
    sql("CREATE EXTENSION memory CASCADE; SELECT memory.init()")
    sql(f"SELECT memory.grant_access('{ROLE}', 'worker')")


def start_over(url, task="embed", model="test-model", options=None):
    """Nothing is there, and one model in use."""
    if options is None:
        options = '{"dimensions": 8}' if task == "embed" else "{}"
    sql(f"""DELETE FROM memory.episodes; DELETE FROM memory.facts; DELETE FROM memory.timelines; DELETE FROM memory.jobs;
        DELETE FROM memory.sessions; DELETE FROM memory.profiles; DELETE FROM memory.model_tasks;
        SELECT memory.use_model('{task}', '{model}', '{url}', '{options}')""")


def remember(count, text="text", user="ada"):
    sql(f"""INSERT INTO memory.episodes (namespace, user_id, id, content)
        SELECT 'default', '{user}', gen_random_uuid(), '{text} ' || n FROM generate_series(1, {count}) n""")


def pending():
    return int(sql("SELECT count(*) FROM memory.jobs WHERE task = 'embed' AND due_at <> 'infinity'"))


def hurry():
    """What waits for its next try is due now."""
    sql("UPDATE memory.jobs SET due_at = now() WHERE due_at <> 'infinity' AND due_at > now() AND leased_until IS NULL")


def settled(seconds=120):
    """All jobs have ended, as fast as they can."""

    def is_settled():
        hurry()
        return pending() == 0

    return wait_until(is_settled, seconds)


def state():
    """episodes, those with exactly one vector which is the right one, those without a vector and
    with a failed job, vectors of no episode."""
    found = sql(f"""SELECT count(*),
          count(*) FILTER (WHERE (SELECT count(*) FROM memory.embeddings v
              WHERE (v.namespace, v.user_id, v.episode_id) = (e.namespace, e.user_id, e.id)) = 1
            AND (SELECT v.embedding FROM memory.embeddings v
              WHERE (v.namespace, v.user_id, v.episode_id) = (e.namespace, e.user_id, e.id)) = {EXPECTED}),
          count(*) FILTER (WHERE NOT EXISTS (SELECT FROM memory.embeddings v
              WHERE (v.namespace, v.user_id, v.episode_id) = (e.namespace, e.user_id, e.id))
            AND EXISTS (SELECT FROM memory.jobs j WHERE (j.namespace, j.user_id, j.target) = (e.namespace, e.user_id, e.id)
              AND j.due_at = 'infinity' AND j.error <> '')),
          (SELECT count(*) FROM memory.embeddings v WHERE NOT EXISTS (SELECT FROM memory.episodes x
            WHERE (v.namespace, v.user_id, v.episode_id) = (x.namespace, x.user_id, x.id)))
        FROM memory.episodes e""")
    return tuple(int(number) for number in found.split("|"))


def finish():
    sys.exit(failures != 0)
