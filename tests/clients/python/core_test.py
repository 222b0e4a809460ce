# The package for Python, as TAP: what it sends is what functions take, and what they answer comes back.
import asyncio
import datetime
import inspect
import pathlib
import re
import sys
import threading
import uuid

import psycopg
import psycopg_pool
import tap
from memory_postgresql import AsyncMemory, Memory, shard_of
from memory_postgresql._calls import Call
from memory_postgresql._database import Texts
from tap import same

UTC = datetime.timezone.utc
DAY = datetime.datetime(2026, 3, 1, tzinfo=UTC)


def user():
    return str(uuid.uuid4())


def state_of(body):
    try:
        body()
    except psycopg.Error as error:
        return error.sqlstate


def refused(body):
    try:
        body()
    except psycopg.Error as error:
        return type(error).__name__


def days(n):
    return DAY + datetime.timedelta(days=n)


# Of every type of an argument some value.
EXAMPLES = {'str': 'x', 'Any': 'x', 'Json': {}, 'uuid.UUID': uuid.uuid4(), 'int': 1, 'bool': True, 'float': 0.5, 'Vector': [1.0], 'Time': DAY, 'ValidAt': DAY,
            'datetime.timedelta': datetime.timedelta(1), 'Literal["now"]': DAY, 'Literal["-infinity"]': DAY}


def example(annotation):
    kind = annotation.split(' | ')[0]
    if kind.startswith('Sequence['):
        return [EXAMPLES[kind.removeprefix('Sequence[').removesuffix(']')]]
    return EXAMPLES[kind]


def calls():
    return {name: call for group in inspect.getmro(Memory) for name, call in vars(group).items() if isinstance(call, Call)}


# Against the catalog: every method calls a function that is there, by the names of its arguments, and reads columns that it has.
def signatures(pool):
    with pool.connection() as db:
        functions = dict(db.execute('''SELECT proname::text, array_agg(DISTINCT argument) FROM pg_proc, unnest(proargnames[:pronargs]) argument
                                       WHERE pronamespace = 'memory'::regnamespace GROUP BY 1''').fetchall())
    wrong, unused = [], {}
    for name, call in calls().items():
        parameters = [one for one in inspect.signature(call.steps).parameters.values() if one.name != 'self']
        steps = call.steps(None, **{one.name: example(one.annotation) for one in parameters})
        step = next(steps)
        while isinstance(step, Texts):
            step = steps.send([[1.0]] * len(step.texts))
        wrong += [f'{name}: {step.function}({argument})' for argument in step.arguments if argument not in functions.get(step.function, ())]
        left = set(functions.get(step.function, ())) - set(step.arguments) - {'user_id'}
        if left:
            unused[name] = sorted(left)
    same(wrong, [], f'{len(calls())} methods name arguments that their functions have')
    same(unused, {}, '… all of them')


def episodes(pool):
    ada, bob = Memory(pool, user=user()), Memory(pool, user=user())
    id = uuid.uuid4()
    given = ada.remember('Is there a night train?', 'Yes, the 21:05.', session_id='monday', role='user', metadata={'topic': ['travel']}, importance=0.5,
                         occurred_at=DAY, id=id)
    got = ada.get(id)
    same((given, got.content, got.response, got.session_id, got.metadata, got.importance, got.occurred_at, got.kind),
         (id, 'Is there a night train?', 'Yes, the 21:05.', 'monday', {'topic': ['travel']}, 0.5, DAY, 'episodic'), 'an episode comes back as it was given')
    same((bob.get(id), bob.recall('night train')), (None, []), "another user's is not found")
    many = ada.remember_many([{'content': 'The boat is late.'}, {'content': 'The train is late.', 'kind': 'semantic'}], session_id='tuesday')
    found = ada.recall('late train', kinds=['semantic'])
    same(([one.id for one in found], found[0].match, found[0].vector_score), ([many[1]], 'lexical', None), 'recall by words, of a kind')
    same([one.id for one in ada.recall('late', filter={'topic': ['travel']}, fallback='recent')], [id], '… of what a filter passes')
    same(([one.id for one in ada.recall_recent(session_id='tuesday')], len(ada.recall(k=None))), (many[::-1], 3), 'the newest; k None is no limit')
    same((ada.revise(many[0], 'The boat is gone.'), ada.get(many[0]).content), (True, 'The boat is gone.'), 'revise')
    receipt = ada.forget(id)
    same((receipt['episodes'], ada.get(id), state_of(ada.forget)), (1, None, '22004'), 'forget has a receipt, and takes no empty condition')
    lines = ada.export_user()
    same((bob.forget_user()['episodes'], ada.forget_user()['episodes'], ada.recall_recent()), (0, 2, []), 'forget_user takes that user alone')
    ada.import_user(lines)
    same(ada.export_user(), lines, 'an export comes back whole')
    same(refused(lambda: ada.remember('a\0b')), 'DataError', 'what text cannot hold is refused')


