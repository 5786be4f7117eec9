import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Guard } from './world/guard.js';

const uses: Readonly<Record<string, () => unknown>> = {
  'Date.now()': () => Date.now(),
  'new Date()': () => new Date(),
  'globalThis.setTimeout()': () => setTimeout(() => {}, 0),
  'globalThis.setInterval()': () => setInterval(() => {}, 1_000),
  'globalThis.setImmediate()': () => setImmediate(() => {}),
  'node:timers/promises.setTimeout()': () => sleep(0),
  'Math.random()': () => Math.random(),
  'performance.now()': () => performance.now(),
  'node:crypto.randomBytes()': () => randomBytes(1),
  'node:crypto.randomUUID()': () => randomUUID(),
  'crypto.randomUUID()': () => crypto.randomUUID(),
  'crypto.getRandomValues()': () => crypto.getRandomValues(new Uint8Array(1)),
};

describe('while a simulation runs', () => {
  let guard: Guard;
  beforeEach(() => {
    guard = new Guard();
  });
  afterEach(() => guard.end());

  for (const [name, use] of Object.entries(uses)) {
    it(`${name} throws and names its caller`, () => {
      expect(use).to.throw(`${name} was called while a simulation ran`).with.property('message').that.includes('guard.spec');
      expect(guard.uses).to.have.lengthOf(1);
    });
  }

  it('a date of a given moment is allowed', () => {
    const date = new Date(0);
    expect(date.toISOString()).to.equal('1970-01-01T00:00:00.000Z');
    expect(date).to.be.instanceOf(Date);
    expect(Date.UTC(1970, 0, 1)).to.equal(0);
  });

  it('nothing is forbidden any more once it has ended', async () => {
    guard.end();
    await sleep(0);
    for (const [name, use] of Object.entries(uses)) if (!name.includes('set')) expect(use, name).not.to.throw();
    await new Promise((resolve) => setImmediate(resolve));
    expect(Date.now()).to.be.above(Date.UTC(2026, 0, 1));
  });
});
