// The store of LangGraph (memory-postgresql/langgraph), as TAP: what LangGraph's own tests of stores do not ask.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Store } from 'memory-postgresql/langgraph';
import { end, refusal, same } from './tap.mjs';


const pool = new pg.Pool({ max: 16 });
const store = (options) => new Store(pool, { user: randomUUID(), ...options });
const keys = (items) => items.map(({ key }) => key);
// Vectors of three directions: what is said of trains, of boats, and of neither.
const embed = async (texts) => texts.map((text) => [Number(text.includes('train')), Number(text.includes('boat')), 0.1]);

{
  const made = store();
  const value = { text: 'snow ☃, \t and "quotes"', n: 1, f: 0.5, deep: [{ a: null }, [true, {}]], '': '' };
  await made.put(['people', 'ada'], 'a.b/c', value);
  same((await made.get(['people', 'ada'], 'a.b/c')).value, value, 'a value comes back equal');
  same(await store().get(['people', 'ada'], 'a.b/c'), null, "another user's store does not have it");
}
{
  const made = store(), value = { name: 'ticket', bytes: new Uint8Array([0, 1, 254, 255]), deep: [{ more: new Uint8Array([]) }] };
  await made.put(['files'], 'a', value);
  same((await made.get(['files'], 'a')).value, value, 'bytes come back as bytes');
  same([keys(await made.search(['files'], { query: 'ticket' })), keys(await made.search(['files'], { query: 'AAH+/w==' }))], [['a'], []], '… and are no words');
}
{
  const made = store();
  const results = await made.batch([
    { namespace: ['a'], key: 'x', value: { n: 1 } }, { namespace: ['a'], key: 'x' }, { namespace: ['a', 'b'], key: 'y', value: { n: 3 } },
    { namespacePrefix: ['a'], filter: { n: { $gte: 2 } }, limit: 10, offset: 0 }, { namespace: ['a'], key: 'x', value: null }, { namespace: ['a'], key: 'x' },
    { matchConditions: [{ matchType: 'prefix', path: ['*'] }, { matchType: 'suffix', path: ['b'] }], limit: 10, offset: 0 }]);
  same([results[1].value, keys(results[3]), results[5], results[6]], [{ n: 1 }, ['y'], null, [['a', 'b']]], 'a batch runs in its order and reads what it wrote');
  same([0, 2, 4].map((n) => results[n]), [undefined, undefined, undefined], '… and its puts return nothing');
  const state = await refusal(made.batch([{ namespace: ['a'], key: 'x', value: { n: 4 } }, { namespace: ['a'], key: 'y', value: { n: 'a\0b' } }]));
  same([state, await made.get(['a'], 'x')], ['22P05', null], 'a batch with a value that jsonb cannot hold writes nothing');
}
{
  const made = store({ index: { dims: 3, embed, fields: ['text', 'notes[*]'] } });
  await made.put(['t'], 'train', { text: 'the night train', notes: ['couchette'] });
  await made.put(['t'], 'boat', { text: 'the morning boat', notes: ['deck', 'rail'] });
  await made.put(['t'], 'none', { text: 'train' }, false);
  const search = async (query, options) => keys(await made.search(['t'], { query, ...options }));
  same((await search('train')).sort(), ['boat', 'train'], 'a query is ranked by vectors and words');
  same(await search('rail', { mode: 'text' }), ['boat'], 'by words, one in one of several fields is found');
  same(await search('train', { mode: 'vector', similarityThreshold: 0.9 }), ['train'], 'by vectors, from a similarity on');
  same([await search('train', { limit: 1, offset: 1 }), await search('train', { limit: 1, offset: 2 })], [['boat'], []], 'pages follow each other, and end');
  const words = store();
  await words.put(['t'], 'boat', { text: 'the morning boat', n: 4 });
  await words.put(['t'], 'train', { text: 'the night train', n: 5 });
  same(keys(await words.search(['t'], { query: 'boat' })), ['boat'], 'without vectors words are searched');
  same(keys(await words.search(['t'], { query: 'boat', filter: { n: 5 } })), [], '… among what the filter lets through');
}
{
  const made = store({ ttl: { defaultTtl: 60, refreshOnRead: true } });
  const expiries = async () => Object.fromEntries(
    (await pool.query('SELECT key, expires_at FROM memory.items(user_id => $1)', [made.db.scope.user])).rows.map(({ key, expires_at }) => [key, expires_at?.getTime()]));
  for (const key of ['read', 'searched', 'left']) await made.put(['a', key], key, {});
  await made.put(['a', 'kept'], 'kept', {}, undefined, { ttl: null });
  await pool.query("UPDATE memory.items SET expires_at = expires_at - '1 minute'::interval WHERE user_id = $1", [made.db.scope.user]);
  const before = await expiries();
  await made.get(['a', 'read'], 'read');
  await made.search(['a', 'searched']);
  const after = await expiries();
  same(Object.keys(after).filter((key) => !before[key]), ['kept'], 'an item without ttl does not expire');
  same(Object.keys(after).filter((key) => after[key] !== before[key]).sort(), ['read', 'searched'], 'what is read or found lives on');
}
{
  const made = store();
  await Promise.all(Array.from({ length: 16 }, async (_, n) => {
    for (let i = 0; i < 10; i += 1) await made.put(['n'], `${i}`, { by: n });
  }));
  const { rows } = await pool.query('SELECT DISTINCT version FROM memory.items(k => NULL, user_id => $1)', [made.db.scope.user]);
  same(rows.map(({ version }) => Number(version)), [16], '16 writers of the same 10 items: every put is counted');
}
await pool.end();
end();
