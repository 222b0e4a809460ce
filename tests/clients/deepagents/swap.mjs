// The tests that deepagents has of its files in a store, with memory-postgresql/langgraph in the place of LangGraph's store in memory
// (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

export const alias = [{ find: /^@langchain\/langgraph-checkpoint$/, replacement: fileURLToPath(new URL('swapped.mjs', import.meta.url)) }];
export const include = [process.env.FILES_TEST ?? 'public/libs/deepagents/src/backends/store.test.ts'];
export const OWN = ['via middleware']; // of langchain, not of the store
export const DIFFERENT = {
  'should delete a subtree in one batch': 'what was put last comes first, so that files are deleted in another order',
  'should ignore offset/limit for binary reads': 'what is read twice is equal, and not one object',
};
