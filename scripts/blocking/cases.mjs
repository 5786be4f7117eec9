/** The largest and most awkward requests that the limits of bodies allow, by name. */
import { createSign } from 'node:crypto';

const MB = 2 ** 20;
const fill = (bytes, part) => part.repeat(Math.floor(bytes / part.length));
const listOf = (bytes, make) => {
  const list = [];
  for (let size = 0, nth = 0; ; nth++) {
    const one = make(nth);
    size += JSON.stringify(one).length + 1;
    if (size > bytes) return list;
    list.push(one);
  }
};

const head = 'From: MAILER-DAEMON@x.example\r\nTo: bounces@example.com\r\nSubject: x\r\nMIME-Version: 1.0\r\n';
const dsn = (bytes) =>
  `${head}Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\nReporting-MTA: dns; x\r\n\r\n${fill(bytes, 'Final-Recipient: rfc822; u@x.org\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n')}--b--\r\n`;
const nested = (depth) => {
  let text = '';
  for (let n = 0; n < depth; n++) text += `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`;
  return head + text;
};
const person = 'From: Ada <ada@example.org>\r\nTo: desk@example.com\r\nSubject: x\r\n';

const mail = (body) => ({ path: '/v1/webhooks/smtp', type: 'message/rfc822', basic: 'mx:pw', body });
const json = (path, value, more = {}) => ({ path, type: 'application/json', body: JSON.stringify(value), key: true, ...more });