def vectors(pool):
    asked = []

    def embed(texts):
        asked.append(list(texts))
        return [[float('train' in text), float('boat' in text), 0.1] for text in texts]

    ada = Memory(pool, user=user(), embed=embed, embed_queries=lambda texts: embed([text.removeprefix('query: ') for text in texts]))
    ada.remember('A night on rails in the train.', 'Sleeper')
    ada.remember_many([{'content': 'A boat.'}, {'content': 'Own', 'embedding': [0, 0, 1]}])
    best = ada.recall('train', k=1)[0]
    same((best.content, best.match, round(best.vector_score, 6)), ('A night on rails in the train.', 'both', 1.0), 'what is kept and what is asked gets vectors')
    same(asked, [['A night on rails in the train.\nSleeper'], ['A boat.', 'Own'], ['train']], '… one call of the embedder each')
    ada.assert_fact('Ada', 'travels by', 'train')
    same([one.object for one in ada.recall_facts('train')], ['train'], '… facts, too')
    ada.put_item(['trips'], 'vienna', {'by': 'rail'}, texts=['a train'])
    same([round(one.relevance, 6) for one in ada.items(['trips'], 'train')], [1.0], '… and items')
    same('A boat.' in ada.context('boat'), True, '… and context is asked with one')


def beliefs(pool):
    ada = Memory(pool, user=user())
    ada.assert_fact('Ada', 'lives in', 'Tokyo', valid_from='-infinity')
    known = ada.facts('Ada')[0].known_from
    ada.assert_fact('Ada', 'livesIn', 'Paris', valid_from=days(30))
    same([(one.object, one.valid_from, one.valid_until) for one in ada.facts('Ada', valid_at=None)],
         [('Paris', days(30), None), ('Tokyo', None, days(30))], 'facts with both ends; an open one is None')
    same([one.object for one in ada.facts('ada', valid_at=days(1))], ['Tokyo'], '… as of a time')
    same([one.object for one in ada.facts('ada', valid_at=days(40), known_at=known)], ['Tokyo'], '… as it was believed')
    same([one.object for one in ada.fact_history('Ada', 'lives in')], ['Tokyo', 'Tokyo', 'Paris'], '… and every version')
    ada.reject_fact('Ada', 'lives in', 'Rome')
    paris = ada.facts('Ada', valid_at=days(40))[0]
    ada.correct_fact(paris.id, 'Lyon')
    same([one.object for one in ada.facts('Ada', valid_at=days(40))], ['Lyon'], 'a correction')
    same([(one.depth, one.entity) for one in ada.traverse(['Ada'], 1, valid_at=days(40))], [(1, 'Lyon')], 'traverse')
    same((ada.retract_fact('Ada', 'lives in', valid_from=days(50)), ada.facts('Ada', valid_at=days(60))), (1, []), 'a retraction')


def texts(pool):
    ada = Memory(pool, user=user())
    same((ada.set_block('persona', 'Terse.', char_limit=20), ada.append_block('persona', 'Kind.', ' ')), (1, 2), 'blocks have versions')
    ada.set_block('/notes/a.md', 'one\ntwo\n')
    ada.edit_block('/notes/a.md', 'TWO', old='two')
    same((ada.block('/notes/a.md').content, ada.block('persona').place, ada.block('none')), ('one\nTWO\n', 0, None), '… and are edited')
    same([(one.name, one.version) for one in ada.blocks('/notes', depth=1)], [('/notes/a.md', 2)], '… and listed')
    same([one.content for one in ada.block_history('persona')], ['Terse. Kind.', 'Terse.'], '… with their history')
    same((state_of(lambda: ada.append_block('persona', 'x' * 20)), state_of(lambda: ada.set_block('persona', '', expected_version=1))), ('54000', '40001'),
         'over the limit, and stale')
    same((ada.rename_block('/notes', '/old'), ada.delete_block('/old', recursive=True), ada.block('/old/a.md')), (1, 1, None), 'renamed, deleted')
    same((ada.put_item(['a', 'b'], 'k', {'n': 1}), ada.put_item(['a', 'b'], 'k', {'n': 2}, ttl=datetime.timedelta(hours=1))), (1, 2), 'items have versions')
    ada.put_items([{'path': ['a', 'c'], 'key': 'k', 'value': [1.5, None, 'train']}])
    got = ada.item(['a', 'b'], 'k')
    same((got.value, got.expires_at > got.updated_at, ada.item(['a'], 'k')), ({'n': 2}, True, None), '… and come back')
    same([one.key for one in ada.items(['a'], 'train')] + [one.value['n'] for one in ada.items(filter={'n': {'$gte': 2}})], ['k', 2], '… and are found')
    same([one.path for one in ada.item_paths(['a'])], [['a', 'b'], ['a', 'c']], '… by paths')
    same((ada.delete_items(['a'], keys=['k']), ada.items(k=None)), (2, []), '… and deleted')


