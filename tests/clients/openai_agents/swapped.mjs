// What the tests import as MemorySession: a session of a user of its own, which begins with items.
import { randomUUID } from 'node:crypto';
import { Session } from 'memory-postgresql/openai-agents';
import pg from 'pg';

const pool = new pg.Pool({ max: 4 });
const METHODS = ['getItems', 'addItems', 'popItem', 'clearSession', 'applyHistoryMutations', 'applyHistoryTransaction'];

export class MemorySession extends Session {
  constructor({ sessionId, initialItems = [] } = {}) {
    super(pool, { user: randomUUID(), sessionId });
    this.begun = super.addItems(structuredClone(initialItems));
  }
}

// On the prototype: tests have classes below it.
for (const name of METHODS) {
  MemorySession.prototype[name] = async function method(...given) {
    await this.begun;
    return Session.prototype[name].apply(this, given);
  };
}
