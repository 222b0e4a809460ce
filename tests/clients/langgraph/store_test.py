# LangGraph's stores of the package, as TAP: what LangGraph's own tests of stores do not ask.
import asyncio
import sys
import threading
import uuid

import psycopg
import psycopg_pool
from langgraph.store.base import GetOp, ListNamespacesOp, MatchCondition, PutOp, SearchOp
from memory_postgresql.langgraph import AsyncStore, Store
import tap
from tap import same


def refusal(body):
    try:
        body()
    except psycopg.Error as error:
        return error.sqlstate


# Vectors of three directions: what is said of trains, of boats, and of neither.
def embed(texts):
    return [[float('train' in text), float('boat' in text), 0.1] for text in texts]


def keys(items):
    return [item.key for item in items]


def values(pool):
    made, other = Store(pool, user=str(uuid.uuid4())), Store(pool, user=str(uuid.uuid4()))
    value = {'text': 'snow ☃, \t and "quotes"', 'n': 1, 'f': 0.5, 'deep': [{'a': None}, [True, {}]], '': ''}
    made.put(('people', 'ada'), 'a.b/c', value)
    same(made.get(('people', 'ada'), 'a.b/c').value, value, 'a value comes back equal')
    same(other.get(('people', 'ada'), 'a.b/c'), None, "another user's store does not have it")
    first = made.get(('people', 'ada'), 'a.b/c')
    made.put(('people', 'ada'), 'a.b/c', {'n': 2})
    second = made.get(('people', 'ada'), 'a.b/c')
    same((second.created_at, second.updated_at > first.updated_at), (first.created_at, True), 'a put keeps the time of the first')


def batches(pool):
    made = Store(pool, user=str(uuid.uuid4()))
    results = made.batch([
        PutOp(('a',), 'x', {'n': 1}), GetOp(('a',), 'x'), PutOp(('a',), 'x', {'n': 2}), PutOp(('a', 'b'), 'y', {'n': 3}),
        SearchOp(('a',), {'n': {'$gte': 2}}), PutOp(('a',), 'x', None), GetOp(('a',), 'x'),
        ListNamespacesOp((MatchCondition('prefix', ('*',)), MatchCondition('suffix', ('b',))))])
    same([results[1].value, sorted(keys(results[4])), results[6], results[7]], [{'n': 1}, ['x', 'y'], None, [('a', 'b')]],
         'a batch runs in its order and reads what it wrote')
    same([results[n] for n in (0, 2, 3, 5)], [None] * 4, '… and its puts return None')
    state = refusal(lambda: made.batch([PutOp(('a',), 'x', {'n': 4}), PutOp(('a',), 'y', {'n': 'a\0b'})]))
    same((state, made.get(('a',), 'x')), ('22P05', None), 'a batch with a value that jsonb cannot hold writes nothing')
    state = refusal(lambda: made.batch([PutOp(('a',), 'x', {'n': 4}), SearchOp(('a',), {'n': {'$near': 1}})]))
    same((state, made.get(('a',), 'x')), ('22023', None), '… nor does one with an unknown operator')


def searches(pool):
    made = Store(pool, user=str(uuid.uuid4()), index={'dims': 3, 'embed': embed, 'fields': ['text', 'notes[*]']})
    made.put(('t',), 'train', {'text': 'the night train', 'notes': ['couchette']})
    made.put(('t',), 'boat', {'text': 'the morning boat', 'notes': ['deck', 'rail']})
    made.put(('t',), 'both', {'text': 'a train on a boat', 'hidden': 'zeppelin'})
    made.put(('t',), 'none', {'text': 'train'}, index=False)
    found = made.search(('t',), query='train')
    same((sorted(keys(found)), found[0].score >= found[-1].score > 0), (['boat', 'both', 'train'], True), 'a query is ranked by vectors and words')
    same(keys(made.search(('t',), query='couchette', limit=1)), ['train'], 'a word in one of several fields is found')
    same(keys(made.search(('t',), query='train', filter={'text': 'the morning boat'})), ['boat'], 'a filter comes before the ranking')
    pages = [keys(made.search(('t',), query='train', limit=1, offset=n)) for n in range(4)]
    same(sum(pages, []), keys(found), 'pages follow each other, and end')
    words = Store(pool, user=str(uuid.uuid4()), index={'fields': ['text']})
    words.put(('t',), 'train', {'text': 'the night train'})
    words.put(('t',), 'boat', {'text': 'the morning boat'})
    same(keys(words.search(('t',), query='boat')), ['boat'], 'an index without vectors is one of words')


def lifetimes(pool):
    made = Store(pool, user=str(uuid.uuid4()), ttl={'default_ttl': 60, 'refresh_on_read': True})

    def expiries():
        with pool.connection() as db:
            return dict(db.execute('SELECT key, expires_at FROM memory.items(user_id => %s)', [made.database.user]).fetchall())

    for key in 'read', 'searched', 'left':
        made.put(('a', key), key, {'k': key})
    made.put(('a', 'kept'), 'kept', {}, ttl=None)
    before = expiries()
    made.get(('a', 'read'), 'read')
    made.search(('a', 'searched'))
    made.get(('a', 'left'), 'left', refresh_ttl=False)
    after = expiries()
    same([key for key in after if before[key] is None], ['kept'], 'an item without ttl does not expire')
    same(sorted(key for key in after if after[key] != before[key]), ['read', 'searched'], 'what is read or found lives on, what is peeked at does not')


# Batches in other orders: they wait for each other, and every one is whole.
def at_once(pool):
    made = Store(pool, user=str(uuid.uuid4()))
    failures = []

    def write(n):
        numbers = list(range(20)) if n % 2 else list(reversed(range(20)))
        try:
            for _ in range(5):
                made.batch([PutOp(('n', str(number)), 'k', {'by': n}) for number in numbers])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = made.search(('n',), limit=100)
    same((failures, len(found), len({item.value['by'] for item in found})), ([], 20, 1), '16 writers of the same items, in two orders')
    with pool.connection() as db:
        versions = {version for version, in db.execute('SELECT version FROM memory.items(k => NULL, user_id => %s)', [made.database.user])}
    same(versions, {80}, '… and every put is counted')


async def asynchronous(arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=2, max_size=2, kwargs=arguments) as pool:
        made = AsyncStore(pool, user=str(uuid.uuid4()), index={'dims': 3, 'embed': embed, 'fields': ['text']})
        await asyncio.gather(*(made.aput(('t', str(n % 3)), str(n), {'text': f'train {n}', 'n': n}) for n in range(50)))
        items = await asyncio.gather(*(made.aget(('t', str(n % 3)), str(n)) for n in range(50)))
        same([item.value['n'] for item in items], list(range(50)), '50 puts and 50 gets of one tick each')
        same(keys(await made.asearch(('t', '1'), query='train', filter={'n': {'$in': [4, 5]}})), ['4'], 'asearch')
        same(await made.alist_namespaces(prefix=('t', '*')), [('t', '0'), ('t', '1'), ('t', '2')], 'alist_namespaces')


arguments = {'prepare_threshold': None} if sys.argv[1] == 'pooled' else {}
with psycopg_pool.ConnectionPool('', min_size=2, max_size=16, kwargs=arguments) as pool:
    for part in values, batches, searches, lifetimes, at_once:
        part(pool)
asyncio.run(asynchronous(arguments))
tap.end()
