// LangGraph's own suite for checkpointers, in JavaScript. Each test has a user of its own.
import { randomUUID } from 'node:crypto';
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import pg from 'pg';
import { Saver } from 'memory-postgresql/langgraph';

const pool = new pg.Pool();
const initializer = {
  checkpointerName: 'memory',
  createCheckpointer: () => new Saver(pool, { user: randomUUID() }),
};
validate(initializer);
deltaChannelHistoryTests(initializer);
