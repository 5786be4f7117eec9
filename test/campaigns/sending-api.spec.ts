import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { sampleBucketOf } from '../../log/aggregates/segments/buckets.js';
import { eventually, TIMEOUT_FACTOR } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';
import { Receiver } from '../webhooks/receiver.js';

const WITHIN = 20_000;

describe('when campaigns are sent', () => {
  const service = Service.guest();
  const receiver = Receiver.own();
  before(async () => {
    await service.ok('PATCH', '/account/settings', { marketing_consent: { email: 'opt_out' }, quiet_hours: { enabled: false } });
  });

  const contact = async (fields: object): Promise<string> => (await service.ok('POST', '/contacts', fields)).id;
  async function campaign(contact_ids: readonly string[], more: object = {}): Promise<string> {
    const content = { subject: 'Hello', message: 'It is spring.' };
    return (await service.ok('POST', '/campaigns', { name: 'Spring', channel: 'email', audience: { include: { contact_ids } }, content, ...more }))
      .id;
  }
  const until = (id: string, status: string) =>
    eventually(
      `the campaign is ${status}`,
      async () => {
        const found = await service.ok('GET', `/campaigns/${id}`);
        return found.status === status && found;
      },
      { within: WITHIN, every: 50 },
    );
  const recipients = async (id: string) => (await service.ok('GET', `/campaigns/${id}/recipients`)).data as Reply['body'][];

  it('their end is an event for endpoints, signed, with their counts', async () => {
    const endpoint = await service.ok('POST', '/webhook-endpoints', { url: `${receiver.origin}/sent`, events: ['campaign.sent'] });
    const id = await campaign([await contact({ email: 'end@example.com' }), await contact({ phone: '+14155556001' })]);
    await service.ok('POST', `/campaigns/${id}/send`);
    const { started_at, finished_at } = await until(id, 'sent');
    const received = await eventually('it is delivered', () => receiver.requests.find(({ url }) => url === '/sent'), { within: WITHIN });
    const { headers, body } = received;
    const text = `${headers['x-service-timestamp']}.${body}`;
    expect(headers['x-service-signature']).to.equal(createHmac('sha256', endpoint.secret).update(text).digest('hex'));
    const { event, account_id, data } = JSON.parse(body);
    expect([event, account_id, headers['x-service-event']]).to.deep.equal(['campaign.sent', service.accountId, 'campaign.sent']);
    expect(data).to.deep.include({ campaign: { id, name: 'Spring', channel: 'email' }, started_at, finished_at });
    expect(data.counts).to.include({ audience: 2, skipped: 1, sent: 1, suppressed: 0, queued: 0 });
  });

  it('a cap of their own counts what contacts got before, and refuses more', async () => {
    const ids = [await contact({ email: 'capped@example.com' })];
    const frequency_cap = { max: 1, per: 'P1D' };
    const [first, second] = [await campaign(ids, { frequency_cap }), await campaign(ids, { frequency_cap })];
    for (const id of [first, second]) {
      await service.ok('POST', `/campaigns/${id}/send`);
      await until(id, 'sent');
    }
    expect((await recipients(first))[0]).to.include({ status_reason: null });
    expect((await recipients(second))[0]).to.include({ status: 'suppressed', status_reason: 'frequency_cap' });
  });

  it('a schedule starts them at its time', async () => {
    const id = await campaign([await contact({ email: 'scheduled@example.com' })]);
    const send_at = new Date(Date.now() + 2_000 * TIMEOUT_FACTOR).toISOString();
    expect(await service.ok('POST', `/campaigns/${id}/schedule`, { send_at })).to.include({ status: 'scheduled' });
    expect(await recipients(id)).to.deep.equal([]);
    const { started_at } = await until(id, 'sent');
    expect(started_at >= send_at, `${started_at} is not before ${send_at}`).to.equal(true);
  });

  it('a change of a scheduled one moves its start, and no time that has passed is taken', async () => {
    const id = await campaign([await contact({ email: 'moved@example.com' })]);
    const [soon, later] = ['2035-01-01T09:00:00.000Z', '2035-02-01T09:00:00.000Z'];
    const refused = async (method: string, path: string, body: object) => {
      const answer = await service.api(method, `/v1/campaigns/${id}${path}`, body);
      return [answer.status, ...(answer.body.errors ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`)];
    };
    expect(await refused('POST', '/schedule', { send_at: '2020-01-01T09:00:00Z' })).to.deep.equal([422, 'send_at in_the_past']);
    await service.ok('POST', `/campaigns/${id}/schedule`, { send_at: soon });
    expect(await service.ok('PATCH', `/campaigns/${id}`, { schedule: { send_at: later } })).to.include({ status: 'scheduled', start_at: later });
    expect(await refused('PATCH', '', { schedule: { send_at: '2020-01-01T09:00:00Z' } })).to.deep.equal([422, 'schedule.send_at in_the_past']);
    expect(await refused('PATCH', '', { schedule: null })).to.deep.equal([422, 'schedule.send_at required']);
    const local = { send_at: later, timezone: 'UTC', use_contact_timezone: true };
    expect(await service.ok('PATCH', `/campaigns/${id}`, { schedule: local })).to.include({ start_at: '2035-01-31T19:00:00.000Z' });
    expect(await service.ok('POST', `/campaigns/${id}/cancel`)).to.include({ status: 'canceled' });
  });

  it('at the best hour each message waits for it, by the clocks of its contact', async () => {
    const zones = { 'Pacific/Auckland': 'best.east', 'America/Los_Angeles': 'best.west', 'Asia/Kolkata': 'best.south' };
    const ids = await Promise.all(Object.entries(zones).map(([timezone, name]) => contact({ email: `${name}@example.com`, timezone })));
    const schedule = { send_time: 'best_hour', window: { days: [1, 2, 3, 4, 5, 6, 7], start: '00:00', end: '23:59' } };
    const id = await campaign(ids, { schedule });
    expect((await service.ok('GET', `/campaigns/${id}`)).schedule).to.deep.equal(schedule);
    await service.ok('POST', `/campaigns/${id}/send`);
    const waiting = await eventually(
      'all have a message',
      async () => {
        const found = await recipients(id);
        return found.length === 3 && found;
      },
      { within: WITHIN, every: 50 },
    );
    for (const { to, contact_id, scheduled_at } of waiting) {
      // One in ten is sent at another hour; within the hour itself nothing waits.
      if (sampleBucketOf(contact_id, id) < 1_000) continue;
      const timeZone = Object.entries(zones).find(([, name]) => to.startsWith(name))?.[0] ?? '';
      const local = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit' }).format(new Date(scheduled_at ?? Date.now()));
      expect(local, timeZone).to.equal('17');
    }
    await service.ok('POST', `/campaigns/${id}/cancel`);
  });

  it('in the zones of contacts each message waits for its local time', async () => {
    const zones = { 'Pacific/Auckland': 'east', 'America/Los_Angeles': 'west' };
    const ids = await Promise.all(Object.entries(zones).map(([timezone, name]) => contact({ email: `${name}@example.com`, timezone })));
    const schedule = { timezone: 'UTC', use_contact_timezone: true, window: { days: [1, 2, 3, 4, 5, 6, 7], start: '09:00', end: '09:01' } };
    const id = await campaign(ids, { schedule });
    await service.ok('POST', `/campaigns/${id}/send`);
    const waiting = await eventually(
      'both wait',
      async () => {
        const found = await recipients(id);
        return found.length === 2 && found;
      },
      { within: WITHIN, every: 50 },
    );
    for (const { to, status, scheduled_at } of waiting) {
      const zone = Object.entries(zones).find(([, name]) => to.startsWith(name))?.[0] ?? '';
      const local = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(new Date(scheduled_at));
      expect([status, local], zone).to.deep.equal(['scheduled', '09:00']);
    }
    await service.ok('POST', `/campaigns/${id}/cancel`);
  });
});
