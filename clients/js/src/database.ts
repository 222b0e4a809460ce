// The one place through which calls go: arguments by name in, rows out. The user, and the namespace where it is given, are
// in the statement itself, so that connections of any pool and of any pooler will do.
import pg from 'pg';
import { fromServer, Moment } from './moment.js';

export type Target = pg.Pool | pg.ClientBase | string;
export interface Scope {
  /** Whose memories they are. `null` is the anonymous bucket, and has to be said. */
  user: string | null;
  /** Then every statement carries its scope, which is also what `protect()` asks for. Left out: that of the connection. */
  namespace?: string | undefined;
}
/** Arguments by name, in camel case or as they are called. What is undefined is left out; null is NULL. */
export type Named = object;

/** JSON from a stranger, which may hold what jsonb cannot (`\u0000`, half of a surrogate pair): that is left out. */
export class Strange {
  constructor(readonly value: unknown) {}
}

const JSONB = new Set(['metadata', 'filter', 'value', 'state', 'refs', 'messages', 'facts', 'episodes', 'items', 'transcript', 'traits', 'requirements']);
const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camel = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** As SQL calls them, for JSON whose keys are arguments. */
export function snakeKeys(named: Named): Record<string, unknown> {
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined).map(([key, value]) => [snake(key), value as unknown]));
}

const types = { getTypeParser: fromServer };

/** As pgvector reads it. A vector of zeros has no direction, and nothing is near it. */
export function vector(numbers: readonly number[] | null | undefined): string | null {
  return numbers?.some((number) => number !== 0) ? JSON.stringify(numbers) : null;
}

// As the driver takes it. An array is one of PostgreSQL, except where the argument is jsonb or a vector.
function bound(name: string, value: unknown): unknown {
  if (value === null) return null;
  if (JSONB.has(name)) return JSON.stringify(value);
  if (name === 'embedding' && Array.isArray(value)) return vector(value as number[]);
  if (name === 'embeddings') return (value as number[][]).map(vector).filter((one) => one !== null);
  if (value instanceof Date) return value instanceof Moment ? value.text : value.toISOString();
  return value;
}

interface Statement {
  text: string;
  values: unknown[];
}

/** `function(name => $1, …, user_id => $n)`, or the same behind a set_scope that ends with the statement. */
export function statement(name: string, named: Named, { user, namespace }: Scope): Statement {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const written = Object.entries(snakeKeys(named)).map(([argument, value]) => {
    if (!/^[a-z][a-z0-9_]*$/.test(argument)) throw new TypeError(`no argument is called ${argument}`);
    if (value instanceof Strange) return `${argument} => memory.clean_json(${bind(JSON.stringify(value.value))})`;
    return `${argument} => ${bind(bound(argument, value))}`;
  });
  const call = (whose: string) => `memory.${name}(${[...written, `user_id => ${whose}`].join(', ')}) r`;
  if (namespace === undefined) return { text: `SELECT r.* FROM ${call(bind(user))}`, values };
  const scope = `memory.set_scope(user_id => ${bind(user)}, namespace => ${bind(namespace)}, is_local => true) s`;
  return { text: `SELECT r.* FROM ${scope}, LATERAL ${call('s.user_id')}`, values };
}

function isPool(target: pg.Pool | pg.ClientBase): target is pg.Pool {
  return 'totalCount' in target;
}

// A connection that is lost while it idles is replaced by the pool, and is no reason for the process to end.
function poolOf(connectionString: string): pg.Pool {
  return new pg.Pool({ connectionString }).on('error', () => undefined);
}

export class Database {
  readonly #db: pg.Pool | pg.ClientBase;
  readonly #own: boolean;

  constructor(target: Target, readonly scope: Scope) {
    // A caller without types may leave it out, and must not fall into the anonymous bucket.
    if (typeof (scope as Partial<Scope>).user !== 'string' && scope.user !== null) {
      throw new TypeError('user: a string is needed, or null for the anonymous bucket');
    }
    this.#own = typeof target === 'string';
    this.#db = typeof target === 'string' ? poolOf(target) : target;
  }

  /** The same connections, for another user or namespace. */
  scoped(scope: Partial<Scope>): Database {
    return new Database(this.#db, { ...this.scope, ...scope });
  }

  /** Columns have the names of docs/reference.md, in camel case. A function of one value is called `r`. */
  async call<Row = { r: unknown }>(name: string, named: Named): Promise<Row[]> {
    const { rows } = await this.#db.query<Record<string, unknown>>({ ...statement(name, named, this.scope), types });
    return rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [camel(key), value])) as Row);
  }

  /** The one value of a function that returns one. */
  async value<Value>(name: string, named: Named): Promise<Value> {
    const [row] = await this.call<{ r: Value }>(name, named);
    return (row as { r: Value }).r;
  }

  /** Statements of one transaction, on one connection of the pool. */
  async transaction<Result>(body: (db: Database) => Promise<Result>): Promise<Result> {
    if (!isPool(this.#db)) throw new TypeError('a transaction needs a pool: a single client may be in one already');
    const client = await this.#db.connect();
    let broken: Error | undefined;
    try {
      await client.query('BEGIN');
      const result = await body(new Database(client, this.scope));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK').catch((lost: unknown) => { broken = lost as Error; });
      throw error;
    } finally {
      client.release(broken);
    }
  }

  /** Ends the pool that a connection string has made; one that was passed in is its owner's. */
  async end(): Promise<void> {
    if (this.#own && isPool(this.#db)) await this.#db.end();
  }
}
