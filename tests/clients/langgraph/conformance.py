# LangGraph's own suite for checkpointers, in Python, as TAP: on the asynchronous one and, through threads, on the other. Each capability
# has a user of its own.
import asyncio
import sys
import uuid

import psycopg_pool
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.report import ProgressCallbacks
from memory_postgresql.langgraph import AsyncSaver, Saver


def in_threads(name):
    async def method(self, *positional, **named):
        return await asyncio.to_thread(getattr(self, name), *positional, **named)
    return method


class InThreads(Saver):
    aget_tuple, aput, aput_writes, aprune, adelete_thread, adelete_for_runs, acopy_thread, aget_delta_channel_history = map(in_threads, (
        'get_tuple', 'put', 'put_writes', 'prune', 'delete_thread', 'delete_for_runs', 'copy_thread', 'get_delta_channel_history'))

    async def alist(self, config, **which):
        for one in await asyncio.to_thread(lambda: [*self.list(config, **which)]):
            yield one


@checkpointer_test(name='AsyncSaver')
async def asynchronous():
    async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=2) as pool:
        yield AsyncSaver(pool, user=str(uuid.uuid4()))


@checkpointer_test(name='Saver')
async def synchronous():
    with psycopg_pool.ConnectionPool('', min_size=1, max_size=2) as pool:
        yield InThreads(pool, user=str(uuid.uuid4()))


def say(capability, test, passed, error):
    print(f'{"ok" if passed else "not ok"} - {capability}: {test}')
    for line in (error or '').splitlines():
        print(f'# {line}')


registered = {'async': asynchronous, 'sync': synchronous}[sys.argv[1]]
report = asyncio.run(validate(registered, progress=ProgressCallbacks(on_test_result=say)))
print(f'# {report.conformance_level()}, {len(report.results)} capabilities')
