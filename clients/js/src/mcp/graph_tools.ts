// The nine tools of the reference memory server, by their names and shapes, and its resource.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SubscribeRequestSchema, UnsubscribeRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { answer, told } from './answer.js';
import type { KnowledgeGraphManager } from './graph.js';

const RESOURCE_URI = 'memory://knowledge-graph';
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const DELETES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };

const entity = z.object({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) });
const relation = z.object({ from: z.string(), to: z.string(), relationType: z.string().describe('In active voice') });
const graph = { entities: z.array(entity), relations: z.array(relation) };
const done = { success: z.boolean(), message: z.string() };
const text = (value: unknown) => JSON.stringify(value, null, 2);

export function registerGraph(server: McpServer, manager: KnowledgeGraphManager): void {
  const changed = registerKnowledgeGraphSubscriptions(server);
  registerKnowledgeGraphResource(server, manager);
  const deleted = (message: string) => {
    changed();
    return answer({ success: true, message }, message);
  };

  server.registerTool('create_entities', {
    title: 'Create Entities', description: 'Create new entities in the knowledge graph; those whose names are there stay as they are', inputSchema: { entities: z.array(entity) },
    outputSchema: { entities: z.array(entity) }, annotations: ADDS,
  }, told(async ({ entities }) => {
    const made = await manager.createEntities(entities);
    changed();
    return answer({ entities: made }, text(made));
  }));
  server.registerTool('create_relations', {
    title: 'Create Relations', description: 'Create new relations between entities of the knowledge graph', inputSchema: { relations: z.array(relation) },
    outputSchema: { relations: z.array(relation) }, annotations: ADDS,
  }, told(async ({ relations }) => {
    const made = await manager.createRelations(relations);
    changed();
    return answer({ relations: made }, text(made));
  }));
  server.registerTool('add_observations', {
    title: 'Add Observations', description: 'Add observations to entities of the knowledge graph',
    inputSchema: { observations: z.array(z.object({ entityName: z.string(), contents: z.array(z.string()) })) },
    outputSchema: { results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })) }, annotations: ADDS,
  }, told(async ({ observations }) => {
    const results = await manager.addObservations(observations);
    changed();
    return answer({ results }, text(results));
  }));
  server.registerTool('delete_entities', {
    title: 'Delete Entities', description: 'Delete entities and their relations from the knowledge graph', inputSchema: { entityNames: z.array(z.string()) },
    outputSchema: done, annotations: DELETES,
  }, told(async ({ entityNames }) => {
    await manager.deleteEntities(entityNames);
    return deleted('Entities deleted successfully');
  }));
  server.registerTool('delete_observations', {
    title: 'Delete Observations', description: 'Delete observations from entities of the knowledge graph',
    inputSchema: { deletions: z.array(z.object({ entityName: z.string(), observations: z.array(z.string()) })) }, outputSchema: done, annotations: DELETES,
  }, told(async ({ deletions }) => {
    await manager.deleteObservations(deletions);
    return deleted('Observations deleted successfully');
  }));
  server.registerTool('delete_relations', {
    title: 'Delete Relations', description: 'Delete relations from the knowledge graph', inputSchema: { relations: z.array(relation) }, outputSchema: done, annotations: DELETES,
  }, told(async ({ relations }) => {
    await manager.deleteRelations(relations);
    return deleted('Relations deleted successfully');
  }));
  server.registerTool('read_graph', {
    title: 'Read Graph', description: 'Read the whole knowledge graph', inputSchema: {}, outputSchema: graph, annotations: READS,
  }, told(async () => {
    const found = await manager.readGraph();
    return answer({ ...found }, text(found));
  }));
  server.registerTool('search_nodes', {
    title: 'Search Nodes', description: 'Entities that have a text in their name, type or observations, and their relations', inputSchema: { query: z.string() },
    outputSchema: graph, annotations: READS,
  }, told(async ({ query }) => {
    const found = await manager.searchNodes(query);
    return answer({ ...found }, text(found));
  }));
  server.registerTool('open_nodes', {
    title: 'Open Nodes', description: 'Entities by their names, and their relations', inputSchema: { names: z.array(z.string()) }, outputSchema: graph, annotations: READS,
  }, told(async ({ names }) => {
    const found = await manager.openNodes(names);
    return answer({ ...found }, text(found));
  }));
}

export function registerKnowledgeGraphResource(server: McpServer, manager: Pick<KnowledgeGraphManager, 'readGraph'>): void {
  server.registerResource('knowledge-graph', RESOURCE_URI, {
    title: 'Knowledge Graph', description: 'The whole knowledge graph, with all entities and relations', mimeType: 'application/json',
  }, async (uri) => ({ contents: [{ uri: uri.href, mimeType: 'application/json', text: text(await manager.readGraph()) }] }));
}

/** Returns what tells a client that has asked for it that the graph changed. */
export function registerKnowledgeGraphSubscriptions(server: McpServer): () => void {
  const subscribed = new Set<string>();
  server.server.registerCapabilities({ resources: { subscribe: true } });
  server.server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.add(uri);
    return Promise.resolve({});
  });
  server.server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri);
    return Promise.resolve({});
  });
  return () => {
    if (subscribed.has(RESOURCE_URI)) void server.server.sendResourceUpdated({ uri: RESOURCE_URI });
  };
}
