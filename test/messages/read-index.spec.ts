import { expect } from 'chai';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import type { StreamLookup } from '../../commands/runtime/ports.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { TestApp } from '../support/test-app.js';

const [ada, eve] = ['ada@example.com', 'eve@example.com'];

/** A bulk of two messages, whose first recipient is suppressed between its acceptance and its dispatch. */
async function dispatch(lookup: Partial<StreamLookup>, category: 'transactional' | 'marketing' = 'transactional') {
  const carrier = carrierThat();
  const known = { mightContain: () => true, ...lookup };
  const app = new TestApp([dispatchMessages({ routes: () => carrier })], { lookups: { suppressions: known, contactKeys: known } });
  const items = [ada, eve].map((to, index) => ({ index, request: { to, channel: 'email', subject: 'News', message: 'News', category } as never }));
  const { output } = await app.execute(sendBulk, { received: 2, items, problems: [], atomic: false });
  await app.execute(suppressAddress, { address: ada, channel: 'email', reason: 'manual', source: 'spec' });
  const read: string[] = [];
  const { events } = app.engine;
  const readStream = events.read.bind(events);
  events.read = (stream, options) => {
    read.push(stream.slice(0, stream.indexOf('-')));
    return readStream(stream, options);
  };
  await app.run();
  const ends = await Promise.all(output.messages.map(async ({ id }) => (await app.history(messageStream(id))).at(-1)));
  return { ends, asked: new Set(read.filter((kind) => kind === 'suppression' || kind === 'contactKey')), app };
}

describe('the gates of a bulk at dispatch', () => {
  it('ask the log about each address where the lookups in memory are behind', async () => {
    const { ends, asked } = await dispatch({ mightContain: () => false, waitUntilReached: async () => false });
    expect(ends).to.deep.equal(['MessageSuppressed', 'MessageSent']);
    expect([...asked]).to.deep.equal(['suppression']);
  });

  it('ask the log about each address where the lookups have no position', async () => {
    const { ends } = await dispatch({ mightContain: () => false });
    expect(ends).to.deep.equal(['MessageSuppressed', 'MessageSent']);
  });

  it('ask the log about the addresses that the lookups name', async () => {
    const { ends } = await dispatch({ waitUntilReached: async () => true });
    expect(ends).to.deep.equal(['MessageSuppressed', 'MessageSent']);
  });

  it('ask nothing about an address that no lookup names at the head of the log', async () => {
    const { asked } = await dispatch({ mightContain: () => false, waitUntilReached: async () => true }, 'marketing');
    expect([...asked]).to.deep.equal([]);
  });

  it('wait for the head of the log, for a tenth of a second', async () => {
    const waits: [string, number][] = [];
    const { app } = await dispatch({
      waitUntilReached: async (position, ms) => {
        waits.push([position, ms]);
        return true;
      },
    });
    const { events } = await app.engine.events.readAll('start', 100);
    const head = events.find(({ type }) => type === 'AddressSuppressed')?.position;
    expect(waits).to.deep.equal([[head, 100]]);
  });
});
