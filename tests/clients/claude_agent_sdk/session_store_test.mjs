// The session store of the Claude Agent SDK (memory-postgresql/claude-agent-sdk), as TAP: what the SDK's own functions do with it, and
// what its conformance suite does not ask.
import { randomUUID } from 'node:crypto';
import * as sdk from '@anthropic-ai/claude-agent-sdk';
import { Memory } from 'memory-postgresql';
import { SessionStore } from 'memory-postgresql/claude-agent-sdk';
import pg from 'pg';
import { end, same } from './tap.mjs';

const pool = new pg.Pool({ max: 16 });
const made = () => new SessionStore(pool, { user: randomUUID() });
const PROJECT = '-trips';
const key = () => ({ projectKey: PROJECT, sessionId: randomUUID() });
const entry = (sessionId, n, role, content, more) => ({
  type: role, uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`, sessionId, isSidechain: false,
  parentUuid: n > 1 ? `00000000-0000-4000-8000-${String(n - 1).padStart(12, '0')}` : null,
  timestamp: `2026-03-02T09:00:${String(n % 60).padStart(2, '0')}.000Z`, message: { role, content }, ...more,
});

{
  const store = made(), one = key();
  const entries = [entry(one.sessionId, 1, 'user', 'Which night train goes to Vienna?', { cwd: '/trips' }), entry(one.sessionId, 2, 'assistant', [{ type: 'text', text: 'The one at 21:05.' }])];
  await store.append(one, entries);
  await store.append(one, entries);
  same(await store.load(one), entries, 'a batch that is sent again is there once');
  const sleeper = { ...entries[1], message: { role: 'assistant', content: 'The sleeper.' } };
  await store.append(one, [sleeper]);
  same(await store.load(one), [entries[0], sleeper], 'an entry with a known uuid takes the place of that one');
  const said = await sdk.getSessionMessages(one.sessionId, { sessionStore: store, dir: '/trips' });
  same(said.map(({ message }) => message), [entries[0].message, sleeper.message], 'getSessionMessages');
  await sdk.renameSession(one.sessionId, 'To Vienna', { sessionStore: store, dir: '/trips' });
  await sdk.tagSession(one.sessionId, 'travel', { sessionStore: store, dir: '/trips' });
  const [listed] = await sdk.listSessions({ sessionStore: store, dir: '/trips' });
  same([listed.sessionId, listed.summary, listed.firstPrompt, listed.tag], [one.sessionId, 'To Vienna', 'Which night train goes to Vienna?', 'travel'],
    'listSessions: renamed and tagged');
  same(await made().load(one), null, "another user's store has nothing of it");
}
{
  const store = made(), one = key();
  const batches = Array.from({ length: 16 }, (_, batch) => Array.from({ length: 10 }, (_, n) =>
    entry(one.sessionId, 100 * batch + n + 1, 'user', `${batch}: ${n}`, { customTitle: `${batch}` })));
  await Promise.all(batches.map((batch) => store.append(one, batch)));
  const loaded = await store.load(one);
  const chunks = Array.from({ length: 16 }, (_, n) => loaded.slice(10 * n, 10 * n + 10)).sort((a, b) => (a[0].uuid < b[0].uuid ? -1 : 1));
  same(chunks, batches, '16 batches at once: each is whole');
  const [{ data }] = await store.listSessionSummaries(PROJECT);
  same(data, sdk.foldSessionSummary(undefined, one, loaded).data, 'the summary is that of the entries in their order');
}
{
  const store = made(), one = key();
  await store.append(one, [
    entry(one.sessionId, 1, 'user', 'The quokka ate my passport.'),
    entry(one.sessionId, 2, 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'passport \0 \ud83d office' }])]);
  const memory = new Memory(pool, store.db.scope);
  same((await memory.recall('passport')).map(({ content }) => content), ['The quokka ate my passport.'], 'what the user said is recalled, what tools print is not');
  same((await store.load(one))[1].message.content[0].content, 'passport   office', 'what jsonb cannot hold is left out');
}
await pool.end();
end();
