// Arguments of the programs, and what they are run with. The user comes from them or from the environment, never from a model.
import { parseArgs } from 'node:util';
import { Memory } from '../memory.js';
import { VENDORS, type Vendor } from '../import/run.js';
import { importFile } from './import.js';

const USAGE = `usage: memory-postgresql mcp [options]
       memory-postgresql import chatgpt|claude FILE [options]

options of all
  --user USER          whose memories they are (MEMORY_USER); it has to be said
  --namespace NAME     their namespace (MEMORY_NAMESPACE)
  --database URL       the server (DATABASE_URL, else PGHOST, PGDATABASE and so on)

mcp: a server of the Model Context Protocol on standard input and output
  --http PORT          on http://127.0.0.1:PORT/mcp instead (0: any that is free); MEMORY_MCP_TOKEN: requests must bear it
  --origin ORIGIN      a page that may call it over HTTP; may be repeated
  --agent AGENT        the agent that writes (MEMORY_AGENT)
  --graph              the tools of the reference memory server instead of memory's own

import: conversations of an export, conversations.json or the zip archive that it came in; again, it writes what is new
`;

export class Mistake extends Error {}

const OPTIONS = {
  user: { type: 'string' }, namespace: { type: 'string' }, database: { type: 'string' },
  http: { type: 'string' }, origin: { type: 'string', multiple: true }, agent: { type: 'string' }, graph: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

function parse(given: string[]) {
  try {
    return parseArgs({ args: given, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new Mistake((error as Error).message);
  }
}

function memoryOf({ user = process.env.MEMORY_USER, namespace = process.env.MEMORY_NAMESPACE, database = process.env.DATABASE_URL ?? '' }: ReturnType<typeof parse>['values']): Memory {
  if (!user) throw new Mistake('--user or MEMORY_USER: whose memories?');
  return new Memory(database, { user, namespace });
}

async function run(given: string[]): Promise<number> {
  const { values, positionals: [program, ...rest] } = parse(given);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (program === 'mcp' && !rest.length) {
    const { mcp } = await import('./mcp.js'); // what it needs is optional
    return mcp(memoryOf(values), values);
  }
  if (program === 'import') {
    const [vendor = '', file, ...more] = rest;
    if (!(vendor in VENDORS) || !file || more.length) throw new Mistake(`import: ${Object.keys(VENDORS).join(' or ')}, and a file`);
    return importFile(memoryOf(values), vendor as Vendor, file);
  }
  throw new Mistake(program ? `unknown: ${given.join(' ')}` : 'which program?');
}

/** The status to exit with. */
export async function main(given: string[]): Promise<number> {
  try {
    return await run(given);
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    process.stderr.write(`memory-postgresql: ${message}\n${hint ? `HINT: ${hint}\n` : ''}${error instanceof Mistake ? `\n${USAGE}` : ''}`);
    return error instanceof Mistake ? 2 : 1;
  }
}
