import { expect } from 'chai';
import { Service } from '../support/service.js';

/** The definition side: drafts, versions, differences. */
describe('journeys over HTTP', () => {
  const service = Service.guest();
  let template_id: string;
  let segment_id: string;
  before(async () => {
    template_id = (await service.ok('POST', '/templates', { name: 'Cart', channel: 'email', subject: 'Your cart', html: '<p>It waits.</p>' })).id;
    segment_id = (await service.ok('POST', '/segments', { name: 'VIP', rules: { type: 'attribute', field: 'tags', op: 'contains', value: 'vip' } }))
      .id;
  });

  const trigger = { id: 't', kind: 'trigger', on: { type: 'event', event: 'cart_abandoned' }, next: 'd' };
  const delay = (duration: string) => ({ id: 'd', kind: 'delay', mode: 'duration', duration, next: 'b' });
  const rest = () => [
    {
      ...{ id: 'b', kind: 'branch', mode: 'rule', else: 's1' },
      branches: [{ id: 'vip', rule: { type: 'segment', segment_id, is_member: true }, next: 's2' }],
    },
    { id: 's1', kind: 'send', channel: 'email', template_id, next: null },
    { id: 's2', kind: 'send', channel: 'sms', message: 'Hi {{ contact.first_name }}', next: 'w' },
    { id: 'w', kind: 'webhook', url: 'https://example.com/hook', headers: { authorization: 'Bearer secret' }, next: null },
  ];
  const cart = () => ({ name: 'Abandoned cart', nodes: [trigger, delay('PT1H'), ...rest()] });

  it('are drafted with their defaults, and say what each node does', async () => {
    const journey = await service.ok('POST', '/journeys', cart());
    expect(journey).to.include({ name: 'Abandoned cart', status: 'draft', draft_version: 1, published_version: null, start: 't', version: 1 });
    expect(journey.settings).to.deep.equal({
      ...{ reentry: { mode: 'once' }, exit_when: [], goal: null, quiet_hours: 'account', frequency_cap: 'respect' },
      ...{ timezone_fallback: null, max_duration: null },
    });
    expect(journey.descriptions).to.deep.equal({
      t: 'Start when the event “cart_abandoned” happens',
      d: 'Wait 1 hour',
      b: 'Go the first way whose rule holds',
      s1: 'Send an email with the template “Cart”',
      s2: 'Send an SMS “Hi {{ contact.first_name }}”',
      w: 'Post to a webhook',
    });
    expect(journey.nodes.at(-1)).to.deep.equal({ id: 'w', kind: 'webhook', url: 'https://example.com/hook', on_failure: 'continue', next: null });
    expect(await service.ok('GET', `/journeys/${journey.id}`)).to.deep.equal(journey);
    const { nodes, settings, start, name } = journey;
    expect((await service.ok('PATCH', `/journeys/${journey.id}`, { name, start, nodes, settings })).version, 'what is shown is no change').to.equal(
      1,
    );
  });

  it('are refused with every problem, each with its path and its JSON pointer', async () => {
    const broken = { nodes: [trigger, { ...delay('PT0S'), next: 'nowhere' }, { id: 's', kind: 'send', channel: 'sms', message: '{{ oops' }] };
    const { status, body } = await service.call('POST', '/journeys', { ...broken, name: '', settings: { quiet_hours: 'never' } });
    expect(status).to.equal(422);
    const found = body.errors.map(({ field, code, pointer }: Record<string, string>) => [field, code, pointer ?? null]);
    expect(found).to.deep.equal([
      ['name', 'too_short', null],
      ['nodes[1].duration', 'duration_out_of_range', '/nodes/1/duration'],
      ['nodes[2].next', 'missing_next', '/nodes/2/next'],
      ['nodes[1].next', 'missing_next', '/nodes/1/next'],
      ['nodes[2]', 'unreachable_node', '/nodes/2'],
      ['settings.quiet_hours', 'not_allowed', '/settings/quiet_hours'],
    ]);
    const strange = await service.call('POST', '/journeys', { name: 'x', nodes: ['x', null], settings: { quiet_hours: 5 } });
    expect(strange.body.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal([
      '/nodes/0',
      '/nodes/1',
      '/nodes',
      '/settings/quiet_hours',
    ]);
    const liquid = {
      name: 'x',
      nodes: [
        { ...trigger, next: 's' },
        { id: 's', kind: 'send', channel: 'sms', message: '{{ oops', next: 'w' },
        { ...rest()[3], url: 'http://10.0.0.1/' },
      ],
    };
    const { body: texts } = await service.call('POST', '/journeys', liquid);
    expect(texts.errors.map(({ pointer }: { pointer: string }) => pointer)).to.deep.equal(['/nodes/1/message', '/nodes/2/url']);
    const unseen = { id: 's', kind: 'send', channel: 'in_app', title: ' ', message: '\n', action_url: 'javascript:alert(1)', next: null };
    const { body: blank } = await service.call('POST', '/journeys', { name: 'x', nodes: [{ ...trigger, next: 's' }, unseen] });
    expect(blank.errors.map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`)).to.have.members([
      '/nodes/1/title blank',
      '/nodes/1/message blank',
      '/nodes/1/action_url invalid_url',
    ]);
  });

  it('are tried with somebody, who is named in one way', async () => {
    const { id } = await service.ok('POST', '/journeys', cart());
    const problems = async (body: object) =>
      (await service.call('POST', `/journeys/${id}/test-enroll`, body)).body.errors.map(
        ({ field, code }: { field: string; code: string }) => `${field} ${code}`,
      );
    expect(await problems({})).to.deep.equal(['contact_id required']);
    expect(await problems({ contact: {} })).to.deep.equal(['contact.email required']);
    expect(await problems({ contact: { email: 'ada' } })).to.deep.equal(['contact.email invalid_email']);
    expect(await problems({ contact_id: 'con_A', contact: { email: 'ada@example.com' } })).to.deep.equal(['contact ambiguous']);
    expect(await problems({ mode: 'live', contact_id: 'con_A', events: [{ event: 'purchase', after: 'P1X' }] })).to.deep.equal([
      'events[0].after invalid_duration',
      'events not_allowed',
    ]);
  });

  it('are published in versions that never change, and compared', async () => {
    const { id } = await service.ok('POST', '/journeys', cart());
    expect(await service.ok('POST', `/journeys/${id}/publish`)).to.include({ status: 'live', draft_version: null, published_version: 1 });
    const edited = [trigger, { ...delay('PT2H'), next: 's1' }, rest()[1]];
    await service.ok('PATCH', `/journeys/${id}`, { name: 'Cart', nodes: edited, settings: { max_duration: 'P30D' } });
    const { data } = await service.ok('GET', `/journeys/${id}/versions`);
    expect(data.map(({ version, status }: Record<string, unknown>) => [version, status])).to.deep.equal([
      [2, 'draft'],
      [1, 'published'],
    ]);
    expect((await service.ok('GET', `/journeys/${id}/versions/1`)).nodes).to.have.length(6);
    expect((await service.ok('GET', `/journeys/${id}/versions/draft`)).nodes).to.have.length(3);
    const difference = await service.ok('GET', `/journeys/${id}/versions/2/difference`);
    expect(difference.nodes.added).to.deep.equal([]);
    expect(difference.nodes.removed.map((node: { id: string }) => node.id)).to.deep.equal(['b', 's2', 'w']);
    expect(difference.nodes.changed).to.deep.equal([
      { id: 'd', kind: 'delay', fields: ['duration', 'next'], before: 'Wait 1 hour', after: 'Wait 2 hours' },
    ]);
    expect(difference.edges.changed).to.deep.equal([{ from: 'd', key: 'next', before: 'b', after: 's1' }]);
    expect(difference.edges.removed.map(({ from, key }: Record<string, string>) => `${from}/${key}`)).to.deep.equal([
      ...['b/branch:vip', 'b/else', 's2/next', 'w/next'],
    ]);
    expect(difference.settings).to.deep.equal(['name', 'max_duration']);
    expect(await service.ok('POST', `/journeys/${id}/publish`, { in_flight: 'migrate' })).to.include({ published_version: 2 });
    expect((await service.ok('GET', `/journeys/${id}/versions/1`)).status).to.equal('superseded');
    expect((await service.ok('GET', `/journeys/${id}/versions/1`)).nodes.at(-1).url).to.equal('https://example.com/hook');
    expect((await service.call('GET', `/journeys/${id}/versions/7`)).status).to.equal(404);
    expect((await service.call('GET', `/journeys/${id}/versions/1/difference`)).status).to.equal(404);
  });

  it('are paused, resumed, stopped, archived and deleted', async () => {
    const { id } = await service.ok('POST', '/journeys', cart());
    expect((await service.call('POST', `/journeys/${id}/pause`)).body).to.include({ code: 'invalid_state', current: 'draft' });
    await service.ok('POST', `/journeys/${id}/publish`);
    for (const [step, status] of Object.entries({ pause: 'paused', resume: 'live', stop: 'stopped' })) {
      expect((await service.ok('POST', `/journeys/${id}/${step}`)).status).to.equal(status);
      expect((await service.ok('POST', `/journeys/${id}/${step}`)).status, 'again').to.equal(status);
    }
    expect((await service.ok('POST', `/journeys/${id}/archive`)).status).to.equal('archived');
    expect((await service.call('POST', `/journeys/${id}/publish`)).status).to.equal(409);
    expect((await service.call('DELETE', `/journeys/${id}`)).status).to.equal(204);
    expect((await service.call('GET', `/journeys/${id}`)).status).to.equal(404);
    expect((await service.call('DELETE', `/journeys/${id}`)).status).to.equal(204);
  });

  it('are listed by status, the newest first, on pages', async () => {
    const ids = [];
    for (const name of ['One', 'Two', 'Three']) ids.push((await service.ok('POST', '/journeys', { ...cart(), name })).id);
    await service.ok('POST', `/journeys/${ids[1]}/publish`);
    const page = await service.ok('GET', '/journeys?status=draft&limit=2');
    expect(page.data.map(({ name, trigger: on, node_count }: Record<string, unknown>) => [name, on, node_count])).to.deep.equal([
      ['Three', 'event', 6],
      ['One', 'event', 6],
    ]);
    expect((await service.ok('GET', '/journeys?status=live')).data.map((one: { id: string }) => one.id)).to.include(ids[1]);
  });

  it('begin with templates that can be published as they are', async () => {
    const { data } = await service.ok('GET', '/journey-templates');
    expect(data.map(({ key }: { key: string }) => key)).to.deep.equal([
      'welcome',
      'abandoned_cart',
      'win_back',
      'birthday',
      'double_opt_in_reminder',
    ]);
    for (const { key, custom_fields } of data) {
      for (const field of custom_fields) await service.ok('POST', '/custom-fields', field);
      const { id } = await service.ok('POST', '/journeys', await service.ok('GET', `/journey-templates/${key}`));
      expect((await service.ok('POST', `/journeys/${id}/publish`)).status).to.equal('live');
      await service.ok('POST', `/journeys/${id}/archive`);
    }
  });

  it('are drawn, light and dark, and for Mermaid', async () => {
    const { id } = await service.ok('POST', '/journeys', cart());
    const picture = await service.call('GET', `/journeys/${id}/graph.svg`);
    expect(picture.status).to.equal(200);
    expect(picture.headers.get('content-type')).to.equal('image/svg+xml; charset=utf-8');
    expect(picture.headers.get('content-security-policy')).to.include("default-src 'none'");
    expect(picture.text).to.match(/^<svg .*prefers-color-scheme: dark.*<\/svg>$/s);
    expect((await service.call('GET', `/journeys/${id}/graph.svg?format=mermaid`)).text).to.match(/^flowchart TD\n/);
    expect((await service.call('GET', `/journeys/${id}/graph.svg?version=2`)).status).to.equal(404);
  });

  it('keep what they use: a segment cannot be deleted, and a version needs what it names', async () => {
    const rules = { type: 'everyone' };
    const mine = (await service.ok('POST', '/segments', { name: 'Mine', rules })).id;
    const on = { type: 'segment_entered', segment_id: mine };
    const text = (await service.ok('POST', '/templates', { name: 'Text', channel: 'sms', message: 'Hi' })).id;
    const nodes = [
      { id: 't', kind: 'trigger', on, next: 's' },
      { id: 's', kind: 'send', channel: 'sms', template_id: text, next: null },
    ];
    const { id } = await service.ok('POST', '/journeys', { name: 'Uses', nodes });
    expect((await service.call('DELETE', `/segments/${mine}`)).body).to.deep.include({ code: 'in_use', used_by: [{ resource: 'journey', id }] });
    await service.call('DELETE', `/templates/${text}`);
    const { status, body } = await service.call('POST', `/journeys/${id}/publish`);
    expect(status).to.equal(422);
    expect(body.errors[0]).to.include({ code: 'unknown_reference', pointer: '/nodes/1/template_id' });
    await service.ok('POST', `/journeys/${id}/archive`);
    expect((await service.call('DELETE', `/segments/${mine}`)).status).to.equal(204);
  });

  it('keep lists and custom fields from being removed, and name forms that exist', async () => {
    const list = await service.ok('POST', '/lists', { name: 'Named by a journey', opt_in: 'single' });
    const field = await service.ok('POST', '/custom-fields', { key: 'named_by_a_journey', label: 'Renewal', type: 'date' });
    const nodes = [
      { id: 't', kind: 'trigger', on: { type: 'list_added', list_id: list.id }, next: 'd' },
      { id: 'd', kind: 'delay', mode: 'until', field: 'named_by_a_journey', next: null },
    ];
    const { id } = await service.ok('POST', '/journeys', { name: 'Renewal', nodes });
    for (const path of [`/lists/${list.id}`, `/custom-fields/${field.id}`])
      expect((await service.call('DELETE', path)).body).to.deep.include({ code: 'in_use', used_by: [{ resource: 'journey', id }] });
    const form = { id: 't', kind: 'trigger', on: { type: 'form_submitted', form_id: 'frm_NONE' }, next: null };
    const { status, body } = await service.call('POST', '/journeys', { name: 'Form', nodes: [form] });
    expect(status).to.equal(422);
    expect(body.errors).to.have.length(1);
    expect(body.errors[0]).to.include({ code: 'unknown_reference', pointer: '/nodes/0/on/form_id' });
    await service.ok('DELETE', `/journeys/${id}`);
    expect((await service.call('DELETE', `/lists/${list.id}`)).status).to.equal(204);
  });
});
