export { Database, Strange, type Named, type Scope, type Target } from './database.js';
export { Memory, type Blocks, type Facts, type Items, type MemoryOptions, type Messages } from './memory.js';
export { Moment } from './moment.js';
export { shardOf } from './shards.js';
export type * from './types.js';
