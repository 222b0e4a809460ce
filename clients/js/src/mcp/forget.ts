// To forget takes two steps: what would go is counted, and a person says so where the client can ask (elicitation), else a second call with
// the token of the first. What goes is what was counted: a receipt with another digest of ids is rolled back, and counted anew.
import { randomUUID } from 'node:crypto';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Memory } from '../memory.js';
import type { ForgetOptions, Forgotten } from '../types.js';
import { answer, Refused, told } from './answer.js';

const MINUTES = 10;
const MOST_WAITING = 100;

interface Waiting { conditions: ForgetOptions; counted: Forgotten; until: number }

// Carries the receipt out of a transaction that is rolled back.
class Counted extends Error {
  constructor(readonly receipt: Forgotten) {
    super();
  }
}

async function forget(memory: Memory, conditions: ForgetOptions, agreed?: Forgotten): Promise<Forgotten> {
  return memory.db.transaction(async (db) => {
    const receipt = await db.value<Forgotten>('forget', conditions);
    if (receipt.digest !== agreed?.digest) throw new Counted(receipt);
    return receipt;
  });
}

async function count(memory: Memory, conditions: ForgetOptions): Promise<Forgotten> {
  return forget(memory, conditions).catch((error: unknown) => {
    if (error instanceof Counted) return error.receipt;
    throw error;
  });
}

const counts = (receipt: Forgotten) => Object.fromEntries(Object.entries(receipt).filter(([, value]) => typeof value === 'number' && value > 0));

export function registerForget(server: McpServer, memory: Memory): void {
  const waiting = new Map<string, Waiting>();

  async function carryOut({ conditions, counted }: Pick<Waiting, 'conditions' | 'counted'>) {
    try {
      return answer({ forgotten: counts(await forget(memory, conditions, counted)) });
    } catch (error) {
      if (!(error instanceof Counted)) throw error;
      return askedFor(conditions, error.receipt, 'What would be forgotten has changed since it was counted. ');
    }
  }

  function askedFor(conditions: ForgetOptions, counted: Forgotten, first = '') {
    const now = Date.now(), token = randomUUID();
    for (const [old, { until }] of waiting) if (until < now || waiting.size >= MOST_WAITING) waiting.delete(old);
    waiting.set(token, { conditions, counted, until: now + MINUTES * 60_000 });
    const text = `${first}Nothing is forgotten yet. This would go: ${JSON.stringify(counts(counted))}. Ask the person; if they agree, call forget again with {"token": "${token}"} alone, within ${MINUTES} minutes.`;
    return answer({ would_forget: counts(counted), token }, text);
  }

  server.registerTool('forget', {
    description: 'Delete memories for good: one by its id, a conversation, what is before a time, or what a filter finds; conditions are joined by and. '
      + 'The first call counts what would go and deletes nothing; it is confirmed by a person, or by a second call with the token.',
    inputSchema: {
      id: z.uuid().optional(), session: z.string().optional(), before: z.string().optional().describe('A time, ISO 8601'), filter: z.record(z.string(), z.unknown()).optional(),
      token: z.uuid().optional().describe('Of the first call; then nothing else'),
    },
    annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: false },
  }, told(async ({ token, session: sessionId, filter, ...rest }) => {
    if (token !== undefined) {
      const found = waiting.get(token);
      if (sessionId ?? filter ?? rest.id ?? rest.before) throw new Refused('A token comes alone: it stands for the conditions of the first call.');
      waiting.delete(token);
      if (!found || found.until < Date.now()) throw new Refused('This token is unknown, used or too old. Call forget with the conditions again.');
      return carryOut(found);
    }
    const conditions: ForgetOptions = { ...rest, sessionId, filter };
    const counted = await count(memory, conditions);
    if (!Object.keys(counts(counted)).length) return answer({ forgotten: {} }, 'There is nothing that meets these conditions.');
    if (!server.server.getClientCapabilities()?.elicitation) return askedFor(conditions, counted);
    const { action, content } = await server.server.elicitInput({
      message: `Forget for good: ${JSON.stringify(counts(counted))}?`,
      requestedSchema: { type: 'object', properties: { forget: { type: 'boolean', title: 'Forget', description: 'Delete them for good' } }, required: ['forget'] },
    });
    if (action !== 'accept' || content?.forget !== true) return answer({ forgotten: {} }, 'Nothing is forgotten: it was not agreed to.');
    return carryOut({ conditions, counted });
  }));
}
