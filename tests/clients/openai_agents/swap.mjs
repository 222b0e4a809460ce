// The OpenAI Agents SDK's own tests with memory-postgresql/openai-agents in the place of its MemorySession (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));
export const alias = [
  { find: /^zod(\/.*)?$/, replacement: 'zod-of-openai-agents$1' }, // the one that the SDK's lock names: a later one refuses the tests' own states
  { find: /^(.*\/)?memory\/memorySession$/, replacement: file('swapped.mjs') },
  { find: '@openai/agents-core/_shims/config', replacement: file('public/packages/agents-core/src/shims/config-node.ts') },
  { find: '@openai/agents-core/_shims', replacement: file('public/packages/agents-core/src/shims/shims-node.ts') },
];
export const include = ['public/packages/agents-core/test/**/*.test.ts'];
export const OWN = ['redacts item contents', 'preserves item diagnostics'];
export const DIFFERENT = {};
