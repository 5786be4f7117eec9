import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { ChangeChannel } from '../../../engines/sqlite/change-channel.js';
import { eventually } from '../../support/eventually.js';

describe('the change channel', () => {
  let dir: string;
  const channels: ChangeChannel[] = [];
  const open = (): ChangeChannel => {
    const channel = new ChangeChannel(dir);
    channels.push(channel);
    return channel;
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'changes-'));
  });
  afterEach(() => {
    for (const channel of channels.splice(0)) channel.close();
    rmSync(dir, { recursive: true });
  });

  it('notifies at once those listeners that accept the message', () => {
    const channel = open();
    const [wanted, other] = [channel.listen((data) => data === 'wanted'), channel.listen((data) => data === 'other')];
    channel.announce('wanted');
    expect([wanted.notified, other.notified]).to.deep.equal([1, 0]);
  });

  it('notifies other threads of several later changes in the order in which they were made', async () => {
    const received: unknown[] = [];
    const sender = open();
    const receiver = new ChangeChannel(dir, 'log', (data) => received.push(data));
    channels.push(receiver);
    for (const data of [1, 2]) sender.announceLater(data);
    expect(received).to.deep.equal([]);
    sender.announce(3);
    sender.announceLater(4);
    await eventually('all changes received', () => received.length === 4);
    expect(received).to.deep.equal([1, 2, 3, 4]);
  });

  it('notifies all listeners of a change by another process', async () => {
    const listeners = [open().listen(), open().listen(() => false)];
    const before = listeners.map(({ notified }) => notified);
    const module = new URL('../../../engines/sqlite/change-channel.js', import.meta.url);
    const program = `const { ChangeChannel } = await import(${JSON.stringify(module.href)});
      const channel = new ChangeChannel(${JSON.stringify(dir)}); channel.announce('x'); channel.close()`;
    execFileSync(process.execPath, ['--input-type=module', '-e', program]);
    await Promise.all(listeners.map((listener, i) => listener.waitForNext(before[i] as number)));
  });

  it('has one timer for all who wait, and none of its own once they have what they waited for', async () => {
    // The test runner starts its own timer after the synchronous part of a test.
    await Promise.resolve();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const channel = open();
    const listeners = Array.from({ length: 50 }, () => channel.listen());
    const before = timers();
    const waits = listeners.map((listener) => listener.waitForNext(listener.notified));
    expect(timers() - before).to.equal(1);
    channel.announce('x');
    await Promise.all(waits);
    expect(timers() - before).to.equal(0);
  });

  it('ends a wait after its time, and when its signal aborts', async () => {
    const listener = open().listen();
    await listener.waitForNext(listener.notified, { ms: 1 });
    const stop = new AbortController();
    const wait = listener.waitForNext(listener.notified, { signal: stop.signal });
    stop.abort();
    await wait;
  });
});
