// For vitest: tests of a public repository against our adapters, as TAP. The module `swap` beside it says what is imported in the
// place of what, and lists tests by a part of their names:
//   OWN        what is about the other implementation, not about what it keeps; left out
//   DIFFERENT  with the reason; they run and must fail (public_suite.setup.mjs)
import * as swap from './swap.mjs';

const { DIFFERENT, alias, include = ['public/**/*.test.ts'] } = swap;

class Tap {
  number = 0;
  leftOut = 0;

  onTestCaseResult(test) {
    const { fullName } = test, { state, errors = [] } = test.result();
    const different = Object.keys(DIFFERENT).find((name) => fullName.includes(name));
    if (state === 'skipped') this.leftOut += 1;
    else if (state === 'passed' && different) console.log(`# differs: ${fullName}: ${DIFFERENT[different]}`);
    else console.log(`${state === 'passed' ? 'ok' : 'not ok'} ${this.number += 1} - ${fullName}`);
    for (const { stack, message } of errors) console.log((stack ?? message).replace(/^/gm, '# '));
  }

  onTestRunEnd(modules, errors) {
    for (const { stack, message } of [...errors, ...modules.flatMap((module) => module.errors())]) {
      console.log(`not ok ${this.number += 1} - outside of tests\n${(stack ?? message).replace(/^/gm, '# ')}`);
    }
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
