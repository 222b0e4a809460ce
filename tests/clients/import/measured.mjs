// memory-postgresql, and how much memory it had at most.
import { main } from '../../dist/cli/main.js';

process.exitCode = await main(process.argv.slice(2));
console.log(`maxRSS ${process.resourceUsage().maxRSS}`);
