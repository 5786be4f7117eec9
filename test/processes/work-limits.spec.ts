import { expect } from 'chai';
import type { Priority, Todo } from '../../processes/runtime/process-manager.js';
import { RateAllowances } from '../../processes/runtime/work-limits.js';

const todo = (account: string, priority: Priority = 2): Todo => ({ id: account, due_at: 0, account, priority, lane: 'sms' });

describe('the rate of an account', () => {
  let now: number;
  const clock = { monotonic: () => now };
  beforeEach(() => {
    now = 1_000;
  });
  const allowances = () =>
    new RateAllowances(
      clock,
      (priority) => (priority === 2 ? 10 : null),
      (one) => (one.account === 'heavy' ? 30 : 1),
    );

  it('lets a second of it start at once, and then as much as time passes', () => {
    const rates = allowances();
    expect(rates.of(2, 'a')).to.equal(10);
    rates.started(Array.from({ length: 10 }, () => todo('a')));
    expect(rates.of(2, 'a')).to.equal(0);
    expect(rates.nextMs()).to.equal(100);
    now += 250;
    expect(rates.of(2, 'a')).to.equal(2);
  });

  it('is of that account and priority alone', () => {
    const rates = allowances();
    rates.started(Array.from({ length: 10 }, () => todo('a')));
    expect(rates.of(2, 'b')).to.equal(10);
    expect(rates.of(1, 'a')).to.equal(Number.POSITIVE_INFINITY);
  });

  it('waits after a to-do that counts for more than the rate', () => {
    const rates = allowances();
    rates.started([todo('heavy')]);
    now += 2_000;
    expect(rates.of(2, 'heavy')).to.equal(0);
    now += 100;
    expect(rates.of(2, 'heavy')).to.equal(1);
  });
});
