// Which of many databases has a user (docs/scale.md).
import { createHash } from 'node:crypto';

/** `memory.shard_of(user, shards)`, without asking a database. `null` is the anonymous user; `shards` is a power of two. */
export function shardOf(user: string | null, shards: number): number {
  if (user === '') throw new RangeError('user must not be empty; null is the anonymous user');
  if (!Number.isSafeInteger(shards) || shards < 1 || (BigInt(shards) & BigInt(shards - 1)) !== 0n) throw new RangeError(`shards must be a power of two, not ${shards}`);
  return Number(createHash('sha256').update(user ?? '').digest().readBigUInt64BE() % BigInt(shards));
}
