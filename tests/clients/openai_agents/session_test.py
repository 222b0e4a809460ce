# The session of the OpenAI Agents SDK, as TAP: what the SDK's own tests do not ask.
import asyncio
import sys
import uuid

import psycopg_pool
import tap
from agents import Agent, RunConfig, Runner, SessionSettings
from agents.testing import ScriptedModel, assistant_message
from memory_postgresql import AsyncMemory
from memory_postgresql.openai_agents import Session
from tap import same


def said(role, text):
    return {'role': role, 'content': text}


async def kept(pool):
    ada, bob = str(uuid.uuid4()), str(uuid.uuid4())
    session = Session('monday', pool, user=ada)
    items = [said('user', 'Which night train?'), {'type': 'function_call', 'call_id': 'c', 'name': 'find', 'arguments': '{"to": "Vienna"}'},
             {'type': 'function_call_output', 'call_id': 'c', 'output': 'the quokka \0 express \ud83d'},
             {'id': '__fake_id__', 'type': 'message', 'role': 'assistant', 'status': 'completed', 'content': [{'type': 'output_text', 'text': 'The 21:05.', 'annotations': []}]},
             {'id': '__fake_id__', 'type': 'message', 'role': 'assistant', 'status': 'completed', 'content': [{'type': 'output_text', 'text': 'Platform 7.', 'annotations': []}]}]
    await session.add_items(items)
    items[2]['output'] = 'the quokka  express '
    same(await session.get_items(), items, 'items come back equal, ids of other models twice, without what jsonb cannot hold')
    same(await Session('monday', pool, user=bob).get_items(), [], "another user's session of that name is another")
    found = await AsyncMemory(pool, user=ada).recall('night train platform quokka', k=None)
    same(sorted(one.content for one in found if one.match == 'lexical'), ['Platform 7.', 'Which night train?'], 'what was said is recalled, what tools answer is not')
    same([await session.get_items(0), await session.get_items(1), await Session('monday', pool, user=ada, session_settings=SessionSettings(limit=2)).get_items()],
         [[], items[-1:], items[-2:]], 'limits')
    await session.clear_session()
    same([await session.get_items(), await session.pop_item(), await AsyncMemory(pool, user=ada).recall_recent()], [[], None, []], 'cleared: nothing is recalled any more')


async def at_once(pool):
    user = str(uuid.uuid4())
    batches = [[said('user', f'{batch}: {n}') for n in range(5)] for batch in range(16)]
    await asyncio.gather(*(Session('shared', pool, user=user).add_items(batch) for batch in batches))
    items = await Session('shared', pool, user=user).get_items()
    same(sorted((items[n:n + 5] for n in range(0, 80, 5)), key=lambda batch: int(batch[0]['content'].split(':')[0])), batches, '16 runs at once: batches are whole')
    popped = await asyncio.gather(*(Session('shared', pool, user=user).pop_item() for _ in range(80)))
    same(sorted(one['content'] for one in popped), sorted(one['content'] for one in items), '80 pops at once: each item once')


async def runs(pool):
    session, model = Session('run', pool, user=str(uuid.uuid4())), ScriptedModel()
    agent = Agent(name='guide', model=model)
    for answer in 'The 21:05.', 'Platform 7.':
        model.enqueue([assistant_message(answer)])
        await Runner.run(agent, 'And?', session=session, run_config=RunConfig(tracing_disabled=True))
    same([one['role'] for one in await session.get_items()], ['user', 'assistant'] * 2, 'two runs go on with one session')


async def main(arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=1, max_size=8, kwargs=arguments) as pool:
        for part in kept, at_once, runs:
            await part(pool)


asyncio.run(main({'prepare_threshold': None} if sys.argv[1] == 'pooled' else {}))
tap.end()
