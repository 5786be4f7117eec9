import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { ENVELOPE_PURPOSE, EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { Vault } from '../../log/vault/vault.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const master = randomBytes(32);
const tags = new EnvelopeTags(Vault.purposeKey(master, ENVELOPE_PURPOSE));
const addressOf = (id: string, tag = tags.of(id)) => `inbox+${id}-${tag}@in.example.com`;
const LINK = /\/v1\/public\/unsubscribe\/[\w-]+/;

interface UnsubscribeMail {
  readonly to: string;
  readonly from: string;
  readonly subject?: string;
  readonly answers?: string;
  /** Identifies the mail. */
  readonly id?: string;
}

describe('a mail that unsubscribes', () => {
  const service = Service.own({
    HELIOGRAPH_MASTER_KEY: master.toString('base64'),
    HELIOGRAPH_PUBLIC_URL: 'https://mail.example.com',
    POSTMARK_SERVER_TOKEN: 'server',
    POSTMARK_WEBHOOK_USER: 'mx',
    POSTMARK_WEBHOOK_PASSWORD: 'secret',
    SENDGRID_API_KEY: 'key',
    SENDGRID_INBOUND_SECRET: 'secret',
    SMTP_WEBHOOK_USER: 'mx',
    SMTP_WEBHOOK_PASSWORD: 'secret',
    HELIOGRAPH_RATE_LIMITS: JSON.stringify({ send: 1_000_000, bulk: 1_000_000, general: 1_000_000, login: 1_000_000 }),
  });

  const authorization = `Basic ${btoa('mx:secret')}`;
  const post = (path: string, body: Uint8Array<ArrayBuffer> | string | FormData, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`${service.url}/v1/webhooks/${path}`, { method: 'POST', body, headers: { authorization, ...headers } });
  const bytesOf = ({ to, from, subject = 'unsubscribe', answers, id = 'one' }: UnsubscribeMail): Buffer => {
    const fields = [`To: ${to}`, `From: ${from}`, `Subject: ${subject}`, `Message-ID: <${id}@example.net>`];
    return Buffer.from([...fields, ...(answers ? [`In-Reply-To: <${answers}@example.com>`] : []), '', ''].join('\r\n'));
  };
  /** The same mail, as each carrier brings it. */
  const bringers: Readonly<Record<string, (mail: UnsubscribeMail) => Promise<Response>>> = {
    smtp: (mail) => post('smtp', Uint8Array.from(bytesOf(mail)), { 'content-type': 'message/rfc822' }),
    'postmark, in fields': ({ to, from, subject = 'unsubscribe', answers, id = 'one' }) => {
      const hash = /\+(.*)@/.exec(to)?.[1];
      const headers = [
        { Name: 'Message-ID', Value: `<${id}@example.net>` },
        ...(answers ? [{ Name: 'In-Reply-To', Value: `<${answers}@example.com>` }] : []),
      ];
      const record = {
        MessageID: id,
        From: from,
        FromFull: { Email: from },
        OriginalRecipient: 'abc@inbound.postmarkapp.com',
        MailboxHash: hash,
        Subject: subject,
        TextBody: '',
        Headers: headers,
      };
      return post('postmark', JSON.stringify(record), { 'content-type': 'application/json' });
    },
    'postmark, raw': (mail) =>
      post('postmark', JSON.stringify({ MessageID: mail.id ?? 'one', OriginalRecipient: mail.to, RawEmail: bytesOf(mail).toString() }), {
        'content-type': 'application/json',
      }),
    sendgrid: ({ to, from, subject = 'unsubscribe', answers, id = 'one' }) => {
      const form = new FormData();
      const headers = [`Message-ID: <${id}@example.net>`, ...(answers ? [`In-Reply-To: <${answers}@example.com>`] : [])].join('\n');
      for (const [name, value] of Object.entries({ headers, to, from, subject, text: '', envelope: JSON.stringify({ to: [to], from }) }))
        form.append(name, value);
      return post('sendgrid/inbound/secret', form);
    },
  };

  let people = 0;
  /** A message to somebody new, that is delivered. */
  async function sent(more: object = {}): Promise<{ id: string; to: string }> {
    const to = `reader${++people}@example.org`;
    const { id } = (
      await service.api('POST', '/v1/messages/send', { channel: 'email', to, subject: 'News', message: 'Hi', category: 'marketing', ...more })
    ).body;
    await eventually('it is delivered', async () => (await service.api('GET', `/v1/messages/${id}`)).body.status === 'delivered');
    return { id, to };
  }
  const entriesOf = async (address: string) => (await service.api('GET', `/v1/account/unsubscribes?${new URLSearchParams({ address })}`)).body.data;
  const historyOf = async (address: string) =>
    (await service.api('GET', `/v1/account/unsubscribes/history?${new URLSearchParams({ address })}`)).body.data;
  /** What is on record about an opt-out, but for ids and times. */
  const shownOf = async (address: string) =>
    (await entriesOf(address)).map(
      ({ id: _, address: _a, created_at: _c, updated_at: _u, reasons, ...entry }: { reasons: object[] } & Record<string, unknown>) => ({
        ...entry,
        occurred_at: null,
        message_id: null,
        reasons: reasons.map((one) => ({ ...one, occurred_at: null, message_id: null })),
      }),
    );

  for (const [name, bring] of Object.entries(bringers)) {
    it(`does what the link does, once, whoever sends it (${name})`, async () => {
      const [byMail, byLink] = [await sent(), await sent()];
      const content = (await service.api('GET', `/v1/sandbox/messages?${new URLSearchParams({ to: byLink.to })}`)).body.data[0];
      const link = LINK.exec(JSON.stringify(content))?.[0] ?? '';
      await fetch(service.url + link, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) });
      const mail = { to: addressOf(byMail.id), from: 'forwarded@example.net', id: `${byMail.id}/1` };
      for (const repeat of [mail, mail, { ...mail, id: `${byMail.id}/2` }]) expect((await bring(repeat)).status).to.be.below(300);
      await eventually('both are out', async () => (await entriesOf(byMail.to)).length + (await entriesOf(byLink.to)).length === 2);
      expect(await shownOf(byMail.to)).to.deep.equal(await shownOf(byLink.to));
      expect((await entriesOf(byMail.to))[0]).to.include({ scope: 'marketing' });
      expect(await historyOf(byMail.to)).to.have.length(1);
    });

    it(`does nothing with a forged tag, and is a mail to read (${name})`, async () => {
      const [one, other] = [await sent(), await sent()];
      const forged = tags.of(one.id).replace(/.$/, (last) => (last === '0' ? '1' : '0'));
      for (const [nth, tag] of [forged, tags.of(other.id), 'x'].entries())
        await bring({ to: addressOf(one.id, tag), from: 'mallory@example.net', id: `${one.id}/${nth}` });
      await bring({ to: 'inbox@in.example.com', from: 'mallory@example.net', answers: one.id, id: `${one.id}/answer` });
      await bring({ to: addressOf(other.id), from: 'mallory@example.net', subject: 'How do I unsubscribe?', id: `${other.id}/question` });
      // A genuine one behind them: what was before it is recorded.
      const last = await sent();
      await bring({ to: addressOf(last.id), from: last.to, id: `${last.id}/1` });
      await eventually('the last one is out', async () => (await entriesOf(last.to)).length === 1);
      expect([await entriesOf(one.to), await entriesOf(other.to)]).to.deep.equal([[], []]);
    });

    it(`counts without a tag where its sender is the recipient of the message that it answers (${name})`, async () => {
      const { id, to } = await sent();
      await bring({ to: 'inbox@in.example.com', from: to, answers: id, id: `${id}/1` });
      await eventually('it is out', async () => (await entriesOf(to)).length === 1);
      expect((await entriesOf(to))[0]).to.include({ scope: 'marketing' });
    });
  }

  it('unsubscribes again who has subscribed again since', async () => {
    const { id, to } = await sent();
    const bring = bringers.smtp as (mail: UnsubscribeMail) => Promise<Response>;
    await bring({ to: addressOf(id), from: to, id: `${id}/1` });
    await eventually('it is out', async () => (await entriesOf(to)).length === 1);
    const [entry] = await entriesOf(to);
    expect((await service.api('DELETE', `/v1/account/unsubscribes/${entry.id}`, { reason: 'asked for it', proof: 'a letter' })).status).to.be.below(
      300,
    );
    await eventually('it is in again', async () => (await entriesOf(to)).length === 0);
    await bring({ to: addressOf(id), from: to, id: `${id}/2` });
    await eventually('it is out again', async () => (await entriesOf(to)).length === 1);
  });
});
