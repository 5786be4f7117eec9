// Mocha's dots, and besides the numbers of passed, failed and skipped tests in the file that MOCHA_COUNTS names.
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
