// A store of LangGraph over memory's items: a namespace is a path. A batch is a transaction, and runs in its order.
import { BaseStore, InvalidNamespaceError, getTextAtPath, type IndexConfig, type Item, type Operation, type OperationResults, type SearchItem } from '@langchain/langgraph-checkpoint';
import { decode, encode, textsBesideBytes } from '../bytes.js';
import { Database, type Scope, type Target } from '../database.js';
import type * as t from '../types.js';

const RANKED_BY = { auto: 'both', hybrid: 'both', text: 'words', vector: 'vector' } as const;

/** What PostgresStore of LangGraph takes besides, and BaseStore has no place for. */
export interface PutOptions { ttl?: number | null; index?: false | string[] | undefined }
export interface SearchOptions {
  filter?: Record<string, unknown>;
  limit?: number;
  offset?: number;
  query?: string;
  mode?: keyof typeof RANKED_BY;
  vectorWeight?: number;
  similarityThreshold?: number;
}
export interface StoreOptions extends Scope {
  /** Without one a query is ranked by words alone. */
  index?: { dims?: number; fields?: string[] } & (Pick<IndexConfig, 'embeddings'> | { embed: t.Embed; embeddings?: undefined });
  /** In minutes. */
  ttl?: { defaultTtl?: number; refreshOnRead?: boolean };
}

type Statement = [name: string, named: object, answer: (rows: t.FoundItem[]) => unknown];
type Any = Partial<{
  namespace: string[]; key: string; value: object | null; index: PutOptions | false | string[]; namespacePrefix: string[]; maxDepth: number;
  matchConditions: { matchType: string; path: string[] }[];
}> & SearchOptions;

const textsAt = (value: object, path: string) => (path === '$' ? [JSON.stringify(value)] : getTextAtPath(value, path));
const itemOf = ({ path, key, value, createdAt, updatedAt }: t.Item): Item => ({ namespace: path, key, value: decode(value) as Item['value'], createdAt, updatedAt });

export class Store extends BaseStore {
  readonly db: Database;
  readonly #embed: t.Embed | undefined;
  readonly #embedQuery: (query: string) => Promise<number[] | undefined>;

  constructor(target: Target, readonly options: StoreOptions) {
    super();
    this.db = new Database(target, { user: options.user, namespace: options.namespace });
    const { index } = options;
    const embeddings = index?.embeddings;
    const embed = embeddings ? (texts: string[]) => embeddings.embedDocuments(texts) : index && 'embed' in index ? index.embed : undefined;
    this.#embed = embed;
    this.#embedQuery = embeddings ? (query) => embeddings.embedQuery(query) : async (query) => (await embed?.([query]))?.[0];
  }

  // A ttl goes where BaseStore has a place for it.
  override async put(namespace: string[], key: string, value: Record<string, unknown>, index?: false | string[], options: PutOptions = {}): Promise<void> {
    await super.put(namespace, key, value, { index, ...options } as unknown as string[]);
  }

  override async search(namespacePrefix: string[], { limit = 10, offset = 0, ...options }: SearchOptions = {}): Promise<SearchItem[]> {
    const [found = []] = await this.batch([{ namespacePrefix, limit, offset, ...options }]);
    return found;
  }

  // What there is to embed is embedded before the transaction begins.
  async batch<Operations extends Operation[]>(operations: Operations): Promise<OperationResults<Operations>> {
    const statements = await Promise.all(operations.map((operation) => this.#statement(operation)));
    return this.db.transaction(async (db) => {
      const results = [], read: { prefix: string[]; key: string }[] = [];
      for (const [name, named, answer] of statements) {
        const rows = await db.call<t.FoundItem>(name, named);
        results.push(answer(rows));
        if (this.options.ttl?.refreshOnRead) read.push(...rows.filter((row) => row.expiresAt).map(({ path, key }) => ({ prefix: path, key })));
      }
      // In one order, so that two batches wait for each other and never each for the other.
      const inOrder = new Map(read.map((one) => [JSON.stringify([one.prefix, one.key]), one]));
      for (const place of [...inOrder.keys()].sort()) {
        const { prefix, key } = inOrder.get(place) ?? { prefix: [], key: '' };
        await db.call('touch_items', { prefix, keys: [key] });
      }
      return results as OperationResults<Operations>;
    });
  }

  // A function, its arguments, and what its rows mean.
  async #statement(operation: Any): Promise<Statement> {
    const { namespace, key, value, namespacePrefix, matchConditions = [], maxDepth, limit, offset, query } = operation;
    if (namespace?.length === 0) throw new InvalidNamespaceError('Namespace cannot be empty.');
    if (namespacePrefix) {
      return ['items', await this.#ranking(operation), (rows) => rows.map((row) => ({ ...itemOf(row), score: query ? row.relevance ?? undefined : undefined }))];
    }
    if (value) return ['put_item', await this.#item(operation, value), () => undefined];
    if (value === null) return ['delete_items', { prefix: namespace, keys: [key], exact: true }, () => undefined];
    if (namespace) return ['item', { path: namespace, key }, (rows) => rows.map(itemOf)[0] ?? null];
    const ends = Object.fromEntries(matchConditions.map((one) => [one.matchType, one.path]));
    if (Object.keys(ends).length < matchConditions.length) throw new Error('One prefix and one suffix at most');
    return ['item_paths', { ...ends, depth: maxDepth, k: limit, skip: offset }, (rows) => rows.map(({ path }) => path)];
  }

  // What an item is found by: the texts of its fields, or all strings in it, and the vectors of the texts.
  async #item({ namespace: path, key, index: given }: Any, value: object): Promise<object> {
    const { index, ttl = this.options.ttl?.defaultTtl } = Array.isArray(given) || !given ? { index: given } : given;
    const paths = index ?? this.options.index?.fields ?? (this.options.index && ['$']);
    const texts = paths === false ? [] : paths?.flatMap((one) => textsAt(value, one)) ?? textsBesideBytes(value);
    const embeddings = this.#embed && texts?.length ? await this.#embed(texts) : [];
    return { path, key, value: encode(value), ttl: ttl ? `${ttl} minutes` : undefined, texts, embeddings };
  }

  async #ranking({ namespacePrefix: prefix, filter, limit: k, offset: skip, query, mode = 'auto', vectorWeight: alpha, similarityThreshold }: Any): Promise<object> {
    if (!(mode in RANKED_BY)) throw new Error(`Unknown search mode: ${mode}`);
    if (!this.#embed && mode === 'vector') throw new Error('Vector search requested but not configured');
    if (!this.#embed && mode === 'hybrid') throw new Error('Hybrid search requested but vector search not configured');
    const embedding = query && this.#embed && mode !== 'text' ? await this.#embedQuery(query) : undefined;
    const byVector = mode === 'vector' && embedding?.some((number) => number !== 0);
    return { prefix, query: byVector ? undefined : query, embedding, filter, k, skip, alpha, minRelevance: similarityThreshold };
  }

  async end(): Promise<void> {
    await this.db.end();
  }
}
