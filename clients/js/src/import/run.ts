// Imports a vendor's export: every conversation is a session, written in a transaction of its own and marked with a digest of what was written. One that
// is marked so is passed over, so that to import again, after an interruption or with a newer export, writes what is new and nothing else.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Strange } from '../database.js';
import type { Memory } from '../memory.js';
import type { Session } from '../types.js';
import { chatgpt } from './chatgpt.js';
import { claude } from './claude.js';
import { NoConversation, type Conversation, type Said } from './conversation.js';
import { elementsOf, type Element } from './elements.js';
import { entriesOf, isZip, streamOf } from './zip.js';

export const VENDORS = { chatgpt, claude };
export type Vendor = keyof typeof VENDORS;

export interface Progress {
  /** Of the bytes, unpacked. */
  part: number;
  conversations: number;
  written: number;
  unchanged: number;
  messages: number;
  leftOut: Record<string, number>;
  failed: { conversation: string; reason: string }[];
}

const AT_ONCE = 64; // conversations whose marks are looked up together
const MOST_MESSAGES = 500; // of a statement
const MOST_TEXT = 4 * 1024 * 1024;

interface Source { size: number; bytes: () => Promise<AsyncIterable<Buffer>> }

// An archive may have its conversations in several files, conversations-000.json and so on.
async function sourcesOf(path: string): Promise<Source[]> {
  if (!await isZip(path)) return [{ size: (await stat(path)).size, bytes: () => Promise.resolve(createReadStream(path)) }];
  const entries = (await entriesOf(path)).filter(({ name }) => /(^|\/)conversations(-\d+)?\.json$/.test(name)).sort((one, other) => (one.name < other.name ? -1 : 1));
  if (!entries.length) throw new Error('the zip archive has no conversations.json');
  return entries.map((entry) => ({ size: entry.size, bytes: () => streamOf(path, entry) }));
}

const digestOf = ({ title, messages }: Conversation) => createHash('sha256').update(JSON.stringify([title, messages])).digest('hex');

function* chunks(messages: Said[]): Generator<Said[]> {
  let chunk: Said[] = [], size = 0;
  for (const message of messages) {
    const own = JSON.stringify(message).length;
    if (chunk.length && (chunk.length === MOST_MESSAGES || size + own > MOST_TEXT)) {
      yield chunk;
      [chunk, size] = [[], 0];
    }
    chunk.push(message);
    size += own;
  }
  if (chunk.length) yield chunk;
}

export class Import {
  readonly progress: Progress = { part: 0, conversations: 0, written: 0, unchanged: 0, messages: 0, leftOut: {}, failed: [] };

  constructor(readonly memory: Memory, readonly vendor: Vendor, readonly onProgress: (progress: Progress) => void = () => undefined) {}

  async run(path: string): Promise<Progress> {
    const sources = await sourcesOf(path), total = sources.reduce((sum, { size }) => sum + size, 0);
    let behind = 0;
    for (const { size, bytes } of sources) {
      let batch: Element[] = [];
      for await (const element of elementsOf(await bytes())) {
        batch.push(element);
        if (batch.length < AT_ONCE && element.byte - (batch[0]?.byte ?? 0) < MOST_TEXT) continue;
        await this.#batch(batch);
        this.#say((behind + element.byte) / total);
        batch = [];
      }
      await this.#batch(batch);
      this.#say((behind += size) / total);
    }
    return this.progress;
  }

  #say(part: number): void {
    this.progress.part = part;
    this.onProgress(this.progress);
  }

  async #batch(elements: Element[]): Promise<void> {
    const conversations = elements.map((element) => this.#read(element)).filter((one) => one !== undefined);
    const marks = await this.#marks(conversations.map((one) => this.#session(one)));
    for (const conversation of conversations) {
      this.progress.conversations += 1;
      const digest = digestOf(conversation);
      if (!conversation.messages.length) this.#leaveOut({ 'conversations without messages': 1 });
      else if (marks.get(this.#session(conversation)) === digest) this.progress.unchanged += 1;
      else await this.#write(conversation, digest);
    }
  }

  #read({ value, number }: Element): Conversation | undefined {
    try {
      const conversation = VENDORS[this.vendor](value);
      this.#leaveOut(conversation.leftOut);
      return conversation;
    } catch (error) {
      if (!(error instanceof NoConversation)) throw error;
      this.progress.failed.push({ conversation: `element ${number}`, reason: error.message });
      return undefined;
    }
  }

  #leaveOut(counts: Record<string, number>): void {
    const { leftOut } = this.progress;
    for (const [why, count] of Object.entries(counts)) leftOut[why] = (leftOut[why] ?? 0) + count;
  }

  #session({ id }: Conversation): string {
    return `${this.vendor}/${id}`;
  }

  async #marks(ids: string[]): Promise<Map<string, unknown>> {
    const rows = ids.length ? await this.memory.db.call<Session>('sessions', { ids, k: null }) : [];
    return new Map(rows.map(({ sessionId, metadata }) => [sessionId, metadata.import]));
  }

  // What the database refuses is said, and the next conversation is tried.
  async #write(conversation: Conversation, digest: string): Promise<void> {
    const sessionId = this.#session(conversation), { title, createdAt, updatedAt, messages } = conversation;
    try {
      await this.memory.db.transaction(async (db) => {
        for (const chunk of chunks(messages)) await db.call('add_messages', { sessionId, messages: new Strange(chunk), agentId: this.vendor });
        await db.call('set_session', { sessionId, metadata: new Strange({ title, source: this.vendor, created_at: createdAt, updated_at: updatedAt, import: digest }) });
      });
      this.progress.written += 1;
      this.progress.messages += messages.length;
    } catch (error) {
      const { code, message, hint } = error as { code?: string; message: string; hint?: string };
      // Of a value (22, 23, 54): the next may be good. Of anything else, such as a lost connection, there is no point in going on.
      if (!/^(22|23|54)/.test(code ?? '')) throw error;
      this.progress.failed.push({ conversation: sessionId, reason: [message, hint].filter(Boolean).join(' ') });
    }
  }
}
