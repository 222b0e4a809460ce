// LangGraph's tests of its stores with memory-postgresql/langgraph in the place of LangGraph's (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

export const alias = [{ find: /^(pg|\.\.\/store\/(base|batch|memory|index)\.js)$/, replacement: fileURLToPath(new URL('swapped.mjs', import.meta.url)) }];
export const OWN = [
  'AsyncBatchedStore', 'BaseStore', 'PostgresStore Migration System', 'PostgresStore Statistics', 'PostgresStore Error Handling > should handle database',
  'PostgresStore Error Handling > should handle malformed', 'should support both TTL and indexing options', 'should support TTL configuration and sweep',
];
export const DIFFERENT = {
  'InMemoryStore > should implement search method': 'without a query what was put last comes first',
};
