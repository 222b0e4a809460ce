// The server of the Model Context Protocol over HTTP, as TAP: what gets in, and how much.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Memory } from 'memory-postgresql';
import { createServer, serveHttp } from 'memory-postgresql/mcp';
import pg from 'pg';
import { end, same } from './tap.mjs';

const pool = new pg.Pool({ max: 4 });
const memory = new Memory(pool, { user: randomUUID() });
const INITIALIZE = { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 't', version: '1' } } };

function ask(url, { headers = {}, method = 'POST', body = JSON.stringify(INITIALIZE), path } = {}) {
  const { hostname, port, pathname } = new URL(url);
  return new Promise((resolve, failed) => {
    const asked = request({ hostname, port, path: path ?? pathname, method, agent: false,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers } }, (answer) => {
      let text = '';
      answer.on('data', (data) => { text += data; });
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, session: answer.headers['mcp-session-id'], text }));
    });
    asked.on('error', failed).end(body ?? undefined);
  });
}
const status = async (...given) => (await ask(...given)).status;

async function clientOf(url, headers = {}) {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } });
  await client.connect(transport);
  return { client, transport, call: async (name, given) => (await client.callTool({ name, arguments: given })).structuredContent };
}

{
  const { url, server, close } = await serveHttp(() => createServer(memory), { mostSessions: 16, mostBytes: 10000 });
  const { port } = new URL(url);
  same(server.address().address, '127.0.0.1', 'it listens on the loopback interface');
  const others = Object.values(networkInterfaces()).flat().filter(({ internal, family }) => !internal && family === 'IPv4').map(({ address }) => address);
  const reached = await Promise.all(others.map((address) => new Promise((resolve) => {
    const socket = connectSocket({ host: address, port, timeout: 2000 }, () => { socket.destroy(); resolve(true); }).on('error', () => resolve(false)).on('timeout', () => { socket.destroy(); resolve(false); });
  })));
  same(reached.filter(Boolean), [], `… and on no other (${others.length} tried)`);

  same(await status(url, { headers: { host: `evil.example:${port}` } }), 403, 'a name that is bound to 127.0.0.1 by another is not this server');
  same(await status(url, { headers: { host: `127.0.0.1:${Number(port) + 1}` } }), 403, '… nor is another port');
  same(await Promise.all(['https://evil.example', 'http://localhost:3000', 'null', `http://evil.example:${port}`].map((origin) => status(url, { headers: { origin } }))), [403, 403, 403, 403], "a page of another origin does not get in");
  same(await status(url, { headers: { host: `localhost:${port}`, origin: `http://localhost:${port}` } }), 200, 'its own does');
  same([await status(url, { path: '/' }), await status(url, { body: '{' }), await status(url, { body: JSON.stringify({ ...INITIALIZE, padding: 'x'.repeat(10000) }) })], [404, 400, 413], 'another path, no JSON, too much of it');
  same([await status(url, { body: JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/list' }) }), await status(url, { method: 'GET', body: null, headers: { 'mcp-session-id': randomUUID() } })], [400, 404], 'without a session, or with one that is not');

  const one = await clientOf(url), two = await clientOf(url);
  const { id } = await one.call('remember', { content: 'the night train' });
  same((await two.call('recall', { query: 'train' })).memories.map((row) => row.id), [id], 'two clients have the same memory');
  const written = await Promise.all(Array.from({ length: 12 }, async (_, n) => {
    const { client, transport, call } = await clientOf(url);
    await call('remember', { content: `note ${n}`, session: 'many' });
    await transport.terminateSession();
    await client.close();
    return n;
  }));
  same([written.length, (await memory.recent({ sessionId: 'many', k: null })).length], [12, 12], '12 clients at once');
  const refused = await Promise.all(Array.from({ length: 20 }, () => status(url, { headers: { accept: 'text/html' } })));
  same(new Set(refused), new Set([406]), 'what a client cannot read is not sent');
  const opened = [];
  for (let n = 0; n < 16; n += 1) opened.push(await ask(url));
  same(opened.map((answer) => answer.status).sort(), [...Array(13).fill(200), ...Array(3).fill(503)], 'sessions are limited: there were three');
  same(await status(url, { method: 'DELETE', body: null, headers: { 'mcp-session-id': opened[0].session } }), 200, 'a session is ended by its client');
  same(await status(url), 200, '… and leaves its place');
  await one.client.close();
  await two.client.close();
  await close();
}
{
  const { url, close } = await serveHttp(() => createServer(memory), { token: 'secret', origins: ['https://app.example'], mostSessions: 1, idleMilliseconds: 500 });
  same([await status(url), await status(url, { headers: { authorization: 'Bearer secreT' } })], [401, 401], 'with a token, one is needed');
  const { session, headers } = await ask(url, { headers: { authorization: 'Bearer secret', origin: 'https://app.example' } });
  same([typeof session, headers['access-control-allow-origin'], headers['access-control-expose-headers']], ['string', 'https://app.example', 'mcp-session-id'], '… and an origin that is allowed gets in');
  const asked = await ask(url, { method: 'OPTIONS', body: null, headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' } });
  const other = await ask(url, { method: 'OPTIONS', body: null, headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' } });
  same([asked.status, asked.headers['access-control-allow-origin'], other.status, other.headers['access-control-allow-origin']], [204, 'https://app.example', 403, undefined], 'a browser is told so, and of no other origin');
  same(await status(url, { headers: { authorization: 'Bearer secret' } }), 503, 'there is place for one');
  let last;
  for (let n = 0; n < 200 && last !== 200; n += 1) {
    await new Promise((resume) => setTimeout(resume, 20));
    last = await status(url, { headers: { authorization: 'Bearer secret' } });
  }
  same([last, await status(url, { method: 'DELETE', body: null, headers: { authorization: 'Bearer secret', 'mcp-session-id': session } })], [200, 404], 'an idle session ends, and leaves its place');
  await close();
}
{
  const child = spawn(process.execPath, [fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), 'mcp', '--user', memory.db.scope.user, '--http', '0'], { env: { ...process.env, MEMORY_MCP_TOKEN: 'x y' } });
  const url = await new Promise((resolve) => child.stderr.on('data', (data) => resolve(/http:\S+/.exec(String(data))?.[0])));
  const { client, call } = await clientOf(url, { authorization: 'Bearer x y' });
  same((await call('recall', { query: 'train' })).memories.length, 1, 'the program serves HTTP');
  await client.close();
  child.kill('SIGTERM');
  same(await new Promise((resolve) => child.on('close', resolve)), 0, '… and ends when it is told to');
}
await pool.end();
end();
