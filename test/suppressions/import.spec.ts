import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const UNSUBSCRIBES = '/v1/account/unsubscribes';
const IMPORT = `${UNSUBSCRIBES}/api/import`;

describe('the do-not-contact list of an account', () => {
  const service = Service.guest();

  const post = (body: unknown, path = '', headers = {}): Promise<Reply> => service.api('POST', IMPORT + path, body, headers);
  const csv = (text: string, path = ''): Promise<Reply> => post(text, path, { 'Content-Type': 'text/csv' });
  const listed = async (query: Record<string, string>) =>
    (await service.api('GET', `${UNSUBSCRIBES}?${new URLSearchParams({ limit: '200', ...query })}`)).body.data;
  const historyOf = async (address: string) => (await service.api('GET', `${UNSUBSCRIBES}/history?${new URLSearchParams({ address })}`)).body.data;
  const counts = ({ received, imported, already_suppressed, invalid }: Reply['body']) => [received, imported, already_suppressed, invalid];
  /** Status and reason of a message that is sent to an address now. */
  async function sent(to: string, channel: string, category = 'transactional'): Promise<string> {
    const { body } = await service.api('POST', '/v1/messages/send', { to, channel, category, message: 'Hello', subject: 'Hello' });
    return [body.status, body.status_reason].filter(Boolean).join(' ');
  }

  describe('an import', () => {
    it('names the types of bodies that it takes', async () => {
      const { status, body } = await post('a@example.com', '', { 'Content-Type': 'text/plain' });
      expect([status, body.message]).to.deep.equal([415, 'Send the body as JSON, with Content-Type: application/json, or as text/csv.']);
    });

    it('accepts entries, emails, phones and bare arrays', async () => {
      const entries = [
        { email: 'Ada@Example.com', channel: 'email', reason: 'complained', source: 'mailchimp', occurred_at: '2025-11-03T09:00:00Z' },
        { phone: '+1 (415) 555-0101' },
        { email: 'both@example.com', phone: '+14155550102' },
      ];
      const first = await post({ entries, source: 'old system' });
      expect(first.status, first.text).to.equal(200);
      expect(counts(first.body)).to.deep.equal([3, 3, 0, 0]);
      expect(counts((await post({ emails: ['e1@example.com', 'e2@example.com'], phones: ['+14155550103'] })).body)).to.deep.equal([3, 3, 0, 0]);
      expect(counts((await post(['a1@example.com', '+14155550104', { email: 'a3@example.com' }])).body)).to.deep.equal([3, 3, 0, 0]);

      const [ada] = await listed({ address: 'ada@example.com' });
      expect(ada).to.deep.include({ address: 'ada@example.com', channel: 'email', reason: 'complained' });
      expect(ada.reasons).to.deep.equal([
        { reason: 'complained', scope: 'all', via: 'import', source: 'mailchimp', occurred_at: '2025-11-03T09:00:00.000Z', message_id: null },
      ]);
      const [phone] = await listed({ address: '+14155550101' });
      expect(phone).to.deep.include({ channel: 'all', reason: 'unsubscribed' });
      expect(phone.reasons[0].source).to.equal('old system');
      expect(await sent('both@example.com', 'email')).to.equal('suppressed unsubscribed');
      expect(await sent('+14155550102', 'whatsapp')).to.equal('suppressed unsubscribed');
      expect(await sent('ada@example.com', 'email')).to.equal('suppressed complaint');
    });

    it('stops marketing only with the scope `marketing`, and the wider scope wins', async () => {
      const email = 'scope@example.com';
      expect(counts((await post({ emails: [email], scope: 'marketing' })).body)).to.deep.equal([1, 1, 0, 0]);
      expect(await sent(email, 'email')).to.equal('queued');
      expect(await sent(email, 'email', 'marketing')).to.equal('suppressed unsubscribed');
      expect(counts((await post({ entries: [{ email, scope: 'marketing' }, { email }] })).body)).to.deep.equal([2, 1, 1, 0]);
      expect(await sent(email, 'email')).to.equal('suppressed unsubscribed');
      expect(counts((await post({ emails: [email], scope: 'marketing' })).body)).to.deep.equal([1, 0, 1, 0]);
      const [entry] = await listed({ address: email });
      expect(entry).to.deep.include({ scope: 'all' });
      expect((await post({ emails: ['x@example.com'], scope: 'some' })).status).to.equal(422);
    });

    it('accepts CSV with the columns of other services, and CSV with addresses only', async () => {
      const text =
        '\ufeffEmail Address,First Name,UNSUB_TIME,Reason\r\n"c1@example.com","Ada, the first",2025-10-01 08:30:00,\r\nc2@example.com,,,bounced\r\n';
      const { status, body, text: answer } = await csv(text, '?channel=email&source=mailchimp');
      expect(status, answer).to.equal(200);
      expect(counts(body)).to.deep.equal([2, 2, 0, 0]);
      const [c1] = await listed({ address: 'c1@example.com' });
      expect(c1).to.deep.include({ channel: 'email', reason: 'unsubscribed' });
      expect(c1.reasons[0]).to.deep.include({ source: 'mailchimp', occurred_at: '2025-10-01T08:30:00.000Z' });
      expect((await listed({ address: 'c2@example.com' }))[0].reason).to.equal('bounced');
      expect(counts((await csv('bare@example.com\n+14155550105\n')).body)).to.deep.equal([2, 2, 0, 0]);
      expect(await sent('+14155550105', 'sms')).to.equal('suppressed unsubscribed');
    });

    it('reads the times of a CSV as programs write them, and suppresses without one that cannot be read', async () => {
      const timesOf = async (header: string, cells: readonly string[]) => {
        const rows = cells.map((cell, i) => `times${i}.${header.length}@example.com;"${cell}"`);
        const { body } = await csv(['email;'.concat(header), ...rows].join('\n'));
        expect(counts(body)).to.deep.equal([cells.length, cells.length, 0, 0]);
        const found = await Promise.all(rows.map((row) => listed({ address: row.split(';', 1)[0] ?? '' })));
        return { warnings: body.warnings, times: found.map(([entry]) => entry.reasons[0].occurred_at) };
      };
      expect(
        await timesOf('UNSUB_TIME', ['2025-10-01', '2025-10-01 08:30:00', '31.12.2024', '03/04/2025', '12/25/2024 1:05 PM', '1727771400']),
      ).to.deep.equal({
        warnings: undefined,
        times: [
          '2025-10-01T00:00:00.000Z',
          '2025-10-01T08:30:00.000Z',
          '2024-12-31T00:00:00.000Z',
          '2025-03-04T00:00:00.000Z',
          '2024-12-25T13:05:00.000Z',
          '2024-10-01T08:30:00.000Z',
        ],
      });
      const doubtful = await timesOf('unsubscribed_at', ['03/04/2025', 'yesterday', '2025-01-01T00:00:00Z']);
      expect(doubtful.times[2]).to.equal('2025-01-01T00:00:00.000Z');
      expect(doubtful.warnings).to.deep.equal([
        "column 'unsubscribed_at': 2 cells were left out, the first in row 1: Use a time such as 2026-01-31T10:30:00Z, not '03/04/2025', which can be read in two ways.",
      ]);
    });

    it('reads the phone numbers of a CSV as programs write them', async () => {
      expect(counts((await csv("phone\n'+4915123456701\n0049 151 23456702\ntel:+49-151-23456703\n")).body)).to.deep.equal([3, 3, 0, 0]);
      expect((await listed({ address: '+4915123456702' })).length).to.equal(1);
    });

    it('can be repeated, and keeps the earliest occurred_at', async () => {
      const entry = { email: 'again@example.com', occurred_at: '2025-11-03T09:00:00Z' };
      const times = ['2025-11-03T09:00:00Z', '2025-12-01T00:00:00Z', '2025-06-01T00:00:00Z'];
      const answers = [];
      for (const occurred_at of times) answers.push(counts((await post([{ ...entry, occurred_at }])).body));
      expect(answers).to.deep.equal([
        [1, 1, 0, 0],
        [1, 0, 1, 0],
        [1, 0, 1, 0],
      ]);
      expect((await listed({ address: entry.email }))[0].reasons[0].occurred_at).to.equal('2025-06-01T00:00:00.000Z');
      expect(counts((await post([entry, entry, { email: 'new@example.com' }, { email: 'NEW@example.com' }])).body)).to.deep.equal([4, 1, 3, 0]);
    });

    it('imports the valid rows and reports the problems of the others', async () => {
      const { status, body } = await post([
        { email: 'right@example.com' },
        { email: 'nobody' },
        { phone: '4155550100' },
        {},
        { email: 'x@example.com', channel: 'fax', reason: 'whim' },
        7,
        { email: 'x@example.com', occurred_at: 'yesterday' },
      ]);
      expect(status).to.equal(200);
      expect(counts(body)).to.deep.equal([7, 1, 0, 6]);
      expect(body.errors.map(({ index, field, code }: Record<string, unknown>) => [index, field, code])).to.deep.equal([
        [1, 'email', 'invalid_email'],
        [2, 'phone', 'invalid_phone'],
        [3, 'email', 'required'],
        [4, 'channel', 'not_allowed'],
        [4, 'reason', 'not_allowed'],
        [5, 'body', 'wrong_type'],
        [6, 'occurred_at', 'invalid_format'],
      ]);
    });

    it('writes nothing in a dry run and returns the counts', async () => {
      const entries = [{ email: 'again@example.com' }, { email: 'dry@example.com' }, { email: 'dry@example.com' }, { email: 'dry' }];
      const { body } = await post({ entries, dry_run: true });
      expect(counts(body)).to.deep.equal([4, 1, 2, 1]);
      expect(body.dry_run).to.equal(true);
      expect(await historyOf('dry@example.com')).to.deep.equal([]);
      expect(counts((await csv('dry@example.com', '?dry_run=true')).body)).to.deep.equal([1, 1, 0, 0]);
      expect(await sent('dry@example.com', 'email')).to.equal('queued');
    });

    it('is done once under an idempotency key, with the same answer', async () => {
      const headers = { 'Idempotency-Key': 'import-1' };
      const first = await post(['once@example.com', 'wrong'], '', headers);
      const second = await post(['once@example.com', 'wrong'], '', headers);
      expect(second.body).to.deep.equal(first.body);
      expect(counts(second.body)).to.deep.equal([2, 1, 0, 1]);
      expect(second.headers.get('idempotency-replayed')).to.equal('true');
      expect((await post(['other@example.com'], '', headers)).body.code).to.equal('idempotency_key_reused');
    });

    it('refuses more than 10,000 rows, and a body without entries', async () => {
      const many = await post({ emails: Array.from({ length: 10_001 }, (_, i) => `m${i}@example.com`) });
      expect([many.status, many.body.errors[0].code]).to.deep.equal([422, 'too_many']);
      const spread = await post({ emails: Array(6_000).fill('m@example.com'), phones: Array(6_000).fill('+14155550100') });
      expect([spread.status, spread.body.errors[0].code]).to.deep.equal([422, 'too_many']);
      const none = await post({ source: 'x' });
      expect([none.status, none.body.errors[0].field]).to.deep.equal([422, 'entries']);
      expect((await post([])).body).to.deep.include({ received: 0, imported: 0 });
    });

    it('takes 2,000 new and existing rows in one request, and refuses exactly their messages in a batch', async () => {
      const emails = Array.from({ length: 2_000 }, (_, i) => `row${i}@example.com`);
      expect(counts((await post({ emails, occurred_at: '2025-01-01T00:00:00Z' })).body)).to.deep.equal([2_000, 2_000, 0, 0]);
      expect(counts((await post({ emails })).body)).to.deep.equal([2_000, 0, 2_000, 0]);
      const others = Array.from({ length: 1_000 }, (_, i) => `free${i}@example.com`);
      const messages = [...emails.slice(0, 1_000), ...others].map((to) => ({ to, channel: 'email', subject: 'x', message: 'x' }));
      const { body } = await service.api('POST', '/v1/messages/bulk', messages);
      const passed = body.messages.filter(({ status }: { status: string }) => status === 'queued').map(({ index }: { index: number }) => index);
      expect(passed).to.deep.equal(others.map((_, i) => 1_000 + i));
      // What comes after reads the list, which is longer on its way than a read waits where the machine is busy.
      await service.caughtUp();
    });
  });

  describe('a single entry', () => {
    const lift = (id: string, body: unknown) => service.api('DELETE', `${UNSUBSCRIBES}/${id}`, body);

    it('is added, reports whether it is new, and is found by channel, reason and address', async () => {
      const one = { email: 'hand@example.com', channel: 'email', reason: 'legal', source: 'court' };
      const { status, body } = await service.api('POST', UNSUBSCRIBES, one);
      expect(status).to.equal(201);
      expect(body).to.deep.include({ address: 'hand@example.com', channel: 'email', reason: 'legal', changed: true });
      const again = await service.api('POST', UNSUBSCRIBES, one);
      expect([again.status, again.body.changed, again.body.id]).to.deep.equal([200, false, body.id]);
      for (const query of [{ address: 'HAND@example.com' }, { reason: 'legal' }, { channel: 'email', reason: 'legal' }] as Record<string, string>[])
        expect((await listed(query)).map(({ id }: { id: string }) => id)).to.deep.equal([body.id]);
      expect((await service.api('GET', `${UNSUBSCRIBES}/${body.id}`)).body).to.deep.include({ id: body.id, reason: 'legal' });
      expect((await service.api('GET', `${UNSUBSCRIBES}?address=nobody`)).body.code).to.equal('invalid_parameter');
      expect(await sent('hand@example.com', 'email')).to.equal('suppressed legal');
    });

    it('is refused without an address or with two', async () => {
      for (const wrong of [{}, { email: 'a@example.com', phone: '+14155550100' }, { email: 'a' }, { phone: '1' }])
        expect((await service.api('POST', UNSUBSCRIBES, wrong)).body.code).to.equal('validation_error');
    });

    it('is lifted with reason and proof, which stay in the history', async () => {
      const { body: entry } = await service.api('POST', UNSUBSCRIBES, { phone: '+14155550120', channel: 'sms', reason: 'manual' });
      expect((await lift(entry.id, {})).body.errors[0].field).to.equal('reason');
      const { status, body } = await lift(entry.id, { reason: 'asked', proof: 'ticket 7' });
      expect([status, body]).to.deep.equal([200, { id: entry.id, channel: 'sms', lifted: ['manual'] }]);
      expect(await sent('+14155550120', 'sms')).to.equal('queued');
      expect((await lift(entry.id, { reason: 'asked' })).status).to.equal(404);
      const history = await historyOf('+14155550120');
      expect(history.map(({ event }: { event: string }) => event)).to.deep.equal(['suppressed', 'lifted']);
      expect(history[0]).to.deep.include({ reasons: ['manual'], via: 'request', source: 'api' });
      expect(history[1]).to.deep.include({ reasons: ['manual'], because: 'asked', proof: 'ticket 7', source: 'request' });
    });

    it('is listed in pages, newest first', async () => {
      const first = (await service.api('GET', `${UNSUBSCRIBES}?limit=3`)).body;
      const second = (await service.api('GET', `${UNSUBSCRIBES}?limit=3&cursor=${first.next_cursor}`)).body;
      const ids = [...first.data, ...second.data].map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).to.equal(6);
    });

    it('is visible to its account only', async () => {
      const { body: entry } = await service.api('POST', UNSUBSCRIBES, { email: 'mine@example.com' });
      const other = { 'X-API-Key': await service.otherAccountKey() };
      expect((await service.api('GET', `${UNSUBSCRIBES}/${entry.id}`, undefined, other)).status).to.equal(404);
      expect((await service.api('DELETE', `${UNSUBSCRIBES}/${entry.id}`, { reason: 'x' }, other)).status).to.equal(404);
      expect((await service.api('GET', UNSUBSCRIBES, undefined, other)).body.data).to.deep.equal([]);
      await eventually('it is still there', async () => (await service.api('GET', `${UNSUBSCRIBES}/${entry.id}`)).status === 200);
    });
  });
});
