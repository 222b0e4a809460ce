// The functions of schema memory as methods. No logic of its own: what an argument means and what is refused is said by the
// database, in docs/reference.md. Where there is an `embed`, what has no embedding gets one before the statement is sent.
import { Database, snakeKeys, type Scope, type Target } from './database.js';
import type * as t from './types.js';

export interface MemoryOptions extends Scope {
  /** Vectors for texts. Left out where the database embeds (`use_model`), or where words are enough. */
  embed?: t.Embed | undefined;
}

class Embedding {
  constructor(readonly embed: t.Embed | undefined) {}

  /** The options with an embedding of the text, unless there is one, no text, or nothing that makes one. */
  async of<Options extends { embedding?: number[] }>(text: string | undefined, options: Options): Promise<Options> {
    if (!this.embed || !text || options.embedding) return options;
    const [embedding] = await this.embed([text]);
    return { ...options, embedding };
  }
}

const textOf = (content: string, response?: string | null) => [content, response].filter(Boolean).join('\n');

export class Memory {
  readonly db: Database;
  readonly facts: Facts;
  readonly messages: Messages;
  readonly blocks: Blocks;
  readonly items: Items;
  readonly #embedding: Embedding;

  constructor(target: Target | Database, options: MemoryOptions) {
    this.db = target instanceof Database ? target.scoped(options) : new Database(target, options);
    this.#embedding = new Embedding(options.embed);
    this.facts = new Facts(this.db, this.#embedding);
    this.messages = new Messages(this.db);
    this.blocks = new Blocks(this.db);
    this.items = new Items(this.db, this.#embedding);
  }

  /** The same connections, for another user or namespace. */
  scoped(scope: Partial<Scope>): Memory {
    return new Memory(this.db, { ...this.db.scope, ...scope, embed: this.#embedding.embed });
  }

  /** What happened: a message, a turn (`content` and the `response` to it), a note. Returns its id. */
  async remember(content: string, options: t.RememberOptions = {}): Promise<string> {
    return this.db.value('remember', { content, ...await this.#embedding.of(textOf(content, options.response), options) });
  }

  /** All or nothing, in order. */
  async rememberMany(episodes: ({ content: string } & t.RememberOptions)[], options: { sessionId?: string } = {}): Promise<string[]> {
    const embedded = await Promise.all(episodes.map(async (one) => snakeKeys(await this.#embedding.of(textOf(one.content, one.response), one))));
    return (await this.db.call<{ r: string }>('remember_many', { episodes: embedded, ...options })).map(({ r }) => r);
  }

  /** False where there is no such episode. */
  async revise(id: string, content: string, options: { response?: string } = {}): Promise<boolean> {
    return this.db.value('revise', { id, content, ...options });
  }

  async get(id: string): Promise<t.Episode | undefined> {
    return (await this.db.call<t.Episode>('get', { id }))[0];
  }

  /** The best first. Without a query and an embedding, the newest. */
  async recall(query?: string, options: t.RecallOptions = {}): Promise<t.Recalled[]> {
    return this.db.call('recall_scored', { query, ...await this.#embedding.of(query, options) });
  }

  /** The newest first. */
  async recent(options: { kind?: string; k?: number | null; agentId?: string; sessionId?: string; filter?: t.Filter } = {}): Promise<t.Episode[]> {
    return this.db.call('recall_recent', options);
  }

  /** Why, or why not, `recall` would give this episode. */
  async explain(id: string, query?: string, options: t.RecallOptions = {}): Promise<Record<string, t.Json>> {
    return this.db.value('explain_recall', { id, query, ...await this.#embedding.of(query, options) });
  }

  /** A section for a prompt: blocks, summary, facts, episodes that answer the query, recent messages. */
  async context(query?: string, options: { maxTokens?: number | null; sessionId?: string; embedding?: number[]; halfLife?: string } = {}): Promise<string> {
    return this.db.value('context', { query, ...await this.#embedding.of(query, options) });
  }

  async sessions(options: { agentId?: string; ids?: string[]; filter?: t.Filter; since?: t.When; until?: t.When; k?: number | null; skip?: number; sort?: string } = {}): Promise<t.Session[]> {
    return this.db.call('sessions', options);
  }

  /** Counts by kind, facts, sessions, and when something was last written. */
  async overview(): Promise<Record<string, t.Json>> {
    return this.db.value('overview', {});
  }

  /** What meets every condition; one of them is needed. Returns the receipt. */
  async forget(conditions: t.ForgetOptions): Promise<t.Forgotten> {
    return this.db.value('forget', { ...conditions });
  }

  /** Everything of this user in this namespace. Returns the receipt. */
  async forgetUser(): Promise<t.Forgotten> {
    return this.db.value('forget_user', {});
  }

  /** Ends the pool that a connection string has made. */
  async end(): Promise<void> {
    await this.db.end();
  }
}

/** Facts, with the time when they were true and the time when they were believed. */
export class Facts {
  constructor(readonly db: Database, readonly embedding: Embedding) {}

  /** What was believed gives way just where this one is true, and stays readable with `knownAt`. Returns its id. */
  async assert(subject: string, predicate: string, object: string, options: t.AssertOptions = {}): Promise<string> {
    return this.db.value('assert_fact', { subject, predicate, object, ...await this.embedding.of(`${subject} ${predicate} ${object}`, options) });
  }

  /** Takes the time between the two out of what is true. Returns how many facts changed. */
  async retract(subject: string, predicate: string, object?: string, options: { validFrom?: t.When; validUntil?: t.When } = {}): Promise<number> {
    return this.db.value('retract_fact', { subject, predicate, object, ...options });
  }

  async correct(id: string, options: { object?: string; validFrom?: t.When; validUntil?: t.When }): Promise<string> {
    return this.db.value('correct_fact', { id, ...options });
  }

  /** It stays rejected: asserting it again is ignored. */
  async reject(subject: string, predicate: string, object: string, reason?: string): Promise<void> {
    await this.db.call('reject_fact', { subject, predicate, object, reason });
  }

  /** True at `validAt`, as believed at `knownAt`: both now, unless they are given. */
  async find(options: { subject?: string; predicate?: string; object?: string } & t.AsOf = {}): Promise<t.Fact[]> {
    return this.db.call('facts', options);
  }

  /** Every version, with both times. */
  async history(subject: string, predicate: string): Promise<t.Fact[]> {
    return this.db.call('fact_history', { subject, predicate });
  }

  async recall(query: string, options: { embedding?: number[] } & t.AsOf = {}): Promise<t.RecalledFact[]> {
    return this.db.call('recall_facts', { query, ...await this.embedding.of(query, options) });
  }

  /** Paths from these entities over facts, shorter ones first. */
  async traverse(seeds: string[], options: { hops?: number } & t.AsOf = {}): Promise<t.Path[]> {
    return this.db.call('traverse', { seeds, ...options });
  }
}

/** The logs of conversations. */
export class Messages {
  constructor(readonly db: Database) {}

  /** Of any framework's shape; they come back equal as jsonb. */
  async add(sessionId: string, messages: object[], options: t.AddMessagesOptions = {}): Promise<{ seq: number; id: string }[]> {
    return this.db.call('add_messages', { sessionId, messages, ...options });
  }

  /** The newest k, oldest first. */
  async list(sessionId: string | null, options: t.MessagesOptions = {}): Promise<t.Message[]> {
    return this.db.call('messages', { sessionId, ...options });
  }

  /** Those that meet every condition, which one at least has to be; they are returned. */
  async drop(sessionId: string, options: { last?: number; after?: number; keys?: string[]; ids?: string[]; path?: string }): Promise<t.Message[]> {
    return this.db.call('drop_messages', { sessionId, ...options });
  }

  /** With everything that the session has. False where there is no such session. */
  async deleteSession(sessionId: string, options: { path?: string } = {}): Promise<boolean> {
    return this.db.value('delete_session', { sessionId, ...options });
  }
}

/** Named texts, pinned in the prompt or kept as files. */
export class Blocks {
  constructor(readonly db: Database) {}

  async get(name: string): Promise<t.Block | undefined> {
    return (await this.db.call<t.Block>('block', { name }))[0];
  }

  async list(options: { prefix?: string; depth?: number; pinned?: boolean; withContent?: boolean } = {}): Promise<t.Block[]> {
    return this.db.call('blocks', options);
  }

  /** Returns the new version. */
  async set(name: string, content: string, options: t.SetBlockOptions = {}): Promise<number> {
    return this.db.value('set_block', { name, content, ...options });
  }

  async append(name: string, content: string, options: { separator?: string } = {}): Promise<number> {
    return this.db.value('append_block', { name, content, ...options });
  }

  /** In the place of `old`, of which there must be one, or after a line. */
  async edit(name: string, text: string, where: { old?: string; line?: number; expectedVersion?: number }): Promise<number> {
    return this.db.value('edit_block', { name, new: text, ...where });
  }

  /** A directory with `recursive`. Returns how many blocks went. */
  async delete(name: string, options: { recursive?: boolean } = {}): Promise<number> {
    return this.db.value('delete_block', { name, ...options });
  }

  async rename(name: string, newName: string): Promise<number> {
    return this.db.value('rename_block', { name, newName });
  }

  async history(name: string, options: { k?: number | null } = {}): Promise<t.BlockVersion[]> {
    return this.db.call('block_history', { name, ...options });
  }

  /** Those that are pinned, as a section of a prompt. */
  async render(): Promise<string> {
    return this.db.value('render_blocks', {});
  }
}

/** JSON under a path and a key. */
export class Items {
  constructor(readonly db: Database, readonly embedding: Embedding) {}

  /** Returns the new version. Where there is an `embed`, the texts are embedded, else the item is found by its words. */
  async put(path: string[], key: string, value: object, options: { ttl?: string; texts?: string[]; embeddings?: number[][]; expectedVersion?: number } = {}): Promise<number> {
    const { embed } = this.embedding;
    const embeddings = options.embeddings ?? (embed && options.texts?.length ? await embed(options.texts) : undefined);
    return this.db.value('put_item', { path, key, value, ...options, embeddings });
  }

  async get<Value = Record<string, unknown>>(path: string[], key: string): Promise<t.Item<Value> | undefined> {
    return (await this.db.call<t.Item<Value>>('item', { path, key }))[0];
  }

  /** Below the prefix, the best first; without a query, the newest. */
  async search<Value = Record<string, unknown>>(prefix: string[], options: t.SearchOptions = {}): Promise<t.FoundItem<Value>[]> {
    return this.db.call('items', { prefix, ...await this.embedding.of(options.query, options) });
  }

  async delete(conditions: { prefix?: string[]; keys?: string[]; filter?: t.Filter; before?: t.When; exact?: boolean }): Promise<number> {
    return this.db.value('delete_items', { ...conditions });
  }

  async paths(options: { prefix?: string[]; suffix?: string[]; depth?: number; k?: number | null; skip?: number } = {}): Promise<{ path: string[]; items: number; updatedAt: Date }[]> {
    return this.db.call('item_paths', options);
  }
}
