import { expect } from 'chai';
import { sendTimeProblems } from '../../commands/messages/message-problems.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';
import { Service } from '../support/service.js';

interface Named {
  readonly field: string;
  readonly code: string;
  readonly index?: number;
}

describe('a time to send that has passed', () => {
  const service = Service.guest();
  const past = '2020-01-01T09:00:00Z';
  const message = { to: '+14155550100', channel: 'sms', message: 'Hello' };
  const send = (body: object, headers: Record<string, string> = {}) => service.api('POST', '/v1/messages/send', body, headers);
  const bulk = (body: object, headers: Record<string, string> = {}) => service.api('POST', '/v1/messages/bulk', body, headers);
  const codes = (errors: readonly Named[]) => errors.map(({ field, code }) => `${field} ${code}`);
  const later = (ms: number) => new Date(Date.now() + ms).toISOString();

  it('is one of more than a minute ago', () => {
    const now = '2026-01-15T10:30:00.000Z';
    const table: readonly [send_at: string | undefined, isPast: boolean][] = [
      ['2026-01-15T10:28:59.999Z', true],
      ['2026-01-15T10:29:00.000Z', false],
      ['2026-01-15T10:30:00Z', false],
      ['2026-01-15T11:29:30+01:00', false],
      ['2026-01-15T10:30:00+01:00', true],
      ['2030-01-15T10:30:00Z', false],
      [undefined, false],
    ];
    for (const [send_at, isPast] of table)
      expect(sendTimeProblems(send_at === undefined ? {} : { send_at }, now).length > 0, `${send_at}`).to.equal(isPast);
  });

  it('is refused, in a dry run as well, and among other problems', async () => {
    const refused = await send({ ...message, send_at: past });
    expect([refused.status, codes(refused.body.errors)]).to.deep.equal([422, ['send_at in_the_past']]);
    expect((await send({ ...message, send_at: past, dry_run: true })).status).to.equal(422);
    const among = await send({ ...message, send_at: past, to: 'x' });
    expect(codes(among.body.errors)).to.have.members(['to invalid_phone', 'send_at in_the_past']);
    expect((await send({ ...message, send_at: later(-30_000) })).body.status).to.equal('queued');
  });

  it('refuses the items of a bulk that have it', async () => {
    const { status, body } = await bulk({ messages: [message, { ...message, send_at: past }] });
    expect([status, body.accepted, codes(body.errors), body.errors[0].index]).to.deep.equal([202, 1, ['send_at in_the_past'], 1]);
    const none = await bulk({ messages: [message], defaults: { send_at: past } });
    expect([none.status, codes(none.body.errors)]).to.deep.equal([422, ['messages[0].send_at in_the_past']]);
  });

  it('does not matter to the repeat of a request that was accepted before it passed', async () => {
    // Both requests are accepted before it passes, on slow servers too.
    const margin = 2_000 * Math.min(TIMEOUT_FACTOR, 10);
    const soon = later(-60_000 + margin);
    const one = { ...message, send_at: soon };
    const many = { messages: [one, message] };
    const first = await send(one, { 'Idempotency-Key': 'in-time' });
    const batch = await bulk(many, { 'Idempotency-Key': 'in-time' });
    expect([first.status, batch.body.accepted]).to.deep.equal([202, 2]);
    await new Promise((resolve) => setTimeout(resolve, Date.parse(soon) + 60_100 - Date.now()));
    expect((await send(one)).status, 'it has passed by now').to.equal(422);
    const again = await send(one, { 'Idempotency-Key': 'in-time' });
    expect([again.status, again.body.id]).to.deep.equal([202, first.body.id]);
    const repeated = await bulk(many, { 'Idempotency-Key': 'in-time' });
    expect([repeated.status, repeated.body.accepted, repeated.body.errors]).to.deep.equal([202, 2, []]);
  });
});
