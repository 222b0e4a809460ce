// Anthropic's memory tool over memory's blocks: a file under /memories is a block of that name. A command is a transaction. What it
// answers is worded as the SDK's own. It is given to the SDK as betaMemoryTool(new MemoryTool(pool, { user })).
import type { MemoryToolHandlers } from '@anthropic-ai/sdk/helpers/beta/memory';
import type { DatabaseError } from 'pg';
import { Database, type Scope, type Target } from './database.js';
import type { Block, BlockVersion } from './types.js';

type Command<Name extends keyof MemoryToolHandlers> = Parameters<MemoryToolHandlers[Name]>[0];
type Call = <Row>(name: string, named: object) => Promise<Row[]>;
type Texts = Record<string, string | ((error: DatabaseError) => string)>;

const ROOT = '/memories';
const MOST_LINES = 999999;
const missing = (path: string) => new Error(`The path ${path} does not exist. Please provide a valid path.`);

function checked(path: string): string {
  if (!path.startsWith(ROOT)) throw new Error(`Path must start with ${ROOT}, got: ${path}`);
  if (path.split('/').includes('..') || !['', '/'].includes(path.slice(ROOT.length, ROOT.length + 1))) {
    throw new Error(`Path ${path} would escape ${ROOT} directory`);
  }
  return path.replace(/\/+$/, '');
}

// A line feed belongs to the line that it ends.
const linesIn = (content: string) => (content ? content.replace(/\n$/, '').split('\n').length : 0);
const numbered = (lines: string[], first: number, last?: number) =>
  lines.slice(first - 1, last).map((line, i) => `${String(first + i).padStart(6)}\t${line}`).join('\n');

function bySegments(one: { segments: string[] }, other: { segments: string[] }): number {
  const at = one.segments.findIndex((segment, i) => segment !== other.segments[i]);
  return at < 0 ? -1 : (one.segments[at] ?? '') < (other.segments[at] ?? '') ? -1 : 1;
}

// Of characters, which blocks count.
function size(chars: number): string {
  const power = Math.min(Math.floor(Math.log2(Math.max(chars, 1)) / 10), 3);
  return (chars / 1024 ** power).toFixed(1).replace(/\.0$/, '') + 'BKMG'.charAt(power);
}

export class MemoryTool implements MemoryToolHandlers {
  readonly db: Database;

  constructor(target: Target, scope: Scope) {
    this.db = new Database(target, scope);
  }

