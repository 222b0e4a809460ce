// examples/compose.yaml as compose reads it: services, with variables of the environment in their places.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

function interpolated(text) {
  return text.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, other) => {
    if (process.env[name]) return process.env[name];
    if (kind === '?') throw new Error(`${name} is not set`);
    return other ?? '';
  });
}

export function composed(folder) {
  return parse(readFileSync(`${folder}/compose.yaml`, 'utf8'), (_, value) => (typeof value === 'string' ? interpolated(value) : value));
}

// compose.mjs FOLDER SERVICE: its environment, a line each, for env.
if (process.argv[1]?.endsWith('compose.mjs')) {
  for (const [name, value] of Object.entries(composed(process.argv[2]).services[process.argv[3]].environment)) console.log(`${name}=${value}`);
}
