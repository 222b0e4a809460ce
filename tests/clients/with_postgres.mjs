// postgres.js ("postgres"): it asks the server for the types of arguments. Behind a pooler `prepare: false`.
import { createRequire } from 'node:module';
import { pooled, runCases } from './shared.mjs';

const postgres = createRequire(`${process.cwd()}/`)('postgres');

const sql = postgres({
  host: process.env.PGHOST, port: process.env.PGPORT, database: process.env.PGDATABASE, username: process.env.PGUSER,
  max: 1, prepare: !pooled, onnotice: () => {},
});
const bound = ({ type, value }) => (type === 'json' && value !== null ? sql.json(value) : value);

await runCases((text, values, name) =>
  sql.unsafe(text, values.map(bound), { prepare: Boolean(name) }).values());
await sql.end();
