// LangGraph's own suite for checkpointers, in JavaScript. Each test has a user of its own.
import { randomUUID } from 'node:crypto';
import { deltaChannelHistoryTests, validate } from '@langchain/langgraph-checkpoint-validation';
import pg from 'pg';
import { Saver } from './saver.mjs';

const initializer = {
  checkpointerName: 'memory',
  createCheckpointer: () => new Saver(new pg.Pool({ options: `-c memory.user_id=${randomUUID()}` })),
  destroyCheckpointer: (saver) => saver.pool.end(),
};
validate(initializer);
deltaChannelHistoryTests(initializer);
