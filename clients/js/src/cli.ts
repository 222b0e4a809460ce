#!/usr/bin/env node
// memory-postgresql mcp | import: the programs of this package.
import { main } from './cli/main.js';

process.exitCode = await main(process.argv.slice(2));
