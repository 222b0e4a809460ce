// What the tests of the reference memory server import.
import { KnowledgeGraphManager as Manager } from 'memory-postgresql/mcp';
import pg from 'pg';

export { registerKnowledgeGraphResource, registerKnowledgeGraphSubscriptions } from 'memory-postgresql/mcp';

const pool = new pg.Pool({ max: 4 });

export class KnowledgeGraphManager extends Manager {
  constructor(path) {
    super(pool, { user: path });
  }
}

export const defaultMemoryPath = '';
export const ensureMemoryFilePath = async () => defaultMemoryPath;

export const promises = {
  async readFile(path) {
    const { entities, relations } = await new KnowledgeGraphManager(path).readGraph();
    return [...entities.map((one) => ({ type: 'entity', ...one })), ...relations.map((one) => ({ type: 'relation', ...one }))].map((one) => JSON.stringify(one)).join('\n');
  },
  unlink: async () => {},
};