def sessions(pool):
    ada = Memory(pool, user=user())
    said = [{'role': 'user', 'content': 'Hello', 'id': 'm1'}, {'role': 'assistant', 'content': [{'type': 'text', 'text': 'Hi'}], 'id': 'm2'}]
    same([one.seq for one in ada.add_messages('s', said, key_field='id', agent_id='guide')], [1, 2], 'messages are numbered')
    ada.add_messages('s', said, key_field='id')
    same([(one.seq, one.role, one.content, one.message) for one in ada.messages('s')], [(1, 'user', 'Hello', said[0]), (2, 'assistant', 'Hi', said[1])],
         '… come back equal, and once')
    ada.set_session('s', {'title': 'greeting'})
    ada.set_summary('s', 'They met.', upto=1, topics=['greeting'])
    session, summary = ada.session('s'), ada.summary('s')
    same((session.messages, session.metadata, session.agent_id, summary.summary, summary.newer), (2, {'title': 'greeting'}, 'guide', 'They met.', 1), 'a session')
    ada.set_profile({'name': 'Ada'})
    same((ada.profile(), [one.session_id for one in ada.sessions()], ada.overview()['sessions'][0]['session_id']), ({'name': 'Ada'}, ['s'], 's'), '… a profile')
    same(['They met.' in ada.context(session_id='s'), ada.context(max_tokens=1)], [True, ''], 'a context, within its tokens')
    same(([one.seq for one in ada.drop_messages('s', last=1)], ada.delete_session('s'), ada.session('s')), ([2], True, None), 'dropped, deleted')


# What is left behind on a connection is nothing, whichever the namespace is.
def scopes(pool):
    name = user()
    here, there = Memory(pool, user=name, namespace='default'), Memory(pool, user=name, namespace='elsewhere')
    for one, text in (here, 'The train is here.'), (there, 'The train is there.'):
        one.remember(text)
    same([[found.content for found in one.recall('train')] for one in (here, there, Memory(pool, user=name))],
         [['The train is here.'], ['The train is there.'], ['The train is here.']], 'namespaces are apart')
    same([found.content for found in here.scoped(user=name, namespace='elsewhere').recall('train')], ['The train is there.'], 'scoped')
    with pool.connection() as db:
        same([str(one) for one in db.execute('SELECT user_id, namespace FROM memory.scope()').fetchall()], ["(None, 'default')"], 'no scope is left on a connection')
    same([there.forget_user()['episodes'], len(here.recall('train'))], [1, 1], 'a namespace is forgotten alone')


# Threads that share a pool, each with a user of its own.
def at_once(pool):
    failures, memories = [], [Memory(pool, user=user(), namespace=None if n % 2 else 'default') for n in range(16)]

    def work(n):
        try:
            for i in range(10):
                memories[n].remember(f'train number {n}', session_id=str(i))
                wrong = {one.content for one in memories[n].recall('train', k=None)} - {f'train number {n}'}
                failures.extend(wrong)
        except Exception as error:  # noqa: BLE001
            failures.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    same((failures, [len(one.recall('train', k=None)) for one in memories]), ([], [10] * 16), '16 threads with users of their own')


