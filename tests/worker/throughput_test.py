"""How many jobs a second go through, with the model's own time beside them; 100,000 of them in the long form."""

import resource
import time

from model_server import ModelServer
from support import *

server = ModelServer()
set_up()
COUNT = 100_000 if THOROUGH else 3_000

start_over(server.url)
sql(f"""INSERT INTO memory.episodes (namespace, user_id, id, content)
    SELECT 'default', 'user ' || n % 500, gen_random_uuid(), 'Note ' || n || ': the night train to Vienna leaves at nine.'
    FROM generate_series(1, {COUNT}) n""")
sql("VACUUM ANALYZE")
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
before = usage.ru_utime + usage.ru_stime
began = time.monotonic()
status, said = run_worker("--once", "--log", "json")
took = time.monotonic() - began
usage = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = usage.ru_utime + usage.ru_stime - before
equal(status, 0, f"{COUNT} jobs are done")
equal(state(), (COUNT, COUNT, 0, 0), "each episode has one right vector")
equal(max(server.texts.values()), 1, "no text is asked for twice")
own = server.busy.seconds
print(f"# {COUNT} jobs in {took:.1f} s: {COUNT / took:.0f} jobs/s; the server worked for {own:.1f} s of that, "
      f"on up to {server.busy.most} requests at once; {COUNT / (took - own):.0f} jobs/s without it; "
      f"the worker's own processor time is {cpu:.1f} s")
server.stop()
finish()
