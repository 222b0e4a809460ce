// examples/compose.yaml, as TAP: that it is YAML whose services, roles and variables fit together. Nothing is started.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { end, same } from './tap.mjs';

const folder = process.argv[2];
const text = readFileSync(`${folder}/compose.yaml`, 'utf8'), sql = readFileSync(`${folder}/compose.sql`, 'utf8');
const { services, volumes } = parse(text);
const known = new Set(['build', 'environment', 'volumes', 'ports', 'entrypoint', 'depends_on', 'restart', 'stdin_open', 'profiles']);
same(Object.keys(services), ['database', 'worker', 'mcp'], 'a server, a worker, and the server of the protocol');
same(Object.values(services).flatMap(Object.keys).filter((key) => !known.has(key)), [], 'keys that compose knows');
same(Object.values(services).flatMap(({ depends_on: on = {} }) => Object.keys(on)).filter((name) => !(name in services)), [], 'what a service depends on is there');
same(services.database.volumes[0].split(':')[0] in volumes, true, 'the volume is there');
const users = Object.values(services).map(({ environment }) => environment.PGUSER).filter(Boolean);
same(users.filter((user) => !sql.includes(`CREATE ROLE ${user} LOGIN`) || !sql.includes(`grant_access('${user}'`)), [], 'every role is made and has access');
const passed = [...sql.matchAll(/\\getenv \w+ (\w+)/g)].map(([, name]) => name);
same(passed.filter((name) => !(name in services.database.environment)), [], 'the variables that the script reads reach it');
same(services.database.ports, ['127.0.0.1:5432:5432'], 'the port is published on this machine alone');
end();
