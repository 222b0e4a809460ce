// For vitest: tests of a public repository against our adapters, as TAP. The module `swap` beside it says what is imported in the
// place of what, and lists tests by a part of their names:
//   OWN        what is about the other implementation, not about what it keeps; left out
//   DIFFERENT  with the reason; they run and must fail (public_suite.setup.mjs)
// A name that is met by no test is out of date, and said (tools/suites/rows.sh).
import * as swap from './swap.mjs';

const { DIFFERENT, OWN, alias, include = ['public/**/*.test.ts'] } = swap;

class Tap {
  number = 0;
  leftOut = 0;
  met = new Set();

  onTestCaseResult(test) {
    const { fullName } = test, { state, errors = [] } = test.result();
    for (const name of [...OWN, ...Object.keys(DIFFERENT)]) if (fullName.includes(name)) this.met.add(name);
    const different = Object.keys(DIFFERENT).find((name) => fullName.includes(name));
    if (state === 'skipped') this.leftOut += 1;
    else if (state === 'passed' && different) console.log(`# differs: ${fullName}\t${DIFFERENT[different]}`);
    else console.log(`${state === 'passed' ? 'ok' : 'not ok'} ${this.number += 1} - ${fullName}`);
    for (const { stack, message } of errors) console.log((stack ?? message).replace(/^/gm, '# '));
  }

  onTestRunEnd(modules, errors) {
    for (const { stack, message } of [...errors, ...modules.flatMap((module) => module.errors())]) {
      console.log(`not ok ${this.number += 1} - outside of tests\n${(stack ?? message).replace(/^/gm, '# ')}`);
    }
    for (const name of [...OWN, ...Object.keys(DIFFERENT)]) console.log(`# listed: ${this.met.has(name) ? 'met' : 'not met'}\t${name}`);
    console.log(`# ${this.leftOut} left out: its own parts\n1..${this.number}`);
  }
}

export default {
  resolve: { alias },
  test: {
    globals: true, include, setupFiles: ['./public_suite.setup.mjs'], reporters: [new Tap()], testTimeout: 60000,
    server: { deps: { external: [/\/js\/dist\//] } }, // our package has what it imports, whatever is swapped
  },
};
