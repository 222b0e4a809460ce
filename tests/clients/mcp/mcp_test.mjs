// The server of the Model Context Protocol, run as its users do, on standard input and output, as TAP.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema, ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { Memory } from 'memory-postgresql';
import pg from 'pg';
import { end, same } from './tap.mjs';

const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const pool = new pg.Pool();

async function connect({ user = randomUUID(), arguments: more = [], capabilities = {}, elicit, env = {} } = {}) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities });
  if (elicit) client.setRequestHandler(ElicitRequestSchema, elicit);
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program, 'mcp', ...more], env: { ...process.env, MEMORY_USER: user, ...env }, stderr: 'inherit' }));
  const call = async (name, given = {}) => {
    const { isError, content: [{ text }], structuredContent } = await client.callTool({ name, arguments: given });
    return isError ? `error: ${text}` : structuredContent ?? text;
  };
  return { client, call, memory: new Memory(pool, { user }) };
}
const textOf = async (client, name, given) => (await client.callTool({ name, arguments: given })).content[0].text;

{
  const { client, call, memory } = await connect({ arguments: ['--agent', 'clerk'] });
  const { tools } = await client.listTools();
  same(tools.map(({ name }) => name).sort(), ['append_block', 'assert_fact', 'context', 'delete_block', 'edit_block', 'fact_history', 'facts', 'forget', 'list_blocks', 'overview', 'read_block',
    'recall', 'remember', 'rename_block', 'retract_fact', 'write_block'], 'its tools');
  same(tools.filter(({ inputSchema }) => JSON.stringify(inputSchema).includes('"user')).map(({ name }) => name), [], 'the user is no argument of any tool');

  const { id } = await call('remember', { content: 'Is there a night train to Vienna?', response: 'Yes, the 21:05.', session: 'monday', occurred_at: '2026-03-02T09:00:00Z', metadata: { topic: 'travel' } });
  const { memories: [found] } = await call('recall', { query: 'train', k: 3, filter: { topic: 'travel' }, since: '2026-03-02', until: '2026-03-03' });
  same([found.id, found.content, found.response, found.session, found.metadata, found.score > 0], [id, 'Is there a night train to Vienna?', 'Yes, the 21:05.', 'monday', { topic: 'travel' }, true], 'what is remembered is recalled');
  same((await memory.get(id)).agentId, 'clerk', '… and has the agent of the configuration');
  same((await call('recall', { query: 'boat' })).memories, [], 'nothing else is');

  await call('assert_fact', { subject: 'Ada', predicate: 'lives in', object: 'Vienna', valid_from: '2026-01-01T00:00:00Z', sources: [id] });
  const before = (await call('facts', { subject: 'Ada' })).facts[0];
  await call('assert_fact', { subject: 'Ada', predicate: 'lives in', object: 'Paris', valid_from: '2026-06-01T00:00:00Z' });
  const objects = async (given) => (await call('facts', { subject: 'Ada', ...given })).facts.map(({ object }) => object);
  same([await objects({ valid_at: '2026-03-01' }), await objects({ valid_at: '2026-07-01' }), await objects({ valid_at: '2026-07-01', known_at: before.known_from }), (await objects({ any_time: true })).sort()],
    [['Vienna'], ['Paris'], ['Vienna'], ['Paris', 'Vienna']], 'facts as of a time, and as they were believed then');
  same([(await call('facts', { query: 'where is Paris' })).facts.map(({ object }) => object), (await call('fact_history', { subject: 'Ada', predicate: 'lives_in' })).versions.length], [['Paris'], 3],
    'facts by their words, and every version');
  same(await call('retract_fact', { subject: 'Ada', predicate: 'lives in', object: 'Paris', valid_from: '2026-06-01T00:00:00Z' }), { changed: 1 }, 'a fact is retracted');

  same([await call('write_block', { name: 'persona', content: 'I like trains.' }), await call('write_block', { name: 'notes/a b%25/ü.md', content: 'one\ntwo\n' }),
    await call('edit_block', { name: 'notes/a b%25/ü.md', new: '2', old: 'two' }), await call('append_block', { name: 'persona', content: ' And boats.' })],
  [{ version: 1 }, { version: 1 }, { version: 2 }, { version: 2 }], 'blocks are written, edited, and go on');
  same(await textOf(client, 'read_block', { name: 'notes/a b%25/ü.md' }), 'one\n2\n', 'a block is read as it is');
  same((await call('list_blocks', { directory: 'notes', depth: 1 })).blocks.map(({ name, directory, chars }) => [name, directory, chars]), [['notes/a b%25', true, 6]], 'directories are listed');
  const { resources } = await client.listResources();
  same(resources.map(({ name }) => name), ['persona', 'notes/a b%25/ü.md'], 'blocks are resources');
  const texts = await Promise.all(resources.map(async ({ uri }) => (await client.readResource({ uri })).contents[0].text));
  same(texts, ['I like trains. And boats.', 'one\n2\n'], '… which are read');
  same((await textOf(client, 'context', { query: 'train', session: 'monday', max_tokens: 300 })).includes('I like trains.'), true, 'context has what is pinned');

  same(await call('write_block', { name: 'persona', content: 'x', expected_version: 1 }).then((said) => said.split('\n').at(-1)), 'SQLSTATE or code: 40001', 'what the database refuses is an error of the tool');
  const refused = await call('edit_block', { name: 'persona', new: 'x', old: 'nowhere' });
  same([refused.includes('HINT: '), refused.includes('SQLSTATE or code: 22023'), / at |\.js/.test(refused)], [true, true, false], '… with its hint and no stack');
  same((await call('remember', { content: 5 })).startsWith('error: '), true, 'arguments of another type are an error of the tool');
  same((await call('remember', { content: 'a\0b' })).startsWith('error: '), true, 'and so is a character that text cannot have');
  same(await client.readResource({ uri: 'memory://blocks/nowhere' }).catch(({ code, message }) => [code, message.endsWith('There is no block memory://blocks/nowhere')]), [-32602, true], 'a resource that is not there');
  await client.close();
}
{
  const { client, call, memory } = await connect();
  for (const n of [1, 2, 3]) await memory.remember(`train ${n}`, { sessionId: n < 3 ? 'old' : 'new' });
  const { would_forget: counted, token } = await call('forget', { session: 'old' });
  same([counted.episodes, (await memory.recent()).length], [2, 3], 'the first call of forget counts, and deletes nothing');
  same(await call('forget', { token, session: 'new' }), 'error: A token comes alone: it stands for the conditions of the first call.', 'a token is for the conditions of the first call');
  await memory.remember('train 4', { sessionId: 'old' });
  const again = await call('forget', { token });
  same([again.would_forget.episodes, (await memory.recent()).length], [3, 4], 'where more would go than was counted, it is counted anew');
  same([(await call('forget', { token: again.token })).forgotten.episodes, (await memory.recent()).map(({ content }) => content)], [3, ['train 3']], 'the second call deletes what was counted');
  same((await call('forget', { token: again.token })).slice(0, 29), 'error: This token is unknown,', 'a token is good for once');
  same((await call('forget')).includes('SQLSTATE or code: 22004'), true, 'without a condition nothing is forgotten');
  same(await textOf(client, 'forget', { session: 'nowhere' }), 'There is nothing that meets these conditions.', 'nothing to forget');
  await client.close();
}
for (const [name, said, left] of [['agreed to', { action: 'accept', content: { forget: true } }, 0], ['declined', { action: 'decline' }, 1], ['left open', { action: 'accept', content: { forget: false } }, 1]]) {
  const asked = [];
  const { client, call, memory } = await connect({ capabilities: { elicitation: {} }, elicit: ({ params }) => { asked.push(params.message); return said; } });
  await memory.remember('train', { sessionId: 'old' });
  await call('forget', { session: 'old' });
  same([asked.length, asked[0].includes('"episodes":1'), (await memory.recent()).length], [1, true, left], `a client that can ask is asked: ${name}`);
  await client.close();
}
{
  const { client, call, memory } = await connect({ arguments: ['--graph'], capabilities: {} });
  same((await client.listTools()).tools.map(({ name }) => name).sort(), ['add_observations', 'create_entities', 'create_relations', 'delete_entities', 'delete_observations', 'delete_relations',
    'open_nodes', 'read_graph', 'search_nodes'], '--graph: the nine tools of the reference server');
  const updated = [];
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => { updated.push(params.uri); });
  await client.subscribeResource({ uri: 'memory://knowledge-graph' });
  await call('create_entities', { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes "night" trains'] }, { name: 'ada', entityType: 'cat', observations: [] }] });
  await call('create_relations', { relations: [{ from: 'Ada', to: 'ada', relationType: 'Has A' }] });
  same(await call('search_nodes', { query: '"NIGHT"' }), { entities: [{ name: 'Ada', entityType: 'person', observations: ['likes "night" trains'] }], relations: [{ from: 'Ada', to: 'ada', relationType: 'Has A' }] },
    'a search is for the text as it is, in whatever case');
  same((await call('search_nodes', { query: '.*' })).entities, [], '… and is no pattern');
  same((await call('add_observations', { observations: [{ entityName: 'Bob', contents: ['x'] }] })), 'error: Entity with name Bob not found', 'an entity that is not there');
  await Promise.all(Array.from({ length: 16 }, (_, n) => call('add_observations', { observations: [{ entityName: 'ada', contents: [`${n}`] }] })));
  same((await call('open_nodes', { names: ['ada'] })).entities[0].observations.map(Number).sort((a, b) => a - b), Array.from({ length: 16 }, (_, n) => n), '16 writers of one entity: no observation is lost');
  const made = await Promise.all(Array.from({ length: 16 }, () => call('create_entities', { entities: [{ name: 'Carol', entityType: 'person', observations: [] }] })));
  same(made.filter(({ entities }) => entities.length).length, 1, '16 writers make one entity once');
  same([updated.length >= 2, new Set(updated)], [true, new Set(['memory://knowledge-graph'])], 'a client that has subscribed is told of changes');
  same((await memory.items.search([], { k: null })).length, 4, 'the graph is kept as items of the user');
  await client.close();
}
{
  const run = async (given, { input, env = {} } = {}) => {
    const child = spawn(process.execPath, [program, ...given], { env: { ...process.env, MEMORY_USER: '', ...env } });
    const output = { out: '', err: '' };
    child.stdout.on('data', (data) => { output.out += data; });
    child.stderr.on('data', (data) => { output.err += data; });
    child.stdin.end(input);
    const status = await new Promise((resolve) => child.on('close', resolve));
    return { status, ...output };
  };
  const unnamed = await run(['mcp']);
  same([unnamed.status, unnamed.out, unnamed.err.split('\n')[0]], [2, '', 'memory-postgresql: --user or MEMORY_USER: whose memories?'], 'without a user it does not start');
  same((await run(['mcp', '--port', '1'])).status, 2, 'an option that is none');
  const messages = [{ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } }, { method: 'notifications/initialized' },
    { id: 2, method: 'tools/call', params: { name: 'recall', arguments: { query: 'x' } } }];
  const piped = await run(['mcp', '--user', 'piped'], { input: messages.map((one) => `${JSON.stringify({ jsonrpc: '2.0', ...one })}\n`).join('') });
  same([piped.status, piped.out.trim().split('\n').map((line) => JSON.parse(line).id)], [0, [1, 2]], 'what was asked before the input ended is answered, and it ends');
  const { client, call } = await connect({ env: { PGPORT: '1', DATABASE_URL: '' } });
  same(/ECONNREFUSED|ENOENT/.test(await call('recall', { query: 'x' })), true, 'a server of the database that is away is an error of the tool');
  await client.close();
}
await pool.end();
end();
