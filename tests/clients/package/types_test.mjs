// That the types of clients/js are those of the database, as TAP: the columns of a result, and the arguments of a function.
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { end, same } from './tap.mjs';

const pool = new pg.Pool();
const source = readFileSync(new URL('../../src/types.ts', import.meta.url), 'utf8');
const camel = (name) => name.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase());

function fields(name) {
  const [, above, body] = new RegExp(`interface ${name}(?:<[^>]*>+)?(?: extends (\\w+)(?:<\\w+>)?)? \\{([^}]*)\\}`).exec(source);
  return [...(above ? fields(above) : []), ...[...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, field]) => field)].sort();
}

// The arguments of a function (`i`), or its columns: those of the type that it returns, or of its own (`t`).
const NAMES = `
  SELECT name, mode FROM pg_proc, unnest(proargnames, coalesce(proargmodes::text[], array_fill('i'::text, ARRAY[pronargs::int]))) u(name, mode)
  WHERE oid = ('memory.' || $1)::regproc
  UNION ALL SELECT attname, 't' FROM pg_proc JOIN pg_type t ON t.oid = prorettype JOIN pg_attribute ON attrelid = typrelid
  WHERE pg_proc.oid = ('memory.' || $1)::regproc AND attnum > 0 AND NOT attisdropped`;

async function names(name, mode) {
  const { rows } = await pool.query(NAMES, [name]);
  return rows.filter((row) => row.mode === mode).map((row) => camel(row.name));
}

for (const [type, name] of [
  ['Episode', 'get'], ['Episode', 'recall_recent'], ['Recalled', 'recall_scored'], ['Fact', 'facts'], ['Fact', 'fact_history'], ['RecalledFact', 'recall_facts'], ['Path', 'traverse'],
  ['Message', 'messages'], ['Session', 'sessions'], ['Block', 'blocks'], ['BlockVersion', 'block_history'], ['Item', 'item'], ['FoundItem', 'items']]) {
  same(fields(type), (await names(name, 't')).sort(), `${type} has the columns of ${name}`);
}
for (const [type, name, others] of [
  ['RememberOptions', 'remember', ['content']], ['RecallOptions', 'recall_scored', ['query']], ['AssertOptions', 'assert_fact', ['subject', 'predicate', 'object']],
  ['AddMessagesOptions', 'add_messages', ['sessionId', 'messages']], ['MessagesOptions', 'messages', ['sessionId']], ['SetBlockOptions', 'set_block', ['name', 'content']],
  ['SearchOptions', 'items', ['prefix']], ['ForgetOptions', 'forget', []]]) {
  same([...fields(type), ...others, 'userId'].sort(), (await names(name, 'i')).sort(), `${type} has the arguments of ${name}`);
}
await pool.end();
end();
