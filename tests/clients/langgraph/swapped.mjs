// What LangGraph's tests of stores import, with Store in the place of its stores. Every store is of a user of its own: the user
// takes the place of a database and a schema.
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { Store } from 'memory-postgresql/langgraph';

export { AsyncBatchedStore, BaseStore, InvalidNamespaceError } from '@langchain/langgraph-checkpoint';

const pg = createRequire(import.meta.url)('pg'); // not what the tests know by this name
const pool = new pg.Pool({ max: 4 });

// Databases that are neither made nor dropped.
class Pool {
  async query() {
    return { rows: [] };
  }

  async end() {}
}
export default { Pool };

export class InMemoryStore extends Store {
  constructor(options) {
    super(pool, { user: randomUUID(), ...options });
  }
}

export class PostgresStore extends Store {
  constructor({ connectionOptions, schema = 'public', ...options }) {
    super(pool, { user: `${connectionOptions} ${schema}`, ...options });
  }

  static fromConnString(connectionOptions, options) {
    return new PostgresStore({ connectionOptions, ...options });
  }

  setup() {}
}
