#!/usr/bin/env python3
"""embedding_rate.py COUNT DIMENSIONS: a line of numbers for the part `jobs` of make bench: jobs a second through memory-worker --once
with a model's server here, the same without the time in which that server worked, seconds of the server and of the worker's own
processor time. The namespace of the connection gets COUNT episodes, and must have no others."""
import os
import resource
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../worker"))
import model_server  # noqa: E402

count, dimensions = map(int, sys.argv[1:])
model_server.DIMENSIONS = min(dimensions, 32)
server = model_server.ModelServer()


def sql(*statements):
    found = subprocess.run(["psql", "-XAtq", "-v", "ON_ERROR_STOP=1", *(part for one in statements for part in ("-c", one))],
                           check=True, capture_output=True, text=True)
    return found.stdout.strip().split("\n")[-1]


def padded(text, vector_of=model_server.vector_of):
    """As long as asked for, whatever it costs the server: that time is taken out."""
    short = vector_of(text)
    return short * (dimensions // len(short))


model_server.vector_of = padded
sql(f"SELECT memory.use_model('embed', 'rate-{dimensions}', '{server.url}', '{{\"dimensions\": {dimensions}}}')")
sql(f"""INSERT INTO memory.episodes (user_id, content)
    SELECT 'user ' || n % 500, 'Note ' || n || ': the night train to Vienna leaves at nine.' FROM generate_series(1, {count}) n""")
sql("VACUUM ANALYZE memory.episodes, memory.jobs, memory.embeddings")
before = resource.getrusage(resource.RUSAGE_CHILDREN)
began = time.monotonic()
subprocess.run([os.environ.get("MEMORY_WORKER", "memory-worker"), "--once", "--log", "none", ""], check=True)
took = time.monotonic() - began
after = resource.getrusage(resource.RUSAGE_CHILDREN)
own = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
done = int(sql(f"SELECT count(*) FROM memory.embeddings WHERE namespace = current_setting('memory.namespace')"))
if done != count:
    sys.exit(f"{done} of {count} episodes have their vectors")
print(f"{count / took:.0f} {count / (took - server.busy.seconds):.0f} {server.busy.seconds:.2f} {own:.2f}")
server.stop()
