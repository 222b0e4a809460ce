// The checkpointer of LangGraph (memory-postgresql/langgraph), as TAP: many threads of many users at once, and what LangGraph's own suite does not ask.
import { randomUUID } from 'node:crypto';
import { emptyCheckpoint } from '@langchain/langgraph-checkpoint';
import { Saver } from 'memory-postgresql/langgraph';
import pg from 'pg';
import { end, refusal, same } from './tap.mjs';

const pool = new pg.Pool({ max: 16 });
const made = () => new Saver(pool, { user: randomUUID() });
const thread = (thread_id) => ({ configurable: { thread_id, checkpoint_ns: '' } });
const step = (n, channel_values) => ({ ...emptyCheckpoint(), id: `1f${String(n).padStart(6, '0')}-0000-6000-8000-000000000000`, channel_values, channel_versions: Object.fromEntries(Object.keys(channel_values).map((name) => [name, `${n}`])) });
const all = async (list) => { const found = []; for await (const one of list) found.push(one); return found; };

// Steps of a thread, each with a write, and what is read back at its end.
async function run(saver, name, steps) {
  let config = thread(name);
  for (let n = 1; n <= steps; n += 1) {
    config = await saver.put(config, step(n, { said: `${name} ${n}` }), { source: 'loop', step: n, parents: {} }, { said: `${n}` });
    await saver.putWrites(config, [['said', `${name} writes ${n}`]], 'task');
  }
  const last = await saver.getTuple(thread(name)), listed = await all(saver.list(thread(name)));
  return [last.checkpoint.channel_values.said, last.pendingWrites.map(([, , value]) => value), listed.length, listed.every(({ checkpoint }) => checkpoint.channel_values.said.startsWith(`${name} `))];
}

{
  const savers = Array.from({ length: 8 }, made);
  const found = await Promise.all(Array.from({ length: 16 }, (_, n) => run(savers[n % 8], `thread ${Math.floor(n / 8)} of ${n % 8}`, 10)));
  same(found, Array.from({ length: 16 }, (_, n) => [`thread ${Math.floor(n / 8)} of ${n % 8} 10`, [`thread ${Math.floor(n / 8)} of ${n % 8} writes 10`], 10, true]), '16 threads of 8 users at once: each has its own');
  same((await all(savers[0].list({ configurable: {} }))).length, 20, 'over all threads a user sees its own');
  same((await all(savers[0].list(thread('thread 0 of 0'), { limit: 3 }))).map(({ metadata }) => metadata.step), [10, 9, 8], 'the newest come first, as many as are asked for');
  same(await savers[1].getTuple(thread('thread 0 of 0')), undefined, "another user's thread is not there");
  await savers[0].deleteThread('thread 0 of 0');
  same([await savers[0].getTuple(thread('thread 0 of 0')), (await all(savers[0].list({ configurable: {} }))).length], [undefined, 10], 'a thread that is deleted is gone, and no other');
}
{
  const saver = made();
  await Promise.all(Array.from({ length: 16 }, (_, n) => saver.put(thread('shared'), step(n + 1, { said: `${n + 1}` }), { source: 'loop', step: n + 1, parents: {} }, { said: `${n + 1}` })));
  const listed = await all(saver.list(thread('shared')));
  same(listed.map(({ checkpoint }) => Number(checkpoint.channel_values.said)).sort((a, b) => a - b), Array.from({ length: 16 }, (_, n) => n + 1), '16 writers of one thread: each checkpoint is there, with its own values');
  same(await refusal(new Saver(pool, { user: '' }).getTuple(thread('shared'))), '22023', 'an empty user is refused');
}
await pool.end();
end();
