// An agent that remembers: a loop over what a person says, with a model that is a script, so that no key is needed. In the place of `model` stands a call of
// a real one with the same prompt.
//   createdb agent && psql agent -c 'CREATE EXTENSION memory CASCADE' -c 'SELECT memory.init()'
//   PGDATABASE=agent node agent.mjs
import { Memory } from 'memory-postgresql';

const memory = new Memory(process.env.DATABASE_URL ?? '', { user: 'ada' });

// What it says, and what it has learnt: subject, predicate, object.
function model(prompt, said) {
  if (/window seat/.test(said)) return { answer: 'I will remember the window.', facts: [['Ada', 'prefers', 'a window seat']] };
  if (/moved to Paris/.test(said)) return { answer: 'Bienvenue!', facts: [['Ada', 'lives in', 'Paris']] };
  const seat = /Ada prefers ([^.<\n]*)/.exec(prompt)?.[1], home = /Ada lives in ([^.<\n]*)/.exec(prompt)?.[1];
  if (/Book/.test(said)) return { answer: `Booked: from ${home ?? 'where?'}, with ${seat ?? 'any seat'}.`, facts: [] };
  return { answer: 'Tell me more.', facts: [] };
}

async function turn(session, said) {
  const prompt = await memory.context(said, { sessionId: session, maxTokens: 500 });
  const { answer, facts } = model(prompt, said);
  await memory.messages.add(session, [{ role: 'user', content: said }, { role: 'assistant', content: answer }]);
  for (const [subject, predicate, object] of facts) await memory.facts.assert(subject, predicate, object);
  console.log(`ada> ${said}\nagent> ${answer}`);
}

await memory.facts.assert('Ada', 'lives in', 'Vienna', { validFrom: '2020-01-01' });
for (const said of ['Hello.', 'On night trains I like a window seat.', 'I moved to Paris.']) await turn('monday', said);
console.log('-- another day, another conversation');
await turn('tuesday', 'Book the usual to Berlin.');
console.log('recalled:', (await memory.recall('night trains', { k: 1, contextWeight: 0 })).map(({ content }) => content).join());
console.log('homes:', (await memory.facts.find({ subject: 'Ada', predicate: 'lives in', validAt: null })).map(({ object }) => object).sort().join(', '));
await memory.end();
