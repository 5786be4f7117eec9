import { expect } from 'chai';
import { type InboundEmailReport, recordInboundEmail } from '../../commands/messages/record-inbound-email.js';
import { KEPT_CHARACTERS } from '../../domain/messages/inbound-email.js';
import { inboundStream } from '../../domain/suppressions/inbound-text.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const report: InboundEmailReport = {
  carrier: 'postmark',
  carrier_message_id: 'in-1',
  from: 'Ada@Example.com',
  from_name: 'Ada',
  to: 'reply@acme.example',
  subject: 'Re: Order',
  text: 'Thank you.',
  html: null,
  attachments: [{ filename: '', content_type: '', size: 3 }],
  email_message_id: '<1@example.com>',
  automatic: false,
  at: '2026-01-15T12:30:00+02:00',
};

describe('an inbound email', () => {
  let app: TestApp;
  beforeEach(() => {
    app = new TestApp([]);
  });
  const receive = async (given: Partial<InboundEmailReport> = {}) => (await app.execute(recordInboundEmail, { ...report, ...given })).output;
  // biome-ignore lint/suspicious/noExplicitAny: the data of whatever event was stored
  const stored = async (id: string): Promise<any> => (await app.log.read(inboundStream(id)))?.map(({ event }) => event.data).at(0);

  it('is recorded once, with its sender sealed under the key of the address', async () => {
    const { id, duplicate } = await receive({ message_id: 'msg_1' });
    expect(duplicate).to.equal(false);
    expect(await receive({ text: 'Something else' })).to.deep.equal({ id, duplicate: true });
    expect(await stored(id)).to.deep.include({ from: 'ada@example.com', text: 'Thank you.', message_id: 'msg_1', at: '2026-01-15T10:30:00.000Z' });
    const [sealed] = (await app.log.readSealed(inboundStream(id))) ?? [];
    expect(sealed?.event.data).to.include({ from_key: app.vault.key(ACCOUNT, 'ada@example.com') });
    expect(JSON.stringify(sealed?.event.data)).not.to.match(/Ada|ada@|Thank|Order/);
  });

  it('without an id of the carrier is a new one every time', async () => {
    expect((await receive({ carrier_message_id: null })).id).not.to.equal((await receive({ carrier_message_id: null })).id);
  });

  it('is cut where it is long, between characters', async () => {
    const { id } = await receive({ text: `${'a'.repeat(KEPT_CHARACTERS - 1)}😀`, html: '' });
    const { text, html, truncated } = await stored(id);
    expect(text).to.have.lengthOf(KEPT_CHARACTERS);
    expect(text.isWellFormed()).to.equal(true);
    expect([html, truncated]).to.deep.equal([null, true]);
  });

  it('has empty names as none', async () => {
    expect((await stored((await receive()).id)).attachments).to.deep.equal([{ filename: null, content_type: 'application/octet-stream', size: 3 }]);
  });

  it('from no address is refused', async () => {
    const refused = await receive({ from: 'nobody' }).catch((e: unknown) => e);
    expect(refused).to.include({ code: 'validation_error' });
  });
});
