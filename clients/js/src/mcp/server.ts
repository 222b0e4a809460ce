// A server of the Model Context Protocol over the memory of one user.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Memory } from '../memory.js';
import { registerBlocks, registerResources } from './blocks.js';
import { registerForget } from './forget.js';
import { KnowledgeGraphManager } from './graph.js';
import { registerGraph } from './graph_tools.js';
import { registerEpisodes, registerFacts, registerOverview } from './tools.js';

export interface ServerOptions {
  /** The agent that writes: an attribute of what is written. */
  agentId?: string | undefined;
  /** The tools of the reference memory server instead of memory's own. */
  graph?: boolean | undefined;
}

/** Every connection has a server of its own; they share the memory and its pool. */
export function createServer(memory: Memory, { agentId, graph }: ServerOptions = {}): McpServer {
  const server = new McpServer({ name: 'memory-postgresql', version: '0.1.0' });
  if (graph) {
    registerGraph(server, new KnowledgeGraphManager(memory.db));
    return server;
  }
  registerEpisodes(server, memory, agentId);
  registerFacts(server, memory);
  registerOverview(server, memory);
  registerBlocks(server, memory);
  registerForget(server, memory);
  registerResources(server, memory);
  return server;
}
