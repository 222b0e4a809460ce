// The same for clients in JavaScript.
import { createRequire } from 'node:module';
import { end, same } from './shared.mjs';

const require = createRequire(`${process.cwd()}/`);
const { Pool } = require('pg');
const postgres = require('postgres');

const pool = new Pool({ max: 1 });
await pool.query(`SELECT memory.set_scope('ada')`);
same([(await pool.query('SELECT user_id FROM memory.scope()')).rows[0].user_id], ['ada'], 'pg.Pool keeps a scope of the session');
await pool.end();

const sql = postgres({
  host: process.env.PGHOST, port: process.env.PGPORT, database: process.env.PGDATABASE, username: process.env.PGUSER, max: 1,
});
await sql`SELECT memory.set_scope('ada')`;
same([(await sql`SELECT user_id FROM memory.scope()`)[0].user_id], ['ada'], 'postgres.js keeps it, too');
await sql.begin((tx) => tx`SELECT memory.set_scope('bob', is_local => true)`);
same([(await sql`SELECT user_id FROM memory.scope()`)[0].user_id], ['ada'], 'a scope of a transaction is gone');
await sql.end();
end();
