// The core of clients/js, as TAP: that what a method takes and gives is what the database has, for its own user.
import { randomUUID } from 'node:crypto';
import { Memory, Moment, shardOf, Strange } from 'memory-postgresql';
import pg from 'pg';
import { end, refusal, same } from './tap.mjs';

const pool = new pg.Pool({ max: 8 });
const made = (options) => new Memory(pool, { user: randomUUID(), ...options });
const contents = (rows) => rows.map(({ content }) => content);

{
  const memory = made(), other = made();
  const occurredAt = new Date('2026-03-02T09:00:00.123Z');
  const id = await memory.remember('Is there a night train?', {
    response: 'Yes, the 21:05.', sessionId: 'monday', agentId: 'clerk', kind: 'semantic', role: 'user', metadata: { tags: ['a', 'b'] }, importance: 0.5, occurredAt });
  const { userId, recordedAt, ...episode } = await memory.get(id);
  same({ ...episode, occurredAt: episode.occurredAt.getTime() }, {
    id, content: 'Is there a night train?', response: 'Yes, the 21:05.', kind: 'semantic', role: 'user', sessionId: 'monday', agentId: 'clerk', metadata: { tags: ['a', 'b'] },
    importance: 0.5, occurredAt: occurredAt.getTime(), transcript: null, expiresAt: null,
  }, 'an episode comes back as it was remembered');
  same([userId, recordedAt instanceof Moment], [memory.db.scope.user, true], '… with its user, and when it was recorded');
  same([await other.get(id), await other.recall('train')], [undefined, []], "… and is not another user's");
  const [, second] = await memory.rememberMany([{ content: 'one' }, { content: 'two, a train', occurredAt: '2026-03-03', agentId: 'clerk' }], { sessionId: 'tuesday' });
  same(contents(await memory.recent({ sessionId: 'tuesday', agentId: 'clerk' })), ['two, a train'], 'many at once, with their own agents');
  const [best] = await memory.recall('train', { k: 1, kinds: ['semantic'], filter: { tags: ['a'] }, since: occurredAt, until: occurredAt });
  same([best.id, typeof best.score, best.bm25Rank, best.vectorScore], [id, 'number', 1, null], 'recall takes kinds, a filter and times, and says its ranks');
  same([await memory.revise(second, 'two, a bus'), await memory.revise(randomUUID(), 'x')], [true, false], 'revise says whether there was one');
  same((await memory.explain(id, 'train')).position, 1, 'explain');
  same((await memory.context('train', { maxTokens: 500 })).includes('night train'), true, 'context');
  same([(await memory.sessions({ agentId: 'clerk' })).map(({ sessionId, messages }) => [sessionId, messages])], [[['monday', 2]]], 'sessions count in numbers');
  same((await memory.overview()).kinds, { episodic: 2, semantic: 1 }, 'overview');
  const receipt = await memory.forget({ id });
  same([receipt.episodes, await memory.get(id)], [1, undefined], 'forget gives its receipt');
  await memory.forgetUser();
  same(await memory.recent(), [], 'forgetUser leaves nothing');
}
{
  const { facts } = made();
  const first = await facts.assert('Ada', 'lives in', 'Vienna', { validFrom: '2026-01-01T00:00:00Z', metadata: { by: 'a letter' } });
  const [before] = await facts.find({ subject: 'Ada' });
  await facts.assert('Ada', 'lives in', 'Paris', { validFrom: '2026-06-01T00:00:00Z', confidence: 0.75 });
  const at = async (validAt, knownAt) => (await facts.find({ subject: 'ada', validAt, knownAt })).map(({ object }) => object);
  same([before.id, before.validUntil, before.metadata, before.validFrom.getTime()], [first, null, { by: 'a letter' }, Date.UTC(2026, 0, 1)], 'a fact, and its open end');
  same([await at('2026-03-01'), await at('2026-07-01'), await at(new Date('2026-07-01T00:00:00Z'), before.knownFrom)], [['Vienna'], ['Paris'], ['Vienna']],
    'as of a time, and as it was believed at the very moment of a row');
  same(before.knownFrom instanceof Moment && /\.\d{4,}/.test(before.knownFrom.text), true, 'a moment has microseconds');
  same((await facts.history('Ada', 'lives_in')).length, 3, 'every version');
  same((await facts.recall('where is Paris')).map(({ object, confidence }) => [object, confidence]), [['Paris', 0.75]], 'facts by their words');
  await facts.assert('Paris', 'is in', 'France');
  same((await facts.traverse(['Ada'], { hops: 2, validAt: '2026-12-31' })).map(({ entity, depth, factIds }) => [entity, depth, factIds.length]), [['Paris', 1, 1], ['France', 2, 2]], 'paths');
  same(await facts.retract('Paris', 'is in'), 1, 'retract says how many');
  await facts.reject('Ada', 'lives in', 'Rome', 'a joke');
  await facts.assert('Ada', 'lives in', 'Rome');
  same((await facts.find({ subject: 'Ada', object: 'Rome', validAt: null })).length, 0, 'what is rejected stays rejected');
  const corrected = await facts.correct((await facts.find({ subject: 'Ada', validAt: '2026-07-01' }))[0].id, { object: 'Lyon' });
  same((await facts.find({ subject: 'Ada', validAt: '2026-07-01' })).map(({ id, object }) => [id, object]), [[corrected, 'Lyon']], 'a correction');
}
{
  const { messages, blocks, items } = made();
  const log = [{ id: 'm1', role: 'user', content: 'Which platform?' }, { id: 'm2', role: 'tool', content: [1.5, null] }];
  same((await messages.add('wednesday', log, { keyField: 'id', expectedSeq: 0 })).map(({ seq }) => seq), [1, 2], 'messages have numbers');
  same((await messages.list('wednesday', { k: null })).map(({ message }) => message), log, '… and come back');
  same((await messages.drop('wednesday', { last: 1 })).map(({ key }) => key), ['m2'], '… and are dropped');
  same(await refusal(messages.add('wednesday', log, { expectedSeq: 1 })), '40001', 'a number that is not the last is refused');
  same(await refusal(messages.add('thursday', [{ role: 'user', content: 'a\0b' }])), '22P05', 'what jsonb cannot hold is refused');
  await messages.add('thursday', new Strange([{ role: 'user', content: 'a\0b' }]));
  same((await messages.list('thursday'))[0].content, 'ab', '… and left out of what is strange');
  same([await messages.deleteSession('thursday'), await messages.deleteSession('thursday')], [true, false], 'deleteSession says whether there was one');

  same([await blocks.set('persona', 'I like trains.', { charLimit: 40 }), await blocks.append('persona', ' Night trains.'), await blocks.edit('persona', 'like boats', { old: 'like trains' })],
    [1, 2, 3], 'blocks have versions');
  same([(await blocks.get('persona')).content, (await blocks.get('persona')).chars, await blocks.render()], ['I like boats. Night trains.', 27, '<persona>\nI like boats. Night trains.\n</persona>'],
    'a block, and the section of a prompt');
  same(await refusal(blocks.append('persona', 'x'.repeat(40))), '54000', 'a limit is kept');
  await blocks.set('notes/a.md', 'a');
  await blocks.rename('notes', 'old');
  same([(await blocks.list({ prefix: 'old' })).map(({ name, place }) => [name, place]), await blocks.delete('old', { recursive: true }), (await blocks.history('persona')).length], [[['old/a.md', null]], 1, 3],
    'files, and history');

  same([await items.put(['people'], 'ada', { city: 'Vienna', n: 1 }), await items.put(['people'], 'ada', { city: 'Paris', n: 2 })], [1, 2], 'items have versions');
  same([(await items.get(['people'], 'ada')).value, await items.get(['people'], 'bob')], [{ city: 'Paris', n: 2 }, undefined], 'an item');
  same((await items.search([], { query: 'paris', filter: { n: { $gte: 2 } } })).map(({ path, key }) => [path, key]), [[['people'], 'ada']], 'items by words and filter');
  same([(await items.paths()).map(({ path, items: count }) => [path, count]), await items.delete({ prefix: ['people'] })], [[[['people'], 1]], 1], 'paths, and deleting below one');
}
{
  const asked = [];
  const embed = async (texts) => { asked.push(texts); return texts.map((text) => [Number(text.includes('train')), Number(text.includes('boat')), 0.1]); };
  const memory = made({ embed });
  await memory.remember('a train', { response: 'a boat' });
  await memory.remember('a train', { embedding: [0, 0, 1] });
  await memory.rememberMany([{ content: 'boats' }]);
  same((await memory.recall('boat', { k: 1 }))[0].vectorScore > 0.7, true, 'what has no embedding gets one');
  same(asked, [['a train\na boat'], ['boats'], ['boat']], '… and nothing else is embedded');
}
{
  const name = randomUUID(), inOther = new Memory(pool, { user: 'ada', namespace: name });
  const id = await inOther.remember('in another namespace');
  same([(await inOther.get(id)).content, await new Memory(pool, { user: 'ada', namespace: `${name}'` }).get(id)], ['in another namespace', undefined], 'a namespace is in the statement');
  const both = await Promise.all(Array.from({ length: 32 }, (_, n) => inOther.scoped({ namespace: `${name} ${n % 4}`, user: `${n % 8}` }).remember(`${n}`)));
  const seen = await Promise.all(Array.from({ length: 8 }, (_, n) => inOther.scoped({ namespace: `${name} ${n % 4}`, user: `${n}` }).recent()));
  same([both.length, seen.map((rows) => contents(rows).map((one) => Number(one) % 8))], [32, Array.from({ length: 8 }, (_, n) => Array(4).fill(n))], '32 writers of 8 users in 4 namespaces on 8 connections');
  same((await pool.query("SELECT current_setting('memory.user_id', true) AS u, current_setting('memory.namespace') AS n")).rows.map(({ u, n }) => [u || null, n]), [[null, 'default']], '… leave no scope behind');
}
{
  same([await refusal(Promise.resolve().then(() => new Memory(pool, {}))), await refusal(made({ user: '' }).recent())], ['user: a string is needed, or null for the anonymous bucket', '22023'],
    'no user is an error, and so is an empty one');
  same(await refusal(made().recall('x', { 'k) --': 1 })), 'no argument is called k) --', 'a name that is no name goes into no statement');
  const memory = new Memory(`postgres:///${process.env.PGDATABASE}?host=${encodeURIComponent(process.env.PGHOST)}&port=${process.env.PGPORT}&user=${process.env.PGUSER ?? ''}`, { user: randomUUID() });
  await memory.remember('by a connection string');
  same(contents(await memory.recent()), ['by a connection string'], 'a connection string');
  await memory.end();
  const client = await pool.connect();
  await client.query('BEGIN');
  const inside = new Memory(client, { user: randomUUID() });
  await inside.remember('rolled back');
  await client.query('ROLLBACK');
  same([await inside.recent(), await refusal(inside.db.transaction(async () => 1))], [[], 'a transaction needs a pool: a single client may be in one already'], "a client, in its owner's transaction");
  client.release();
}
// Under protect() the user comes from the setting, which a statement with a namespace carries.
{
  await pool.query('DROP ROLE IF EXISTS regress_memory_js');
  for (const statement of ['CREATE ROLE regress_memory_js', "SELECT memory.grant_access('regress_memory_js', 'writer')", 'SELECT memory.protect()']) await pool.query(statement);
  const client = await pool.connect(), user = randomUUID();
  const asRole = async (memory, content) => {
    await client.query('BEGIN');
    await client.query('SET LOCAL ROLE regress_memory_js');
    const said = await refusal(memory.remember(content));
    const found = said === 'nothing' ? contents(await memory.recent()) : said;
    await client.query('COMMIT');
    return found;
  };
  same(await asRole(new Memory(client, { user, namespace: 'default' }), 'protected'), ['protected'], 'under protect() a statement with a namespace carries its user');
  same(await asRole(new Memory(client, { user }), 'x'), '42501', '… and one without is refused');
  client.release();
  for (const statement of ['SELECT memory.unprotect()', "SELECT memory.revoke_access('regress_memory_js')", 'DROP ROLE regress_memory_js']) await pool.query(statement);
}
{
  // Values of docs/scale.md.
  const users = ['ada', 'Zoë', '東京', 'x'.repeat(1000), null];
  same(users.map((user) => [shardOf(user, 4), shardOf(user, 1024)]), [[2, 990], [0, 272], [1, 997], [3, 515], [0, 20]], 'shardOf says which of many databases has a user');
  const { rows } = await pool.query('SELECT memory.shard_of(u, 1 << 30)::int AS n FROM unnest($1::text[]) WITH ORDINALITY t(u, i) ORDER BY i', [users]);
  same(users.map((user) => shardOf(user, 2 ** 30)), rows.map(({ n }) => n), '… as the database does');
  const refused = [['ada', 12], ['ada', 0], ['ada', 1.5], ['', 4]].filter(([user, shards]) => { try { shardOf(user, shards); return false; } catch (error) { return error instanceof RangeError; } });
  same(refused.length, 4, '… and refuses what the database refuses');
}
await pool.end();
end();
