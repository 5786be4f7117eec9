import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { sendMessage } from '../../commands/messages/send-message.js';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { DISPATCH_TUNING } from '../../processes/messages/dispatch-tuning.js';
import { bulk, endOfHolder, performAs, start } from './bulk-app.js';

const WINDOW = DISPATCH_TUNING.calls.other;
const BULK = 300;
const SINGLES = 60;
/** Calls of the carrier before the store refuses. */
const BEFORE = 100;
/** So often the process loses its lease, or only tries again, while the store refuses. */
const TRIES = 4;

describe('a store that refuses to write while messages are dispatched', () => {
  /** Hands a bulk and single messages over, up to the end of the time in which the store refuses. */
  async function interrupted(on: 'retry' | 'fail', holder: (nth: number) => Parameters<typeof performAs>) {
    const given = start(
      async (nth) => {
        await turn();
        return { outcome: 'accepted', carrier_message_id: `carrier-${nth}` };
      },
      { onUnknownOutcome: on },
    );
    const { app, calls } = given;
    let refuses = false;
    const { append, appendAll } = app.engine.events;
    const writing = <Args extends unknown[], R>(write: (...args: Args) => Promise<R>) => {
      return async (...args: Args): Promise<R> => {
        refuses ||= refusesAt <= calls.length;
        if (refuses) throw new StoreUnavailable('the disk is full');
        return write.apply(app.engine.events, args);
      };
    };
    let refusesAt = BEFORE;
    app.engine.events.append = writing(append);
    app.engine.events.appendAll = writing(appendAll);
    const { ids } = await bulk(app, BULK);
    for (let n = 0; n < SINGLES; n++)
      ids.push((await app.execute(sendMessage, { to: `+1415444${1_000 + n}`, channel: 'sms', message: 'Hi' })).output.id);
    const [, ...further] = Array.from({ length: TRIES }, (_, nth) => nth);
    expect(await performAs(...withApp(app, holder(0)))).to.be.instanceOf(StoreUnavailable);
    for (const nth of further) await performAs(...withApp(app, holder(nth)));
    const whileRefused = calls.length;
    [refuses, refusesAt] = [false, Number.POSITIVE_INFINITY];
    return { ...given, ids, whileRefused, recover: () => performAs(...withApp(app, holder(TRIES))) };
  }
  const withApp = (app: Parameters<typeof performAs>[0], [, ...rest]: Parameters<typeof performAs>): Parameters<typeof performAs> => [app, ...rest];
  const none = null as unknown as Parameters<typeof performAs>[0];
  const repeated = (calls: readonly { id: string }[]) => calls.length - new Set(calls.map(({ id }) => id)).size;

  for (const on of ['retry', 'fail'] as const) {
    it(`keeps the answers while no other holder has the lease, whatever its epoch: ${on}`, async () => {
      const tenure = { since: 1, ended: endOfHolder() };
      const { app, calls, ids, whileRefused, recover } = await interrupted(on, (nth) => [none, 1 + nth, undefined, endOfHolder(), tenure]);
      expect(whileRefused).to.be.at.most(BEFORE + WINDOW);
      expect(await recover()).to.equal(undefined);
      await app.run();
      expect(calls.map(({ id }) => id)).to.have.members(ids);
      expect(await outcomes(app, ids)).to.deep.equal({ MessageSent: ids.length });
    });
  }

  it('is repeated by the next holder, at most as many messages as a crash repeats', async () => {
    const { app, calls, ids, process, whileRefused } = await interrupted('retry', () => [none, 1]);
    expect(whileRefused).to.be.at.most(BEFORE + WINDOW);
    expect(await performAs(app, 2, process())).to.equal(undefined);
    await app.run();
    expect(new Set(calls.map(({ id }) => id))).to.deep.equal(new Set(ids));
    expect(repeated(calls)).to.be.within(1, WINDOW);
  });

  it('is repeated by nobody where the account wants no repeat, and few outcomes are unknown', async () => {
    const { app, calls, ids, process } = await interrupted('fail', () => [none, 1]);
    expect(await performAs(app, 2, process())).to.equal(undefined);
    await app.run();
    expect(repeated(calls)).to.equal(0);
    const { MessageSent = 0, MessageFailed = 0, ...others } = await outcomes(app, ids);
    expect(others).to.deep.equal({});
    expect(MessageSent + MessageFailed).to.equal(ids.length);
    // The first ones of the chunk without a record, and as many single messages.
    expect(MessageFailed).to.be.within(1, 2 * WINDOW);
  });

  async function outcomes(app: Parameters<typeof performAs>[0], ids: readonly string[]): Promise<Readonly<Record<string, number>>> {
    const counted: Record<string, number> = {};
    for (const id of ids) {
      const last = (await app.history(messageStream(id))).at(-1) ?? 'none';
      counted[last] = (counted[last] ?? 0) + 1;
    }
    return counted;
  }
});