def connections():
    with psycopg.connect('', prepare_threshold=None) as db:
        ada, other = Memory(db, user=user()), Memory('', user=None)
        ada.remember('The train is late.')
        other = other.scoped(user=ada.database.user)
        before = other.recall('train')
        db.commit()
        same((before, len(other.recall('train'))), ([], 1), "a connection's transactions are the caller's")
        with db.transaction():
            Memory(db, user=ada.database.user, namespace='default').remember('The train is early.')
            raise psycopg.Rollback
        same(len(other.recall('train')), 1, '… rolled back, too')
        other.close()
        same(len(other.recall('train')), 1, 'a connection of its own is opened again')
        other.close()
        same([[*inspect.signature(one.remember).parameters][:3] for one in (Memory, AsyncMemory)], [['self', 'content', 'response']] * 2, 'methods tell their arguments')
    same(state_of(lambda: Memory('', user='').remember('x')), '22023', "'' is no user")


async def asynchronous(arguments):
    async def embed(texts):
        return [[float('train' in text), 0.1] for text in texts]

    async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=4, kwargs=arguments) as pool:
        memories = [AsyncMemory(pool, user=user(), embed=embed, namespace='default') for n in range(16)]
        await asyncio.gather(*(one.remember(f'train {n} {i}') for n, one in enumerate(memories) for i in range(5)))
        found = await asyncio.gather(*(one.recall('train', k=None) for one in memories))
        same([{one.content.split()[1] for one in each} for each in found], [{str(n)} for n in range(16)], '16 users at once, asynchronously')
        same({(len(each), one.match) for each in found for one in each}, {(5, 'both')}, '… with vectors of an asynchronous embedder')
    async with AsyncMemory('', user=user()) as ada:
        await asyncio.gather(*(ada.put_item(['n'], str(n), n) for n in range(20)))
        same(sorted(one.value for one in await ada.items(['n'], k=None)), list(range(20)), 'tasks share a connection of its own')


# Row security that takes the user from the scope: a namespace makes each statement carry it.
def protected():
    with psycopg.connect('', autocommit=True) as owner:
        for statement in ('DROP ROLE IF EXISTS regress_memory_client', 'CREATE ROLE regress_memory_client',
                          "SELECT memory.grant_access('regress_memory_client', 'writer')", 'SELECT memory.protect()'):
            owner.execute(statement)
        try:
            with psycopg.connect('', autocommit=True, options='-c role=regress_memory_client') as db:
                ada, bob = (Memory(db, user=user(), namespace='default') for n in range(2))
                ada.remember('The train is mine.')
                same([len(ada.recall('train')), len(bob.recall('train'))], [1, 0], 'under protect() a namespace carries the user')
                same(state_of(lambda: Memory(db, user=ada.database.user).remember('x')), '42501', '… without one the session is of no user')
        finally:
            for statement in ('SELECT memory.unprotect()', "SELECT memory.revoke_access('regress_memory_client')", 'DROP ROLE regress_memory_client'):
                owner.execute(statement)


# The values of docs/scale.md, which memory.shard_of has, too.
def shards(pool):
    page = (pathlib.Path(__file__).parents[3] / 'docs/scale.md').read_text(encoding='utf-8')
    rows = re.findall(r'^\| (anonymous|1,000 × `x`|`.+`) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$', page, re.MULTILINE)
    users = {'anonymous': None, '1,000 × `x`': 'x' * 1000}
    said = {users.get(name, name.strip('`')): [int(n) for n in numbers] for name, *numbers in rows}
    counts = [4, 64, 1024, 2**62]
    same({one: [shard_of(one, n) for n in counts] for one in said}, said, f'shard_of has the {len(said)} users of docs/scale.md')
    with pool.connection() as db:
        same({one: [db.execute('SELECT memory.shard_of(%s, %s)', (one, n)).fetchone()[0] for n in counts] for one in said}, said, '… and so has the database')
    errors = []
    for one, n in (('ada', 12), ('ada', 0), ('', 4)):
        try:
            shard_of(one, n)
        except ValueError as error:
            errors.append(str(error))
    same(len(errors), 3, '… and refuses what the database refuses')


pooled = sys.argv[1] == 'pooled'
arguments = {'prepare_threshold': None, 'autocommit': True} if pooled else {'prepare_threshold': 1}
with psycopg_pool.ConnectionPool('', min_size=2, max_size=8, kwargs=arguments) as pool:
    for part in signatures, episodes, vectors, beliefs, texts, sessions, scopes, at_once, shards:
        part(pool)
connections()
asyncio.run(asynchronous(arguments))
if not pooled:
    protected()
tap.end()
