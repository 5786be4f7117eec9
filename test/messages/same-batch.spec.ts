import { expect } from 'chai';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { TestApp } from '../support/test-app.js';

/** Several chunks, so that two nodes race at each of them. */
const COUNT = 1_700;

describe('a bulk under one idempotency key at two nodes at the same time', () => {
  it('becomes one batch, and both answer with it', async () => {
    const app = new TestApp();
    const items = Array.from({ length: COUNT }, (_, index) => ({
      index,
      request: { to: `+1415555${String(index).padStart(4, '0')}`, channel: 'sms', message: 'Hello' },
    }));
    const input = { received: COUNT, items, problems: [], atomic: false };
    const cause = { key: 'order-1', fingerprint: 'same' };
    const nodes = [app, app.nodeOver(app.engine.events)];
    const [one, two] = await Promise.all(nodes.map((node) => node.execute(sendBulk, input, cause)));
    expect(two?.output).to.deep.equal(one?.output);
    expect(one?.output).to.include({ accepted: COUNT });
    const events = (await app.log.readSealed(`bulk-${one?.output.batch_id}`)) ?? [];
    expect(events.map(({ event }) => event.type)).to.deep.equal([...Array(4).fill('BulkChunkAccepted'), 'BulkAccepted']);
  });
});
