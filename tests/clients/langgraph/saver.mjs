// A checkpointer of LangGraph over memory's checkpoints: a thread is a session, a checkpoint_ns is a path, a channel is a part.
// Whose they are is the setting memory.user_id of the connection.
import { BaseCheckpointSaver, TASKS, WRITES_IDX_MAP, maxChannelVersion } from '@langchain/langgraph-checkpoint';

const zip = (rows) => (rows?.[0] ?? []).map((_, i) => rows.map((row) => row[i]));
const noNul = (key, value) => (typeof value === 'string' ? value.replaceAll('\0', '') : value);

export class Saver extends BaseCheckpointSaver {
  constructor(pool, serde) {
    super(serde);
    this.pool = pool;
  }

  // Numbers would meet again where two forks go on from one checkpoint.
  getNextVersion(current) {
    return `${String(parseInt(current ?? 0, 10) + 1).padStart(32, '0')}.${Math.random()}`;
  }

  async call(name, named) {
    const list = Object.keys(named).map((one, i) => `${one} => $${i + 1}`);
    return (await this.pool.query(`SELECT * FROM memory.${name}(${list})`, Object.values(named))).rows;
  }

  async tuple({ session_id, path, id, parent, state, metadata, ...row }) {
    const config = (checkpoint_id) => ({ configurable: { thread_id: session_id, checkpoint_ns: path, checkpoint_id } });
    const load = (type, data) => this.serde.loadsTyped(type, data);
    const checkpoint = { ...state, channel_values: {} };
    for (const [name, type, data] of zip([row.part_names, row.part_types, row.part_data])) {
      if (data !== null) checkpoint.channel_values[name] = await load(type, data);
    }
    if (state.v < 4 && parent) { // Before version 4 of LangGraph's format the sends were the parent's.
      const sends = (await this.call('writes', { session_id, checkpoint: parent, path })).filter(({ name }) => name === TASKS);
      if (sends.length) {
        const versions = Object.values(state.channel_versions);
        checkpoint.channel_values[TASKS] = await Promise.all(sends.map(({ type, data }) => load(type, data)));
        checkpoint.channel_versions[TASKS] = versions.length ? maxChannelVersion(...versions) : this.getNextVersion();
      }
    }
    const writes = zip([row.write_tasks, row.write_names, row.write_types, row.write_data]);
    return {
      config: config(id), checkpoint, metadata, parentConfig: parent ? config(parent) : undefined,
      pendingWrites: await Promise.all(writes.map(async ([task, name, type, data]) => [task, name, await load(type, data)])),
    };
  }

  async getTuple({ configurable: { thread_id, checkpoint_ns, checkpoint_id } = {} }) {
    if (!thread_id) return undefined;
    const [row] = await this.call('checkpoint', { session_id: thread_id, id: checkpoint_id, path: checkpoint_ns ?? '' });
    return row && this.tuple(row);
  }

  // Over all threads `before` is a time, which LangGraph's ids begin with: they are compared here.
  async *list({ configurable: { thread_id, checkpoint_ns, checkpoint_id } = {} }, { limit, before, filter } = {}) {
    const cursor = before?.configurable?.checkpoint_id;
    const here = (id) => (!checkpoint_id || id === checkpoint_id) && (thread_id || !cursor || id < cursor);
    const rows = await this.call('checkpoints', {
      session_id: thread_id, path: checkpoint_ns, before: thread_id && cursor, filter, full_rows: true,
      k: (thread_id || !cursor) && !checkpoint_id ? limit : null,
    });
    for (const row of rows.filter(({ id }) => here(id)).slice(0, limit)) yield this.tuple(row);
  }

  async put({ configurable: { thread_id, checkpoint_ns = '', checkpoint_id } }, { channel_values, ...state }, metadata, newVersions) {
    const names = Object.keys(newVersions);
    const parts = await Promise.all(names.map((name) =>
      (name in channel_values ? this.serde.dumpsTyped(channel_values[name]) : ['empty', null])));
    await this.call('put_checkpoint', {
      session_id: thread_id, state: JSON.stringify(state), id: state.id, parent: checkpoint_id, path: checkpoint_ns,
      metadata: JSON.stringify(metadata, noNul), refs: JSON.stringify(state.channel_versions, (key, one) => (typeof one === "object" ? one : String(one))),
      part_names: names, part_types: parts.map(([type]) => type), part_data: parts.map(([, data]) => data && Buffer.from(data)),
    });
    return { configurable: { thread_id, checkpoint_ns, checkpoint_id: state.id } };
  }

  async putWrites({ configurable: { thread_id, checkpoint_ns = '', checkpoint_id } }, writes, task) {
    const dumped = await Promise.all(writes.map(([, value]) => this.serde.dumpsTyped(value)));
    await this.call('put_writes', {
      session_id: thread_id, checkpoint: checkpoint_id, task, path: checkpoint_ns,
      idx: writes.map(([name], i) => WRITES_IDX_MAP[name] ?? i), names: writes.map(([name]) => name),
      types: dumped.map(([type]) => type), data: dumped.map(([, data]) => Buffer.from(data)),
      replace: writes.every(([name]) => name in WRITES_IDX_MAP),
    });
  }

  async deleteThread(thread_id) {
    await this.call('delete_session', { session_id: thread_id });
  }
}
