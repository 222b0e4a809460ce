// What Anthropic's tests of its memory tool import: the tool, and the files that it has written, which here are blocks. A user
// takes the place of a directory.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { MemoryTool } from 'memory-postgresql/anthropic';

const pool = new pg.Pool({ options: '-c memory.max_content=16MB' }); // a test writes a million lines

export class BetaLocalFilesystemMemoryTool extends MemoryTool {
  static async init(directory) {
    return new BetaLocalFilesystemMemoryTool(pool, { user: directory });
  }
}

const split = (path) => /^(\/[^/]+)(\/.+)?$/.exec(path).slice(1);

export const mkdtemp = async () => `/${randomUUID()}`;
export const rm = async () => {};
export const mkdir = async () => {}; // what a test makes outside is not there
export const writeFile = async () => {};

export async function readdir(path) {
  const [user, prefix] = split(path);
  const { rows } = await pool.query('SELECT name, version FROM memory.blocks($1, depth => 1, with_content => false, user_id => $2)', [prefix, user]);
  return rows.map(({ name, version }) => ({ name: name.split('/').at(-1), isDirectory: () => version === null, isFile: () => version !== null }));
}

export async function readFile(path) {
  const [user, name] = split(path);
  return (await pool.query('SELECT content FROM memory.block($1, user_id => $2)', [name, user])).rows[0].content;
}
