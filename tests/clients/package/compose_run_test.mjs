// What examples/compose.yaml starts, run as processes, as TAP: `compose_run_test.mjs FOLDER PORT`. Its server runs there already, made by its entry point
// (tools/suites/compose.sh); here are its worker and its server of the Model Context Protocol, by their commands and environments.
import { spawn } from 'node:child_process';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import pg from 'pg';
import { composed } from './compose.mjs';
import { end, refusal, same } from './tap.mjs';

const [folder, port, installed] = process.argv.slice(2);
const { services } = composed(folder);
// The name of a service is an address in compose's network.
const here = (name) => {
  const environment = { ...services[name].environment };
  return { PATH: process.env.PATH, ...environment, PGHOST: environment.PGHOST === 'database' ? '127.0.0.1' : environment.PGHOST, PGPORT: port };
};
const owner = new pg.Pool({ host: '127.0.0.1', port, user: 'postgres', password: process.env.POSTGRES_PASSWORD, database: 'postgres' });
const sessionsOf = async (role) => Number((await owner.query('SELECT count(*) FROM pg_stat_activity WHERE usename = $1', [role])).rows[0].count);
const until = async (condition) => { for (let n = 0; n < 600 && !await condition(); n += 1) await new Promise((resume) => setTimeout(resume, 100)); };

same((await owner.query("SELECT extname FROM pg_extension WHERE extname IN ('memory', 'vector') ORDER BY 1")).rows.map(({ extname }) => extname), ['memory', 'vector'], 'the server has memory');
const stranger = new pg.Client({ host: '127.0.0.1', port, user: 'memory_agent', password: 'wrong', database: 'postgres' });
same(await refusal(stranger.connect()), '28P01', '… and asks for passwords');

const [program, ...given] = services.worker.entrypoint;
const worker = spawn(program, given, { env: here('worker'), stdio: ['ignore', 'pipe', 'pipe'] });
let said = '';
for (const stream of [worker.stdout, worker.stderr]) stream.on('data', (data) => { said += data; });
const stopped = new Promise((resolve) => worker.on('close', (status, signal) => resolve(signal ?? status)));
await until(async () => worker.exitCode !== null || await sessionsOf('memory_worker') > 0);
same([worker.exitCode, await sessionsOf('memory_worker') > 0], [null, true], 'the worker is there, in its role');

// The entry point of the image, in the folder with what the image installs.
const inline = services.mcp.build.dockerfile_inline, [command, ...args] = JSON.parse(/^ENTRYPOINT (.*)$/m.exec(inline)[1]);
const client = new Client({ name: 'test', version: '1' });
await client.connect(new StdioClientTransport({ command, args, cwd: installed, env: here('mcp'), stderr: 'inherit' }));
const call = async (name, given) => (await client.callTool({ name, arguments: given })).structuredContent;
const { id } = await call('remember', { content: 'Is there a night train to Vienna?' });
same((await call('recall', { query: 'night train' })).memories.map((one) => one.id), [id], 'what is remembered by the protocol is recalled by it');
same((await owner.query('SELECT user_id FROM memory.episodes WHERE id = $1', [id])).rows, [{ user_id: services.mcp.environment.MEMORY_USER }], '… as the user of the configuration');
await until(async () => (await owner.query('SELECT FROM memory.embeddings WHERE episode_id = $1', [id])).rows.length > 0);
same((await owner.query('SELECT count(*)::int AS vectors FROM memory.embeddings WHERE episode_id = $1', [id])).rows, [{ vectors: 1 }], '… and gets its vector');
await client.close();

worker.kill('SIGTERM');
same([await stopped, said.includes('FATAL')], [0, false], 'the worker ends when it is told to');
if (said) console.log(said.replace(/^/gm, '# '));
await owner.end();
end();