  async view({ path, view_range: [first = 1, last = -1] = [] }: Command<'view'>): Promise<string> {
    const name = checked(path);
    return this.#transaction(async (call) => {
      const [block] = await call<Block>('block', { name });
      if (!block) return this.#list(call, path, name);
      const lines = (block.content ?? '').split('\n');
      if (lines.length > MOST_LINES) {
        throw new Error(`File ${path} has too many lines (${lines.length}). Maximum is ${MOST_LINES.toLocaleString('en')} lines.`);
      }
      return `Here's the content of ${path} with line numbers:\n${numbered(lines, Math.max(1, first), last === -1 ? undefined : last)}`;
    });
  }

  // What lies deeper is rolled up: of depth 1 come the directories of the first level, of depth 2 those of the second.
  async #list(call: Call, path: string, name: string): Promise<string> {
    const rows = new Map<string, Block & { segments: string[] }>();
    for (const depth of [1, 2]) {
      for (const row of await call<Block>('blocks', { prefix: name, depth, withContent: false })) {
        rows.set(row.name, { ...row, segments: row.name.slice(name.length + 1).split('/') });
      }
    }
    if (!rows.size && name !== ROOT) throw missing(path);
    const below = [...rows.values()].sort(bySegments);
    const total = below.filter(({ segments }) => segments.length === 1).reduce((sum, { chars }) => sum + chars, 0);
    const shown = below.filter(({ segments }) => !segments.some((one) => one.startsWith('.') || one === 'node_modules'));
    const lines = shown.map(({ chars, segments, version }) => `${size(chars)}\t${[path.replace(/\/+$/, ''), ...segments].join('/')}${version === null ? '/' : ''}`);
    return [`Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`, `${size(total)}\t${path}`, ...lines].join('\n');
  }

  async create({ path, file_text: content }: Command<'create'>): Promise<string> {
    const name = checked(path);
    await this.#transaction((call) => call('set_block', { name, content, expectedVersion: 0 }), { 23505: `File ${path} already exists` });
    return `File created successfully at: ${path}`;
  }

  // Which line has changed is told by what the history has before the edit.
  async str_replace({ path, old_str, new_str }: Command<'str_replace'>): Promise<string> {
    const name = checked(path);
    const versions = await this.#transaction(async (call) => {
      await this.#content(call, path);
      await call('edit_block', { name, new: new_str, old: old_str });
      return call<BlockVersion>('block_history', { name, k: 2 });
    }, {
      22023: ({ detail }) => {
        const lines = /lines: (.*)\./.exec(detail ?? '')?.[1];
        return lines
          ? `No replacement was performed. Multiple occurrences of old_str \`${old_str}\` in lines: ${lines}. Please ensure it is unique`
          : `No replacement was performed, old_str \`${old_str}\` did not appear verbatim in ${path}.`;
      },
    });
    const before = versions.at(old_str === new_str ? 0 : -1)?.content ?? '';
    const line = before.slice(0, before.indexOf(old_str)).split('\n').length;
    const snippet = numbered((versions[0]?.content ?? '').split('\n'), Math.max(1, line - 2), line + 2);
    return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${snippet}`;
  }

  async insert({ path, insert_line, insert_text }: Command<'insert'>): Promise<string> {
    const name = checked(path);
    let lines = 0;
    await this.#transaction(async (call) => {
      lines = linesIn(await this.#content(call, path));
      await call('edit_block', { name, new: insert_text.replace(/\n$/, ''), line: insert_line });
    }, { 22023: () => `Invalid \`insert_line\` parameter: ${insert_line}. It should be within the range of lines of the file: [0, ${lines}]` });
    return `The file ${path} has been edited.`;
  }

  async delete({ path }: Command<'delete'>): Promise<string> {
    const name = checked(path);
    if (name === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`);
    const [count] = await this.#transaction((call) => call<{ r: number }>('delete_block', { name, recursive: true }));
    if (!count?.r) throw new Error(`The path ${path} does not exist`);
    return `Successfully deleted ${path}`;
  }

  async rename({ old_path, new_path }: Command<'rename'>): Promise<string> {
    const [name, newName] = [checked(old_path), checked(new_path)];
    await this.#transaction(async (call) => {
      if (!(await call('blocks', { prefix: name, withContent: false })).length) throw new Error(`The path ${old_path} does not exist`);
      await call('rename_block', { name, newName });
    }, { 23505: `The destination ${new_path} already exists` });
    return `Successfully renamed ${old_path} to ${new_path}`;
  }

  async #content(call: Call, path: string): Promise<string> {
    const [block] = await call<Block>('block', { name: checked(path) });
    if (block) return block.content ?? '';
    throw (await call('blocks', { prefix: checked(path), withContent: false })).length ? new Error(`The path ${path} is not a file.`) : missing(path);
  }

  // What the database refuses the model is told in its words, or in the SDK's, by SQLSTATE.
  async #transaction<Result>(body: (call: Call) => Promise<Result>, texts: Texts = {}): Promise<Result> {
    return this.db.transaction(async (db) => body(async (name, named) => {
      try {
        return await db.call(name, named);
      } catch (error) {
        const said = error as DatabaseError, text = texts[said.code ?? ''];
        throw new Error(typeof text === 'function' ? text(said) : text ?? [said.message, said.detail].filter(Boolean).join('. '), { cause: error });
      }
    }));
  }

  async end(): Promise<void> {
    await this.db.end();
  }
}
