import { expect } from 'chai';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { eventually } from '../support/eventually.js';
import { type Reply, Service } from '../support/service.js';

const SIDS = { en: `HX${'a'.repeat(32)}`, de: `HX${'d'.repeat(32)}` };
const fieldsOf = ({ status, body }: Reply) => [
  status,
  ...(body.errors ?? []).map(({ field, code }: { field: string; code: string }) => `${field} ${code}`),
];

describe('templates of WhatsApp in contents', () => {
  let nth = 0;
  const fake = FakeCarrier.own(() => {
    nth += 1;
    return { status: 201, body: { sid: `SM${String(nth).padStart(32, '0')}`, status: 'queued' } };
  });
  let service: Service;
  const ok = (method: string, path: string, body?: unknown) => service.ok(method, path, body);
  const call = (method: string, path: string, body?: unknown) => service.call(method, path, body);
  const people: Record<'ada' | 'bob' | 'nobody', string> = { ada: '', bob: '', nobody: '' };

  before(async () => {
    service = await Service.start({
      TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
      TWILIO_AUTH_TOKEN: 'token',
      TWILIO_FROM: '+14155550199',
      TWILIO_BASE_URL: fake.url,
      HELIOGRAPH_ROUTES: JSON.stringify({ whatsapp: ['twilio'] }),
    });
    await ok('PATCH', '/account/settings', { marketing_consent: { whatsapp: 'opt_out' }, quiet_hours: { enabled: false } });
    people.ada = (await ok('POST', '/contacts', { phone: '+14155550101', first_name: 'Ada' })).id;
    people.bob = (await ok('POST', '/contacts', { phone: '+14155550102', first_name: 'Bob', locale: 'de' })).id;
    people.nobody = (await ok('POST', '/contacts', { phone: '+14155550103' })).id;
  });
  after(() => service.close());
  beforeEach(() => void fake.requests.splice(0));

  const content = {
    message: 'Hi {{ contact.first_name }}, your order is on its way.',
    whatsapp_template: { content_sid: SIDS.en, variables: { 1: '{{ contact.first_name }}', 2: '{% if true %}\n A1 \n{% endif %}' } },
    translations: {
      de: {
        message: 'Hallo {{ contact.first_name }}',
        whatsapp_template: { content_sid: SIDS.de, variables: { 1: 'Herr {{ contact.first_name }}' } },
      },
    },
  };
  /** By number, the template and the variables that the carrier got. */
  const handed = () =>
    fake.requests
      .map(({ body }) => new URLSearchParams(body))
      .map((form) => [form.get('To')?.slice(-4), form.get('ContentSid'), form.get('ContentVariables'), form.get('Body')])
      .sort();
  const toAda = ['0101', SIDS.en, '{"1":"Ada","2":"A1"}', null];
  const toBob = ['0102', SIDS.de, '{"1":"Herr Bob"}', null];

  it('are stored with a template, in each language, and filled in for each message', async () => {
    const created = await ok('POST', '/templates', { name: 'Shipped', channel: 'whatsapp', ...content });
    expect([created.whatsapp_template, created.translations]).to.deep.equal([content.whatsapp_template, content.translations]);
    expect(created.variables).to.deep.equal(['contact.first_name']);
    const of = (locale: string) => ok('POST', `/templates/${created.id}/render`, { contact_id: people.ada, locale });
    expect((await of('en')).whatsapp_template).to.deep.equal({ content_sid: SIDS.en, variables: { 1: 'Ada', 2: 'A1' } });
    expect((await of('de')).whatsapp_template).to.deep.equal({ content_sid: SIDS.de, variables: { 1: 'Herr Ada' } });
    const unknown = await ok('POST', `/templates/${created.id}/render`, {});
    expect(unknown.missing_variables).to.deep.equal(['contact.first_name']);
    for (const to of ['+14155550101', '+14155550102']) await ok('POST', '/messages/send', { to, channel: 'whatsapp', template_id: created.id });
    await eventually('both are handed over', () => fake.requests.length === 2);
    expect(handed()).to.deep.equal([toAda, toBob]);
    const refused = await call('POST', '/messages/send', { to: '+14155550103', channel: 'whatsapp', template_id: created.id });
    expect(fieldsOf(refused)).to.deep.equal([422, 'whatsapp_template.variables[1] blank']);

    const { whatsapp_template } = content;
    expect((await ok('PATCH', `/templates/${created.id}`, { whatsapp_template })).version).to.equal(1);
    const changed = await ok('PATCH', `/templates/${created.id}`, { whatsapp_template: null, translations: { de: { message: 'Hallo' } } });
    expect([changed.version, changed.whatsapp_template, changed.translations.de]).to.deep.equal([2, null, { message: 'Hallo' }]);
  });

  it('name every problem with its place, in templates, campaigns and journeys', async () => {
    const bad = {
      ...content,
      whatsapp_template: { name: 'shipped', language: 'en', variables: { 1: '{{ x | nope }}' } },
      translations: { de: { message: 'Hallo', whatsapp_template: { name: 'shipped' } }, fr: { message: 'Salut' } },
    };
    const problems = [
      ...['whatsapp_template.content_sid required', 'whatsapp_template.variables[1] unknown_filter'],
      ...['translations.de.whatsapp_template.content_sid required', 'translations.fr.whatsapp_template required'],
    ];
    const inside = (at: string) => [422, ...problems.map((problem) => at + problem)];
    expect(fieldsOf(await call('POST', '/templates', { name: 'Bad', channel: 'whatsapp', ...bad }))).to.have.members(inside(''));
    const campaign = { name: 'C', channel: 'whatsapp', audience: { include: { everyone: true } }, content: bad };
    expect(fieldsOf(await call('POST', '/campaigns', campaign))).to.have.members(inside('content.'));
    const { fr: _, ...translations } = bad.translations;
    const ofNode = inside('nodes[1].').flatMap((problem) =>
      String(problem).includes('.fr.') ? [] : [typeof problem === 'string' ? problem.replace('[1] unknown', '.1 unknown') : problem],
    );
    expect(fieldsOf(await call('POST', '/journeys', journey({ ...bad, translations })))).to.have.members(ofNode);
    const { id: template_id } = await ok('POST', '/templates', { name: 'T', channel: 'whatsapp', message: 'Hi' });
    expect(fieldsOf(await call('POST', '/journeys', journey({ template_id, whatsapp_template: content.whatsapp_template })))).to.deep.equal([
      422,
      'nodes[1].whatsapp_template not_allowed',
    ]);
    const { translations: __, ...one } = content;
    for (const [path, body, at] of [
      ['/templates', { name: 'Sms', channel: 'sms', ...one }, ''],
      ['/campaigns', { ...campaign, channel: 'sms', content: one }, 'content.'],
      ['/journeys', journey({ ...one, channel: 'sms' }), 'nodes[1].'],
    ] as const)
      expect(fieldsOf(await call('POST', path, body))).to.deep.equal([422, `${at}whatsapp_template not_for_channel`]);
  });

  it('go out with a campaign, filled in for each contact; one without a value is left out', async () => {
    const audience = { include: { contact_ids: Object.values(people) } };
    const typo = { ...content, whatsapp_template: { ...content.whatsapp_template, variables: { 1: '{{ contact.firstname }}' } } };
    expect((await ok('POST', '/campaigns', { name: 'N', channel: 'whatsapp', audience, content: typo })).warnings[0]).to.include(
      'contact.first_name',
    );
    const { id } = await ok('POST', '/campaigns', { name: 'N', channel: 'whatsapp', audience, content });
    await ok('POST', `/campaigns/${id}/send`);
    await eventually('it is sent', async () => (await ok('GET', `/campaigns/${id}`)).status === 'sent', { every: 50 });
    expect(handed()).to.deep.equal([toAda, toBob]);
    const { data: left } = await ok('GET', `/campaigns/${id}/recipients?status=skipped`);
    expect(left.map(({ contact_id }: { contact_id: string }) => contact_id)).to.deep.equal([people.nobody]);
    const [message] = (await ok('GET', `/messages?campaign_id=${id}&to=%2B14155550101`)).data;
    expect(message).to.deep.include({ message: 'Hi Ada, your order is on its way.' });
    expect(message.whatsapp_template).to.deep.equal({ content_sid: SIDS.en, variables: { 1: 'Ada', 2: 'A1' } });
  });

  const journey = (node: object) => ({
    name: 'Shipped',
    nodes: [
      { id: 't', kind: 'trigger', on: { type: 'event', event: 'shipped' }, next: 's' },
      { id: 's', kind: 'send', channel: 'whatsapp', next: null, ...node },
    ],
  });

  it('go out with a journey', async () => {
    const whatsapp_template = { content_sid: SIDS.en, variables: { 1: '{{ contact.first_name }}', 2: '{{ event.properties.order }}' } };
    const { id } = await ok('POST', '/journeys', journey({ message: 'Hi', whatsapp_template }));
    await ok('POST', `/journeys/${id}/publish`);
    await ok('POST', '/events', { event: 'shipped', contact: { id: people.ada }, properties: { order: 'B7' } });
    await eventually('it is handed over', () => fake.requests.length === 1);
    expect(handed()).to.deep.equal([['0101', SIDS.en, '{"1":"Ada","2":"B7"}', null]]);
  });
});
