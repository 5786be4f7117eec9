import { expect } from 'chai';
import { emailHint, phoneHint } from '../../formats/contacts/parse-address.js';
import { Service } from '../support/service.js';

interface Named {
  readonly field: string;
  readonly message: string;
}

describe('an address of another kind', () => {
  it('is said to be one, and what would be right', () => {
    const phones: readonly [text: string, says: string][] = [
      ['ada@example.com', 'This is an email address. Use a phone number'],
      ['Ada <ada@example.com>', 'This is an email address.'],
      ['con_01HZX3V5W6', 'This is the id of a contact.'],
      ['custom_field.customer:7', 'This is a custom field.'],
      ['https://example.com/ada', 'This is a URL.'],
      ['4155550111', 'Use a country prefix'],
      ['call me', 'Use a country prefix'],
      ['+1212555010', 'of +1: such numbers have 10 digits after it, this one has 9.'],
      ['+1 212 555 01001', 'of +1: such numbers have 10 digits after it, this one has 11.'],
      ['0012125550', 'of +1: such numbers have 10 digits after it, this one has 7.'],
      ['+12345', 'of +1: such numbers have 10 digits after it, this one has 4.'],
      ['+331234', 'of +33: such numbers have 9 digits after it, this one has 4.'],
      ['+4712', 'of +47: such numbers have 5 or 8 digits after it, this one has 2.'],
      ['+1abc4155550', 'Use a country prefix'],
      ['+999123456', 'Use a country prefix'],
    ];
    for (const [text, says] of phones) expect(phoneHint(text), text).to.include(says).and.not.include(text);
    const emails: readonly [text: string, says: string][] = [
      ['+14155550100', 'This is a phone number. Use an email address'],
      ['(415) 555-0100', 'This is a phone number.'],
      ['con_01HZX3V5W6', 'This is the id of a contact.'],
      ['https://example.com/ada', 'This is a URL.'],
      ['nobody', 'Use an email address'],
      ['12', 'Use an email address'],
    ];
    for (const [text, says] of emails) expect(emailHint(text), text).to.include(says).and.not.include(text);
  });
});

