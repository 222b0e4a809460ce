// The cases of cases.txt for clients in JavaScript (see shared.py, which does the same).
import { readFileSync } from 'node:fs';

export const pooled = process.argv[3] === 'pooled';
const user = process.argv[2] + (pooled ? ' pooled' : '');

const whole = (text) => text;
const values = {
  text: whole, vector: whole, decimal: whole, uuid: whole,
  float: Number, int: Number, small: Number,
  json: JSON.parse,
  time: (text) => new Date(text),
  interval: (days) => `${days} days`,
  texts: (text) => text.slice(1, -1).split(','),
  uuids: (text) => text.split(',').filter((one) => one),
};

export function readCases(where) {
  const cases = [];
  const said = {
    case: (name) => cases.push({ name, sql: '', arguments: [], columns: [], rows: [], times: 1 }),
    sql: (text) => { cases.at(-1).sql += `${text.trim()} `; },
    arg: (text) => {
      let [, type, , value] = text.match(/^(\w+)( (.*))?$/);
      if (type === 'user') [type, value] = ['text', user];
      value ??= '';
      cases.at(-1).arguments.push({ type, value: value === 'NULL' ? null : values[type](value) });
    },
    columns: (text) => { cases.at(-1).columns = text.split(' '); },
    row: (text) => cases.at(-1).rows.push(text),
    error: (text) => { cases.at(-1).rows = [`error ${text}`]; },
    times: (text) => { cases.at(-1).times = Number(text); },
    direct: () => { cases.at(-1).direct = true; },
  };
  for (const line of readFileSync(where, 'utf8').split('\n')) {
    const [, word, rest] = line.match(/^(\S*) ?(.*)$/);
    said[word]?.(rest);
  }
  return cases.filter((one) => !(one.direct && pooled));
}

// As jsonb shows it; the order of keys is the one that came.
function jsonText(value) {
  if (Array.isArray(value)) return `[${value.map(jsonText).join(', ')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  return `{${Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${jsonText(one)}`).join(', ')}}`;
}

function show(type, value) {
  if (value === null) return 'NULL';
  if (type === 'float') return Number(value).toFixed(6);
  if (type === 'time') return value.toISOString();
  if (type === 'list') return `{${value.join(',')}}`;
  if (type === 'json') return jsonText(value);
  return String(value);
}

let number = 0;
let failed = 0;

export function same(got, expected, name) {
  const good = JSON.stringify(got) === JSON.stringify(expected);
  number += 1;
  failed += good ? 0 : 1;
  console.log(`${good ? 'ok' : 'not ok'} ${number} - ${name}`);
  if (!good) for (const line of ['got', ...got, 'expected', ...expected]) console.log(`#   ${line}`);
}

// Runs all of them by run(statement, arguments, nameToPrepareItBy), which gives rows as arrays.
export async function runCases(run) {
  for (const [place, one] of readCases(new URL('cases.txt', import.meta.url)).entries()) {
    let got;
    try {
      for (let n = 0; n < one.times; n += 1) {
        const rows = await run(one.sql, one.arguments, one.times > 1 && !pooled ? `case_${place}` : undefined);
        got = rows.map((row) => one.columns.map((type, n) => show(type, row[n])).join(' | '));
      }
    } catch (error) {
      got = [`error ${error.code ?? error}`];
    }
    same(got, one.rows, one.name);
  }
  end();
}

export function end() {
  console.log(`1..${number}`);
  process.exitCode = failed ? 1 : 0;
}
