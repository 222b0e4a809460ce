// For tests of clients/js: what is the same is ok, as TAP.
import { isDeepStrictEqual } from 'node:util';

let run = 0;
let broken = 0;

export function same(got, expected, name) {
  const good = isDeepStrictEqual(got, expected);
  if (!good) broken += 1;
  console.log(`${good ? 'ok' : 'not ok'} ${run += 1} - ${name}`);
  if (!good) console.log(`# got ${JSON.stringify(got)}\n# expected ${JSON.stringify(expected)}`);
}

// What a promise is refused with: a SQLSTATE, else the message.
export const refusal = (promise) => promise.then(() => 'nothing', ({ code, message }) => code ?? message);

export function end() {
  console.log(`1..${run}`);
  process.exitCode = broken ? 1 : 0;
}
