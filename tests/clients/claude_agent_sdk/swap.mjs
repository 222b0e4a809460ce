// The conformance suite for session stores of the Claude Agent SDK's public repository, which is written for bun
// (public_suite.config.mjs). conformance.test.mjs calls it.
import { fileURLToPath } from 'node:url';

export const alias = [{ find: 'bun:test', replacement: fileURLToPath(new URL('../../node_modules/vitest/dist/index.js', import.meta.url)) }];
export const include = ['conformance.test.mjs'];
export const OWN = [];
export const DIFFERENT = {};
