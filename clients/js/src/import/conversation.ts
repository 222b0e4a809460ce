// What the vendors' formats are read into.
import type { Json } from '../types.js';

export type Role = 'user' | 'assistant';

/** A message as the log takes it, wrapped: of its content the parts of type `text` are recalled. */
export interface Said {
  key: string;
  occurred_at: string;
  message: { role: Role; content: Json } & Record<string, Json | undefined>;
}

export interface Conversation {
  id: string;
  title: string | null;
  createdAt: string | null;
  updatedAt: string | null;
  messages: Said[];
  /** What was not taken, and how often: hidden, of the system, of tools, of a branch that was left, empty. */
  leftOut: Record<string, number>;
}

/** The element is no conversation of this vendor. */
export class NoConversation extends Error {}

export type Fields = Record<string, unknown>;
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);
export const jsonOf = (value: unknown): Json => value as Json;

export class LeftOut {
  readonly counts: Record<string, number> = {};

  add(why: string, count = 1): void {
    if (count) this.counts[why] = (this.counts[why] ?? 0) + count;
  }
}

/** ISO 8601 of a time as vendors write it: seconds with a fraction, or a text. Null where it is none. */
export function timeOf(value: unknown): string | null {
  const date = typeof value === 'number' ? new Date(value * 1000) : typeof value === 'string' ? new Date(value) : undefined;
  return date && !Number.isNaN(date.getTime()) ? date.toISOString() : null;
}
