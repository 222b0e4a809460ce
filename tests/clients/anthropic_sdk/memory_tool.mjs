// Anthropic's memory tool over memory's blocks: a file under /memories is a block of that name. Whose they are is an argument
// of every call, so that any pool will do; a command is a transaction. What it answers is worded as the SDK's own.
// It is given to the SDK as betaMemoryTool(new MemoryTool(pool, userId)).
const ROOT = '/memories';
const MOST_LINES = 999999;

const segmentsBelow = (name, directory) => name.slice(directory.length + 1).split('/');
const bySegments = (one, other) => {
  const at = one.segments.findIndex((segment, i) => segment !== other.segments[i]);
  return at < 0 ? -1 : one.segments[at] < (other.segments[at] ?? '') ? -1 : 1;
};
const missing = (path) => new Error(`The path ${path} does not exist. Please provide a valid path.`);

function checked(path) {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with ${ROOT}, got: ${path}`);
  if (path.split('/').includes('..') || !['', '/'].includes(path.slice(ROOT.length, ROOT.length + 1))) {
    throw new Error(`Path ${path} would escape ${ROOT} directory`);
  }
  return path.replace(/\/+$/, '');
}

// A line feed belongs to the line that it ends.
const linesIn = (content) => (content ? content.replace(/\n$/, '').split('\n').length : 0);

function numbered(lines, first, last) {
  return lines.slice(first - 1, last).map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n');
}

// Of characters, which blocks count.
function size(chars) {
  const power = Math.min(Math.floor(Math.log2(Math.max(chars, 1)) / 10), 3);
  return (chars / 1024 ** power).toFixed(1).replace(/\.0$/, '') + 'BKMG'[power];
}

export class MemoryTool {
  constructor(pool, userId) {
    Object.assign(this, { pool, userId });
  }

  async view({ path, view_range: [first, last] = [1, -1] }) {
    const name = checked(path);
    return this.transaction(async (call) => {
      const [block] = await call('block', { name });
      if (!block) return this.list(call, path, name);
      const lines = block.content.split('\n');
      if (lines.length > MOST_LINES) {
        throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${MOST_LINES.toLocaleString('en')} lines.`);
      }
      return `Here's the content of ${path} with line numbers:\n${numbered(lines, Math.max(1, first), last === -1 ? undefined : last)}`;
    });
  }

  // What lies deeper is rolled up: of depth 1 come the directories of the first level, of depth 2 those of the second.
  async list(call, path, name) {
    const rows = new Map();
    for (const depth of [1, 2]) {
      for (const row of await call('blocks', { prefix: name, depth, with_content: false })) {
        rows.set(row.name, { ...row, segments: segmentsBelow(row.name, name) });
      }
    }
    if (!rows.size && name !== ROOT) throw missing(path);
    const below = [...rows.values()].sort(bySegments);
    const total = below.filter(({ segments }) => segments.length === 1).reduce((sum, { chars }) => sum + Number(chars), 0);
    const shown = below.filter(({ segments }) => !segments.some((one) => one.startsWith('.') || one === 'node_modules'));
    const lines = shown.map(({ chars, segments, version }) => `${size(Number(chars))}\t${[path.replace(/\/+$/, ''), ...segments].join('/')}${version === null ? '/' : ''}`);
    return [`Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`, `${size(total)}\t${path}`, ...lines].join('\n');
  }

  async create({ path, file_text }) {
    const name = checked(path);
    await this.transaction((call) => call('set_block', { name, content: file_text, expected_version: 0 }), { 23505: `File ${path} already exists` });
    return `File created successfully at: ${path}`;
  }

  // Which line has changed is told by what the history has before the edit.
  async str_replace({ path, old_str, new_str }) {
    const name = checked(path);
    const versions = await this.transaction(async (call) => {
      await this.content(call, path);
      await call('edit_block', { name, new: new_str, old: old_str });
      return call('block_history', { name, k: 2 });
    }, {
      22023: ({ detail }) => {
        const lines = /lines: (.*)\./.exec(detail ?? '');
        return lines
          ? `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines[1]}. Please ensure it is unique`
          : `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`;
      },
    });
    const before = versions.at(old_str === new_str ? 0 : -1).content;
    const line = before.slice(0, before.indexOf(old_str)).split('\n').length;
    const snippet = numbered(versions[0].content.split('\n'), Math.max(1, line - 2), line + 2);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
  }

  async insert({ path, insert_line, insert_text }) {
    const name = checked(path);
    await this.transaction(async (call) => {
      const lines = linesIn(await this.content(call, path));
      await call('edit_block', { name, new: insert_text.replace(/\n$/, ''), line: insert_line }, {
        22023: `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines}]`,
      });
    });
    return `The file ${path} has been edited.`;
  }

  async delete({ path }) {
    const name = checked(path);
    if (name === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`);
    const [{ delete_block: count }] = await this.transaction((call) => call('delete_block', { name, recursive: true }));
    if (Number(count) === 0) throw new Error(`The path ${path} does not exist`);
    return `Successfully deleted ${path}`;
  }

  async rename({ old_path, new_path }) {
    const [name, new_name] = [checked(old_path), checked(new_path)];
    await this.transaction(async (call) => {
      if (!(await call('blocks', { prefix: name, with_content: false })).length) throw new Error(`The path ${old_path} does not exist`);
      await call('rename_block', { name, new_name });
    }, { 23505: `The destination ${new_path} already exists` });
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  async content(call, path) {
    const [block] = await call('block', { name: checked(path) });
    if (block) return block.content;
    throw (await call('blocks', { prefix: checked(path), with_content: false })).length ? new Error(`The path ${path} is not a file.`) : missing(path);
  }

  // What the database refuses the model is told in its words, or in the SDK's, by SQLSTATE.
  async transaction(body, texts = {}) {
    const client = await this.pool.connect();
    const call = async (name, named, more = {}) => {
      const all = { ...named, user_id: this.userId };
      const list = Object.keys(all).map((one, i) => `${one} => $${i + 1}`);
      try {
        return (await client.query(`SELECT * FROM memory.${name}(${list})`, Object.values(all))).rows;
      } catch (error) {
        const text = { ...texts, ...more }[error.code];
        throw new Error(typeof text === 'function' ? text(error) : text ?? [error.message, error.detail].filter(Boolean).join('. '), { cause: error });
      }
    };
    try {
      await client.query('BEGIN');
      const answer = await body(call);
      await client.query('COMMIT');
      return answer;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    } finally {
      client.release();
    }
  }
}
