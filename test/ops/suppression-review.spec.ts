import { expect } from 'chai';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { recordSendResult } from '../../commands/messages/record-send-result.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { startDispatch } from '../../commands/messages/start-dispatch.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { causesOf, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { reviewedSuppressions } from '../../ops/cli/suppression-review.js';
import { suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { suppressions } from '../../projections/suppressions/projection.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

/** An app with a hard bounce, as an earlier version has recorded it, of each address. */
async function appWith(bounces: Readonly<Record<string, readonly [carrier: string, raw: string]>>) {
  const app = new TestApp([suppressOnFeedback]);
  for (const [to, [carrier, raw]] of Object.entries(bounces)) {
    const { output } = await app.execute(sendMessage, { to, channel: 'email', message: 'Hi', subject: 'Hi' });
    const about = { id: output.id, carrier } as const;
    const dispatch = { toKey: 'x', channel: 'email', category: 'transactional', hasStream: true, epoch: 1, on_unknown_outcome: 'retry' } as const;
    const taken = await app.execute(startDispatch, { ...about, ...dispatch });
    await app.execute(recordSendResult, { ...about, known: taken.output, result: { outcome: 'accepted', carrier_message_id: to } });
    const receipt = { kind: 'bounced', carrier, carrier_message_id: to, raw_status: 'failed', code: null, reason: 'hard_bounce', raw } as const;
    await app.execute(recordReceipt, { id: output.id, receipt: { ...receipt, at: new Date(app.clock.now()).toISOString() } });
  }
  await app.run();
  return app;
}

async function reviewOf(app: TestApp) {
  await app.documents(suppressions, 'entries');
  const found = [];
  for await (const one of reviewedSuppressions({ log: app.log, views: app.views }, ACCOUNT)) found.push(one);
  return found;
}

const report = (status: string, said: string) =>
  `Reporting-MTA: dns; mx.example.com\n\nFinal-Recipient: rfc822; x@example.org\nAction: failed\nStatus: ${status}\nDiagnostic-Code: smtp; ${said}\n`;

describe('a review of suppressions', () => {
  it('finds the entries by bounces that do not mean that the mailbox is gone, of every carrier', async () => {
    const app = await appWith({
      'gone@example.org': ['smtp', report('5.1.1', '550 5.1.1 user unknown')],
      'full@example.org': ['smtp', report('5.0.0', '554 5.2.2 mailbox full')],
      'refused@example.org': ['smtp', report('5.1.8', '553 5.1.8 Domain of sender address does not exist')],
      'listed@example.org': ['smtp', report('5.0.0', '550 5.7.1 blocked using a block list')],
      'silent@example.org': ['smtp', report('5.0.0', '550')],
      'ses-gone@example.org': [
        'ses',
        JSON.stringify({ bounce: { bouncedRecipients: [{ status: '5.1.1', diagnosticCode: 'smtp; 550 5.1.1 user unknown' }] } }),
      ],
      'ses-spam@example.org': [
        'ses',
        JSON.stringify({ bounce: { bouncedRecipients: [{ status: '5.0.0', diagnosticCode: 'smtp; 554 rejected as spam' }] } }),
      ],
      'sendgrid@example.org': ['sendgrid', JSON.stringify({ event: 'bounce', status: '5.0.0', reason: '552 mailbox over quota' })],
      'plain@example.org': ['postmark', JSON.stringify({ Type: 'HardBounce', Description: 'The server was unable to deliver your message.' })],
      'odd@example.org': ['ses', 'no JSON'],
    });
    const keyed = new Map(
      ['full', 'refused', 'listed', 'silent', 'ses-spam', 'sendgrid'].map((name) => [app.vault.key(ACCOUNT, `${name}@example.org`), name]),
    );
    const found = (await reviewOf(app)).map(({ address_key, bounce_class }) => `${keyed.get(address_key) ?? address_key} ${bounce_class}`);
    expect(found).to.have.members(['full soft', 'refused soft', 'listed blocked', 'silent unknown', 'ses-spam soft', 'sendgrid soft']);
  });

  it('lifts these alone, with reason and proof, and leaves the other reasons of an entry', async () => {
    const app = await appWith({ 'full@example.org': ['smtp', report('5.0.0', '554 5.2.2 mailbox full')] });
    await app.execute(suppressAddress, { address: 'full@example.org', channel: 'email', reason: 'complained', source: 'complaint', via: 'feedback' });
    const [entry] = await reviewOf(app);
    if (!entry) throw new Error('nothing was found');
    const lift = { address_key: entry.address_key, channel: 'email', by: 'review', because: 'a full mailbox', proof: 'the report' } as const;
    expect((await app.execute(liftSuppression, lift)).output.lifted).to.deep.equal(['bounced']);
    const { state } = await loadAggregate(app.log, suppression, suppressionStream(entry.address_key));
    expect(causesOf(state).map(({ reason }) => reason)).to.deep.equal(['complained']);
    expect(await reviewOf(app)).to.deep.equal([]);
  });
});
