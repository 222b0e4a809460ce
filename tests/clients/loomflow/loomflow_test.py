# loomflow's stores of the package, as TAP: what loomflow's own tests do not ask, and the way from loomflow's own tables, which its own
# classes have made and written.
import asyncio
import os
import subprocess
import sys
import uuid
from datetime import datetime, timedelta, timezone

import psycopg
import psycopg_pool
import tap
from loomflow import Agent
from loomflow.core.types import Episode, Fact, Message, Role, ToolCall
from loomflow.memory import HashEmbedder
from loomflow.memory.postgres import PostgresMemory
from loomflow.memory.postgres_facts import PostgresFactStore
from loomflow.model.scripted import ScriptedModel, ScriptedTurn
from loomflow.runtime import Checkpoint, JournaledRuntime, PostgresJournalStore
from loomflow.runtime.journal import journal_scope
from memory_postgresql.loomflow import FactStore, JournalStore, Memory
from tap import same

START = datetime(2026, 3, 2, 9, tzinfo=timezone.utc)
TRANSCRIPT = [Message(role=Role.ASSISTANT, content='', tool_calls=(ToolCall(id='c', tool='find', args={'to': 'Vienna'}),)),
              Message(role=Role.TOOL, content='21:05', tool_call_id='c')]


def at(minutes):
    return START + timedelta(minutes=minutes)


def plain(episodes):
    return [one.model_dump(exclude={'embedding', 'tool_transcript'}) for one in sorted(episodes, key=lambda one: one.occurred_at)]


# What a store answers of a user, without what each makes up (the vectors).
async def told(memory, user, sessions):
    export = await memory.export(user_id=user)
    facts = sorted(export.facts, key=lambda fact: (fact.subject, fact.valid_from))
    blocks = sorted((block.name, block.content) for block in await memory.working(user_id=user))  # loomflow's have no order
    messages = [await memory.session_messages(session, user_id=user, limit=100) for session in sessions]
    return plain(export.episodes), facts, blocks, messages


async def fill(memory, facts, journal):
    for user in 'ada', 'bob', None:
        for n in range(6):
            await memory.remember(Episode(id=f'ep_{user}_{n}', session_id=f's{n % 2}', user_id=user, occurred_at=at(n), input=f'Question {n} of {user}?', output=f'Answer {n}.',
                                          tool_transcript=TRANSCRIPT if n == 3 else None))
        await memory.update_block('persona', 'Terse.', user_id=user)
        await memory.append_block('notes', f'For {user}.', user_id=user)
        for n, city in enumerate(['Tokyo', 'Paris', 'Lyon']):
            await facts.append(Fact(id=f'fact_{user}_{n}', user_id=user, subject='Ada', predicate='lives in', object=city, valid_from=at(10 * n), recorded_at=at(n),
                                    sources=[f'ep_{user}_{n}'], confidence=0.5))
        scope = journal_scope('s0', user)
        await journal.put_step(scope, 'plan', {'to': 'Vienna', 'at': at(0), 'raw': b'\0', 'text': 'a\0b'})
        await journal.put_stream(scope, 'talk', ['a', 'b'])
        for n in range(3):
            await journal.put_checkpoint(Checkpoint(session_id=scope, checkpoint_id=f'ckpt_{user}_{n}', turn=n, created_at=at(n),
                                                    messages=[Message(role=Role.USER, content=f'turn {n}'), *TRANSCRIPT]))


async def journaled(journal, user):
    scope = journal_scope('s0', user)
    return [(await journal.get_step(scope, 'plan')).value, await journal.get_stream(scope, 'talk'), await journal.get_step(scope, 'none'),
            [(one.checkpoint_id, one.turn, one.created_at) for one in await journal.list_checkpoints(scope)], await journal.get_latest_checkpoint(scope)]


# loomflow's own classes make their tables and write them; the script copies them; both then answer alike.
async def migrated(pool):
    import asyncpg
    from pgvector.asyncpg import register_vector
    name = f'loomflow_{os.getpid()}'
    with psycopg.connect('', autocommit=True) as db:
        db.execute(f'CREATE DATABASE {name}')
    try:
        before = await asyncpg.connect(database=name)
        await before.execute('CREATE EXTENSION vector')
        await before.close()
        async with asyncpg.create_pool(database=name, min_size=1, max_size=4, init=register_vector) as theirs:
            facts = PostgresFactStore(theirs, embedder=HashEmbedder())
            memory, journal = PostgresMemory(theirs, embedder=HashEmbedder(), fact_store=facts), PostgresJournalStore(theirs)
            await memory.init_schema()
            await journal.init_schema()
            await fill(memory, facts, journal)
            namespace = str(uuid.uuid4())
            command = [sys.executable, '-m', 'memory_postgresql.loomflow_migrate', f'dbname={name}', '', '--namespace', namespace]
            said = [subprocess.run(command, capture_output=True, text=True, check=False) for _ in range(2)]  # noqa: ASYNC221
            same([one.stdout + one.stderr for one in said], ['6 blocks, 18 episodes, 9 facts, 6 steps, 9 checkpoints\n'] * 2, 'all of loomflow\'s tables is copied, and again')
            for user in 'ada', 'bob', None:
                ours = Memory(pool, namespace=namespace)
                for what, got, expected in zip(('episodes', 'facts', 'blocks', 'messages'), await told(ours, user, ['s0', 's1']), await told(memory, user, ['s0', 's1'])):
                    same(got, expected, f'... {what} of {user} are the same')
                same(await journaled(JournalStore(pool, namespace=namespace), user), await journaled(journal, user), f'... and so is the journal of {user}')
            found = [match.episode.id for match in await Memory(pool, namespace=namespace, embedder=HashEmbedder()).recall_scored('Question 4 of ada?\nAnswer 4.', user_id='ada', limit=1, alpha=1)]
            same(found, ['ep_ada_4'], '... and is recalled, by the vectors that came with it')
    finally:
        with psycopg.connect('', autocommit=True) as db:
            db.execute(f'DROP DATABASE {name} WITH (FORCE)')


