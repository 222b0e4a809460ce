// The knowledge graph of the reference memory server, over items: an entity and a relation is an item each. Its operations read and write in
// one transaction each, and start over where another writer was first.
import { createHash } from 'node:crypto';
import { Database, type Scope, type Target } from '../database.js';
import type { Filter, FoundItem } from '../types.js';

export interface Entity { name: string; entityType: string; observations: string[] }
export interface Relation { from: string; to: string; relationType: string }
export interface KnowledgeGraph { entities: Entity[]; relations: Relation[] }
type Kept<Value> = FoundItem<Value & { place: number }>;

const ENTITIES = ['knowledge graph', 'entities'];
const RELATIONS = ['knowledge graph', 'relations'];
const AGAIN = new Set(['23505', '40001', '40P01']); // made, changed, or waited for by another
const MOST_TRIES = 50;

// Names may be longer than keys.
const keyOf = (...names: string[]) => createHash('sha256').update(JSON.stringify(names)).digest('hex');
const relationKey = ({ from, to, relationType }: Relation) => keyOf(from, to, relationType);
const quoted = (text: string) => JSON.stringify(text);

// In the order in which they were made.
const inOrder = <Value>(rows: Kept<Value>[]) => rows.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime() || one.value.place - other.value.place);
const entityOf = ({ value: { name, entityType, observations } }: Kept<Entity>): Entity => ({ name, entityType, observations });
const relationOf = ({ value: { from, to, relationType } }: Kept<Relation>): Relation => ({ from, to, relationType });

export class KnowledgeGraphManager {
  readonly db: Database;

  constructor(target: Target | Database, scope?: Scope) {
    this.db = target instanceof Database ? target : new Database(target, scope as Scope);
  }

  async createEntities(entities: Entity[]): Promise<Entity[]> {
    return this.#create(ENTITIES, entities, ({ name }) => keyOf(name));
  }

  async createRelations(relations: Relation[]): Promise<Relation[]> {
    return this.#create(RELATIONS, relations, relationKey);
  }

  async addObservations(additions: { entityName: string; contents: string[] }[]): Promise<{ entityName: string; addedObservations: string[] }[]> {
    return this.#transaction(async (db) => {
      const results = [];
      for (const { entityName, contents } of additions) {
        const entity = await this.#entity(db, entityName);
        if (!entity) throw new Error(`Entity with name ${entityName} not found`);
        const addedObservations = contents.filter((one) => !entity.value.observations.includes(one));
        await this.#observe(db, entity, [...entity.value.observations, ...addedObservations]);
        results.push({ entityName, addedObservations });
      }
      return results;
    });
  }

  async deleteEntities(names: string[]): Promise<void> {
    await this.#transaction(async (db) => {
      await db.call('delete_items', { prefix: ENTITIES, keys: names.map((name) => keyOf(name)), exact: true });
      await db.call('delete_items', { prefix: RELATIONS, filter: touching(names), exact: true });
    });
  }

  async deleteObservations(deletions: { entityName: string; observations: string[] }[]): Promise<void> {
    await this.#transaction(async (db) => {
      for (const { entityName, observations } of deletions) {
        const entity = await this.#entity(db, entityName);
        if (entity) await this.#observe(db, entity, entity.value.observations.filter((one) => !observations.includes(one)));
      }
    });
  }

  async deleteRelations(relations: Relation[]): Promise<void> {
    await this.db.call('delete_items', { prefix: RELATIONS, keys: relations.map(relationKey), exact: true });
  }

  async readGraph(): Promise<KnowledgeGraph> {
    return { entities: await this.#entities({}), relations: await this.#relations({}) };
  }

  /** Those that have the text in their name, type or observations, in whatever case. */
  async searchNodes(query: string): Promise<KnowledgeGraph> {
    if (!query) return this.readGraph();
    const like = (place: string) => `${place} like_regex ${quoted(query)} flag "iq"`;
    return this.#around(await this.#entities({ $path: `${like('$.name')} || ${like('$.entityType')} || ${like('$.observations[*]')}` }));
  }

  async openNodes(names: string[]): Promise<KnowledgeGraph> {
    return this.#around(await this.#entities({ name: { $in: names } }));
  }

  // With the relations that have one end or both among them.
  async #around(entities: Entity[]): Promise<KnowledgeGraph> {
    return { entities, relations: await this.#relations(touching(entities.map(({ name }) => name))) };
  }

  async #entities(filter: Filter): Promise<Entity[]> {
    return inOrder(await this.db.call<Kept<Entity>>('items', { prefix: ENTITIES, filter, k: null })).map(entityOf);
  }

  async #relations(filter: Filter): Promise<Relation[]> {
    return inOrder(await this.db.call<Kept<Relation>>('items', { prefix: RELATIONS, filter, k: null })).map(relationOf);
  }

  async #entity(db: Database, name: string): Promise<Kept<Entity> | undefined> {
    return (await db.call<Kept<Entity>>('item', { path: ENTITIES, key: keyOf(name) }))[0];
  }

  async #observe(db: Database, { path, key, value, version }: Kept<Entity>, observations: string[]): Promise<void> {
    await db.call('put_item', { path, key, value: { ...value, observations }, expectedVersion: version });
  }

  // Those that were not there. Written in the order of their keys, so that two writers wait for each other and never each for the other.
  async #create<Value extends object>(path: string[], values: Value[], keyed: (value: Value) => string): Promise<Value[]> {
    const keys = values.map(keyed);
    return this.#transaction(async (db) => {
      const rows = keys.length ? await db.call<FoundItem>('items', { prefix: path, keys, k: null }) : [];
      const known = new Set(rows.map(({ key }) => key));
      const added = new Map(values.map((value, place) => [keys[place] ?? '', { value, place }] as const).filter(([key]) => !known.has(key)));
      for (const [key, { value, place }] of [...added].sort(([one], [other]) => (one < other ? -1 : 1))) {
        await db.call('put_item', { path, key, value: { ...value, place }, expectedVersion: 0 });
      }
      return values.filter((_, place) => !known.has(keys[place] ?? ''));
    });
  }

  async #transaction<Result>(body: (db: Database) => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.db.transaction(body);
      } catch (error) {
        if (tries === MOST_TRIES || !AGAIN.has((error as { code?: string }).code ?? '')) throw error;
        await new Promise((resume) => setTimeout(resume, Math.random() * 10 * tries));
      }
    }
  }
}

const touching = (names: string[]): Filter => ({ $or: [{ from: { $in: names } }, { to: { $in: names } }] });
