import { expect } from 'chai';
import { embedded } from '../../support/engines.js';
import { eventually } from '../../support/eventually.js';
import { Service } from '../../support/service.js';
import { inApplication } from '../../support/service-accounts.js';

/** Two releases over one log, as during an upgrade of several nodes, or after the data of a newer one was restored. */
describe('an event of a newer release', () => {
  const metadata = JSON.stringify({ $correlationId: 'req_1', account: 'acc_1', actor: { kind: 'system', id: 'test' }, schemaVersion: 99 });
  for (const [what, type, reason] of [
    ['type', 'MessageTeleported', `unknown event type 'MessageTeleported'`],
    ['version', 'MessageReleased', `version 99 of the event type 'MessageReleased'`],
  ] as const)
    it(`whose ${what} is unknown stops a node, which says why, and so does each further start`, async function () {
      if (!embedded) this.skip();
      const service = await Service.start();
      try {
        const event = { id: crypto.randomUUID(), type, data: '{"at":"2030-01-01T00:00:00.000Z"}', metadata };
        await inApplication(service.settings, ({ engine }) => engine.events.append('message-msg_01J00000000000000000000000', 'no-stream', [event]));
        await eventually('the node has stopped', () => !service.running);
        const { code, stderr } = await service.cli('serve');
        expect(code).to.equal(1);
        expect(stderr).to.include(reason).and.include('A newer release wrote it. Start that release, or a later one.');
      } finally {
        await service.close();
      }
    });
});
