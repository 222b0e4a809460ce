// The server of the Model Context Protocol: `memory-postgresql mcp`, and its parts.
export { KnowledgeGraphManager, type Entity, type KnowledgeGraph, type Relation } from './mcp/graph.js';
export { registerGraph, registerKnowledgeGraphResource, registerKnowledgeGraphSubscriptions } from './mcp/graph_tools.js';
export { serveHttp, type HttpOptions } from './mcp/http.js';
export { createServer, type ServerOptions } from './mcp/server.js';
