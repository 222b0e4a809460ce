// Imports of ChatGPT's and Claude's exports, as TAP.
import { execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Memory } from 'memory-postgresql';
import { BrokenJson, Elements, Import } from 'memory-postgresql/import';
import pg from 'pg';
import { chatgptConversation, chatgptExport, chatgptMessage, claudeExport, longExport, zipOf } from './made.mjs';
import { end, same } from './tap.mjs';

const pool = new pg.Pool();
const made = () => new Memory(pool, { user: randomUUID() });
const home = mkdtempSync(join(tmpdir(), 'memory-import-'));
const written = (name, content) => {
  writeFileSync(join(home, name), content);
  return join(home, name);
};
const run = (memory, vendor, path) => new Import(memory, vendor).run(path);
const counts = ({ conversations, written: wrote, unchanged, messages, failed }) => [conversations, wrote, unchanged, messages, failed.length];
const said = async (memory, session) => (await memory.messages.list(session, { k: null })).map(({ key, role, content }) => [key, role, content]);

// The elements of an array.
const elements = (text, size = text.length) => {
  const found = [], parser = new Elements(1000), bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) found.push(...[...parser.push(bytes.subarray(at, at + size))].map(({ value }) => value));
  parser.end();
  return found;
};
const broken = (text) => { try { return elements(text); } catch (error) { return error instanceof BrokenJson ? [error.element, error.byte, error.message.split(': ')[1].slice(0, 30)] : error; } };
{
  const values = [{ a: '"]}\\', b: ['[', { c: ',' }] }, [], 'a,b]', 1.5, null, { ü: '緑茶 🍵', deep: [[[{}]]] }, ''];
  const text = `\ufeff \n${JSON.stringify(values, null, 1)}\n `;
  const whole = Buffer.byteLength(text);
  same([...Array(whole).keys()].filter((n) => JSON.stringify(elements(text, n + 1)) !== JSON.stringify(values)), [], `elements are the same, in pieces of 1 to ${whole} bytes`);
  same([elements('[]'), elements(' [ ] ')], [[], []], 'an empty array');
  same([broken('{}'), broken(''), broken('[1, 2'), broken('[1,]'), broken('[1] 2'), broken('[{"a": }]'), broken('[}]').slice(0, 2), broken(`["${'x'.repeat(2000)}"]`).slice(0, 1)],
    [[1, 0, 'an array is expected'], [1, 0, 'the file is empty'], [2, 5, 'the file ends before the array'], [2, 3, 'Unexpected end of JSON input'], [2, 4, 'there is more behind the array'],
      [1, 8, 'Unexpected token \'}\', "{"a"'], [1, 1], [1]], 'what is broken is said, with the element and the byte');
}
// ChatGPT.
{
  const memory = made(), path = written('conversations.json', JSON.stringify(chatgptExport()));
  const progress = await run(memory, 'chatgpt', path);
  same(counts(progress), [3, 2, 0, 7, 1], 'of ChatGPT: conversations with what was said in them');
  same(await said(memory, 'chatgpt/odd'), [['u1', 'user', 'Which night train goes to Vienna?'], ['a3', 'assistant', 'The sleeper at 21:05.  '], ['u2', 'user', 'Is this the platform?\nspoken words'], ['u3', 'user', null],
    ['a5', 'assistant', 'Yes: 緑茶 🍵, "quoted" \\ [brackets] {braces}']], 'the branch that is seen, without what is hidden, of tools, or thoughts');
  same(await said(memory, 'chatgpt/no end'), [['u1', 'user', 'first'], ['a2', 'assistant', 'new']], 'without a current_node the last branch is taken');
  const messages = await memory.messages.list('chatgpt/odd', { k: null });
  same(messages.map(({ occurredAt }) => occurredAt.toISOString().slice(17)), ['01.123Z', '01.123Z', '10.623Z', '01.123Z', '01.123Z'], 'times are those of the messages, or of the one before');
  same([messages[1].message.message.model, messages[2].message.message.content[0].asset_pointer], ['gpt-9', 'file-service://x'], 'a message keeps its model, and its images as pointers');
  same((await memory.recall('platform', { contextWeight: 0 })).map(({ content }) => content), ['Is this the platform?\nspoken words'], 'what was said is recalled, what tools printed is not');
  same(progress.leftOut, { hidden: 2, 'to tools': 1, 'of tools': 1, 'not spoken (code, thoughts, pages)': 1, empty: 1, 'of branches that were left': 2, 'of the system': 1, 'conversations without messages': 1 }, 'what is left out is counted');
  const [{ metadata, agentId }] = await memory.sessions({ ids: ['chatgpt/odd'] });
  same([metadata.title, metadata.source, metadata.created_at, agentId], ['About odd', 'chatgpt', '2026-03-02T09:00:00.123Z', 'chatgpt'], 'a conversation has its title and times');
  const before = await memory.db.call('sessions', { k: null });
  same(counts(await run(memory, 'chatgpt', path)), [3, 0, 2, 0, 1], 'again: nothing is written');
  same(await memory.db.call('sessions', { k: null }), before, '… and all is as it was');
  const grown = chatgptExport();
  const [one] = grown;
  one.mapping.u7 = { id: 'u7', message: chatgptMessage('u7', 'user', ['Thank you.']), parent: 'a5', children: [] };
  one.current_node = 'u7';
  same(counts(await run(memory, 'chatgpt', written('grown.json', JSON.stringify(grown)))), [3, 1, 1, 6, 1], 'of a newer export what has grown is written');
  same((await said(memory, 'chatgpt/odd')).map(([key]) => key), ['u1', 'a3', 'u2', 'u3', 'a5', 'u7'], '… with what is new behind what was there');
  const zipped = made(), archive = written('export.zip', zipOf({ 'export/chat.html': '<html>', 'export/conversations-001.json': JSON.stringify([chatgptConversation('second', [chatgptMessage('u', 'user', ['b'])])]),
    'export/conversations-000.json': JSON.stringify([chatgptConversation('first', [chatgptMessage('u', 'user', ['a'])])]), 'export/shared_conversations.json': '[{}]' }));
  same([counts(await run(zipped, 'chatgpt', archive)), (await zipped.sessions({ sort: 'created' })).map(({ sessionId }) => sessionId)], [[2, 2, 0, 2, 0], ['chatgpt/second', 'chatgpt/first']], 'an archive, with its conversations in several files');
  truncateSync(archive, 100);
  same(await run(zipped, 'chatgpt', archive).catch(({ message }) => message), 'this is not a whole zip archive: its directory is missing', 'an archive that is cut off');
}
// Claude.
{
  const memory = made(), path = written('claude.json', JSON.stringify(claudeExport()));
  const progress = await run(memory, 'claude', path);
  same(counts(progress), [3, 2, 0, 6, 0], 'of Claude: conversations with what was said in them');
  same(await said(memory, 'claude/odd'), [['m1', 'user', 'Which night train goes to Vienna?'], ['m2', 'assistant', 'Let me look.\nThe one at 21:05.'], ['m3', 'user', 'An older export has text alone.'], ['m4', 'user', null]],
    'blocks of text, or the text of older exports');
  same(await said(memory, 'claude/branches'), [['b1', 'user', 'first'], ['b3', 'assistant', 'new']], 'the branch of the last message');
  const [first, second] = await memory.messages.list('claude/odd', { k: null });
  same([first.message.message.attachments[0].extracted_content, second.occurredAt.toISOString(), await memory.recall('timetable')], ['pasted timetable', '2026-03-02T09:02:00.123Z', []], 'attachments are kept, and not recalled');
  same(counts(await run(memory, 'claude', path)), [3, 0, 2, 0, 0], 'again: nothing is written');
  same((await run(memory, 'chatgpt', path)).failed.map(({ conversation, reason }) => [conversation, reason]).slice(0, 1), [['element 1', 'it has no conversation_id and mapping, as those of ChatGPT do']], "another vendor's export is not taken for it");
  const long = [{ ...claudeExport()[0], uuid: 'long', chat_messages: [{ uuid: 'm', sender: 'human', created_at: '2026-03-02', text: 'x'.repeat(2 ** 21), content: [] }] }, ...claudeExport().slice(1, 2)];
  const other = made(), { written: wrote, failed } = await run(other, 'claude', written('long.json', JSON.stringify(long)));
  same([wrote, failed.length, failed[0].conversation], [1, 1, 'claude/long'], 'what the database refuses is said, and the next conversation is written');
}
// 8 users' imports at once, and one file that 8 import for one user: each conversation is there once, whole.
{
  const path = written('many.json', JSON.stringify(Array.from({ length: 20 }, (_, n) => chatgptConversation(`c${n}`, [chatgptMessage(`u${n}`, 'user', [`question ${n}`]), chatgptMessage(`a${n}`, 'assistant', [`answer ${n}`])]))));
  const many = new pg.Pool({ max: 8 }), memories = Array.from({ length: 8 }, () => new Memory(many, { user: randomUUID() }));
  const all = await Promise.all(memories.map((memory) => run(memory, 'chatgpt', path)));
  same([all.map(counts), await Promise.all(memories.map(async (memory) => (await memory.sessions({ k: null })).map(({ messages }) => messages)))],
    [Array(8).fill([20, 20, 0, 40, 0]), Array(8).fill(Array(20).fill(2))], '8 users import at once: each has all of it');
  const shared = new Memory(many, { user: randomUUID() });
  const again = await Promise.all(Array.from({ length: 8 }, () => run(shared, 'chatgpt', path)));
  same([again.map(({ failed }) => failed), (await shared.sessions({ k: null })).map(({ messages }) => messages)], [Array(8).fill([]), Array(20).fill(2)], '8 import one file for one user at once: every message is there once');
  await many.end();
}
// The program: 100 MB, killed, gone on with, in bounded memory.
{
  const path = join(home, 'long.json'), user = randomUUID(), memory = new Memory(pool, { user });
  const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url)), measured = fileURLToPath(new URL('measured.mjs', import.meta.url));
  await longExport(path, 100 * 1024 * 1024, 1000);
  const size = readFileSync(path).length;
  const child = spawn(process.execPath, [program, 'import', 'chatgpt', path, '--user', user], { stdio: 'ignore' });
  const done = new Promise((resolve) => child.on('close', (status, signal) => resolve(signal ?? status)));
  const count = async () => Number((await pool.query('SELECT count(*) FROM memory.sessions(user_id => $1, k => NULL)', [user])).rows[0].count);
  while (await count() < 200 && child.exitCode === null) await new Promise((resume) => setTimeout(resume, 20));
  child.kill('SIGKILL');
  const signal = await done, before = await count();
  const output = execFileSync(process.execPath, [measured, 'import', 'chatgpt', path, '--user', user], { encoding: 'utf8' });
  const [, known] = /(\d+) known already/.exec(output.replaceAll(',', '')) ?? [], rss = Number(/maxRSS (\d+)/.exec(output)?.[1]);
  same([size > 100 * 1024 * 1024, signal, before < 1000, Number(known), await count()], [true, 'SIGKILL', true, before, 1000], 'an import that is killed is gone on with, behind what is written');
  const { rows: [{ messages, most }] } = await pool.query('SELECT sum(messages)::int AS messages, max(messages)::int AS most FROM memory.sessions(user_id => $1, k => NULL)', [user]);
  same([messages, most], [2000, 2], '… and every message is there once');
  console.log(`# ${Math.round(size / 2 ** 20)} MB, at most ${Math.round(rss / 1024)} MB resident`);
  same(rss < 300 * 1024, true, '100 MB are read in less than 300 MB');
  same(execFileSync(process.execPath, [program, 'import', 'chatgpt', path, '--user', user], { encoding: 'utf8' }).split('\n')[0], '1,000 conversations: 0 written with 0 messages, 1,000 known already, 0 failed', 'again: all is known');
  appendFileSync(path, '[');
  const failing = (...given) => { try { execFileSync(process.execPath, [program, 'import', ...given], { encoding: 'utf8', stdio: 'pipe' }); return 0; } catch ({ status, stderr }) { return [status, stderr.split('\n')[0].replace(home, '').replace(/\d+ conversations/, 'N conversations')]; } };
  same(failing('chatgpt', path, '--user', user), [1, 'memory-postgresql: /long.json: element 1001, byte SIZE: there is more behind the array (N conversations before it are there; the same command goes on)'].map((one) => (typeof one === 'string' ? one.replace('SIZE', String(size)) : one)),
    'a file that is broken at its end');
  same([failing('gemini', path, '--user', user)[0], failing('chatgpt', path)[0], failing('chatgpt', join(home, 'none'), '--user', user)[0], memory.db.scope.user === user], [2, 2, 1, true], 'another vendor, no user, no file');
}
rmSync(home, { recursive: true });
await pool.end();
end();
