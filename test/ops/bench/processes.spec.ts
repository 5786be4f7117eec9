import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { CLI } from '../../../bench/processes.js';

describe('the benchmark', () => {
  it('finds the command line that it starts', () => expect(existsSync(CLI), CLI).to.equal(true));
});
