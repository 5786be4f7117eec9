import { expect } from 'chai';
import { Turns } from '../../log/feed/turns.js';
import { system } from '../support/system.js';

describe('turns in a thread', () => {
  /** The order in which those that wait together have their turns. */
  async function orderOf(waiting: readonly string[], isUrgent: (name: string) => boolean, turns = new Turns(system.clock)): Promise<string[]> {
    const order: string[] = [];
    await Promise.all(waiting.map((name) => turns.take(isUrgent(name)).then(() => order.push(name))));
    return order;
  }
  const isUpperCase = (name: string) => name === name.toUpperCase();

  it('are in the order in which they were asked for', async () => {
    expect(await orderOf(['a', 'b', 'c'], () => false)).to.deep.equal(['a', 'b', 'c']);
    expect(await orderOf(['A', 'B', 'C'], () => true)).to.deep.equal(['A', 'B', 'C']);
  });

  it('are given to urgent ones first, and to one of the others after each of those', async () => {
    expect(await orderOf(['a', 'b', 'c', 'A', 'B', 'd'], isUpperCase)).to.deep.equal(['A', 'a', 'B', 'b', 'c', 'd']);
    expect(await orderOf(['a', 'A', 'B', 'C', 'D'], isUpperCase)).to.deep.equal(['A', 'a', 'B', 'C', 'D']);
  });

  it('are also given to the others while an urgent one asks again after each of its turns', async () => {
    const turns = new Turns(system.clock);
    let urgent = 0;
    let isDone = false;
    const asking = (async () => {
      for (; !isDone; urgent++) await turns.take(true);
    })();
    expect(await orderOf(['a', 'b', 'c'], () => false, turns)).to.deep.equal(['a', 'b', 'c']);
    expect(urgent).to.be.at.most(4);
    isDone = true;
    await asking;
  });
});
