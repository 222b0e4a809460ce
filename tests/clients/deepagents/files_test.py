# deepagents' files in the package's stores, as TAP: 16 agents of one user at once, which its own tests do not ask.
import asyncio
import concurrent.futures
import sys
import uuid

import psycopg_pool
import tap
from deepagents.backends.store import StoreBackend
from memory_postgresql.langgraph import AsyncStore, Store
from tap import same

AGENTS = 16


def files_of(store):
    return StoreBackend(store=store, namespace=lambda runtime: ('filesystem',))


def content(read):
    return read.file_data['content']


# An agent's own file, and one that all ask for.
def work(store, n):
    files = files_of(store)
    files.write(f'/agents/{n}.md', f'one of {n}\ntwo of {n}')
    files.edit(f'/agents/{n}.md', 'two', '2')
    return content(files.read(f'/agents/{n}.md')), content(files.read('/shared.md'))


async def work_awaited(store, n):
    files = files_of(store)
    await files.awrite(f'/agents/{n}.md', f'one of {n}\ntwo of {n}')
    await files.aedit(f'/agents/{n}.md', 'two', '2')
    return content(await files.aread(f'/agents/{n}.md')), content(await files.aread('/shared.md'))


EXPECTED = [(f'one of {n}\n2 of {n}', 'for all') for n in range(AGENTS)]
LISTED = sorted(f'/agents/{n}.md' for n in range(AGENTS))


def in_threads(pool):
    store, other = Store(pool, user=str(uuid.uuid4())), Store(pool, user=str(uuid.uuid4()))
    files_of(store).write('/shared.md', 'for all')
    with concurrent.futures.ThreadPoolExecutor(AGENTS) as threads:
        same(list(threads.map(lambda n: work(store, n), range(AGENTS))), EXPECTED, '16 agents write, edit and read their files')
    same(sorted(one['path'] for one in files_of(store).ls('/agents/').entries), LISTED, 'every file is listed')
    same(sorted(one['path'] for one in files_of(store).grep('2 of', path='/agents/').matches), LISTED, '... and found by what is in it')
    same(files_of(other).ls('/').entries, [], "another user's agents see none")


async def asynchronous(arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=2, max_size=AGENTS, kwargs=arguments) as pool:
        store = AsyncStore(pool, user=str(uuid.uuid4()))
        await files_of(store).awrite('/shared.md', 'for all')
        same(await asyncio.gather(*(work_awaited(store, n) for n in range(AGENTS))), EXPECTED, '16 agents, asynchronously')
        same(sorted(one['path'] for one in (await files_of(store).als('/agents/')).entries), LISTED, 'every file is listed')


arguments = {'prepare_threshold': None} if sys.argv[1] == 'pooled' else {}
with psycopg_pool.ConnectionPool('', min_size=2, max_size=AGENTS, kwargs=arguments) as pool:
    in_threads(pool)
asyncio.run(asynchronous(arguments))
tap.end()
