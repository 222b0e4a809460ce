// What the functions return and take, as docs/reference.md explains them, in camel case.
import type { Moment } from './moment.js';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json | undefined };
export type Metadata = Record<string, Json | undefined>;
/** A time with microseconds (`Moment`), one without (`Date`), or as PostgreSQL reads it, `-infinity` and `infinity` too. */
export type When = Date | string;
/** Keys of the metadata or value, and `$` operators: docs/filter.md. */
export type Filter = Record<string, unknown>;
export type Embed = (texts: string[]) => Promise<number[][]>;

/** What lists of episodes show of each. */
export interface EpisodeColumns {
  id: string;
  content: string;
  response: string | null;
  kind: string;
  role: string | null;
  sessionId: string | null;
  agentId: string | null;
  occurredAt: Moment;
  metadata: Metadata;
  importance: number;
}

export interface Episode extends EpisodeColumns {
  transcript: Json[] | null;
  expiresAt: Moment | null;
  recordedAt: Moment;
  userId: string | null;
}

export interface Recalled extends EpisodeColumns {
  score: number;
  relevance: number | null;
  bm25Score: number | null;
  vectorScore: number | null;
  bm25Rank: number | null;
  vectorRank: number | null;
  match: string;
}

export interface RememberOptions {
  response?: string;
  sessionId?: string;
  agentId?: string;
  kind?: string;
  role?: string;
  metadata?: Metadata;
  importance?: number;
  occurredAt?: When;
  ttl?: string;
  embedding?: number[];
  transcript?: Json[];
  id?: string;
  model?: string;
}

export interface RecallOptions {
  embedding?: number[];
  /** How many; `null` is no limit. */
  k?: number | null;
  alpha?: number;
  sessionId?: string;
  agentId?: string;
  kinds?: string[];
  filter?: Filter;
  since?: When;
  until?: When;
  minRelevance?: number;
  halfLife?: string;
  diversity?: number;
  contextWeight?: number;
  fusion?: 'blend' | 'rrf' | 'rrf_replicated';
  fallback?: 'none' | 'recent';
  skip?: number;
  model?: string;
  rrfK?: number;
  fuzzy?: boolean;
}

/** Ends that are open are null. */
export interface Fact {
  id: string;
  subject: string;
  predicate: string;
  object: string;
  confidence: number;
  validFrom: Moment | null;
  validUntil: Moment | null;
  knownFrom: Moment;
  knownUntil: Moment | null;
  sources: string[];
  metadata: Metadata;
  userId: string | null;
}

export interface RecalledFact extends Fact {
  score: number;
  bm25Score: number | null;
  vectorScore: number | null;
}

export interface AssertOptions {
  validFrom?: When;
  validUntil?: When;
  confidence?: number;
  sources?: string[];
  metadata?: Metadata;
  embedding?: number[];
  id?: string;
}

export interface AsOf {
  /** True then; `null` is at any time. Left out: now. */
  validAt?: When | null;
  /** As it was believed then. Left out: now. */
  knownAt?: When;
  k?: number | null;
}

export interface Path {
  path: string;
  depth: number;
  entity: string;
  factIds: string[];
}

export interface Message {
  sessionId: string;
  path: string;
  seq: number;
  id: string;
  key: string | null;
  role: string;
  content: string | null;
  message: Record<string, Json>;
  runId: string | null;
  occurredAt: Moment;
}

export interface AddMessagesOptions {
  agentId?: string;
  runId?: string;
  path?: string;
  keyField?: string;
  expectedSeq?: number;
  operation?: string;
}

export interface MessagesOptions {
  k?: number | null;
  after?: number;
  before?: number;
  since?: When;
  until?: When;
  runs?: number;
  roles?: string[];
  keys?: string[];
  around?: number;
  toolMessages?: boolean;
  path?: string;
}

export interface Session {
  sessionId: string;
  agentId: string | null;
  messages: number;
  lastSeq: number;
  version: number;
  createdAt: Moment;
  updatedAt: Moment;
  metadata: Metadata;
  paths: string[];
}

/** A directory has neither content nor version. */
export interface Block {
  name: string;
  content: string | null;
  version: number | null;
  place: number | null;
  charLimit: number | null;
  readOnly: boolean | null;
  metadata: Metadata | null;
  chars: number;
  updatedAt: Moment;
  agentId: string | null;
  sessionId: string | null;
  userId: string | null;
}

export interface SetBlockOptions {
  pinned?: boolean;
  charLimit?: number;
  readOnly?: boolean;
  metadata?: Metadata;
  /** 0: it must not be there yet. */
  expectedVersion?: number;
}

export interface BlockVersion {
  version: number;
  content: string;
  updatedAt: Moment;
  agentId: string | null;
  sessionId: string | null;
}

export interface Item<Value = Record<string, unknown>> {
  path: string[];
  key: string;
  value: Value;
  version: number;
  createdAt: Moment;
  updatedAt: Moment;
  expiresAt: Moment | null;
  userId: string | null;
}

export interface FoundItem<Value = Record<string, unknown>> extends Item<Value> {
  score: number | null;
  relevance: number | null;
}

export interface SearchOptions {
  query?: string;
  embedding?: number[];
  filter?: Filter;
  keys?: string[];
  k?: number | null;
  skip?: number;
  alpha?: number;
  minRelevance?: number;
}

export interface ForgetOptions {
  sessionId?: string;
  before?: When;
  id?: string;
  filter?: Filter;
  itemPath?: string[];
}

/** The receipt: counts per table, the time, a digest of the ids. */
export type Forgotten = Record<string, Json>;
