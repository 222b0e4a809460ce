// node-postgres ("pg"): arguments travel as text, and the server finds their types. JSON is made text by the caller, since
// an array of JavaScript becomes an array of PostgreSQL. A query with a name is a prepared statement.
import { createRequire } from 'node:module';
import { runCases } from './shared.mjs';

const { Client } = createRequire(`${process.cwd()}/`)('pg');

const bound = ({ type, value }) => (type === 'json' && value !== null ? JSON.stringify(value) : value);

const client = new Client();
await client.connect();
await runCases(async (text, values, name) =>
  (await client.query({ text, name, values: values.map(bound), rowMode: 'array' })).rows);
await client.end();
