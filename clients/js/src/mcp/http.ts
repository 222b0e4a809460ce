// Streamable HTTP, on the loopback interface only. A browser's page cannot get here: a request must name this server in Host (a name that an
// attacker has bound to 127.0.0.1 is another one), and Origin, where there is one, must be this server's or a configured one.
import { randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { isInitializeRequest } from '@modelcontextprotocol/sdk/types.js';

export interface HttpOptions {
  port?: number;
  /** Pages that may call: `https://app.example`. */
  origins?: string[];
  /** Then requests need `Authorization: Bearer …`: other users of the machine reach the loopback interface, too. */
  token?: string | undefined;
  mostSessions?: number;
  /** A session that nothing has asked for so long ends. */
  idleMilliseconds?: number;
  mostBytes?: number;
}

interface Session { transport: StreamableHTTPServerTransport; server: McpServer; used: number; busy: number }

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

class Rejected extends Error {
  constructor(readonly status: number, message: string, readonly code = -32000) {
    super(message);
  }
}

function same(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

async function bodyOf(request: IncomingMessage, mostBytes: number): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > mostBytes) throw new Rejected(413, `A request may have ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown;
  } catch {
    throw new Rejected(400, 'The request is not JSON', -32700);
  }
}

class Sessions {
  readonly #sessions = new Map<string, Session>();

  constructor(readonly create: () => McpServer, readonly most: number, readonly idle: number) {}

  find(request: IncomingMessage): Session {
    const id = request.headers['mcp-session-id'];
    if (id === undefined) throw new Rejected(400, 'Mcp-Session-Id is missing');
    const session = this.#sessions.get(String(id));
    if (!session) throw new Rejected(404, 'There is no such session', -32001);
    return session;
  }

  async open(): Promise<Session> {
    this.endIdle();
    if (this.#sessions.size >= this.most) throw new Rejected(503, `There are ${this.most} sessions already`);
    const server = this.create(), id = randomUUID();
    const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session = { transport, server, used: Date.now(), busy: 0 };
    transport.onclose = () => { this.#sessions.delete(id); };
    this.#sessions.set(id, session);
    await server.connect(transport);
    return session;
  }

  endIdle(): void {
    for (const { transport, used, busy } of this.#sessions.values()) if (!busy && used + this.idle < Date.now()) void transport.close();
  }

  async end(): Promise<void> {
    await Promise.all([...this.#sessions.values()].map(({ transport }) => transport.close()));
  }
}

function check(request: IncomingMessage, port: number, { origins = [], token }: HttpOptions): void {
  const hosts = LOOPBACK.map((name) => `${name}:${port}`);
  if (!hosts.includes(request.headers.host ?? '')) throw new Rejected(403, 'Host is not this server');
  const { origin } = request.headers;
  if (origin !== undefined && !origins.includes(origin) && !hosts.some((host) => origin === `http://${host}`)) throw new Rejected(403, 'Origin is not allowed');
  if (token && request.method !== 'OPTIONS' && !same(request.headers.authorization ?? '', `Bearer ${token}`)) throw new Rejected(401, 'Authorization is missing or wrong');
  if (new URL(request.url ?? '/', 'http://localhost').pathname !== '/mcp') throw new Rejected(404, 'The server is at /mcp');
}

// What a browser asks of a server before and with a request of an origin that is allowed.
function allow(request: IncomingMessage, response: ServerResponse): void {
  const { origin } = request.headers;
  if (origin === undefined) return;
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'mcp-session-id');
  response.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'GET, POST, DELETE');
  response.setHeader('access-control-allow-headers', 'authorization, content-type, last-event-id, mcp-protocol-version, mcp-session-id');
  response.writeHead(204).end();
}

async function handle(request: IncomingMessage, response: ServerResponse, sessions: Sessions, mostBytes: number): Promise<void> {
  const body = request.method === 'POST' ? await bodyOf(request, mostBytes) : undefined;
  const opens = request.headers['mcp-session-id'] === undefined && isInitializeRequest(body);
  const session = opens ? await sessions.open() : sessions.find(request);
  session.busy += 1;
  response.on('close', () => {
    session.busy -= 1;
    session.used = Date.now();
  });
  await session.transport.handleRequest(request, response, body);
  if (opens && response.statusCode >= 400) await session.transport.close(); // it did not begin, and takes no place
}

function reject(response: ServerResponse, error: unknown): void {
  const { status, code, message } = error instanceof Rejected ? error : new Rejected(500, 'The server failed', -32603);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...status === 401 && { 'www-authenticate': 'Bearer' }, ...status === 413 && { connection: 'close' } });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null }));
}

/** Listens on 127.0.0.1; port 0 is any that is free. `create` makes the server of a session. */
export async function serveHttp(create: () => McpServer, options: HttpOptions = {}): Promise<{ server: Server; url: string; close: () => Promise<void> }> {
  const { port = 0, mostSessions = 64, idleMilliseconds = 30 * 60_000, mostBytes = 4 * 1024 * 1024 } = options;
  const sessions = new Sessions(create, mostSessions, idleMilliseconds);
  const server = createHttpServer((request, response) => {
    const { port: own } = server.address() as AddressInfo;
    Promise.resolve().then(() => {
      check(request, own, options);
      allow(request, response);
      return response.writableEnded ? undefined : handle(request, response, sessions, mostBytes);
    }).catch((error: unknown) => { reject(response, error); });
  });
  await new Promise<void>((listening, failed) => server.once('error', failed).listen(port, '127.0.0.1', listening));
  const watch = setInterval(() => { sessions.endIdle(); }, Math.min(idleMilliseconds, 60_000)).unref();
  return {
    server,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    close: async () => {
      clearInterval(watch);
      await sessions.end();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
