// Mocha's dot reporter, which also lists the tests that passed only when they were repeated, and writes the numbers of passed,
// failed and skipped tests to the file in MOCHA_COUNTS.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const repeated = [];
    runner.on('retry', (test, error) => repeated.push(`${test.fullTitle()}: ${error?.stack ?? error}`));
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(process.env.MOCHA_COUNTS, `${passes} ${failures} ${pending}\n`);
      for (const text of repeated) console.log(`REPEATED: ${text}`);
    });
  }
};
