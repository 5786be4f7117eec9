import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BroadcastChannel } from 'node:worker_threads';
import { expect } from 'chai';
import { ChangeChannel } from '../../../engines/sqlite/change-channel.js';
import { eventually } from '../../support/eventually.js';

describe('the change channel', () => {
  let dir: string;
  const channels: ChangeChannel[] = [];
  const ports: BroadcastChannel[] = [];
  const open = (): ChangeChannel => {
    const channel = new ChangeChannel(dir);
    channels.push(channel);
    return channel;
  };
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'changes-'));
  });
  afterEach(() => {
    for (const channel of [...channels.splice(0), ...ports.splice(0)]) channel.close();
    rmSync(dir, { recursive: true });
  });

  it('notifies at once those listeners that accept the message', () => {
    const channel = open();
    const [wanted, other] = [channel.listen((data) => data === 'wanted'), channel.listen((data) => data === 'other')];
    channel.announce('wanted');
    expect([wanted.notified, other.notified]).to.deep.equal([1, 0]);
  });

  /** What other threads receive, message by message. */
  function received(): unknown[][] {
    const messages: unknown[][] = [];
    const port = new BroadcastChannel(`heliograph:log:${realpathSync(dir)}`);
    port.onmessage = (message) => messages.push((message as { data: unknown[] }).data);
    port.unref();
    ports.push(port);
    return messages;
  }

  it('notifies other threads with one message of all changes of a turn, of those with one key of the last', async () => {
    const sender = open();
    const messages = received();
    sender.announce({ n: 1 }, 'a');
    sender.announce({ n: 2 }, 'b');
    sender.announce({ n: 3 }, 'a');
    await eventually('a message', () => messages.length > 0);
    expect(messages).to.deep.equal([[{ n: 3 }, { n: 2 }]]);
    sender.announce({ n: 4 }, 'a');
    await eventually('the next turn', () => messages.length === 2);
    expect(messages[1]).to.deep.equal([{ n: 4 }]);
  });

  it('gathers what is announced for later, and says nothing of it that is out of date', async () => {
    const sender = open();
    const messages = received();
    sender.announceLater({ n: 1 }, 'a');
    await eventually('the first one at once', () => messages.length === 1);
    sender.announceLater({ n: 2 }, 'a');
    sender.announceLater({ n: 3 }, 'a');
    sender.announceLater({ n: 4 }, 'b');
    sender.announce({ n: 5 }, 'b');
    await eventually('the others', () => messages.flat().length === 3);
    expect(messages.flat()).to.have.deep.members([{ n: 1 }, { n: 3 }, { n: 5 }]);
  });

  it('announces what is left when it is closed', async () => {
    const sender = open();
    const messages = received();
    sender.announce(1);
    sender.announceLater(2);
    sender.close();
    await eventually('both', () => messages.flat().length === 2);
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
