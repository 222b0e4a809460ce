# The Claude Agent SDK's own suite for session stores, and its functions over a store, as TAP. Of the package's store, and
# of page.py: the store of docs/clients.md, which has only what a store must have. Every store is of a user of its own.
import asyncio
import sys
import traceback
import uuid

import claude_agent_sdk as sdk
import page
import psycopg_pool
from claude_agent_sdk.testing import run_session_store_conformance
from memory_postgresql.claude_agent_sdk import SessionStore
import tap
from tap import same

# The suite's contracts, in the order in which it asks for a store for each.
CONTRACTS = {
    1: 'what is appended is loaded, in order', 2: 'what was never written is None', 3: 'calls keep their order',
    4: 'nothing appended changes nothing', 5: 'subpaths are apart', 6: 'projects are apart', 7: 'sessions of a project',
    8: 'sessions, not subpaths', 14: 'summaries', 9: 'a deleted session is None', 10: 'its subpaths go with it',
    11: 'a subpath goes alone', 12: 'subpaths of a session', 13: 'subpaths, not the main transcript'}
DIRECTORY = '/trips'
PROJECT = sdk.project_key_for_directory(DIRECTORY)

# The suite ends with the first contract that is broken. The first store is only looked at.
async def contracts(name, make, numbers):
    stores, error = [], None

    def next_store():
        stores.append(make())
        return stores[-1]

    try:
        await run_session_store_conformance(next_store)
    except Exception:
        error = traceback.format_exc()
    for place, number in enumerate(numbers, start=2):
        kept = len(stores) > place or len(stores) == place and not error
        same(kept, True, f'{name}, contract {number}: {CONTRACTS[number]}', error if len(stores) == place else 'not reached')
    if len(stores) > 1 + len(numbers):
        same(len(stores), 1 + len(numbers), f'{name}: these are all, {len(numbers)}')


def entry(session, n, role, content, **more):
    ids = [f'00000000-0000-4000-8000-{number:012}' for number in (n, n - 1)]
    return {'type': role, 'uuid': ids[0], 'parentUuid': ids[1] if n > 1 else None, 'sessionId': session, 'isSidechain': False,
            'timestamp': f'2026-03-02T09:{n // 60:02}:{n % 60:02}.000Z', 'message': {'role': role, 'content': content}, **more}


async def functions(made):
    session = str(uuid.uuid4())
    key = {'project_key': PROJECT, 'session_id': session}
    entries = [
        entry(session, 1, 'user', 'Which night train goes to Vienna?', cwd=DIRECTORY, gitBranch='main'),
        entry(session, 2, 'assistant', [{'type': 'thinking', 'thinking': 'A timetable.', 'signature': 'x'},
                                        {'type': 'tool_use', 'id': 't1', 'name': 'Bash', 'input': {'command': 'grep Vienna'}}]),
        entry(session, 3, 'user', [{'type': 'tool_result', 'tool_use_id': 't1', 'content': 'Vienna 21:05, platform 7'}]),
        entry(session, 4, 'assistant', [{'type': 'text', 'text': 'The one at 21:05.'}])]
    await made.append(key, entries[:3])
    await made.append(key, entries[1:])
    same(await made.load(key), entries, 'a batch that is sent again is there once')
    changed = {**entries[3], 'message': {'role': 'assistant', 'content': [{'type': 'text', 'text': 'The sleeper at 21:05.'}]}}
    await made.append(key, [changed])
    same(await made.load(key), [*entries[:3], changed], 'an entry with a known uuid takes the place of that one')
    said = [(message.type, message.message) for message in await sdk.get_session_messages_from_store(made, session, DIRECTORY)]
    same(said, [(one['type'], one['message']) for one in [*entries[:3], changed]], 'get_session_messages_from_store')

    agent = {**key, 'subpath': 'subagents/agent-a1'}
    await made.append(agent, [entry(session, 1, 'user', 'Look up platforms.', isSidechain=True, agentId='a1')])
    same(await sdk.list_subagents_from_store(made, session, DIRECTORY), ['a1'], 'list_subagents_from_store')
    said = [message.message for message in await sdk.get_subagent_messages_from_store(made, session, 'a1', DIRECTORY)]
    same(said, [{'role': 'user', 'content': 'Look up platforms.'}], 'get_subagent_messages_from_store')

    await sdk.rename_session_via_store(made, session, 'To Vienna', DIRECTORY)
    await sdk.tag_session_via_store(made, session, 'travel', DIRECTORY)
    fork = await sdk.fork_session_via_store(made, session, DIRECTORY, up_to_message_id=entries[2]['uuid'])
    listed = await sdk.list_sessions_from_store(made, DIRECTORY)
    same({(one.session_id, one.summary, one.first_prompt, one.tag) for one in listed},
         {(session, 'To Vienna', entries[0]['message']['content'], 'travel'),
          (fork.session_id, 'To Vienna (fork)', entries[0]['message']['content'], None)}, 'list_sessions_from_store: renamed, tagged, forked')
    same(len(await sdk.get_session_messages_from_store(made, fork.session_id, DIRECTORY)), 3, 'fork_session_via_store up to a message')
    for one in (session, fork.session_id):
        await sdk.delete_session_via_store(made, one, DIRECTORY)
    same([await made.load(key), await made.load(agent), await made.list_sessions(PROJECT)], [None, None, []], 'delete_session_via_store')


# Processes that go on with one session: batches are whole, and what the SDK lists is folded in their order.
async def at_once(made):
    session = str(uuid.uuid4())
    key = {'project_key': PROJECT, 'session_id': session}
    batches = [[entry(session, 100 * batch + n, 'user', f'{batch}: {n}', customTitle=f'{batch}') for n in range(1, 11)] for batch in range(16)]
    await asyncio.gather(*(made.append(key, batch) for batch in batches))
    loaded = await made.load(key)
    same(sorted((loaded[n:n + 10] for n in range(0, len(loaded), 10)), key=lambda batch: batch[0]['uuid']), batches, '16 batches at once')
    summary, = await made.list_session_summaries(PROJECT)
    same(summary['data'], sdk.fold_session_summary(None, key, loaded)['data'], 'the summary is that of the entries in their order')


async def recalled(made, pool):
    session = str(uuid.uuid4())
    key = {'project_key': PROJECT, 'session_id': session}
    await made.append(key, [
        entry(session, 1, 'user', 'The quokka ate my passport.'),
        entry(session, 2, 'user', [{'type': 'tool_result', 'tool_use_id': 't', 'content': 'passport \0 \ud83d office'}])])
    async with pool.connection() as db:
        rows = await (await db.execute('SELECT content FROM memory.recall(%s, user_id => %s)', ['passport', made.database.user])).fetchall()
    same(rows, [('The quokka ate my passport.',)], 'what the user said is recalled, what tools print is not')
    same((await made.load(key))[1]['message']['content'][0]['content'], 'passport   office', 'what jsonb cannot hold is left out')


async def main(what, arguments):
    async with psycopg_pool.AsyncConnectionPool('', min_size=8, max_size=8, kwargs=arguments) as pool:
        def make():
            return SessionStore(pool, user=str(uuid.uuid4()))
        if what == 'contracts':
            return await contracts('the package', make, list(CONTRACTS))
        await contracts('docs/clients.md', lambda: page.Store(pool, str(uuid.uuid4())), list(CONTRACTS)[:6])
        await functions(make())
        await at_once(make())
        await recalled(make(), pool)


what, mode = sys.argv[1:]
asyncio.run(main(what, {'prepare_threshold': None} if mode == 'pooled' else {}))
print(f'# claude-agent-sdk {sdk.__version__}')
tap.end()
