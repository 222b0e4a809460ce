// Anthropic's tests of its memory tool with memory-postgresql/anthropic in the place of the one over files (public_suite.config.mjs).
import { fileURLToPath } from 'node:url';

export const alias = [{ find: /^(fs\/promises|.*\/src\/tools\/memory\/node)$/, replacement: fileURLToPath(new URL('swapped.mjs', import.meta.url)) }];
export const OWN = ['symlink', 'file permissions'];
export const DIFFERENT = {};
