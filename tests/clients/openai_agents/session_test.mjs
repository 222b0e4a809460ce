// The session of the OpenAI Agents SDK (memory-postgresql/openai-agents), as TAP: runs of the SDK with a scripted model, and what its own tests do
// not ask.
import { randomUUID } from 'node:crypto';
import { Agent, Runner, Usage, setTracingDisabled } from '@openai/agents';
import { Memory } from 'memory-postgresql';
import { Session } from 'memory-postgresql/openai-agents';
import pg from 'pg';
import { end, refusal, same } from './tap.mjs';

setTracingDisabled(true);
const pool = new pg.Pool({ max: 16 });
const made = (options) => new Session(pool, { user: randomUUID(), ...options });
const user = (text) => ({ role: 'user', content: [{ type: 'input_text', text }] });
const texts = (items) => items.map(({ content }) => content[0].text);

{
  const seen = [];
  const model = { async getResponse({ input }) {
    seen.push(input.length);
    return { usage: new Usage(), output: [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: `answer ${seen.length}` }] }] };
  } };
  const runner = new Runner({ modelProvider: { getModel: () => model } }), agent = new Agent({ name: 'clerk', instructions: 'Be brief.' }), session = made();
  const first = await runner.run(agent, 'Is there a night train to Vienna?', { session });
  const second = await new Runner({ modelProvider: { getModel: () => model } }).run(agent, 'And back?', { session: new Session(pool, { ...session.db.scope, sessionId: session.sessionId }) });
  same([first.finalOutput, second.finalOutput, seen], ['answer 1', 'answer 2', [1, 3]], 'a run goes on with what the runs before it said');
  same((await session.getItems()).map(({ role }) => role), ['user', 'assistant', 'user', 'assistant'], '… and all is in the log');
  const memory = new Memory(pool, session.db.scope);
  same((await memory.recall('Vienna', { contextWeight: 0 })).map(({ content }) => content), ['Is there a night train to Vienna?'], '… and is recalled');
}
{
  const session = made(), call = (n, more) => ({ type: 'function_call', callId: `c${n}`, name: 'look', arguments: `{"n":${n}}`, status: 'completed', ...more });
  const picture = { role: 'user', content: [{ type: 'input_image', image: 'x' }], providerData: { bytes: new Uint8Array([0, 1, 255]) } };
  await session.addItems([user('a'), call(1), picture, call(2), user('z')]);
  same((await session.getItems())[2].providerData.bytes, new Uint8Array([0, 1, 255]), 'bytes come back as bytes');
  await session.applyHistoryMutations({ mutations: [{ type: 'replace_function_call', callId: 'c2', replacement: call(2, { arguments: '{"n":22}' }) }] });
  same((await session.getItems()).map((item) => item.arguments ?? item.content[0].text ?? 'picture'), ['a', '{"n":1}', 'picture', '{"n":22}', 'z'], 'a call is replaced in its place');
  same([(await session.getItems(2)).length, await session.getItems(0), (await session.popItem()).content[0].text, (await session.getItems()).length], [2, [], 'z', 4], 'the newest items, and the last');
  await session.addItems([user('nul \0 and half \ud83d')]);
  same(texts([await session.popItem()]), ['nul  and half '], 'what jsonb cannot hold is left out');
  same(await made({ sessionId: session.sessionId }).getItems(), [], "another user's session of the same name has nothing");
}
{
  const session = made();
  await Promise.all(Array.from({ length: 16 }, async (_, n) => {
    for (let i = 0; i < 5; i += 1) await session.addItems([user(`${n} ${i}`), user(`${n} ${i} answer`)]);
  }));
  const all = texts(await session.getItems());
  same([all.length, all.every((text, n) => n % 2 === 0 || text === `${all[n - 1]} answer`)], [160, true], '16 writers: every call is whole');
  const append = { operationId: 'once', transaction: { type: 'append_items', items: [user('once')] } };
  await Promise.all(Array.from({ length: 16 }, () => session.applyHistoryTransaction(append)));
  same(texts(await session.getItems()).filter((text) => text === 'once').length, 1, 'a transaction that 16 apply at once is applied once');
  const replaced = await Promise.all(Array.from({ length: 16 }, (_, n) => refusal(session.applyHistoryTransaction({ operationId: `replace ${n}`, transaction: { type: 'replace_suffix', expectedSuffix: [user('once')], replacement: [user(`by ${n}`)] } }))));
  same([replaced.filter((said) => said === 'nothing').length, texts(await session.getItems(1))[0].startsWith('by ')], [1, true], 'of 16 that replace the same end one does');
  const popped = await Promise.all(Array.from({ length: 161 + 9 }, () => session.popItem()));
  same([popped.filter(Boolean).length, new Set(popped.map((item) => JSON.stringify(item))).size, await session.getItems()], [161, 162, []], 'every item is popped once');
}
await pool.end();
end();
