// What deepagents' tests import of LangGraph. Every store is of a user of its own.
import { randomUUID } from 'node:crypto';
import { Store } from 'memory-postgresql/langgraph';
import pg from 'pg';

const pool = new pg.Pool({ max: 4 });

export class InMemoryStore extends Store {
  constructor() {
    super(pool, { user: randomUUID() });
  }
}
