// The tests that deepagents has of its files in a store, with memory-postgresql/langgraph in the place of LangGraph's store in memory
// (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

export const alias = [{ find: /^@langchain\/langgraph-checkpoint$/, replacement: fileURLToPath(new URL('swapped.mjs', import.meta.url)) }];
const OURS = process.env.FILES_TEST; // a file of ours in the place of theirs
export const include = [OURS ?? 'public/libs/deepagents/src/backends/store.test.ts'];
export const OWN = OURS ? [] : ['via middleware']; // of langchain, not of the store
export const DIFFERENT = OURS ? {} : {
  'should delete a subtree in one batch': 'what was put last comes first, so that files are deleted in another order',
  'should ignore offset/limit for binary reads': 'what is read twice is equal, and not one object',
};
