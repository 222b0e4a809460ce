// A store of LangGraph over memory's items: a namespace is a path. Whose they are is an argument of every call, so that any
// pool will do. A batch is a transaction, and runs in its order.
import { BaseStore, InvalidNamespaceError, getTextAtPath } from '@langchain/langgraph-checkpoint';

const textsAt = (value, path) => (path === '$' ? [JSON.stringify(value)] : getTextAtPath(value, path));
// A vector of zeros has no direction, and nothing is near it.
const directed = (vector) => (vector?.some((number) => number !== 0) ? JSON.stringify(vector) : null);
const itemOf = ({ path, key, value, created_at, updated_at }) => ({ namespace: path, key, value, createdAt: created_at, updatedAt: updated_at });
const RANKED_BY = { auto: 'both', hybrid: 'both', text: 'words', vector: 'vector' };

// An index has `embeddings`, or `embed` as LangGraph's PostgresStore. Without one a query is ranked by words alone.
export class Store extends BaseStore {
  constructor(pool, userId, { index, ttl } = {}) {
    super();
    Object.assign(this, { pool, userId, index, ttl });
    this.embed = index?.embed ?? (index && ((texts) => index.embeddings.embedDocuments(texts)));
    this.embedQuery = index?.embeddings ? (query) => index.embeddings.embedQuery(query) : async (query) => (await this.embed([query]))[0];
  }

  // As PostgresStore's: a ttl in minutes, which goes where BaseStore has a place for it, and what a query is ranked by.
  async put(namespace, key, value, index, options = {}) {
    await super.put(namespace, key, value, { index, ...options });
  }

  async search(namespacePrefix, { limit = 10, offset = 0, ...options } = {}) {
    return (await this.batch([{ namespacePrefix, limit, offset, ...options }]))[0];
  }

  // What there is to embed is embedded before the transaction begins.
  async batch(operations) {
    const statements = await Promise.all(operations.map((operation) => this.statement(operation)));
    const client = await this.pool.connect();
    try {
      const results = [], read = [];
      await client.query('BEGIN');
      for (const [name, named, answer] of statements) {
        const rows = await this.call(client, name, named);
        results.push(answer(rows));
        if (this.ttl?.refreshOnRead) read.push(...rows.filter(({ expires_at }) => expires_at).map(({ path, key }) => [path, key]));
      }
      // In one order, so that two batches wait for each other and never each for the other.
      for (const [path, key] of read.sort()) await this.call(client, 'touch_items', { prefix: path, keys: [key] });
      await client.query('COMMIT');
      return results;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }

  async call(client, name, named) {
    const all = { ...named, user_id: this.userId };
    const list = Object.keys(all).map((one, i) => `${one} => $${i + 1}`);
    return (await client.query(`SELECT * FROM memory.${name}(${list})`, Object.values(all))).rows;
  }

  // A function, its arguments, and what its rows mean.
  async statement(operation) {
    const { namespace, key, value, namespacePrefix, matchConditions, maxDepth, limit, offset } = operation;
    if (namespace?.length === 0) throw new InvalidNamespaceError('Namespace cannot be empty.');
    if (namespacePrefix) return ['items', await this.ranking(operation), (rows) => rows.map((row) => ({ ...itemOf(row), score: operation.query ? row.relevance : undefined }))];
    if (value) return ['put_item', await this.item(operation), () => undefined];
    if (value === null) return ['delete_items', { prefix: namespace, keys: [key], exact: true }, () => undefined];
    if (namespace) return ['item', { path: namespace, key }, (rows) => rows.map(itemOf)[0] ?? null];
    const ends = Object.fromEntries((matchConditions ?? []).map((one) => [one.matchType, one.path]));
    if (Object.keys(ends).length < (matchConditions ?? []).length) throw new Error('One prefix and one suffix at most');
    return ['item_paths', { ...ends, depth: maxDepth, k: limit, skip: offset }, (rows) => rows.map(({ path }) => path)];
  }

  // What an item is found by: the texts of its fields, or all strings in it, and the vectors of the texts.
  async item({ namespace, key, value, index }) {
    const { index: given, ttl = this.ttl?.defaultTtl } = Array.isArray(index) || !index ? { index } : index;
    const paths = given ?? this.index?.fields ?? (this.index && ['$']);
    const texts = paths === false ? [] : paths?.flatMap((path) => textsAt(value, path));
    const vectors = this.embed && texts?.length ? await this.embed(texts) : [];
    return {
      path: namespace, key, value: JSON.stringify(value), ttl: ttl && `${ttl} minutes`, texts,
      embeddings: vectors.map(directed).filter(Boolean),
    };
  }

  async ranking({ namespacePrefix, filter, limit, offset, query, mode = 'auto', vectorWeight, similarityThreshold }) {
    if (!(mode in RANKED_BY)) throw new Error(`Unknown search mode: ${mode}`);
    if (!this.embed && mode === 'vector') throw new Error('Vector search requested but not configured');
    if (!this.embed && mode === 'hybrid') throw new Error('Hybrid search requested but vector search not configured');
    const embedding = query && this.embed && RANKED_BY[mode] !== 'words' ? directed(await this.embedQuery(query)) : null;
    return {
      prefix: namespacePrefix, query: embedding && RANKED_BY[mode] === 'vector' ? null : query, embedding,
      filter: filter && JSON.stringify(filter), k: limit, skip: offset, alpha: vectorWeight, min_relevance: similarityThreshold ?? 0,
    };
  }
}
