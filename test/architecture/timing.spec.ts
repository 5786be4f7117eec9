import { expect } from 'chai';
import { readSources } from './source.js';
import { timingHazards } from './timing.js';

/** Their subject is the time itself. */
const OF_TIME = new Set(['test/architecture/timing.spec.ts', 'test/ops/clock.spec.ts', 'test/support/manual-clock.spec.ts']);

describe('specs on a busy machine', () => {
  it('have limits of real time that scale, and wait for conditions', () => {
    const files = readSources(process.cwd()).filter(({ path }) => !OF_TIME.has(path));
    expect(files.flatMap(timingHazards)).to.deep.equal([]);
  });

  const file = (text: string, path = 'test/messages/a.spec.ts') => ({ path, text });
  for (const text of [
    'expect(performance.now() - startedAt).to.be.below(450);',
    'const took = performance.now() - startedAt;\nexpect(took).to.be.below(LIMIT_MS);',
    'expect(Math.abs(Date.now() - Number(timestamp))).to.be.below(10_000);',
    'await new Promise((resolve) => setTimeout(resolve, 20));',
    'await sleep(50);',
  ])
    it(`refuses ${text.replaceAll('\n', ' ')}`, () => expect(timingHazards(file(text))).to.have.length(1));
  for (const text of [
    'expect(performance.now() - startedAt).to.be.below(450 * TIMEOUT_FACTOR);',
    'const LIMIT_MS = 10_000 * TIMEOUT_FACTOR;\nconst took = performance.now() - startedAt;\nexpect(took).to.be.below(LIMIT_MS);',
    'expect(performance.now() - startedAt).to.be.at.least(45);',
    'await new Promise((resolve) => setTimeout(resolve, refused.retryAfter * 1_000));',
  ])
    it(`accepts ${text.replaceAll('\n', ' ')}`, () => expect(timingHazards(file(text))).to.deep.equal([]));
});