export function cases({ signingKey, templateId }) {
  const events = JSON.stringify(listOf(8 * MB - 100, (n) => ({ event: 'delivered', sg_message_id: `sg${n}`, timestamp: 1, sg_event_id: `e${n}` })));
  const signed = {
    'X-Twilio-Email-Event-Webhook-Timestamp': '1600112502',
    'X-Twilio-Email-Event-Webhook-Signature': createSign('sha256').update(`1600112502${events}`).sign(signingKey, 'base64'),
  };
  const links = (bytes) => fill(bytes, '<a href="https://example.com/a?b=c&amp;d=e">x</a> ');
  const email = (html) => json('/v1/messages/send', { to: 'ada@example.org', channel: 'email', subject: 'x', message: 'x', html });
  const csv = (bytes) => `email,first_name,phone\n${fill(bytes, 'a@example.org,"Ada ""x""",+14155550100\n')}`;
  return {
    'report on 3,000 recipients, 215 kB': mail(dsn(212_000)),
    'report on 350,000 recipients, 25 MB': mail(dsn(25 * MB - 1_000)),
    'mail with 25 MB of text': mail(`${person}\r\n${fill(25 * MB - 1_000, 'some text of a line that is as long as lines of mail are\r\n')}`),
    'mail with 25 MB of HTML': mail(`${person}Content-Type: text/html\r\n\r\n${links(25 * MB - 1_000)}`),
    'mail with a To of 2 MB without @': mail(`From: ada@example.org\r\nTo: ${fill(2 * MB, 'a')}\r\n\r\nx`),
    'mail with 100,000 addresses': mail(`From: ada@example.org\r\nTo: ${fill(2 * MB, 'a@example.org, ')}\r\n\r\nx`),
    'mail nested 20,000 deep': mail(nested(20_000)),
    'mail as JSON, 25 MB': json('/v1/webhooks/smtp', { mime: `${person}\r\n${fill(24 * MB, 'text of a line\r\n')}` }, { key: false, basic: 'mx:pw' }),
    'SendGrid: events of 8 MB': { path: '/v1/webhooks/sendgrid', type: 'application/json', headers: signed, body: events },
    'SendGrid: 8 MB with a false signature': {
      path: '/v1/webhooks/sendgrid',
      type: 'application/json',
      headers: { ...signed, 'X-Twilio-Email-Event-Webhook-Timestamp': '1' },
      body: events,
    },
    'SendGrid: form of 30 MB': {
      path: '/v1/webhooks/sendgrid/inbound/insecret12345678',
      type: 'multipart/form-data; boundary=b',
      body: `--b\r\nContent-Disposition: form-data; name="text"\r\n\r\n${fill(24 * MB, 'a\r\n')}\r\n--b\r\nContent-Disposition: form-data; name="from"\r\n\r\nada@example.org\r\n--b--\r\n`,
    },
    'SendGrid: raw mail of 24 MB in a form': {
      path: '/v1/webhooks/sendgrid/inbound/insecret12345678',
      type: 'multipart/form-data; boundary=b',
      body: `--b\r\nContent-Disposition: form-data; name="email"\r\n\r\n${person}\r\n${fill(24 * MB, 'a line\r\n')}\r\n--b--\r\n`,
    },
    'Postmark: 29 MB of text': {
      path: '/v1/webhooks/postmark',
      type: 'application/json',
      basic: 'u:p',
      body: JSON.stringify({ From: 'ada@example.org', TextBody: fill(29 * MB, 'a "b" ').slice(0, 20 * MB) }),
    },
    'Postmark: 30 MB of small values': {
      path: '/v1/webhooks/postmark',
      type: 'application/json',
      basic: 'u:p',
      body: JSON.stringify({ From: 'ada@example.org', Headers: listOf(29 * MB, () => ({ Name: 'a', Value: 'b' })) }),
    },
    'Twilio: unsigned form of 1 MB': {
      path: '/v1/webhooks/twilio',
      type: 'application/x-www-form-urlencoded',
      headers: { 'X-Twilio-Signature': 'x' },
      body: Array.from({ length: 90_000 }, (_, n) => `k${n}=v%20x`)
        .join('&')
        .slice(0, MB),
    },
    'Vonage: unsigned JSON of 1 MB': {
      path: '/v1/webhooks/vonage',
      type: 'application/json',
      headers: { Authorization: `Bearer ${fill(8_000, 'eyJh')}.e30.x` },
      body: JSON.stringify({ sig: 'x', timestamp: '1', ...Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 'v'])) }).slice(
        0,
        MB,
      ),
    },
    'SES: unsigned JSON of 1 MB': {
      path: '/v1/webhooks/ses',
      type: 'text/plain',
      body: JSON.stringify(Object.fromEntries(Array.from({ length: 60_000 }, (_, n) => [`k${n}`, 'v']))).slice(0, MB),
    },
    'email with 1.4 MB of links': email(links(1_400_000)),
    'email with 1 MB of `<`': email(fill(MB, '<')),
    'email with 1 MB of open elements': email(fill(MB, '<div>')),
    'email with 1 MB of `<a href=`': email(fill(MB, '<a href= ')),
    'email with 10 MB of files': json('/v1/messages/send', {
      to: 'ada@example.org',
      channel: 'email',
      subject: 'x',
      message: 'x',
      attachments: [{ filename: 'a.txt', content_type: 'text/plain', content: Buffer.alloc(9 * MB, 65).toString('base64') }],
    }),
    'SMS of 2 MB': json('/v1/messages/send', { to: '+14155550100', channel: 'sms', message: fill(2 * MB, '😀') }),
    'bulk of 32 MB': json('/v1/messages/bulk', {
      messages: Array.from({ length: 10_000 }, (_, n) => ({ to: `a${n}@example.org`, channel: 'email', subject: 'x', message: fill(3_000, 'x ') })),
    }),
    'bulk of 32 MB, all invalid': json('/v1/messages/bulk', { messages: listOf(31 * MB, () => ({ to: 'x', channel: 'y', z: 1 })) }),
    'bulk of 32 MB with links in HTML': json('/v1/messages/bulk', {
      messages: Array.from({ length: 20 }, (_, n) => ({
        to: `a${n}@example.org`,
        channel: 'email',
        subject: 'x',
        message: 'x',
        html: links(1_400_000),
      })),
    }),
    'import of contacts, JSON of 31 MB': json('/v1/contacts/import', {
      contacts: listOf(31 * MB, (n) => ({ email: `a${n}@example.org`, first_name: 'Ada' })),
    }),
    'import of contacts, a CSV of 31 MB in JSON': json('/v1/contacts/import', { csv: csv(30 * MB) }),
    'import of contacts, a CSV of one field of 31 MB': json('/v1/contacts/import', { csv: `email\n"${fill(30 * MB, 'a ')}` }),
    'dry run of a CSV of 31 MB': json('/v1/contacts/import', { csv: csv(30 * MB), dry_run: true }),
    'import of suppressions, CSV of 31 MB': { path: '/v1/account/unsubscribes/api/import', type: 'text/csv', key: true, body: csv(31 * MB) },
    'import of suppressions, one field of 31 MB': {
      path: '/v1/account/unsubscribes/api/import',
      type: 'text/csv',
      key: true,
      body: `email\n"${fill(31 * MB, 'a ')}`,
    },
    'import of suppressions, JSON of 31 MB': json('/v1/account/unsubscribes/api/import', { phones: listOf(31 * MB, (n) => `+1415555${n}`) }),
    'events, a batch of 32 MB': json('/v1/events/batch', {
      events: listOf(31 * MB, (n) => ({ name: 'x', email: `a${n}@example.org`, properties: { a: 1 } })),
    }),
    'event with 2 MB of properties': json('/v1/events', {
      name: 'x',
      email: 'a@example.org',
      properties: Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`k${n}`, n])),
    }),
    'template with 300 kB of tags': json('/v1/templates', {
      name: 't',
      channel: 'email',
      subject: 'x',
      message: 'x',
      html: fill(300_000, '{% if data.a %}b{% endif %}'),
    }),
    'template with 300 kB of `{{`': json('/v1/templates', { name: 't', channel: 'email', subject: 'x', message: 'x', html: fill(300_000, '{{ ') }),
    'template with 300 kB of MJML': json('/v1/templates', {
      name: 't',
      channel: 'email',
      subject: 'x',
      message: 'x',
      mjml: `<mjml><mj-body><mj-section><mj-column>${fill(290_000, '<mj-text>a</mj-text>')}</mj-column></mj-section></mj-body></mjml>`,
    }),
    'template with 300 kB of MJML of unknown elements': json('/v1/templates', {
      name: 't',
      channel: 'email',
      subject: 'x',
      message: 'x',
      mjml: `<mjml><mj-body>${fill(290_000, '<mj-x>a</mj-x>')}</mj-body></mjml>`,
    }),
    'render with 2 MB of values': json(`/v1/templates/${templateId}/render`, { data: { list: listOf(1_900_000, (n) => ({ n })) } }),
    'segment with a wide rule of 2 MB': json('/v1/segments/preview', {
      rules: { all: listOf(1_900_000, () => ({ field: 'email', operator: 'eq', value: 'x' })) },
    }),
    'segment nested 60 deep, 2 MB': json('/v1/segments/preview', {
      rules: Array.from({ length: 55 }).reduce(
        (inner) => ({
          any: [inner, inner.any ? { field: 'email', operator: 'eq', value: 'x'.repeat(20_000) } : { field: 'email', operator: 'exists' }],
        }),
        { field: 'email', operator: 'exists' },
      ),
    }),
    'journey of 2 MB': json('/v1/journeys', {
      name: 'j',
      definition: { nodes: listOf(1_900_000, (n) => ({ id: `n${n}`, type: 'delay', for: 'PT1H', next: `n${n + 1}` })) },
    }),
    'contact with 2 MB of fields': json('/v1/contacts', {
      email: 'a@example.org',
      custom_fields: Object.fromEntries(Array.from({ length: 80_000 }, (_, n) => [`k${n}`, 'v'])),
    }),
    'contact with a phone of 2 MB': json('/v1/contacts', { phone: `+${fill(2 * MB - 100, '1')}` }),
    'contact with an email of 2 MB': json('/v1/contacts', { email: `${fill(MB, 'a.')}@${fill(MB - 200, 'a.')}` }),
    'JSON of 2 MB with one key many times': {
      path: '/v1/contacts',
      type: 'application/json',
      key: true,
      body: `{${fill(2 * MB - 100, '"a":1,')}"b":1}`,
    },
    'JSON of 2 MB of `\\u0000` keys': { path: '/v1/contacts', type: 'application/json', key: true, body: `{${fill(MB, '"\\u0061":1,')}"b":1}` },
    'list members, 2 MB': json('/v1/lists/lst_x/contacts', { emails: listOf(1_900_000, (n) => `a${n}@example.org`) }),
    'sign-in with a long password': json('/v1/auth/login', { email: 'a@b.example', password: fill(16_000, 'x') }, { key: false }),
  };
}
