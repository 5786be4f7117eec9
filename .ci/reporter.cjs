// Mocha's dot reporter, which also writes to the file in MOCHA_COUNTS a line for each spec file: its numbers of passed, failed and
// skipped tests, and its path from the root of the project.
const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { reporters } = require('mocha');

module.exports = class CountingReporter extends reporters.Dot {
  constructor(runner, options) {
    super(runner, options);
    const files = new Map();
    const count = (outcome) => (test) => {
      const file = test.file ?? test.parent?.file;
      const name = file ? relative(process.cwd(), file) : '';
      const counts = files.get(name) ?? { passed: 0, failed: 0, skipped: 0 };
      counts[outcome] += 1;
      files.set(name, counts);
    };
    runner.on('pass', count('passed'));
    runner.on('fail', count('failed'));
    runner.on('pending', count('skipped'));
    runner.once('end', () => {
      const lines = [...files].map(([name, { passed, failed, skipped }]) => `${passed} ${failed} ${skipped} ${name}\n`);
      writeFileSync(process.env.MOCHA_COUNTS, lines.join(''));
    });
  }
};
