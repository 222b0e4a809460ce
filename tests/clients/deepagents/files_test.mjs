// deepagents' files in the package's store, as TAP: 16 agents of one user at once, which its own tests do not ask. deepagents is read
// from its public repository, by vitest (public_suite.config.mjs).
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { Store } from 'memory-postgresql/langgraph';
import pg from 'pg';
import { StoreBackend } from './public/libs/deepagents/src/backends/store.ts';

const pool = new pg.Pool({ max: 16 });
const filesOf = (store) => new StoreBackend({ state: { files: {}, messages: [] }, store }, { namespace: ['filesystem'] });
const agents = Array.from({ length: 16 }, (_, n) => n);
const listed = agents.map((n) => `/agents/${n}.md`).sort();

test('16 agents write, edit and read their files at once', async () => {
  const store = new Store(pool, { user: randomUUID() });
  await filesOf(store).write('/shared.md', 'for all');
  const read = await Promise.all(agents.map(async (n) => {
    const files = filesOf(store);
    await files.write(`/agents/${n}.md`, `one of ${n}\ntwo of ${n}`);
    await files.edit(`/agents/${n}.md`, 'two', '2', false);
    return [(await files.read(`/agents/${n}.md`)).content, (await files.read('/shared.md')).content];
  }));
  expect(read).toEqual(agents.map((n) => [`one of ${n}\n2 of ${n}`, 'for all']));
  expect((await filesOf(store).ls('/agents/')).files.map(({ path }) => path).sort()).toEqual(listed);
  expect((await filesOf(store).grep('2 of', '/agents/')).matches.map(({ path }) => path).sort()).toEqual(listed);
  expect((await filesOf(new Store(pool, { user: randomUUID() })).ls('/')).files).toEqual([]);
});
