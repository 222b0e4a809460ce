// The server of the Model Context Protocol in the official inspector, by its command line, as TAP.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { end, same } from './tap.mjs';

const inspector = fileURLToPath(new URL('../../node_modules/.bin/mcp-inspector', import.meta.url));
const program = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const user = `inspector ${Date.now()}`;
const { PGHOST = '', PGPORT, PGUSER = '', PGDATABASE } = process.env;
const database = `postgres:///${PGDATABASE}?host=${encodeURIComponent(PGHOST)}&port=${PGPORT}&user=${PGUSER}`; // the environment is not passed on

function inspect(options, more = []) {
  const output = execFileSync(process.execPath, [inspector, '--cli', process.execPath, program, 'mcp', '--user', user, '--database', database, ...more, ...options], { encoding: 'utf8', timeout: 60000 });
  return JSON.parse(output);
}

same(inspect(['--method', 'tools/list']).tools.length, 16, 'tools/list');
const { structuredContent: { id } } = inspect(['--method', 'tools/call', '--tool-name', 'remember', '--tool-arg', 'content=the night train']);
same(inspect(['--method', 'tools/call', '--tool-name', 'recall', '--tool-arg', 'query=train', '--tool-arg', 'k=1']).structuredContent.memories.map((row) => row.id), [id], 'tools/call');
inspect(['--method', 'tools/call', '--tool-name', 'write_block', '--tool-arg', 'name=persona', '--tool-arg', 'content=I like trains.']);
const [{ uri }] = inspect(['--method', 'resources/list']).resources;
same(inspect(['--method', 'resources/read', '--uri', uri]).contents[0].text, 'I like trains.', 'resources/list, resources/read');
same(inspect(['--method', 'resources/templates/list']).resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['memory://blocks/{name}'], 'resources/templates/list');
same(inspect(['--method', 'tools/list'], ['--graph']).tools.length, 9, 'tools/list of --graph');
end();
