# A session store of the Claude Agent SDK over memory's log: a transcript is a session and a path, an entry is a message,
# and the project is the agent. `connection()` of a pool of psycopg is a transaction.
import json

from claude_agent_sdk import SessionStore, fold_session_summary
from psycopg.rows import dict_row


class Store(SessionStore):
    def __init__(self, pool, user_id):
        self.pool, self.user_id = pool, user_id

    async def call(self, function, *values, db=None):
        if db:
            text = f'SELECT * FROM memory.{function}, user_id => %s)'
            return await (await db.cursor(row_factory=dict_row).execute(text, [*values, self.user_id])).fetchall()
        async with self.pool.connection() as db:
            return await self.call(function, *values, db=db)

    # Tools print what jsonb cannot hold, such as NUL: clean_json leaves it out. add_messages locks the session until the
    # transaction ends, so that what the SDK lists of it is folded in the order of its entries.
    async def append(self, key, entries):
        name = session(key)
        async with self.pool.connection() as db:
            if entries:
                await self.call("add_messages(%s, memory.clean_json(%s), key_field => 'uuid', path => %s, agent_id => %s",
                                name, json.dumps(entries), key.get('subpath', ''), key['project_key'], db=db)
            if entries and 'subpath' not in key:
                row, = await self.call('session(%s', name, db=db)
                summary = fold_session_summary(row['metadata'].get('summary'), key, entries)
                await self.call('set_session(%s, memory.clean_json(%s)', name, json.dumps({'summary': summary}), db=db)

    async def load(self, key):
        rows = await self.call('messages(%s, k => NULL, path => %s', session(key), key.get('subpath', ''))
        return [row['message'] for row in rows] or None

    async def list_session_summaries(self, project_key):
        rows = await self.call("sessions(agent_id => %s, filter => '{\"summary\": {}}', k => NULL", project_key)
        return [{**row['metadata']['summary'], 'mtime': int(row['updated_at'].timestamp() * 1000)} for row in rows]

    async def list_sessions(self, project_key):
        return [{name: one[name] for name in ('session_id', 'mtime')} for one in await self.list_session_summaries(project_key)]

    async def list_subkeys(self, key):
        return [path for row in await self.call('session(%s', session(key)) for path in row['paths'] if path]

    async def delete(self, key):
        await self.call('delete_session(%s, path => %s', session(key), key.get('subpath', ''))


def session(key):
    return f'{key["project_key"]}/{key["session_id"]}'
