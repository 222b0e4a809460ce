// A session of the OpenAI Agents SDK over memory's log: an item is a message. What a rewrite and a transaction of the history mean is said by the
// SDK's own MemorySession, which is given the items as they are, under the session's lock; what it makes of them is written.
import { createHash, randomUUID } from 'node:crypto';
import {
  MemorySession, type AgentInputItem, type SessionHistoryRewriteArgs, type SessionHistoryRewriteAwareSession, type SessionHistoryTransaction,
  type SessionHistoryTransactionArgs, type SessionHistoryTransactionAwareSession,
} from '@openai/agents';
import { decode, encode } from './bytes.js';
import { Database, Strange, type Scope, type Target } from './database.js';
import type { Message } from './types.js';

const OPERATIONS = 'operations'; // the path of the transactions that were applied

const itemOf = ({ message }: Message) => decode(message) as AgentInputItem;
const same = (one: unknown, other: unknown) => JSON.stringify(encode(one)) === JSON.stringify(encode(other));
const keyOf = (operationId: unknown) => createHash('sha256').update(String(operationId)).digest('hex');

export class Session implements SessionHistoryRewriteAwareSession, SessionHistoryTransactionAwareSession {
  readonly db: Database;
  readonly sessionId: string;

  constructor(target: Target, { sessionId = randomUUID(), ...scope }: Scope & { sessionId?: string }) {
    this.db = new Database(target, scope);
    this.sessionId = sessionId;
  }

  getSessionId(): Promise<string> {
    return Promise.resolve(this.sessionId);
  }

  async getItems(limit?: number): Promise<AgentInputItem[]> {
    return limit !== undefined && limit <= 0 ? [] : (await this.#messages(this.db, { k: limit ?? null })).map(itemOf);
  }

  async addItems(items: AgentInputItem[]): Promise<void> {
    if (items.length) await this.#add(this.db, items);
  }

  async popItem(): Promise<AgentInputItem | undefined> {
    const [row] = await this.db.call<Message>('drop_messages', { sessionId: this.sessionId, last: 1 });
    return row && itemOf(row);
  }

  async clearSession(): Promise<void> {
    await this.db.call('delete_session', { sessionId: this.sessionId });
  }

  async applyHistoryMutations(args: SessionHistoryRewriteArgs): Promise<void> {
    if (args.mutations.length) await this.#rewrite((history) => history.applyHistoryMutations(args));
  }

  // An operation that was applied is tried on what it found: with the same transaction nothing happens, with another the SDK refuses it.
  async applyHistoryTransaction(args: SessionHistoryTransactionArgs): Promise<void> {
    let given: SessionHistoryTransactionArgs;
    try {
      given = { operationId: args.operationId, transaction: args.transaction };
    } catch {
      throw new Error('Session history transaction arguments are invalid.');
    }
    const key = keyOf(given.operationId);
    await this.#rewrite(async (history, db) => {
      const [applied] = await this.#messages(db, { path: OPERATIONS, keys: [key] });
      if (applied) {
        const { transaction } = decode(applied.message.message) as { transaction: SessionHistoryTransaction };
        const repeated = new MemorySession({ initialItems: transaction.type === 'replace_suffix' ? transaction.expectedSuffix : [] });
        await repeated.applyHistoryTransaction({ operationId: given.operationId, transaction });
        await repeated.applyHistoryTransaction(given);
        return;
      }
      await history.applyHistoryTransaction(given);
      await this.#add(db, [{ key, message: { transaction: given.transaction } }], OPERATIONS);
    });
  }

  async #messages(db: Database, which: { k?: number | null; path?: string; keys?: string[] }): Promise<Message[]> {
    return db.call('messages', { sessionId: this.sessionId, ...which });
  }

  async #add(db: Database, items: object[], path?: string): Promise<void> {
    await db.call('add_messages', { sessionId: this.sessionId, messages: new Strange(encode(items)), path });
  }

  // From the first item that differs on the log is written anew.
  async #rewrite(body: (history: MemorySession, db: Database) => Promise<void>): Promise<void> {
    await this.db.transaction(async (db) => {
      await db.call('set_session', { sessionId: this.sessionId, metadata: {} }); // locks it
      const rows = await this.#messages(db, { k: null }), items = rows.map(itemOf);
      const history = new MemorySession({ sessionId: this.sessionId, initialItems: items });
      await body(history, db);
      const made = await history.getItems();
      const kept = items.findIndex((item, n) => !same(item, made[n]));
      const first = kept < 0 ? items.length : kept;
      if (first < items.length) await db.call('drop_messages', { sessionId: this.sessionId, after: (rows[first]?.seq ?? 1) - 1 });
      if (first < made.length) await this.#add(db, made.slice(first));
    });
  }

  async end(): Promise<void> {
    await this.db.end();
  }
}
