// The dialogues of a file (dialogues_made.py) through node-postgres, four at a time, exchange by exchange as they were held, and back.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { isDeepStrictEqual } from 'node:util';
import { end, same } from './shared.mjs';

const { Pool } = createRequire(`${process.cwd()}/`)('pg');

const user = process.argv[2];
const dialogues = readFileSync(process.argv[3], 'utf8').trim().split('\n').map((line) => JSON.parse(line));
const turns = dialogues.reduce((sum, { messages }) => sum + messages.length, 0);
const pool = new Pool({ max: 4 });
const rows = async (text, ...values) => (await pool.query({ text, values, rowMode: 'array' })).rows;

// All dialogues, so many of them at a time as the pool has connections; those that `wrong` says so of.
async function those(wrong) {
  const found = [];
  const waiting = dialogues.values();
  await Promise.all(Array.from({ length: 4 }, async () => {
    for (const one of waiting) if (await wrong(one)) found.push(one.session);
  }));
  return found;
}

same(await those(async (one) => {
  one.written = [];
  for (let n = 0; n < one.messages.length; n += 2)
    one.written.push(...await rows(`SELECT seq, id FROM memory.add_messages($1, $2, user_id => $3, key_field => 'id')`,
      one.session, JSON.stringify(one.messages.slice(n, n + 2)), user));
  return !isDeepStrictEqual(one.written.map(([seq]) => Number(seq)), one.messages.map((_, n) => n + 1));
}), [], `numbers 1 to n of ${turns} turns in ${dialogues.length} sessions, written`);

same(await those(async ({ session, messages, written }) => !isDeepStrictEqual(
  await rows('SELECT seq, id, key, role, content, message FROM memory.messages($1, k => NULL, user_id => $2)', session, user),
  messages.map((one, n) => [...written[n], one.id, one.role, one.content, one]),
)), [], 'all come back equal, in order, with their keys, roles and texts');

const listed = await rows('SELECT session_id, messages, last_seq FROM memory.sessions(k => NULL, user_id => $1)', user);
same(listed.map(String).sort(), dialogues.map(({ session, messages: { length } }) => String([session, length, length])).sort(), 'sessions lists all');
const paged = [];
for (let skip = 0; skip < dialogues.length; skip += 100)
  paged.push(...await rows('SELECT session_id, messages, last_seq FROM memory.sessions(k => 100, skip => $1, user_id => $2)', skip, user));
same(paged.map(String), listed.map(String), '… and by pages in the same order');
same((await rows('SELECT count(*) FROM memory.messages(k => NULL, user_id => $1)', user)).flat(), [String(turns)], 'all turns of all sessions');
await pool.end();
end();
