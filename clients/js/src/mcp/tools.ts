// The tools of an agent over its own memory. The user is not among their arguments: it belongs to the configuration.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import type { Memory } from '../memory.js';
import type { AssertOptions, EpisodeColumns, Fact, Metadata, RecallOptions, RememberOptions } from '../types.js';
import { answer, said, told } from './answer.js';

const READS = { readOnlyHint: true, openWorldHint: false };
const ADDS = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const time = z.string().describe('A time, ISO 8601, or as a result shows it');
const metadata = z.record(z.string(), z.unknown()).describe('A JSON object');
const filter = metadata.describe('Keys and values of the metadata, or {key: {"$gte": 5}}');
const k = z.number().int().min(1).max(100).describe('How many at most');

const shownEpisode = ({ id, content, response, kind, role, sessionId, occurredAt, metadata: more }: EpisodeColumns) =>
  ({ id, content, response, kind, role, session: sessionId, occurred_at: occurredAt.text, metadata: more });
const shownFact = ({ id, subject, predicate, object, confidence, validFrom, validUntil, knownFrom, knownUntil, sources, metadata: more }: Fact) => ({
  id, subject, predicate, object, confidence, valid_from: validFrom?.text ?? null, valid_until: validUntil?.text ?? null,
  known_from: knownFrom.text, known_until: knownUntil?.text ?? null, sources, metadata: more,
});

export function registerEpisodes(server: McpServer, memory: Memory, agentId: string | undefined): void {
  server.registerTool('remember', {
    description: 'Remember something that happened or was said: a message, a note, or a turn with the response to it.',
    inputSchema: {
      content: z.string(), response: z.string().optional(), session: z.string().optional().describe('The conversation that it belongs to'),
      kind: z.string().optional().describe('episodic (default), semantic, procedural, short_term, long_term'), role: z.string().optional(),
      importance: z.number().min(0).max(1).optional(), occurred_at: time.optional(), metadata: metadata.optional(),
    },
    annotations: ADDS,
  }, told(async ({ session, occurred_at, metadata: more, ...rest }) => {
    const options: RememberOptions = { ...rest, sessionId: session, occurredAt: occurred_at, metadata: more as Metadata | undefined, agentId };
    return answer({ id: await memory.remember(rest.content, options) });
  }));

  server.registerTool('recall', {
    description: 'What is remembered of a question, the best first. Without a query: the newest.',
    inputSchema: {
      query: z.string().optional(), k: k.optional(), session: z.string().optional(), kinds: z.array(z.string()).optional(), since: time.optional(), until: time.optional(),
      filter: filter.optional(), min_relevance: z.number().min(0).max(1).optional(),
    },
    annotations: READS,
  }, told(async ({ query, session, min_relevance: minRelevance, ...rest }) => {
    const options: RecallOptions = { ...rest, sessionId: session, minRelevance };
    const rows = await memory.recall(query, options);
    return answer({ memories: rows.map((row) => ({ ...shownEpisode(row), score: row.score, relevance: row.relevance })) });
  }));

  server.registerTool('context', {
    description: 'A section for a prompt: pinned blocks, current facts, the summary of a conversation, and the memories and messages that a question needs.',
    inputSchema: { query: z.string().optional(), session: z.string().optional(), max_tokens: z.number().int().min(1).optional() },
    annotations: READS,
  }, told(async ({ query, session, max_tokens: maxTokens }) => said(await memory.context(query, { sessionId: session, maxTokens }))));
}

export function registerFacts(server: McpServer, memory: Memory): void {
  const of = { subject: z.string(), predicate: z.string().describe('A relation, such as lives_in') };

  server.registerTool('assert_fact', {
    description: 'State what is true, and from when to when. What was believed of the same subject and predicate gives way for that time, and stays in its history.',
    inputSchema: {
      ...of, object: z.string(), valid_from: time.optional(), valid_until: time.optional(), confidence: z.number().min(0).max(1).optional(),
      sources: z.array(z.uuid()).optional().describe('Ids of memories that say so'), metadata: metadata.optional(),
    },
    annotations: ADDS,
  }, told(async ({ subject, predicate, object, valid_from, valid_until, metadata: more, ...rest }) => {
    const options: AssertOptions = { ...rest, validFrom: valid_from, validUntil: valid_until, metadata: more as Metadata | undefined };
    return answer({ id: await memory.facts.assert(subject, predicate, object, options) });
  }));

  server.registerTool('retract_fact', {
    description: 'State that something is no longer true, from now or between two times.',
    inputSchema: { ...of, object: z.string().optional(), valid_from: time.optional(), valid_until: time.optional() },
    annotations: ADDS,
  }, told(async ({ subject, predicate, object, valid_from: validFrom, valid_until: validUntil }) =>
    answer({ changed: await memory.facts.retract(subject, predicate, object, { validFrom, validUntil }) })));

  server.registerTool('facts', {
    description: 'What is true of a subject, a predicate or an object: now, or at a time (valid_at), and as it was believed at a time (known_at). With a query: the facts that answer it.',
    inputSchema: {
      subject: z.string().optional(), predicate: z.string().optional(), object: z.string().optional(), query: z.string().optional().describe('Instead of the three'),
      valid_at: time.optional(), any_time: z.boolean().optional().describe('True at whatever time'), known_at: time.optional(), k: k.optional(),
    },
    annotations: READS,
  }, told(async ({ query, valid_at, any_time, known_at: knownAt, k: most, ...named }) => {
    const asOf = { validAt: any_time ? null : valid_at, knownAt, k: most };
    const rows = query === undefined ? await memory.facts.find({ ...named, ...asOf }) : await memory.facts.recall(query, asOf);
    return answer({ facts: rows.map(shownFact) });
  }));

  server.registerTool('fact_history', {
    description: 'Every version of what was believed of a subject and a predicate, with the times when it was true and when it was believed.',
    inputSchema: of,
    annotations: READS,
  }, told(async ({ subject, predicate }) => answer({ versions: (await memory.facts.history(subject, predicate)).map(shownFact) })));
}

export function registerOverview(server: McpServer, memory: Memory): void {
  server.registerTool('overview', { description: 'How much there is: memories by kind, facts, conversations.', annotations: READS }, told(async () =>
    answer(await memory.overview())));
}
