// Anthropic's memory tool (memory-postgresql/anthropic), as TAP: commands as a model calls it, and what Anthropic's own tests do not ask.
import { randomUUID } from 'node:crypto';
import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory';
import pg from 'pg';
import { MemoryTool } from 'memory-postgresql/anthropic';
import { end, same } from './tap.mjs';


const pool = new pg.Pool({ max: 16 });
const tool = () => {
  const handlers = new MemoryTool(pool, { user: randomUUID() }), made = betaMemoryTool(handlers);
  return Object.assign(async (command, given) => {
    try {
      return await made.run(made.parse({ command, ...given }));
    } catch (error) {
      return `error: ${error.message}`;
    }
  }, { userId: handlers.db.scope.user });
};

{
  const call = tool();
  const header = (path) => `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`;
  same(await call('view', { path: '/memories' }), `${header('/memories')}\n0B\t/memories`, 'an empty memory');
  await call('create', { path: '/memories/a.md', file_text: 'one\ntwo\nthree\nfour\nfive\n' });
  await call('create', { path: '/memories/trips/2026/vienna.md', file_text: 'x'.repeat(1536) });
  await call('create', { path: '/memories/trips/.draft', file_text: 'y' });
  same((await call('view', { path: '/memories' })).split('\n').slice(1), ['1.5K\t/memories', '24B\t/memories/a.md', '1.5K\t/memories/trips/', '1.5K\t/memories/trips/2026/'],
    'two levels of directories, with their sizes, without what is hidden');
  same((await call('view', { path: '/memories/trips/' })).split('\n').slice(2), ['1.5K\t/memories/trips/2026/', '1.5K\t/memories/trips/2026/vienna.md'], 'a directory below');
  same(await call('view', { path: '/memories/a.md', view_range: [4, -1] }),
    "Here's the content of /memories/a.md with line numbers:\n     4\tfour\n     5\tfive\n     6\t", 'the end of a file');
  same(await call('str_replace', { path: '/memories/a.md', old_str: 'four', new_str: '4\n$&' }),
    'The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     2\ttwo\n     3\tthree\n     4\t4\n     5\t$&\n     6\tfive',
    'a replacement, and the lines around it');
  same((await call('str_replace', { path: '/memories/a.md', old_str: 'five', new_str: 'five' })).split('\n').slice(-2), ['     6\tfive', '     7\t'],
    'a replacement that changes nothing');
  same([await call('insert', { path: '/memories/a.md', insert_line: 6, insert_text: 'six' }), await call('view', { path: '/memories/a.md', view_range: [6, -1] })],
    ['The file /memories/a.md has been edited.', "Here's the content of /memories/a.md with line numbers:\n     6\tfive\n     7\tsix"], 'a line behind the last');
  same(await call('rename', { old_path: '/memories/trips', new_path: '/memories/old/trips' }), 'Successfully renamed /memories/trips to /memories/old/trips', 'a directory is renamed');
  same((await call('view', { path: '/memories/old/trips/2026/vienna.md' })).slice(-5), 'xxxxx', '… with what is in it');
}
{
  const call = tool(), other = tool();
  await call('create', { path: '/memories/d/a.md', file_text: 'ada\n' });
  for (const [name, got, expected] of [
    ["another user's file", await other('view', { path: '/memories/d/a.md' }), 'The path /memories/d/a.md does not exist. Please provide a valid path.'],
    ['an edit of a directory', await call('insert', { path: '/memories/d', insert_line: 0, insert_text: 'x' }), 'The path /memories/d is not a file.'],
    ['a file in a file', await call('rename', { old_path: '/memories/d', new_path: '/memories/d/a.md/d' }),
      'new_name: "/memories/d" cannot come to lie below itself, as "/memories/d/a.md/d"'],
    ['a line past the last', await call('insert', { path: '/memories/d/a.md', insert_line: 2, insert_text: 'x' }),
      'Invalid `insert_line` parameter: 2. It should be within the range of lines of the file: [0, 1]'],
    ['an empty segment', await call('create', { path: '/memories//b', file_text: 'x' }), 'name has an empty segment'],
  ]) same(got, `error: ${expected}`, `refused: ${name}`);
  await pool.query("SELECT memory.set_block('/memories/d/a.md', E'ada\n', char_limit => 10, user_id => $1)", [call.userId]);
  same(await call('str_replace', { path: '/memories/d/a.md', old_str: 'ada', new_str: 'ada lovelace' }),
    'error: block "/memories/d/a.md" would be over its limit. It would have 13 characters, and its char_limit is 10.', 'refused: more than the limit of the block');
  await pool.query("SELECT memory.set_block('/memories/d/a.md', E'ada\n', read_only => true, user_id => $1)", [call.userId]);
  same(await call('delete', { path: '/memories/d' }), 'error: block "/memories/d/a.md" is read-only', 'refused: to delete a directory with a read-only file');
  same((await call('view', { path: '/memories/d/a.md' })).split('\n').slice(1), ['     1\tada', '     2\t'], '… and all is as it was');
}
{
  const call = tool();
  await call('create', { path: '/memories/log', file_text: '' });
  const said = await Promise.all(Array.from({ length: 16 }, async (_, n) => {
    for (let i = 0; i < 5; i += 1) await call('insert', { path: '/memories/log', insert_line: 0, insert_text: `${n} ${i}` });
    return call('create', { path: '/memories/shared', file_text: `${n}` });
  }));
  const lines = (await call('view', { path: '/memories/log' })).split('\n').slice(1).map((line) => line.split('\t')[1]).filter(Boolean);
  same(lines.sort(), Array.from({ length: 80 }, (_, n) => `${n % 16} ${Math.floor(n / 16)}`).sort(), '16 writers of a file: no line is lost');
  same(said.filter((one) => one === 'error: File /memories/shared already exists').length, 15, '… and one of 16 makes a file');
}
await pool.end();
end();
