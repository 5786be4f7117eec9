import { expect } from 'chai';
import { CallPermits, type Release } from '../../processes/messages/call-permits.js';
import type { Priority } from '../../processes/runtime/process-manager.js';

describe('permits of calls', () => {
  let granted: string[];
  let releases: Release[];
  let stop: AbortController;
  beforeEach(() => {
    [granted, releases, stop] = [[], [], new AbortController()];
  });

  async function ask(permits: CallPermits, priority: Priority, ...accounts: string[]): Promise<void> {
    for (const account of accounts)
      permits.acquire({ priority, account }, stop.signal).then((release) => {
        granted.push(`${priority}/${account}${release ? '' : ' stopped'}`);
        if (release) releases.push(release);
      });
    await turn();
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const release = async () => {
    releases.shift()?.();
    await turn();
  };

  it('are granted while there are any, then one for each that is given back', async () => {
    const permits = new CallPermits([2, 2, 2]);
    await ask(permits, 0, 'a', 'a', 'a');
    expect(granted).to.have.length(2);
    await release();
    expect(granted).to.have.length(3);
  });

  it('are given back once only', async () => {
    const permits = new CallPermits([1, 1, 1]);
    await ask(permits, 0, 'a', 'a', 'a');
    const [first] = releases;
    first?.();
    first?.();
    await turn();
    expect(granted).to.have.length(2);
  });

  it('go to the most urgent, then to accounts in turn', async () => {
    const permits = new CallPermits([1, 1, 1]);
    await ask(permits, 1, 'a');
    await ask(permits, 2, 'c');
    await ask(permits, 1, 'a', 'a', 'b');
    await ask(permits, 0, 'd');
    for (let n = 0; n < 5; n++) await release();
    expect(granted).to.deep.equal(['1/a', '0/d', '1/a', '1/b', '1/a', '2/c']);
  });

  it('are partly reserved for what is more urgent', async () => {
    const permits = CallPermits.ofCalls(8);
    await ask(permits, 2, ...Array(9).fill('a'));
    expect(granted).to.have.length(6);
    await ask(permits, 1, 'b', 'b');
    expect(granted.slice(6)).to.deep.equal(['1/b']);
    await ask(permits, 0, 'c', 'c');
    expect(granted.slice(7)).to.deep.equal(['0/c']);
  });

  it('are not waited for after the end', async () => {
    const permits = new CallPermits([1, 1, 1]);
    await ask(permits, 0, 'a', 'b', 'a');
    stop.abort();
    await turn();
    expect(granted).to.deep.equal(['0/a', '0/b stopped', '0/a stopped']);
    await release();
    stop = new AbortController();
    await ask(permits, 0, 'c');
    expect(granted.at(-1)).to.equal('0/c');
  });
});
