// The OpenAI Agents SDK's own tests with memory-postgresql/openai-agents in the place of its MemorySession (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
export const alias = [
  { find: /^(.*\/)?memory\/memorySession$/, replacement: file('swapped.mjs') },
  { find: '@openai/agents-core/_shims/config', replacement: file('public/packages/agents-core/src/shims/config-node.ts') },
  { find: '@openai/agents-core/_shims', replacement: file('public/packages/agents-core/src/shims/shims-node.ts') },
];
export const include = ['public/packages/agents-core/test/**/*.test.ts'];
export const OWN = ['redacts item contents', 'preserves item diagnostics'];
const ALIKE = "it fails alike with the SDK's own session: a state that is serialised lacks outputInfo, which the zod that is installed asks for";
export const DIFFERENT = Object.fromEntries([
  'does not fabricate serialized', 'persists only the previously accepted serialized', 'pre-aborted serialized', 'replaces a blocked $mode sparse suffix', 'restoring a marker-valued',
].map((name) => [name, ALIKE]));
