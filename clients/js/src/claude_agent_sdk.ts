// A session store of the Claude Agent SDK over memory's log: a transcript is a session and a path, an entry is a message whose key is
// its uuid, and the project is the agent.
import { foldSessionSummary, type SessionKey, type SessionStore as Contract, type SessionStoreEntry, type SessionSummaryEntry } from '@anthropic-ai/claude-agent-sdk';
import { Database, Strange, type Scope, type Target } from './database.js';
import type { Message, Session } from './types.js';

const sessionOf = ({ projectKey, sessionId }: SessionKey) => ({ sessionId: `${projectKey}/${sessionId}` });
const summaryOf = (row: Session) => row.metadata.summary as unknown as SessionSummaryEntry;

export class SessionStore implements Contract {
  readonly db: Database;

  constructor(target: Target, scope: Scope) {
    this.db = new Database(target, scope);
  }

  // Tools print what jsonb cannot hold, such as NUL: that is left out. add_messages locks the session until the transaction ends, so
  // that what the SDK lists of it is folded in the order of its entries.
  async append(key: SessionKey, entries: SessionStoreEntry[]): Promise<void> {
    if (!entries.length) return;
    const session = sessionOf(key);
    await this.db.transaction(async (db) => {
      await db.call('add_messages', { ...session, messages: new Strange(entries), keyField: 'uuid', path: key.subpath, agentId: key.projectKey });
      if (key.subpath) return;
      const [row] = await db.call<Session>('session', session);
      const summary = foldSessionSummary(row && summaryOf(row), key, entries);
      await db.call('set_session', { ...session, metadata: new Strange({ summary }) });
    });
  }

  async load(key: SessionKey): Promise<SessionStoreEntry[] | null> {
    const rows = await this.db.call<Message>('messages', { ...sessionOf(key), k: null, path: key.subpath });
    return rows.length ? rows.map(({ message }) => message as unknown as SessionStoreEntry) : null;
  }

  async listSessionSummaries(projectKey: string): Promise<SessionSummaryEntry[]> {
    const rows = await this.db.call<Session>('sessions', { agentId: projectKey, filter: { summary: {} }, k: null });
    return rows.map((row) => ({ ...summaryOf(row), mtime: row.updatedAt.getTime() }));
  }

  async listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]> {
    return (await this.listSessionSummaries(projectKey)).map(({ sessionId, mtime }) => ({ sessionId, mtime }));
  }

  async listSubkeys(key: SessionKey): Promise<string[]> {
    const [row] = await this.db.call<Session>('session', sessionOf(key));
    return row ? row.paths.filter(Boolean) : [];
  }

  async delete(key: SessionKey): Promise<void> {
    await this.db.call('delete_session', { ...sessionOf(key), path: key.subpath });
  }

  async end(): Promise<void> {
    await this.db.end();
  }
}
