// The Claude Agent SDK's conformance suite for session stores, in JavaScript. Each test has a user of its own.
import { randomUUID } from 'node:crypto';
import { SessionStore } from 'memory-postgresql/claude-agent-sdk';
import pg from 'pg';
import { runSessionStoreConformance } from './public/examples/session-stores/shared/conformance.ts';

const pool = new pg.Pool();
runSessionStoreConformance(() => new SessionStore(pool, { user: randomUUID() }));
