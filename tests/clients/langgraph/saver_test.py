# LangGraph's checkpointers of the package, as TAP: many threads of many users at once, and what LangGraph's own suite does not ask.
import asyncio
import concurrent.futures
import sys
import uuid

import psycopg
import psycopg_pool
from langgraph.checkpoint.base import empty_checkpoint
from memory_postgresql.langgraph import AsyncSaver, Saver
import tap
from tap import same

USERS, THREADS, STEPS = 8, 16, 10


def thread(name, path=''):
    return {'configurable': {'thread_id': name, 'checkpoint_ns': path}}


# The ids of steps are in their order, as LangGraph's are.
def step(n, values):
    versions = {name: str(n) for name in values}
    return {**empty_checkpoint(), 'id': f'1f{n:06}-0000-6000-8000-000000000000', 'channel_values': values, 'channel_versions': versions}


def metadata(n):
    return {'source': 'loop', 'step': n, 'parents': {}}


def told(name, last, listed):
    return [last.checkpoint['channel_values']['said'], [value for task, channel, value in last.pending_writes], len(listed),
            all(one.checkpoint['channel_values']['said'].startswith(f'{name} ') for one in listed)]


def expected(name):
    return [f'{name} {STEPS}', [f'{name} writes {STEPS}'], STEPS, True]


# Steps of a thread, each with a write, and what is read back at its end.
def run(saver, name):
    config = thread(name)
    for n in range(1, STEPS + 1):
        config = saver.put(config, step(n, {'said': f'{name} {n}'}), metadata(n), {'said': str(n)})
        saver.put_writes(config, [('said', f'{name} writes {n}')], 'task')
    return told(name, saver.get_tuple(thread(name)), list(saver.list(thread(name))))


async def awaited(saver, name):
    config = thread(name)
    for n in range(1, STEPS + 1):
        config = await saver.aput(config, step(n, {'said': f'{name} {n}'}), metadata(n), {'said': str(n)})
        await saver.aput_writes(config, [('said', f'{name} writes {n}')], 'task')
    return told(name, await saver.aget_tuple(thread(name)), [one async for one in saver.alist(thread(name))])


def refusal(body):
    try:
        body()
    except psycopg.Error as error:
        return error.sqlstate


def names():
    return [f'thread {n // USERS} of {n % USERS}' for n in range(THREADS)]


def in_threads(pool):
    savers = [Saver(pool, user=str(uuid.uuid4())) for _ in range(USERS)]
    with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
        found = list(threads.map(lambda n: run(savers[n % USERS], names()[n]), range(THREADS)))
    same(found, [expected(name) for name in names()], '16 threads of 8 users at once: each has its own')
    same(len(list(savers[0].list(None))), 2 * STEPS, 'over all threads a user sees its own')
    same([one.metadata['step'] for one in savers[0].list(thread('thread 0 of 0'), limit=3)], [10, 9, 8], 'the newest come first, as many as are asked for')
    same(savers[1].get_tuple(thread('thread 0 of 0')), None, "another user's thread is not there")
    savers[0].delete_thread('thread 0 of 0')
    same([savers[0].get_tuple(thread('thread 0 of 0')), len(list(savers[0].list(None)))], [None, STEPS], 'a thread that is deleted is gone, and no other')
    same(refusal(lambda: Saver(pool, user='').get_tuple(thread('x'))), '22023', 'an empty user is refused')

    shared = Saver(pool, user=str(uuid.uuid4()))
    with concurrent.futures.ThreadPoolExecutor(THREADS) as threads:
        for one in [threads.submit(shared.put, thread('shared'), step(n, {'said': n}), metadata(n), {'said': str(n)}) for n in range(1, 17)]:
            one.result()
    said = sorted(one.checkpoint['channel_values']['said'] for one in shared.list(thread('shared')))
    same(said, list(range(1, 17)), '16 writers of one thread: each checkpoint is there, with its own values')


async def asynchronous(arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=2, max_size=THREADS, kwargs=arguments) as pool:
        savers = [AsyncSaver(pool, user=str(uuid.uuid4())) for _ in range(USERS)]
        found = await asyncio.gather(*(awaited(savers[n % USERS], names()[n]) for n in range(THREADS)))
        same(found, [expected(name) for name in names()], '16 threads of 8 users at once, asynchronously: each has its own')
        shared = AsyncSaver(pool, user=str(uuid.uuid4()))
        puts = [shared.aput(thread('shared'), step(n, {'said': n}), metadata(n), {'said': str(n)}) for n in range(1, 17)]
        await asyncio.gather(*puts)
        said = sorted([one.checkpoint['channel_values']['said'] async for one in shared.alist(thread('shared'))])
        same(said, list(range(1, 17)), '16 writers of one thread, asynchronously')


arguments = {'prepare_threshold': None} if sys.argv[1] == 'pooled' else {}
with psycopg_pool.ConnectionPool('', min_size=2, max_size=THREADS, kwargs=arguments) as pool:
    in_threads(pool)
asyncio.run(asynchronous(arguments))
tap.end()
