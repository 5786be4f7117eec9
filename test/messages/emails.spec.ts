import { expect } from 'chai';
import fc from 'fast-check';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { base64Length, normalizeBase64 } from '../../commands/messages/base64.js';
import { MAX_ATTACHMENT_BYTES } from '../../commands/messages/email-fields.js';
import type { MessageRequest } from '../../commands/messages/request.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { isDomainError } from '../../domain/kernel/errors.js';
import { messageStream } from '../../domain/messages/message.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const EMAIL: MessageRequest = { to: 'ann@example.com', channel: 'email', subject: 'News', message: 'Hello' };
const file = (bytes: number) => ({ filename: 'a.pdf', content_type: 'application/pdf', content: Buffer.alloc(bytes, 7).toString('base64') });

describe('an email', () => {
  let app: TestApp;
  let dispatched: OutgoingMessage[];
  let answer: () => 'accepted' | 'transient_error';
  beforeEach(() => {
    dispatched = [];
    answer = () => 'accepted';
    const carrier = carrierThat((message) => {
      dispatched.push(message);
      return answer() === 'accepted'
        ? { outcome: 'accepted', carrier_message_id: message.message_id }
        : { outcome: 'transient_error', code: null, error: 'busy' };
    });
    app = new TestApp([dispatchMessages({ routes: () => carrier })]);
  });

  const send = async (request: Partial<MessageRequest>) => (await app.execute(sendMessage, { ...EMAIL, ...request } as MessageRequest)).output;
  const bulk = (...requests: MessageRequest[]) =>
    app.execute(sendBulk, { received: requests.length, items: requests.map((request, index) => ({ index, request })), problems: [], atomic: false });
  const suppress = (address: string) =>
    app.execute(suppressAddress, { address, channel: 'email', reason: 'manual', source: 'spec', occurred_at: '2026-01-14T09:00:00Z' });
  const last = () => dispatched.at(-1) as OutgoingMessage;
  const addresses = (copies: OutgoingMessage['cc']) => copies?.map(({ address }) => address);

  /** Fields and codes of the problems of a request. */
  async function problemsOf(request: object): Promise<[string, string][]> {
    try {
      await app.execute(sendMessage, { ...EMAIL, ...request } as MessageRequest);
      return [];
    } catch (e) {
      if (!isDomainError(e)) throw e;
      return ((e.details.errors ?? []) as { field: string; code: string }[]).map(({ field, code }) => [field, code]);
    }
  }

  it('goes to the address, with the names beside the addresses', async () => {
    const output = await send({ to: 'Ann Smith <Ann@Example.com>', from: '"Shop, Berlin" <shop@example.com>', reply_to: 'Help <help@example.com>' });
    expect(output).to.include({ to: 'ann@example.com', to_name: 'Ann Smith' });
    await app.run();
    expect(last()).to.include({ to: 'ann@example.com', from: 'shop@example.com' });
    expect(last().content).to.include({ to_name: 'Ann Smith', from_name: 'Shop, Berlin', reply_to: 'Help <help@example.com>' });
  });

  it('to a name and an address is suppressed like one to the address', async () => {
    await suppress('ann@example.com');
    expect(await send({ to: 'Ann <ANN@example.com>' })).to.include({ status: 'suppressed' });
  });

  it('with HTML alone has a text of it', async () => {
    const html =
      '<html><head><style>p{}</style></head><body><h1>Offer</h1><p>See <a href="https://x.test/a?b=1&amp;c=2">it</a></p><script>x</script></body></html>';
    await app.execute(sendMessage, { to: EMAIL.to, channel: 'email', html });
    await bulk({ to: 'bob@example.com', channel: 'email', html });
    await app.run();
    for (const { content } of dispatched) expect(content).to.deep.equal({ message: 'Offer\n\nSee it [https://x.test/a?b=1&c=2]', html });
    expect(dispatched.length).to.equal(2);
  });

  it('with nothing but pictures has their descriptions, else its subject as text', async () => {
    await app.execute(sendMessage, { to: EMAIL.to, channel: 'email', html: '<img src="https://x.test/a.png" alt="Our shop">' });
    await app.execute(sendMessage, { to: EMAIL.to, channel: 'email', subject: 'Sale', html: '<img src="https://x.test/a.png">' });
    await app.run();
    expect(dispatched.map(({ content }) => content.message)).to.have.members(['Our shop', 'Sale']);
  });

  it('needs a text or HTML; a message on another channel a text', async () => {
    expect(await problemsOf({ message: undefined })).to.deep.equal([['message', 'required']]);
    expect(await problemsOf({ to: '+14155550100', channel: 'sms', message: undefined, html: '<p>x</p>' })).to.deep.equal([['message', 'required']]);
  });

  it('is refused where no text can be made of its HTML, and accepted with a text', async () => {
    const html = '<div>'.repeat(300);
    expect(await problemsOf({ message: undefined, html })).to.deep.equal([['html', 'html_too_deep']]);
    expect(await problemsOf({ html })).to.deep.equal([]);
    expect(await problemsOf({ message: undefined, html: '<ul>'.concat('<li>a<p>b<br>'.repeat(3_000)) })).to.deep.equal([]);
  });

  it('is dispatched with its headers and attachments, also where they are large', async () => {
    const headers = { 'X-Campaign': 'spring', 'In-Reply-To': '<1@example.com>' };
    const attachments = [file(3), file(300_000)];
    const empty = { ...EMAIL, to: 'empty@example.com', attachments: [{ filename: 'empty.txt', content: '' }] };
    expect((await app.execute(sendMessage, empty)).output.status).to.equal('queued');
    await send({ headers, attachments });
    await bulk({ ...EMAIL, headers, attachments: [file(10)] }, { ...EMAIL, attachments });
    await app.run();
    const expected = attachments.map(({ content, ...named }) => ({ ...named, bytes: Buffer.from(content, 'base64').length, content }));
    expect(dispatched.map(({ content }) => content.attachments?.map(({ bytes }) => bytes))).to.deep.include.members([[3, 300_000], [10]]);
    for (const { content } of dispatched) {
      if (content.attachments?.length === 2) expect(content.attachments).to.deep.equal(expected);
    }
    expect(dispatched.find(({ to }) => to === 'empty@example.com')?.content.attachments).to.deep.equal([
      { filename: 'empty.txt', content_type: 'application/octet-stream', bytes: 0, content: '' },
    ]);
    expect(dispatched.find(({ to }) => to === EMAIL.to)?.headers).to.deep.equal(headers);
  });

  it('keeps attachments sealed, out of events that other readers load, and erases them', async () => {
    await send({ attachments: [file(200_000)] });
    const { events } = await app.engine.events.readAll('start', 1_000, Number.POSITIVE_INFINITY);
    const content = file(200_000).content.slice(0, 40);
    for (const { stream, data } of events) {
      expect(data).to.not.contain(content).and.not.contain('a.pdf');
      if (!stream.startsWith('content-')) expect(data.length, stream).to.be.below(5_000);
    }
    await app.vault.erase(app.vault.key(ACCOUNT, EMAIL.to));
    await app.run();
    expect(dispatched).to.deep.equal([]);
  });

  it('may have 10 MB of attachments together, in Base64 as people write it', async () => {
    const half = file(MAX_ATTACHMENT_BYTES / 2);
    expect(await problemsOf({ attachments: [half, half] })).to.deep.equal([]);
    expect(await problemsOf({ attachments: [half, half, file(1)] })).to.deep.equal([['attachments', 'attachments_too_large']]);
    const broken = Buffer.alloc(100, 1)
      .toString('base64')
      .replace(/(.{76})/g, '$1\r\n');
    expect(await problemsOf({ attachments: [{ filename: 'a', content: broken }] })).to.deep.equal([]);
    expect(
      await problemsOf({
        attachments: [
          { filename: 'a', content: 'not base64!' },
          { filename: 'b', content: 'A' },
        ],
      }),
    ).to.deep.equal([
      ['attachments[0].content', 'invalid_base64'],
      ['attachments[1].content', 'invalid_base64'],
    ]);
  });

  it('may set headers that decide nothing, each once', async () => {
    const allowed = { 'X-Tag': 'a', 'List-Id': '<news.example.com>', references: '<a@b>' };
    expect(await problemsOf({ headers: allowed })).to.deep.equal([]);
    for (const name of [
      'Bcc',
      'To',
      'from',
      'Subject',
      'Content-Type',
      'Received',
      'DKIM-Signature',
      'List-Unsubscribe',
      'X-SMTPAPI',
      'x-ses-tenant',
      'X',
      'X-',
      'X a',
      'X-a:',
      'X-ä',
    ])
      expect(await problemsOf({ headers: { [name]: 'x' } }), name).to.deep.equal([[`headers.${name}`, 'header_not_allowed']]);
    expect(await problemsOf({ headers: { 'X-Tag': 'a', 'x-tag': 'b' } })).to.deep.equal([['headers.x-tag', 'duplicate']]);
  });

  it('lists every wrong mailbox', async () => {
    const wrong = { to: 'Ann <x', from: 'Shop', reply_to: 'a@b, c@d.co', cc: ['ok@example.com', 'no'], bcc: ['Group: a@b.co;'] };
    expect(await problemsOf(wrong)).to.have.deep.members(['to', 'from', 'reply_to', 'cc[1]', 'bcc[0]'].map((field) => [field, 'invalid_email']));
    const many = Array.from({ length: 25 }, (_, i) => `a${i}@example.com`);
    expect(await problemsOf({ cc: many, bcc: many })).to.deep.equal([['cc', 'too_many_recipients']]);
  });

  it('has fields that a message on another channel cannot have', async () => {
    const fields = { cc: ['a@b.co'], bcc: ['a@b.co'], headers: { 'X-A': 'b' }, attachments: [file(1)] };
    const found = await problemsOf({ ...fields, to: '+14155550100', channel: 'sms' });
    expect(found).to.have.deep.members(Object.keys(fields).map((field) => [field, 'not_for_channel']));
  });

  describe('with copies', () => {
    it('reaches them by name, each recipient once', async () => {
      await send({ cc: ['Bob B. <bob@example.com>', 'ANN@example.com'], bcc: ['cy@example.com', 'Bob <bob@example.com>'] });
      await app.run();
      expect(last().cc).to.deep.equal([{ address: 'bob@example.com', name: 'Bob B.' }]);
      expect(last().bcc).to.deep.equal([{ address: 'cy@example.com', name: null }]);
    });

    it('leaves out those who must not be written to, at acceptance and at every dispatch', async () => {
      await suppress('bob@example.com');
      await suppress('*@whole.example');
      const copies = { cc: ['bob@example.com', 'cy@example.com', 'fay@whole.example'], bcc: ['di@example.com', 'ed@example.com'] };
      const output = await send(copies);
      expect(output.status).to.equal('queued');
      await bulk({ ...EMAIL, ...copies });
      await suppress('di@example.com');
      answer = () => 'transient_error';
      await app.run(500);
      expect(dispatched.map(({ cc, bcc }) => [addresses(cc), addresses(bcc)])).to.deep.equal(Array(2).fill([['cy@example.com'], ['ed@example.com']]));
      await suppress('ed@example.com');
      answer = () => 'accepted';
      await app.run();
      expect(dispatched.slice(2).map(({ attempt, cc, bcc }) => [attempt, addresses(cc), bcc])).to.deep.equal(
        Array(2).fill([2, ['cy@example.com'], undefined]),
      );
      const types = await app.history(messageStream(output.id));
      expect(types.at(-1)).to.equal('MessageSent');
    });

    it('no longer reaches one who is erased, whose address is nowhere', async () => {
      const output = await send({ cc: ['Bob B. <bob@example.com>', 'cy@example.com'] });
      const stored = (await app.engine.events.readAll('start', 1_000, Number.POSITIVE_INFINITY)).events;
      for (const { data } of stored) expect(data).to.not.contain('bob@').and.not.contain('Bob B.');
      await app.vault.erase(app.vault.key(ACCOUNT, 'bob@example.com'));
      await app.run();
      expect(dispatched.map(({ cc }) => addresses(cc))).to.deep.equal([['cy@example.com']]);
      expect(output.status).to.equal('queued');
    });
  });
});

describe('Base64', () => {
  it('is normalized without a change of its bytes, whatever its line breaks and padding', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(/(.{4})/g, /(.{76})/g, /$/g), fc.boolean(), (bytes, breaks, padded) => {
        const whole = Buffer.from(bytes).toString('base64');
        const written = (padded ? whole : whole.replace(/=+$/, '')).replace(breaks, '$1\r\n').replace('$1', '');
        expect(normalizeBase64(written)).to.equal(whole);
        expect(base64Length(whole)).to.equal(bytes.length);
      }),
    );
  });

  it('is nothing that Buffer would read otherwise than it is written', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const read = normalizeBase64(text);
        if (read !== null) expect(read.replace(/=+$/, '')).to.equal(text.replace(/[\s=]+/g, ''));
      }),
    );
  });
});