async def forgotten(pool):
    memory, journal = Memory(pool, namespace=str(uuid.uuid4())), None
    journal = JournalStore(pool, namespace=memory.database.namespace)
    await fill(memory, memory.facts, journal)
    same([fact.object for fact in await memory.facts.query(user_id='ada', valid_at=at(15))], ['Paris'], 'facts as of a time')
    await memory.facts.append(Fact(user_id='bob', subject='Ada', predicate='lives in', object='Rome', valid_from=at(20), recorded_at=at(5)))
    objects = [fact.object for fact in await memory.facts.query(user_id='bob', limit=None)]
    same((sorted(objects), await memory.facts.delete(user_id='bob', before=at(1))), (['Paris', 'Rome', 'Tokyo'], 1), 'what was recorded before a time is deleted')
    same(await memory.facts.delete(user_id='bob'), 2, 'facts alone are deleted')
    same([await memory.facts.count(user_id=user) for user in ('ada', 'bob', None)], [3, 0, 3], '... of that user')
    same(await memory.forget(user_id='ada', session_id='s1'), 3 + 2, 'a session is forgotten, with both versions of the fact that was made of it alone')
    same(await memory.forget(user_id='ada'), 3 + 3 + 2, 'a user is forgotten')
    same([await journal.get_step(journal_scope('s0', 'ada'), 'plan'), await journal.get_latest_checkpoint(journal_scope('s0', 'ada'))], [None, None], '... with the journal')
    same([(await memory.profile(user_id=user)).episode_count for user in ('ada', 'bob', None)], [0, 6, 6], '... and no other')
    await journal.prune(session_id='s0', before=at(1))
    same([one.turn for one in await journal.list_checkpoints('s0')], [2, 1], 'pruned by the times that loomflow gave')
    async with pool.connection() as db:
        tables = [f"(SELECT count(*) FROM memory.{table} WHERE namespace = %(of)s AND user_id = 'bob')" for table in ('facts', 'timelines', 'fact_sources')]
        left = await (await db.execute(f"SELECT {', '.join(tables)}", {'of': memory.database.namespace})).fetchone()
    same(left, (0, 0, 0), 'no word of a deleted fact is left, nor of one that another had taken the place of')


async def at_once(pool):
    memory = Memory(pool, namespace=str(uuid.uuid4()), embedder=HashEmbedder())
    await asyncio.gather(*(memory.remember(Episode(session_id='s', user_id=f'user {n % 8}', input=f'train {n % 8}', output='ok')) for n in range(64)))
    found = await asyncio.gather(*(memory.recall('train', user_id=f'user {n}', limit=100) for n in range(8)))
    same([{(one.input, one.user_id) for one in each} for each in found], [{(f'train {n}', f'user {n}')} for n in range(8)], '8 users at once')
    facts = FactStore(pool, namespace=memory.database.namespace)
    await asyncio.gather(*(facts.append(Fact(user_id='ada', subject='Ada', predicate='lives in', object=f'city {n}', valid_from=at(n))) for n in range(16)))
    now = await facts.query(user_id='ada', valid_at=at(100), limit=None)
    same(([one.object for one in now], await facts.count(user_id='ada')), (['city 15'], 16), '16 writers of one fact: one is true at a time')


async def agents(pool):
    namespace = str(uuid.uuid4())
    agent = Agent('Be terse.', model=ScriptedModel([ScriptedTurn(text='The 21:05.'), ScriptedTurn(text='Platform 7.')]), memory=Memory(pool, namespace=namespace),
                  runtime=JournaledRuntime(JournalStore(pool, namespace=namespace)))
    for question in 'Is there a night train?', 'From which platform?':
        await agent.run(question, user_id='ada', session_id='monday')
    said = await Memory(pool, namespace=namespace).session_messages('monday', user_id='ada')
    same([(one.role.value, one.content) for one in said],
         [('user', 'Is there a night train?'), ('assistant', 'The 21:05.'), ('user', 'From which platform?'), ('assistant', 'Platform 7.')], "an agent's runs are kept")


async def main(pooled):
    async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=8, kwargs={'prepare_threshold': None} if pooled else {}) as pool:
        for part in (forgotten, at_once, agents) if pooled else (forgotten, at_once, agents, migrated):
            await part(pool)


asyncio.run(main(sys.argv[1] == 'pooled'))
tap.end()