describe('errors that a newcomer gets', () => {
  const service = Service.guest();
  const problemsOf = async (method: string, path: string, body: unknown): Promise<string[]> => {
    const { status, body: answer } = await service.api(method, path, body);
    expect(status, JSON.stringify(answer)).to.be.within(200, 499);
    return ((answer.errors ?? []) as Named[]).map(({ field, message }) => `${field}: ${message}`);
  };
  const send = (body: object) => problemsOf('POST', '/v1/messages/send', { message: 'Hello', ...body });

  it('say of the recipient on each channel which kind of address it is, and which channels have it', async () => {
    for (const channel of ['sms', 'whatsapp', 'rcs']) {
      expect(await send({ channel, to: 'ada@example.com' }), channel).to.deep.equal([
        `to: This is an email address, and ${channel} goes to phone numbers with country prefix, such as +14155550100. Or use another channel: email.`,
      ]);
      expect((await send({ channel, to: 'con_01HZX3V5W6' }))[0], channel)
        .to.include('This is the id of a contact')
        .and.include('push, in_app');
      expect((await send({ channel, to: '+1415555010' }))[0], channel).to.include('of +1: such numbers have 10 digits after it, this one has 9.');
    }
    expect(await send({ channel: 'email', subject: 'Hi', to: '+14155550100' })).to.deep.equal([
      'to: This is a phone number, and email goes to email addresses, such as ada@example.com. Or use another channel: sms, whatsapp, rcs.',
    ]);
    const items = await problemsOf('POST', '/v1/messages/bulk', [{ to: 'ada@example.com', channel: 'sms', message: 'Hi' }]);
    expect(items[0]).to.match(/^messages\[0\]\.to: This is an email address, and sms/);
  });

  it('say the same of all fields that hold an address', async () => {
    const phone = '+14155550100';
    const email = 'ada@example.com';
    const list = (await service.ok('POST', '/lists', { name: 'News' })).id;
    const table: readonly [path: string, body: object, field: string, says: string][] = [
      ['/contacts', { phone: email }, 'phone', 'This is an email address.'],
      ['/contacts', { email: phone }, 'email', 'This is a phone number.'],
      ['/contacts', { email, other_emails: [phone] }, 'other_emails[0]', 'This is a phone number.'],
      ['/contacts/import', { contacts: [{ phone: email }] }, 'phone', 'This is an email address.'],
      ['/contacts/export', { filter: { email: phone } }, 'filter.email', 'This is a phone number.'],
      ['/contacts/export', { filter: { phone: email } }, 'filter.phone', 'This is an email address.'],
      ['/events', { contact: { phone: email }, event: 'seen' }, 'contact.phone', 'This is an email address.'],
      [`/lists/${list}/contacts`, { emails: [phone] }, 'emails[0]', 'This is a phone number.'],
      [`/lists/${list}/contacts`, { phones: [email] }, 'phones[0]', 'This is an email address.'],
      ['/account/unsubscribes', { email: phone }, 'email', 'This is a phone number.'],
      ['/account/users', { email: phone, password: 'correct horse battery', role: 'member' }, 'email', 'This is a phone number.'],
    ];
    for (const [path, body, field, says] of table) {
      const found = await problemsOf('POST', `/v1${path}`, body);
      expect(
        found.some((one) => one.startsWith(`${field}: `) && one.includes(says)),
        `${path} ${JSON.stringify(body)} → ${found}`,
      ).to.equal(true);
    }
    expect(await problemsOf('PATCH', '/v1/account/settings', { senders: { email: phone } })).to.deep.equal([
      'senders.email: This is a phone number. Use an email address, for example ada@example.com.',
    ]);
    const mail = { channel: 'email', subject: 'Hi', to: email };
    expect((await send({ ...mail, cc: [phone], reply_to: phone, from: phone })).map((one) => one.slice(0, one.indexOf('.')))).to.have.members([
      ...['cc[0]: This is a phone number', 'reply_to: This is a phone number', 'from: This is a phone number'],
    ]);
  });

  it('say what to send instead of the URL of a file', async () => {
    const mail = { channel: 'email', subject: 'Hi', to: 'ada@example.com' };
    const hint =
      'Give an object with `filename`, `content_type` and, as `content`, the bytes of the file in Base64. Files are not fetched from a URL';
    const url = 'https://example.com/invoice.pdf';
    expect((await send({ ...mail, attachments: [url] }))[0]).to.include(`attachments[0]: ${hint}`);
    expect((await send({ ...mail, attachments: [{ filename: 'invoice.pdf', url }] }))[0]).to.include(`attachments[0].content: ${hint}`);
    const asContent = await send({ ...mail, attachments: [{ filename: 'invoice.pdf', content: url }] });
    expect(asContent[0]).to.include('attachments[0].content: This is a URL, and files are not fetched from one.');
    const asData = await send({ ...mail, attachments: [{ filename: 'a.pdf', content: 'data:application/pdf;base64,SGVsbG8=' }] });
    expect(asData[0]).to.include('what comes after `base64,`');
    const items = await problemsOf('POST', '/v1/messages/bulk', { messages: [{ ...mail, message: 'Hi', attachments: [url] }] });
    expect(items[0]).to.include(`messages[0].attachments[0]: ${hint}`);
    expect(await send({ ...mail, html: 'https://example.com/mail.html' })).to.deep.equal([
      'html: This is a URL, and pages are not fetched from one. Give the HTML itself.',
    ]);
    const template = await problemsOf('POST', '/v1/templates', {
      name: 'A',
      channel: 'email',
      subject: 'Hi',
      html: ' https://example.com/mail.html\n',
    });
    expect(template).to.deep.equal(['html: This is a URL, and pages are not fetched from one. Give the HTML itself.']);
    expect(await send({ channel: 'sms', to: '+14155550100', message: 'https://example.com' }), 'a link alone is a text').to.deep.equal([]);
  });

  it('list the columns of a file in which nobody is identified', async () => {
    const upload = async (csv: string) => {
      const form = new FormData();
      form.append('file', new Blob([csv], { type: 'text/csv' }), 'a.csv');
      const answer = await fetch(`${service.url}/v1/contacts/import`, { method: 'POST', headers: { 'X-API-Key': service.key }, body: form });
      return { status: answer.status, body: (await answer.json()) as { errors?: Named[]; created?: number } };
    };
    const none = await upload('vorname;ort\nAda;London\n');
    expect([none.status, none.body.errors?.[0]?.message]).to.deep.equal([
      422,
      "No column identifies a contact. The first row has the names of the columns, and one of them must be email, phone or a unique custom field. The columns of the file are 'vorname', 'ort'. They are separated by semicolons.",
    ]);
    expect((await upload('sep=;\nemail;first_name\nsep@example.com;Ada\n')).body.created).to.equal(1);
    expect((await upload('email|first_name\nbar@example.com|Ada\n')).body.created).to.equal(1);
  });

  it('do not come where a campaign’s time to send has the name that its resource shows', async () => {
    const make = (body: object) =>
      service.ok('POST', '/campaigns', { name: 'A', channel: 'sms', audience: { include: { everyone: true } }, content: { message: 'Hi' }, ...body });
    const [one, other] = ['2035-01-01T09:00:00.000Z', '2035-02-01T09:00:00.000Z'];
    const { id } = await make({});
    expect((await service.ok('POST', `/campaigns/${id}/schedule`, { start_at: one })).start_at).to.equal(one);
    expect((await service.ok('POST', `/campaigns/${id}/schedule`, { send_at: other, start_at: other })).start_at).to.equal(other);
    const named = await make({ schedule: { start_at: one, timezone: 'Europe/Berlin' } });
    expect(named.schedule).to.deep.equal({ send_at: one, timezone: 'Europe/Berlin' });
    expect((await service.ok('POST', `/campaigns/${named.id}/schedule`, {})).start_at).to.equal(one);
    expect((await service.ok('PATCH', `/campaigns/${named.id}`, { schedule: { start_at: other } })).start_at).to.equal(other);
    const says = 'start_at: `start_at` is another name of `send_at`. Give one of them.';
    expect(await problemsOf('POST', `/v1/campaigns/${id}/schedule`, { send_at: one, start_at: other })).to.deep.equal([says]);
    expect(await problemsOf('PATCH', `/v1/campaigns/${id}`, { schedule: { send_at: one, start_at: other } })).to.deep.equal([`schedule.${says}`]);
    expect(await problemsOf('PATCH', `/v1/campaigns/${id}`, { name: 5, schedule: { send_at: one, start_at: other } })).to.include(`schedule.${says}`);
  });
});
