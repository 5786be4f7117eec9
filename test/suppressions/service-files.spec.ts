import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Service } from '../support/service.js';

const exported = (file: string): string => readFileSync(fileURLToPath(new URL(`../../../test/contacts/exports/${file}`, import.meta.url)), 'utf8');

/** Files as services write them: what each address is suppressed for. `null`: the row is reported as invalid. */
const files: readonly { readonly name: string; readonly csv: string; readonly reasons: Readonly<Record<string, string | null>> }[] = [
  {
    name: 'suppressions of Klaviyo',
    csv: 'Email,Reason,Timestamp\na@k.example,UNSUBSCRIBED,2023-05-01 10:00:00\nb@k.example,HARD_BOUNCE,\nc@k.example,MARKED_AS_SPAM,\nd@k.example,USER_SUPPRESSED,\n',
    reasons: {
      'a@k.example': 'unsubscribed since 2023-05-01T10:00:00.000Z',
      'b@k.example': 'bounced',
      'c@k.example': 'complained',
      'd@k.example': 'manual',
    },
  },
  {
    name: 'unsubscribed members of Mailchimp',
    csv: exported('mailchimp-unsubscribed.csv'),
    reasons: {
      'cy@mailchimp.example': 'unsubscribed since 2023-05-01T10:00:00.000Z',
      'di@mailchimp.example': 'complained since 2023-06-01T10:00:00.000Z',
    },
  },
  {
    name: 'cleaned members of Mailchimp',
    csv: exported('mailchimp-cleaned.csv'),
    reasons: { 'eli@mailchimp.example': 'bounced since 2023-04-02T10:00:00.000Z' },
  },
  {
    name: 'unsubscribes and bounces of HubSpot',
    csv: exported('hubspot-unsubscribes.csv'),
    reasons: { 'lea@hubspot.example': 'unsubscribed', 'max@hubspot.example': 'bounced', 'nia@hubspot.example': 'complained' },
  },
  {
    name: 'contacts of Brevo, with semicolons',
    csv: exported('brevo.csv'),
    reasons: { 'vic@brevo.example': null, 'wyn@brevo.example': 'manual', 'xia@brevo.example': 'manual' },
  },
  {
    name: 'bounces of SendGrid',
    csv: 'status,reason,email,created\n5.1.1,"550 5.1.1 The email account does not exist",a@s.example,1672653600\n,5.2.1 mailbox disabled,b@s.example,1672653600\n',
    reasons: { 'a@s.example': 'bounced since 2023-01-02T10:00:00.000Z', 'b@s.example': 'bounced since 2023-01-02T10:00:00.000Z' },
  },
  {
    name: 'people of Customer.io',
    csv: exported('customerio.csv'),
    reasons: {
      'tom@customerio.example': null,
      'eve@customerio.example': 'unsubscribed since 2023-01-02T10:00:00.000Z',
      'una@customerio.example': null,
    },
  },
  {
    name: 'words of people, in a column of another language',
    csv: 'E-Mail-Adresse;Reason\na@w.example;Hard bounce\nb@w.example;spam\nc@w.example;cleaned\nd@w.example;abgemeldet\ne@w.example;competitor\nf@w.example;subscribed\n',
    reasons: {
      'a@w.example': 'bounced',
      'b@w.example': 'complained',
      'c@w.example': 'bounced',
      'd@w.example': 'unsubscribed',
      'e@w.example': null,
      'f@w.example': null,
    },
  },
];

describe('suppressions in files of other services', () => {
  let service: Service;
  before(async () => {
    service = await Service.shared();
  });
  after(() => service.close());

  const load = (csv: string) => service.api('POST', '/v1/account/unsubscribes/api/import', csv, { 'Content-Type': 'text/csv' });

  for (const { name, csv, reasons } of files) {
    it(`are read: ${name}`, async () => {
      const { status, body } = await load(csv);
      expect(status, JSON.stringify(body)).to.equal(200);
      const rows = Object.values(reasons);
      const invalid = rows.filter((reason) => reason === null).length;
      expect(body, JSON.stringify(body)).to.include({ invalid, imported: body.received - invalid });
      expect(body.errors.length).to.equal(invalid);
      for (const [address, reason] of Object.entries(reasons)) {
        const { data } = (await service.api('GET', `/v1/account/unsubscribes?address=${address}`)).body;
        const [entry] = data;
        expect(entry?.reason ?? null, address).to.equal(reason?.split(' ')[0] ?? null);
        if (reason?.includes('since')) expect(entry.reasons[0].occurred_at, address).to.equal(reason.split(' since ')[1]);
      }
    });
  }

  it('name the row, the reason and what to use instead', async () => {
    const { body } = await load('email,reason\nok@r.example,bounced\nbad@r.example,competitor\n');
    expect(body.errors[0]).to.include({ index: 1, field: 'reason', code: 'unknown_reason' });
    expect(body.errors[0].message).to.contain("'competitor'").and.to.contain('unsubscribed');
  });

  it('may be domains', async () => {
    const { body } = await load('email,reason\n*@whole-domain.example,manual\n');
    expect(body).to.include({ imported: 1 });
    const { data } = (await service.api('GET', '/v1/account/unsubscribes?address=ada@whole-domain.example')).body;
    expect(data.map(({ domain }: Record<string, unknown>) => domain)).to.deep.equal(['whole-domain.example']);
  });
});
