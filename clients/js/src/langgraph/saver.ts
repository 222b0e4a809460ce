// A checkpointer of LangGraph over memory's checkpoints: a thread is a session, a checkpoint_ns is a path, a channel is a part.
import type { RunnableConfig } from '@langchain/core/runnables';
import {
  BaseCheckpointSaver, TASKS, WRITES_IDX_MAP, maxChannelVersion,
  type ChannelVersions, type Checkpoint, type CheckpointListOptions, type CheckpointMetadata, type CheckpointTuple, type PendingWrite, type SerializerProtocol,
} from '@langchain/langgraph-checkpoint';
import { Database, type Scope, type Target } from '../database.js';

interface Row {
  sessionId: string;
  path: string;
  id: string;
  parent: string | null;
  state: Checkpoint;
  metadata: CheckpointMetadata;
  partNames: string[];
  partTypes: string[];
  partData: (Uint8Array | null)[];
  writeTasks: string[];
  writeNames: string[];
  writeTypes: string[];
  writeData: Uint8Array[];
}

interface Where {
  thread_id?: string;
  checkpoint_ns?: string;
  checkpoint_id?: string;
}

const noNul = (_: string, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '') : value);
const where = (config: RunnableConfig) => (config.configurable ?? {}) as Where;
const configOf = (thread_id: string, checkpoint_ns: string, checkpoint_id: string) => ({ configurable: { thread_id, checkpoint_ns, checkpoint_id } });

export class Saver extends BaseCheckpointSaver<string> {
  readonly db: Database;

  constructor(target: Target, { serde, ...scope }: Scope & { serde?: SerializerProtocol }) {
    super(serde);
    this.db = new Database(target, scope);
  }

  // Numbers would meet again where two forks go on from one checkpoint.
  override getNextVersion(current?: string): string {
    return `${String(parseInt(current ?? '0', 10) + 1).padStart(32, '0')}.${Math.random()}`;
  }

  async #tuple({ sessionId, path, id, parent, state, metadata, ...row }: Row): Promise<CheckpointTuple> {
    const load = async (type: string | undefined, data: Uint8Array): Promise<unknown> => this.serde.loadsTyped(type ?? '', data);
    const values: Record<string, unknown> = {};
    for (const [i, name] of row.partNames.entries()) {
      const data = row.partData[i];
      if (data) values[name] = await load(row.partTypes[i], data);
    }
    const checkpoint = { ...state, channel_values: values };
    if (state.v < 4 && parent) { // Before version 4 of LangGraph's format the sends were the parent's.
      const writes = await this.db.call<{ name: string; type: string; data: Uint8Array }>('writes', { sessionId, checkpoint: parent, path });
      const sends = writes.filter(({ name }) => name === TASKS);
      if (sends.length) {
        const versions = Object.values(state.channel_versions);
        values[TASKS] = await Promise.all(sends.map(({ type, data }) => load(type, data)));
        checkpoint.channel_versions[TASKS] = versions.length ? maxChannelVersion(...versions) : this.getNextVersion();
      }
    }
    return {
      config: configOf(sessionId, path, id), checkpoint, metadata, parentConfig: parent ? configOf(sessionId, path, parent) : undefined,
      pendingWrites: await Promise.all(row.writeData.map(async (data, i) =>
        [row.writeTasks[i] ?? '', row.writeNames[i] ?? '', await load(row.writeTypes[i], data)] as [string, string, unknown])),
    };
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread_id: sessionId, checkpoint_ns: path = '', checkpoint_id: id } = where(config);
    if (!sessionId) return undefined;
    const [row] = await this.db.call<Row>('checkpoint', { sessionId, id, path });
    return row && this.#tuple(row);
  }

  // Over all threads `before` is a time, which LangGraph's ids begin with: they are compared here.
  async *list(config: RunnableConfig, { limit, before, filter }: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id } = where(config);
    const cursor = before && where(before).checkpoint_id;
    const here = (id: string) => (!checkpoint_id || id === checkpoint_id) && (thread_id ?? (!cursor || id < cursor));
    const rows = await this.db.call<Row>('checkpoints', {
      sessionId: thread_id, path: checkpoint_ns, before: thread_id && cursor, filter, fullRows: true,
      k: (thread_id ?? !cursor) && !checkpoint_id && limit !== undefined ? limit : null,
    });
    for (const row of rows.filter(({ id }) => here(id)).slice(0, limit)) yield this.#tuple(row);
  }

  async put(config: RunnableConfig, { channel_values, ...state }: Checkpoint, metadata: CheckpointMetadata, newVersions: ChannelVersions): Promise<RunnableConfig> {
    const { thread_id: sessionId = '', checkpoint_ns: path = '', checkpoint_id: parent } = where(config);
    const names = Object.keys(newVersions);
    const parts = await Promise.all(names.map(async (name): Promise<[string, Uint8Array | null]> =>
      (name in channel_values ? this.serde.dumpsTyped(channel_values[name]) : ['empty', null])));
    const refs = Object.entries(state.channel_versions).map(([name, version]) => [name, String(version)]);
    await this.db.call('put_checkpoint', {
      sessionId, state, id: state.id, parent, path, metadata: JSON.parse(JSON.stringify(metadata, noNul)) as object, refs: Object.fromEntries(refs) as object,
      partNames: names, partTypes: parts.map(([type]) => type), partData: parts.map(([, data]) => data && Buffer.from(data)),
    });
    return configOf(sessionId, path, state.id);
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], task: string): Promise<void> {
    const { thread_id: sessionId, checkpoint_ns: path = '', checkpoint_id: checkpoint } = where(config);
    const dumped = await Promise.all(writes.map(([, value]) => this.serde.dumpsTyped(value)));
    await this.db.call('put_writes', {
      sessionId, checkpoint, task, path, idx: writes.map(([name], i) => WRITES_IDX_MAP[name] ?? i), names: writes.map(([name]) => name),
      types: dumped.map(([type]) => type), data: dumped.map(([, data]) => Buffer.from(data)),
      replace: writes.every(([name]) => name in WRITES_IDX_MAP),
    });
  }

  async deleteThread(sessionId: string): Promise<void> {
    await this.db.call('delete_session', { sessionId });
  }

  async end(): Promise<void> {
    await this.db.end();
  }
}
