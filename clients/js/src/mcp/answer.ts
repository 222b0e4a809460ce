// What a tool answers: JSON, as text and as it is; and what went wrong, in the words of the database, never with a stack.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** Something that the model may read as it stands. */
export class Refused extends Error {}

interface Reported { message?: string; code?: string; detail?: string; hint?: string }

function reason(error: unknown): string {
  const { message, code, detail, hint } = error as Reported;
  const lines = [message ?? 'no reason is known', detail && `DETAIL: ${detail}`, hint && `HINT: ${hint}`, code && `SQLSTATE or code: ${code}`];
  return lines.filter(Boolean).join('\n');
}

export const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] });
export const answer = (structuredContent: Record<string, unknown>, text = JSON.stringify(structuredContent, null, 1)): CallToolResult =>
  ({ content: [{ type: 'text', text }], structuredContent });

/** A handler whose errors are the tool's. */
export function told<Arguments extends unknown[]>(handler: (...given: Arguments) => Promise<CallToolResult>): (...given: Arguments) => Promise<CallToolResult> {
  return async (...given) => {
    try {
      return await handler(...given);
    } catch (error) {
      return { ...said(error instanceof Refused ? error.message : reason(error)), isError: true };
    }
  };
}
