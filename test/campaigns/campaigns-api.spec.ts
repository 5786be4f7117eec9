import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

/** Opted in or not, marketing reaches them: the account asks for no consent. */
describe('campaigns over HTTP', () => {
  const service = Service.guest();
  before(async () => {
    const marketing_consent = { sms: 'opt_out', email: 'opt_out' };
    await service.ok('PATCH', '/account/settings', { marketing_consent, quiet_hours: { enabled: false } });
  });

  const email = { name: 'Spring', channel: 'email', content: { subject: 'Hello', message: 'It is spring.' } };
  let lists = 0;
  /** A new list with so many contacts. */
  async function listOf(count: number, prefix = `c${++lists}`): Promise<string> {
    const { id } = await service.ok('POST', '/lists', { name: 'Readers' });
    const contacts = Array.from({ length: count }, (_, i) => ({ email: `${prefix}-${i}@example.com`, first_name: `Name${i}` }));
    await service.ok('POST', '/contacts/import', { contacts, list_ids: [id] });
    return id;
  }
  const draft = (list: string, more: object = {}) =>
    service.ok('POST', '/campaigns', { ...email, audience: { include: { list_ids: [list] } }, ...more });
  const until = (id: string, ...statuses: string[]) =>
    eventually(
      `the campaign is ${statuses.join(' or ')}`,
      async () => {
        const found = await service.ok('GET', `/campaigns/${id}`);
        return statuses.includes(found.status) && found;
      },
      { within: 30_000, every: 100 },
    );
  async function recipients(id: string): Promise<{ id: string; contact_id: string; status: string; to: string }[]> {
    const all = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Reply['body'] = await service.ok(
        'GET',
        `/campaigns/${id}/recipients?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      all.push(...page.data);
      cursor = page.next_cursor;
    }
    return all;
  }

  it('message each contact of the audience once, and count what becomes of it', async () => {
    const list = await listOf(230);
    await service
      .ok('POST', '/contacts', { phone: '+14155552001' })
      .then(({ id }) => service.ok('POST', `/lists/${list}/contacts`, { contact_ids: [id] }));
    const hook = await service.ok('POST', '/account/unsubscribes', { email: 'c1-0@example.com', channel: 'email', reason: 'unsubscribed' });
    expect(hook).to.be.an('object');
    const { id } = await draft(list);
    expect(await service.ok('GET', `/campaigns/${id}/audience`)).to.deep.equal({
      total: 231,
      reachable: 229,
      suppressed: 1,
      no_consent: 0,
      no_address: 1,
    });
    expect((await service.ok('POST', `/campaigns/${id}/send`)).status).to.equal('sending');
    const sent = await until(id, 'sent');
    expect(sent).to.include({ audience_count: 231 });
    const { data: skipped } = await service.ok('GET', `/campaigns/${id}/recipients?status=skipped`);
    expect(skipped).to.have.length(1);
    expect(skipped[0]).to.include({ status: 'skipped', reason: 'no_address' });
    const messages = await recipients(id);
    expect(messages).to.have.length(230);
    expect(new Set(messages.map(({ contact_id }) => contact_id)).size).to.equal(230);
    const stats = await eventually(
      'all are delivered',
      async () => {
        const found = await service.ok('GET', `/campaigns/${id}/stats`);
        return found.delivered === 229 && found;
      },
      { within: 30_000, every: 100 },
    );
    const days = await service.ok('GET', '/analytics?group_by=campaign');
    expect(days.data.find(({ group }: { group: string }) => group === id)).to.include({ messages: 230, sent: 229, delivered: 229, suppressed: 1 });
    const months = await service.ok('GET', '/analytics?interval=month&group_by=channel');
    expect(months.data.at(-1)).to.include({ group: 'email' });
    expect(await service.ok('GET', '/analytics?from=2026-02-28T23:30:00-05:00&to=2026-03-02T00:00:00Z')).to.include({
      from: '2026-03-01',
      to: '2026-03-02',
    });
    expect((await service.call('GET', '/analytics?from=2026-02-30&to=2026-03-01')).status).to.equal(422);
    expect((await service.call('GET', '/analytics?from=2026-02-30T00:00:00Z&to=2026-03-99')).status).to.equal(400);
    expect(stats).to.deep.include({ audience: 231, skipped: 1, suppressed: 1, queued: 0, sent: 229, failed: 0, by_variant: {} });
  });

  it('show each variant before it is sent, and what its test can find', async () => {
    const variants = ['a', 'b'].map((key) => ({ key, weight: 1, content: { subject: `Hello ${key}` } }));
    const ab_test = { sample_percent: 50, metric: 'click_rate', duration_seconds: 60 };
    const { id } = await draft(await listOf(8), { variants, ab_test });
    const { by_variant } = await service.ok('GET', `/campaigns/${id}/stats`);
    expect(by_variant).to.have.keys('a', 'b');
    expect(by_variant.b).to.include({ sent: 0, clicked: 0 });
    const { reachable, test } = await service.ok('GET', `/campaigns/${id}/audience`);
    expect([reachable, test.variants]).to.deep.equal([
      8,
      [
        { key: 'a', contacts: 2 },
        { key: 'b', contacts: 2 },
      ],
    ]);
    expect(test.smallest_difference).to.be.closeTo(0.396, 1e-3);
    expect(test).to.include({ rate: 0.02, needed: 78_400 });
  });

  it('fill the variables of a contact in, and are refused with templates that are wrong', async () => {
    const list = await listOf(2);
    const content = { subject: 'Hi {{ contact.first_name }}', html: '<p>{{ campaign.name }} &amp; {{ contact.email }}</p>' };
    const { id } = await draft(list, { content });
    await service.ok('POST', `/campaigns/${id}/send`);
    await until(id, 'sent');
    const [first] = (await recipients(id)).sort((a, b) => (a.to < b.to ? -1 : 1));
    const handed = await service.ok('GET', `/sandbox/messages?message_id=${first?.id}`);
    expect(handed.data).to.have.length(1);
    expect(handed.data[0]).to.include({ subject: 'Hi Name0', to: first?.to });
    expect(handed.data[0].html).to.include(`<p>Spring &amp; ${first?.to}</p>`);
    const { id: template_id } = await service.ok('POST', '/templates', {
      name: 'Letter',
      channel: 'email',
      subject: 'Dear {{ contact.first_name }}',
      message: 'Hi',
    });
    const templated = await draft(list, { content: { template_id } });
    const { messages: tested } = await service.ok('POST', `/campaigns/${templated.id}/test-send`, { to: ['tester@example.com'] });
    expect(await service.ok('GET', `/messages/${tested[0].id}`)).to.include({ template_id, template_version: 1, campaign_id: null, subject: 'Dear' });
    const wrong = await service.call('POST', '/campaigns', {
      ...email,
      audience: { include: { everyone: true } },
      content: { subject: '{{ a', message: '{% if %}' },
    });
    expect(wrong.body.errors.map(({ field }: { field: string }) => field)).to.include.members(['content.subject', 'content.message']);
  });

  it('message the members of a segment, without those who are excluded', async () => {
    const list = await listOf(3, 'segmented');
    const rules = { type: 'all', rules: [{ type: 'list', list_id: list, is_member: true }] };
    const segment = await service.ok('POST', '/segments', { name: 'Readers', rules });
    const [first] = (await service.ok('GET', '/contacts?email=segmented-0@example.com')).data;
    const audience = { include: { segment_ids: [segment.id] }, exclude: { contact_ids: [first.id] } };
    const { id } = await service.ok('POST', '/campaigns', { ...email, audience });
    expect((await service.call('DELETE', `/segments/${segment.id}`)).body).to.include({ code: 'in_use' });
    await service.ok('POST', `/campaigns/${id}/send`);
    expect(await until(id, 'sent')).to.include({ audience_count: 2 });
    expect((await recipients(id)).map(({ to }) => to).sort()).to.deep.equal(['segmented-1@example.com', 'segmented-2@example.com']);
    const unknown = await service.call('POST', '/campaigns', { ...email, audience: { include: { segment_ids: ['seg_NONE'] } } });
    expect(unknown.body.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['audience.include.segment_ids[0]']);
  });

  it('stop where they are paused, go on where they are resumed, and cancel what waits', async () => {
    const list = await listOf(30);
    const throttled = await draft(list, { throttle: { per_minute: 1 } });
    await service.ok('POST', `/campaigns/${throttled.id}/send`);
    expect(await service.ok('POST', `/campaigns/${throttled.id}/pause`)).to.include({ status: 'paused', status_reason: 'requested' });
    expect((await service.ok('POST', `/campaigns/${throttled.id}/pause`)).status).to.equal('paused');
    expect((await service.call('PATCH', `/campaigns/${throttled.id}`, { name: 'Late' })).body).to.include({
      code: 'invalid_state',
      current: 'paused',
    });
    expect((await service.ok('POST', `/campaigns/${throttled.id}/resume`)).status).to.equal('sending');
    expect((await service.ok('POST', `/campaigns/${throttled.id}/cancel`)).status).to.equal('canceled');
    expect((await service.call('POST', `/campaigns/${throttled.id}/resume`)).status).to.equal(409);

    const closed = (new Date().getUTCDay() + 2) % 7 || 7;
    const schedule = { timezone: 'UTC', window: { days: [closed], start: '10:00', end: '11:00' } };
    const waiting = await draft(list, { schedule });
    await service.ok('POST', `/campaigns/${waiting.id}/send`);
    const scheduled = () => service.ok('GET', `/campaigns/${waiting.id}/stats`);
    await eventually('all messages wait for the window', async () => (await scheduled()).queued === 30, { within: 30_000, every: 100 });
    await service.ok('POST', `/campaigns/${waiting.id}/cancel`);
    await eventually('all are canceled', async () => (await scheduled()).canceled === 30, { within: 30_000, every: 100 });
    expect(await scheduled()).to.include({ audience: 30, skipped: 0, queued: 0, sent: 0 });
  });

  it('are refused with every wrong field', async () => {
    const answer = await service.call('POST', '/campaigns', {
      name: '',
      channel: 'email',
      content: { html: '<p>Hi' },
      audience: { include: {} },
      schedule: { timezone: 'Mars', window: { days: [8], start: '9', end: '18:00' } },
      variants: [{ key: 'A', weight: 0, content: {} }],
    });
    expect(answer.status).to.equal(422);
    const fields = answer.body.errors.map(({ field }: { field: string }) => field);
    expect(fields).to.have.members([
      ...['name', 'schedule.window.days[0]', 'schedule.window.start', 'variants[0].key', 'variants[0].weight'],
      ...['schedule.timezone', 'content.subject', 'audience.include'],
    ]);
    const meaning = await service.call('POST', '/campaigns', {
      ...email,
      content: { html: '<p>Hi' },
      audience: { include: {}, exclude: { list_ids: ['lst_NONE'] } },
      schedule: { timezone: 'Mars' },
      frequency_cap: { max: 1, per: 'P1Y' },
      ab_test: { sample_percent: 10, metric: 'click_rate', duration_seconds: 60 },
    });
    expect(meaning.body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)).to.have.members([
      'content.subject required',
      'audience.include empty_audience',
      'audience.exclude.list_ids[0] not_found',
      'schedule.timezone invalid_timezone',
      'frequency_cap.per invalid_duration',
      'variants required',
    ]);
  });

  it('are refused with what their shape and their rules forbid at once', async () => {
    const problems = ({ body }: Reply) => body.errors.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`);
    const wrong = {
      name: 'x',
      channel: 'sms',
      content: { message: ' ', html: '<p>Hi</p>', from: 5, action_url: 'javascript:alert(1)' },
      audience: { include: { list_ids: [7, 'lst_NONE'], segment_ids: ['seg_NONE'] }, exclude: { contact_ids: ['con_NONE'] } },
      schedule: { use_contact_timezone: true, window: { days: [1], start: '18:00', end: '09:00' }, skip_if_late_seconds: 'x' },
      ab_test: { sample_percent: 0, metric: 'click_rate', duration_seconds: 60 },
      webhook_url: 'ftp://example.com',
    };
    expect(problems(await service.call('POST', '/campaigns', wrong))).to.have.members([
      'content.from wrong_type',
      'audience.include.list_ids[0] wrong_type',
      'schedule.skip_if_late_seconds wrong_type',
      'ab_test.sample_percent out_of_range',
      'content.html not_for_channel',
      'content.message blank',
      'content.action_url invalid_url',
      'content.action_url not_for_channel',
      'audience.include.list_ids[1] not_found',
      'audience.include.segment_ids[0] not_found',
      'audience.exclude.contact_ids[0] not_found',
      'schedule.window.end invalid_window',
      'variants required',
      'webhook_url invalid_url',
    ]);
    const parts = { name: 'x', content: { subject: 5, html: 7 }, audience: { include: { list_ids: 'all' } }, schedule: { timezone: 'Mars' } };
    expect(problems(await service.call('POST', '/campaigns', parts)), 'what is malformed or missing is named once').to.have.members([
      'channel required',
      'content.subject wrong_type',
      'content.html wrong_type',
      'audience.include.list_ids wrong_type',
      'schedule.timezone invalid_timezone',
    ]);
    const { id } = await service.ok('POST', '/campaigns', { ...email, audience: { include: { everyone: true } } });
    const change = { name: 5, content: { message: '\u200b', subject: 'x' }, audience: { include: {} }, schedule: { timezone: 'Mars' } };
    expect(problems(await service.call('PATCH', `/campaigns/${id}`, change))).to.have.members([
      'name wrong_type',
      'content.message blank',
      'audience.include empty_audience',
      'schedule.timezone invalid_timezone',
    ]);
    expect((await service.call('PATCH', '/campaigns/cmp_NONE', change)).status).to.equal(422);
  });
});
