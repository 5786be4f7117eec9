import { expect } from 'chai';
import fc from 'fast-check';
import { readMail } from '../../../carriers/smtp/receive.js';
import { bounceMail, complaintMail, mailOf } from './mails.js';

const ID = 'msg_01JZ0000000000000000000000';
const OTHER = 'msg_01JZ0000000000000000000001';
const NOW = Date.UTC(2026, 10, 23);
const read = (bytes: Buffer) => readMail(bytes, NOW);
const result = { kind: 'bounced', raw_status: 'failed', recipient: 'ada@example.org' } as const;

describe('carriers: mail that comes back', () => {
  it('is a hard bounce, found by the returned message', async () => {
    const mail = await read(bounceMail({ id: ID, recipient: 'ada@example.org' }));
    expect(mail).to.deep.include({ kind: 'receipt', ids: [ID], at: '2026-11-22T10:00:00.000Z' });
    expect(mail).to.deep.include({ receipts: [{ ...result, reason: 'hard_bounce', bounce_class: 'hard', code: '5.1.1' }] });
    expect(mail).to.have.property('raw').that.includes('unknown');
  });

  it('is a bounce of this message only, where the address may live', async () => {
    for (const [status, said] of [
      ['4.2.2', 'mailbox full'],
      ['5.2.2', 'over quota'],
      ['5.7.1', 'message refused by content filter: spam'],
      ['4.4.7', 'timed out'],
    ] as const) {
      const mail = await read(bounceMail({ id: ID, recipient: 'ada@example.org', status, said }));
      expect(mail).to.deep.include({ receipts: [{ ...result, reason: 'carrier_rejected', bounce_class: 'soft', code: status }] });
    }
  });

  it('is a delay, a delivery or nothing', async () => {
    const kindOf = async (action: string) => {
      const mail = await read(bounceMail({ id: ID, recipient: 'ada@example.org', action, status: '4.4.1' }));
      return mail.kind === 'receipt' ? mail.receipts[0]?.kind : mail.kind;
    };
    expect([await kindOf('delayed'), await kindOf('delivered'), await kindOf('relayed')]).to.deep.equal(['deferred', 'delivered', 'none']);
  });

  it('is a complaint, or no complaint', async () => {
    expect(await read(complaintMail(ID))).to.deep.include({
      kind: 'receipt',
      ids: [ID],
      receipts: [{ kind: 'complained', raw_status: 'abuse', code: null, recipient: null }],
    });
    expect(await read(complaintMail(ID, 'not-spam'))).to.deep.include({ kind: 'none' });
  });

  it('is an unsubscription for whoever records it, by its subject and the id in its address', async () => {
    const to = `bounces+${ID.toLowerCase()}-0123456789@example.com`;
    const mail = await read(mailOf([`To: ${to}`, 'Subject: unsubscribe'], ''));
    expect(mail).to.deep.include({ kind: 'email', ids: [ID], subject: 'unsubscribe', tokens: [`${ID}-0123456789`] });
  });

  it('is a reply, to the latest message that it names', async () => {
    const mail = await read(
      mailOf([
        `In-Reply-To: <${ID}@example.com>`,
        `References: <${OTHER}@example.com> <${ID}@example.com>`,
        'To: desk@example.com',
        'Subject: Re: Hi',
      ]),
    );
    expect(mail).to.deep.include({
      kind: 'email',
      ids: [ID, OTHER],
      from: 'ada@example.org',
      from_name: 'Ada Lovelace',
      to: 'desk@example.com',
      subject: 'Re: Hi',
      text: 'Thank you\n',
      email_message_id: '<r1@example.org>',
      automatic: false,
    });
  });

  it('is marked where a program wrote it', async () => {
    for (const field of ['Auto-Submitted: auto-replied (vacation)', 'Precedence: bulk', 'X-Autoreply: yes']) {
      expect(await read(mailOf([field])), field).to.have.property('automatic', true);
    }
    expect(await read(mailOf(['Auto-Submitted: no']))).to.have.property('automatic', false);
  });

  it('has no time, where its clock is wrong', async () => {
    const dated = (date: string) => read(bounceMail({ id: ID, recipient: 'ada@example.org', date }));
    for (const date of ['Sun, 22 Nov 2099 10:00:00 +0000', 'yesterday', 'Sun, 22 Nov 1970 10:00:00 +0000']) {
      expect(await dated(date), date).to.have.property('at', null);
    }
  });

  it('is read without an error, whatever it is', async () => {
    const seeds = [bounceMail({ id: ID, recipient: 'ada@example.org' }), complaintMail(ID), mailOf(['Subject: =?utf-8?Q?=FF?='])];
    const changed = fc
      .tuple(fc.constantFrom(...seeds), fc.array(fc.tuple(fc.nat(), fc.uint8Array({ maxLength: 8 })), { maxLength: 10 }))
      .map(([seed, edits]) =>
        edits.reduce((bytes, [at, inserted]) => {
          const place = at % (bytes.length + 1);
          return Buffer.concat([bytes.subarray(0, place), inserted, bytes.subarray(place + (at % 5))]);
        }, seed),
      );
    const mails = fc.oneof(
      changed,
      fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(mails, async (bytes) => {
        const mail = await read(bytes);
        if (mail.kind === 'none') expect(mail.why).not.to.match(/unreadable/);
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300) },
    );
  });
});
