// memory-postgresql mcp: runs until its input ends or a signal comes.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { serveHttp } from '../mcp/http.js';
import { createServer } from '../mcp/server.js';
import type { Memory } from '../memory.js';

interface Options { http?: string | undefined; origin?: string[] | undefined; agent?: string | undefined; graph?: boolean | undefined }

// What was asked before the input ended is still answered.
class Standard extends StdioServerTransport {
  readonly #asked = new Set<RequestId>();
  #ended = false;
  #done: () => void = () => undefined;
  readonly done = new Promise<void>((resolve) => { this.#done = resolve; });

  override async start(): Promise<void> {
    const { onmessage } = this;
    this.onmessage = (message) => {
      if ('method' in message && 'id' in message) this.#asked.add(message.id);
      onmessage?.(message);
    };
    process.stdin.once('end', () => {
      this.#ended = true;
      this.#check();
    });
    await super.start();
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    await super.send(message);
    if (!('method' in message) && message.id !== undefined) this.#asked.delete(message.id);
    this.#check();
  }

  #check(): void {
    if (this.#ended && !this.#asked.size) this.#done();
  }
}

async function ended(...more: Promise<unknown>[]): Promise<void> {
  const signals = (['SIGINT', 'SIGTERM'] as const).map((name) => new Promise((resolve) => process.once(name, resolve)));
  await Promise.race([...signals, ...more]);
}

export async function mcp(memory: Memory, { http, origin: origins, agent = process.env.MEMORY_AGENT, graph }: Options): Promise<number> {
  const create = () => createServer(memory, { agentId: agent, graph });
  if (http !== undefined) {
    const { url, close } = await serveHttp(create, { port: Number(http), origins, token: process.env.MEMORY_MCP_TOKEN });
    process.stderr.write(`listening on ${url}\n`);
    await ended();
    await close();
  } else {
    const server = create();
    const transport = new Standard();
    await server.connect(transport);
    await ended(transport.done);
    await server.close();
  }
  await memory.end();
  return 0;
}
