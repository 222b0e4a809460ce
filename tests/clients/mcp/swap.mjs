// The tests of the reference memory server with memory-postgresql/mcp in its place (public_suite.config.mjs). A path of a file is a user, and
// what a test reads from the file is what the graph has.
import { fileURLToPath } from 'node:url';

export const alias = [{ find: /^(fs|\.\.\/index\.js)$/, replacement: fileURLToPath(new URL('swapped.mjs', import.meta.url)) }];
export const OWN = ['ensureMemoryFilePath'];
export const DIFFERENT = {};
