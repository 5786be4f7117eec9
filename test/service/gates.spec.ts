import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('the gates of marketing over HTTP', () => {
  const service = Service.guest();

  const send = async (to: string, given: object = {}) => {
    const message = { to, channel: 'email', subject: 'News', message: 'News', category: 'marketing', ...given };
    const { status, body } = await service.api('POST', '/v1/messages/send', message);
    expect(status, JSON.stringify(body)).to.equal(body.dry_run ? 200 : 202);
    return body;
  };
  const change = async (settings: object) => {
    const { status, body } = await service.api('PATCH', '/v1/account/settings', settings);
    expect(status, JSON.stringify(body)).to.equal(200);
  };

  it('suppress a message right after a withdrawal of consent, also in a bulk, and return the reason', async () => {
    const { body: contact } = await service.api('POST', '/v1/contacts', { email: 'ada@example.com' });
    expect((await send('ada@example.com')).status).to.equal('queued');
    const consent = { channel: 'email', purpose: 'marketing', status: 'withdrawn', lawful_basis: 'consent', source: 'spec' };
    const recorded = await service.api('POST', `/v1/contacts/${contact.id}/consents`, consent);
    expect(recorded.status).to.be.oneOf([200, 201]);
    const refused = await send('ada@example.com');
    expect(refused).to.include({ status: 'suppressed', status_reason: 'no_consent' });
    expect((await service.api('GET', `/v1/messages/${refused.id}`)).body).to.include({ status: 'suppressed', status_reason: 'no_consent' });
    expect(await send('ada@example.com', { dry_run: true })).to.include({ status: 'suppressed', status_reason: 'no_consent', dry_run: true });
    const why = (await service.api('GET', `/v1/messages/${refused.id}/why`)).body;
    const { body: ledger } = await service.api('GET', `/v1/contacts/${contact.id}/consents/history`);
    const [{ event_id, occurred_at, recorded_at }] = ledger.data;
    const entry = { status: 'withdrawn', rule: 'opt_out', event_id, contact_id: contact.id, channel: 'email', occurred_at, recorded_at };
    const asked = { step: 'gate', at: 'acceptance' };
    const [, ...gates] = why.chain.map(({ step, result, details }: Record<string, object>) => ({ step, result, ...details }));
    expect(gates).to.deep.equal([
      { ...asked, result: 'passed', gate: 'suppression' },
      { ...asked, result: 'refused', gate: 'consent', reason: 'no_consent', refused_by: { kind: 'consent', ...entry } },
    ]);
    expect((await send('ada@example.com', { category: 'transactional' })).status).to.equal('queued');
    const messages = ['ada@example.com', 'eve@example.com'].map((to) => ({ to }));
    const defaults = { channel: 'email', subject: 'News', message: 'News', category: 'marketing' };
    const { body: batch } = await service.api('POST', '/v1/messages/bulk', { messages, defaults });
    expect(batch.messages.map(({ status, status_reason = null }: Record<string, unknown>) => [status, status_reason])).to.deep.equal([
      ['suppressed', 'no_consent'],
      ['queued', null],
    ]);
    const whyInBulk = (await service.api('GET', `/v1/messages/${batch.messages[0].id}/why`)).body.chain.at(-1);
    expect(whyInBulk).to.deep.include({ step: 'gate', result: 'refused' });
    expect(whyInBulk.details.refused_by).to.deep.equal({ kind: 'consent', ...entry });
  });

  it('schedule a message for the end of quiet hours and return that time', async () => {
    // Quiet hours from one hour ago to one hour from now.
    const hour = new Date().getUTCHours();
    const time = (add: number) => `${String((hour + add + 24) % 24).padStart(2, '0')}:00`;
    await change({ timezone: 'UTC', quiet_hours: { enabled: true, start: time(-1), end: time(2) } });
    const waiting = await send('bob@example.com');
    expect(waiting.status).to.equal('scheduled');
    expect(waiting.scheduled_at.slice(11)).to.equal(`${time(2)}:00.000Z`);
    expect((await service.api('GET', `/v1/messages/${waiting.id}`)).body).to.include({ status: 'scheduled', scheduled_at: waiting.scheduled_at });
    const { body: bulk } = await service.api('POST', '/v1/messages/bulk', {
      messages: [{ to: 'bob@example.com' }],
      defaults: { channel: 'email', subject: 'News', message: 'News', category: 'marketing' },
    });
    expect(bulk.messages[0].status).to.equal('scheduled');
    const { body: events } = await service.api('GET', `/v1/messages/${bulk.messages[0].id}/events`);
    expect(events.data[0]).to.deep.include({ type: 'MessageScheduled', status: 'scheduled' });
    expect(events.data[0].data).to.include({ because: 'quiet_hours' });
    await change({ quiet_hours: { enabled: false } });
  });

  it('apply frequency caps and the account’s consent rule', async () => {
    await change({ frequency_caps: [{ channel: 'email', max: 1, per: 'P1D' }], marketing_consent: { sms: 'opt_in' } });
    const first = await send('cy@example.com');
    await eventually('handed over', async () => (await service.api('GET', `/v1/messages/${first.id}`)).body.sent_at !== null);
    const second = await send('cy@example.com');
    expect(second).to.include({ status: 'suppressed', status_reason: 'frequency_cap' });
    expect(await send('+14155550177', { channel: 'sms' })).to.include({ status: 'suppressed', status_reason: 'no_consent' });
  });

  it('reject invalid settings and name every invalid field', async () => {
    const { status, body } = await service.api('PATCH', '/v1/account/settings', {
      marketing_consent: { email: 'maybe', sms: 'opt_in' },
      quiet_hours: { start: '9' },
      frequency_caps: [{ channel: 'email', max: 1, per: 'P1Y' }],
    });
    expect(status).to.equal(422);
    expect(body.errors.map(({ field }: { field: string }) => field).sort()).to.deep.equal([
      'frequency_caps[0].per',
      'marketing_consent.email',
      'quiet_hours.start',
    ]);
    const { body: settings } = await service.api('GET', '/v1/account/settings');
    expect(settings.marketing_consent).to.include({ email: 'opt_out', sms: 'opt_in' });
  });
});
