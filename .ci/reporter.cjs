// Mocha's dot reporter, which also writes the numbers of passed, failed and skipped tests to the file in MOCHA_COUNTS.
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(process.env.MOCHA_COUNTS, `${passes} ${failures} ${pending}\n`);
    });
  }
};
