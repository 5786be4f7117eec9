import { expect } from 'chai';
import { type Reply, Service } from '../support/service.js';

describe('templates over HTTP', () => {
  const service = Service.guest();

  const fieldsOf = ({ body }: Reply) =>
    (body.errors as { field: string; code: string; line?: number }[]).map(({ field, code, line }) => [field, code, line]);
  const html = "<p>Hi {{ contact.first_name | default: 'there' }}</p><p>{{ data.order }}</p>";

  it('are created, read, changed at the expected version, listed and deleted', async () => {
    const made = await service.call('POST', '/templates', { name: 'Receipt', channel: 'email', subject: 'Order {{ data.order }}', html });
    expect([made.status, made.headers.get('etag')]).to.deep.equal([201, '"1"']);
    const { id } = made.body;
    expect(made.body).to.deep.include({ html, mjml: null, message: null, variables: ['contact.first_name', 'data.order'], version: 1 });
    const changed = await service.call('PATCH', `/templates/${id}`, { subject: 'Your order', message: 'Hi' }, { 'If-Match': '"1"' });
    expect(changed.body).to.deep.include({ subject: 'Your order', message: 'Hi', html, version: 2 });
    expect((await service.call('PATCH', `/templates/${id}`, { message: 'Ho' }, { 'If-Match': '"1"' })).body).to.include({
      code: 'version_conflict',
      actual: 2,
    });
    expect(await service.ok('GET', `/templates/${id}`)).to.deep.equal(changed.body);
    expect((await service.ok('GET', '/templates?channel=email')).data.map((one: { id: string }) => one.id)).to.include(id);
    expect((await service.ok('GET', `/templates/${id}/versions`)).data.map(({ version }: { version: number }) => version)).to.deep.equal([2, 1]);
    expect((await service.ok('POST', `/templates/${id}/render`, { version: 1, data: { order: 'A1' } })).subject).to.equal('Order A1');
    const other = { 'X-API-Key': await service.otherAccountKey() };
    expect((await service.call('GET', `/templates/${id}`, undefined, other)).status).to.equal(404);
    expect((await service.call('POST', `/templates/${id}/render`, {}, other)).status).to.equal(404);
    for (const status of [204, 204]) expect((await service.call('DELETE', `/templates/${id}`)).status).to.equal(status);
    expect((await service.call('GET', `/templates/${id}`)).body).to.include({ code: 'not_found', resource: 'template' });
  });

  it('are stored with a warning for each variable that nobody has, as campaigns and journeys are', async () => {
    const meant = ['`contact.firstname` never has a value: there is no such variable. Do you mean `contact.first_name`?'];
    const content = { subject: 'x', message: 'Hi {{ contact.firstname }} {{ contact.last_name }}' };
    const made = await service.ok('POST', '/templates', { name: 'Near', channel: 'email', ...content });
    expect(made.warnings).to.deep.equal(meant);
    const campaign = { name: 'Near', channel: 'email', audience: { include: { everyone: true } }, content };
    expect((await service.ok('POST', '/campaigns', campaign)).warnings).to.deep.equal(meant);
    const [trigger, send] = [
      { id: 'start', kind: 'trigger', on: { type: 'event', event: 'near' }, next: 'hi' },
      { id: 'hi', kind: 'send', channel: 'email', ...content, next: null },
    ];
    const journey = await service.call('POST', '/journeys', { name: 'Near', start: 'start', nodes: [trigger, send] });
    expect(journey.status, journey.text).to.equal(201);
    expect(journey.body.warnings).to.deep.equal(meant);
    const plain = await service.ok('PATCH', `/templates/${made.id}`, { message: 'Hi' });
    expect(plain).to.not.have.property('warnings');
  });

  it('have senders whose name is a template, and whose address is not', async () => {
    const content = { subject: 'x', message: 'Hi', from: '{{ contact.first_name }} at Shop <shop@example.com>' };
    const campaign = { name: 'Sender', channel: 'email', audience: { include: { everyone: true } }, content };
    expect((await service.call('POST', '/campaigns', campaign)).status).to.equal(201);
    const wrong = await service.call('POST', '/campaigns', { ...campaign, content: { ...content, reply_to: '{{ data.who }}@example.com' } });
    expect(fieldsOf(wrong)).to.deep.equal([['content.reply_to', 'variable_in_address', undefined]]);
  });

  it('are refused with every problem, its field and line', async () => {
    const bad = { name: 'Bad', channel: 'sms', subject: 'x', message: 'Hi\n{{ a | nope }}{% for %}{% endfor %}' };
    const answer = await service.call('POST', '/templates', bad);
    expect(answer.status).to.equal(422);
    expect(fieldsOf(answer)).to.deep.equal([
      ['subject', 'not_for_channel', undefined],
      ['message', 'unknown_filter', 2],
      ['message', 'invalid_template', 2],
    ]);
  });

  it('are refused with blank texts, and with addresses that nobody may open', async () => {
    const wrong = { name: 'Bad', channel: 'push', title: ' ', message: '\n', action_url: 'javascript:alert({{ data.n }})' };
    expect(fieldsOf(await service.call('POST', '/templates', wrong)).map(([field, code]) => `${field} ${code}`)).to.have.members([
      'title blank',
      'message blank',
      'action_url invalid_url',
    ]);
    const { id } = await service.ok('POST', '/templates', {
      name: 'Link',
      channel: 'in_app',
      message: 'Hi {{ data.x }}',
      action_url: '{{ data.url }}',
    });
    const { id: contact } = await service.ok('POST', '/contacts', { email: 'links@example.com' });
    const body = { channel: 'in_app', to: contact, template_id: id };
    const refused = await service.call('POST', '/messages/send', { ...body, data: { url: 'javascript:alert(1)' } });
    expect([refused.status, refused.body.code, refused.body.field]).to.deep.equal([422, 'invalid_url', 'action_url']);
    expect((await service.call('POST', '/messages/send', { ...body, data: { url: '/orders/1' } })).status).to.equal(202);
  });

  it('are named on the messages made from them, with their version', async () => {
    const { id: template_id } = await service.ok('POST', '/templates', { name: 'Code', channel: 'sms', message: 'Your code: {{ data.code }}' });
    await service.ok('PATCH', `/templates/${template_id}`, { message: 'Code {{ data.code }}' });
    const request = { to: '+14155553001', channel: 'sms', template_id, data: { code: '1' }, template_version: 7 };
    const single = await service.ok('POST', '/messages/send', request);
    const bulk = await service.ok('POST', '/messages/bulk', [request, { to: '+14155553002', channel: 'sms', message: 'Plain' }]);
    expect(single.warnings).to.deep.equal(['unknown field: template_version']);
    expect(await service.ok('GET', `/messages/${single.id}`)).to.include({ message: 'Code 1', template_id, template_version: 2 });
    const listed = (await service.ok('GET', `/messages?template_id=${template_id}&order=asc`)).data;
    expect(listed.map(({ id, template_version }: { id: string; template_version: number }) => [id, template_version])).to.deep.equal([
      [single.id, 2],
      [bulk.messages[0].id, 2],
    ]);
    expect(await service.ok('GET', `/messages/${bulk.messages[1].id}`)).to.include({ template_id: null, template_version: null });
  });

  it('are rendered with a contact, and name what is missing', async () => {
    const contact = await service.ok('POST', '/contacts', { email: 'ada.render@example.com', first_name: 'Ada <3' });
    const { id } = await service.ok('POST', '/templates', { name: 'Receipt', channel: 'email', subject: 'A\n{{ data.order }}', html });
    const rendered = await service.ok('POST', `/templates/${id}/render`, { contact_id: contact.id });
    expect(rendered).to.deep.include({ subject: 'A', html: '<p>Hi Ada &lt;3</p><p></p>', message: 'Hi Ada <3' });
    expect(rendered.missing_variables).to.deep.equal(['data.order']);
    expect(rendered.warnings).to.include('html: `data.order` has no value. It is rendered as an empty text.');
    expect((await service.call('POST', `/templates/${id}/render`, { contact_id: 'con_01JHM4B3W6TQ8X2N5R7Y9Z0A1D' })).status).to.equal(404);
  });

  it('include partials, in their present version', async () => {
    const render = async (id: string) => (await service.call('POST', `/templates/${id}/render`, {})).body;
    const missing = await service.call('POST', '/templates', { name: 'Letter', channel: 'sms', message: "Hi {% render 'sign' %}" });
    expect(fieldsOf(missing)).to.deep.equal([['message', 'unknown_partial', 1]]);
    expect((await service.ok('POST', '/template-partials', { key: 'sign', source: "{% render 'name' %}!" })).version).to.equal(1);
    await service.ok('POST', '/template-partials', { key: 'name', source: 'Ada' });
    const { id } = await service.ok('POST', '/templates', { name: 'Letter', channel: 'sms', message: "Hi {% render 'sign' %}" });
    expect((await render(id)).message).to.equal('Hi Ada!');
    await service.ok('POST', '/template-partials', { key: 'name', source: 'Bob' });
    expect((await render(id)).message).to.equal('Hi Bob!');
    expect((await service.ok('GET', '/template-partials')).data.map(({ key }: { key: string }) => key)).to.deep.equal(['name', 'sign']);
    expect((await service.ok('GET', '/template-partials/name')).source).to.equal('Bob');
    expect((await service.call('DELETE', '/template-partials/name')).status).to.equal(204);
    expect((await render(id)).code).to.equal('validation_error');
    expect((await service.call('POST', '/template-partials', { key: 'x', source: '{% nope %}' })).body.errors[0]).to.include({
      field: 'source',
      code: 'unknown_tag',
    });
  });

  it('are compiled from MJML, whose problems are listed', async () => {
    const mjml = (text: string) => `<mjml><mj-body><mj-section><mj-column><mj-text>${text}</mj-text></mj-column></mj-section></mj-body></mjml>`;
    const made = await service.ok('POST', '/templates', {
      name: 'News',
      channel: 'email',
      subject: 'News',
      mjml: mjml('Hi {{ contact.first_name }}'),
    });
    expect(made.html).to.include('<!doctype html>').and.include('Hi {{ contact.first_name }}');
    expect(made.variables).to.deep.equal(['contact.first_name']);
    const rendered = await service.ok('POST', `/templates/${made.id}/render`, { values: { contact: { first_name: 'Ada' } } });
    expect(rendered.message).to.include('Hi Ada');
    const broken = await service.call('POST', '/templates', { name: 'News', channel: 'email', subject: 'News', mjml: '<mjml><mj-body>' });
    expect(fieldsOf(broken)).to.deep.equal([['mjml', 'invalid_mjml', undefined]]);
    const file = await service.call('POST', '/templates', {
      name: 'News',
      channel: 'email',
      subject: 'News',
      mjml: '<mjml><mj-body><mj-include path="/etc/passwd"/></mj-body></mjml>',
    });
    expect(fieldsOf(file)).to.deep.equal([['mjml', 'invalid_mjml', 1]]);
    const several = await service.call('POST', '/templates', {
      ...{ name: 'News', channel: 'email', subject: '{{ a', html: '<p>x</p>' },
      mjml: mjml('{{ a | nope }}<mj-tex/>').replace('<mj-text>', '<mj-txt>').replace('</mj-text>', '</mj-txt>'),
    });
    expect(fieldsOf(several).map(([field, code]) => `${field} ${code}`)).to.have.members([
      ...['html conflicting', 'mjml invalid_mjml', 'mjml invalid_mjml', 'subject invalid_template', 'mjml unknown_filter'],
    ]);
  });

  it('take partials of MJML in where they are rendered, in their present version', async () => {
    const footer = (text: string) => service.ok('POST', '/template-partials', { key: 'mjml_footer', source: `<mj-text>${text}</mj-text>` });
    await footer('Bye {{ contact.first_name }}');
    const mjml = "<mjml><mj-body><mj-section><mj-column><mj-text>Hi</mj-text>{% render 'mjml_footer' %}</mj-column></mj-section></mj-body></mjml>";
    const made = await service.ok('POST', '/templates', { name: 'News', channel: 'email', subject: 'News', mjml });
    expect(made.variables).to.deep.equal(['contact.first_name']);
    const render = async () => (await service.call('POST', `/templates/${made.id}/render`, { values: { contact: { first_name: 'Ada' } } })).body;
    expect((await render()).html)
      .to.match(/<div[^>]*>Bye Ada<\/div>/)
      .and.not.include('<mj-');
    await footer('So long');
    expect((await render()).message).to.equal('Hi\nSo long');
    await service.ok('POST', '/contacts', { email: 'mjml@example.com' });
    const sent = await service.ok('POST', '/messages/send', { to: 'mjml@example.com', channel: 'email', template_id: made.id });
    expect((await service.ok('GET', `/messages/${sent.id}`)).html)
      .to.include('>So long</div>')
      .and.not.include('<mj-');
    const misplaced = await service.call('POST', '/templates', {
      name: 'Plain',
      channel: 'email',
      subject: 'Plain',
      html: "<p>{% render 'mjml_footer' %}</p>",
    });
    expect(fieldsOf(misplaced)).to.deep.equal([['html', 'mjml_partial', undefined]]);
    await service.ok('POST', '/template-partials', { key: 'mjml_footer', source: '<mj-txt>x</mj-txt>' });
    expect((await render()).errors[0]).to.include({ field: 'mjml', code: 'invalid_mjml' });
  });

  it('have a catalog of variables with the custom fields', async () => {
    await service.ok('POST', '/custom-fields', { key: 'plan_name', label: 'Plan', type: 'string' });
    const { data } = await service.ok('GET', '/templates/variables?channel=sms');
    const names = data.map(({ name }: { name: string }) => name);
    expect(names).to.include.members(['contact.first_name', 'contact.custom_fields.plan_name', 'data.*', 'account.name', 'now']);
    expect(names).to.not.include('unsubscribe_url');
  });

  describe('in messages', () => {
    const sent = async (id: string) =>
      (await service.ok('GET', `/messages/${id}`)) as { message: string; subject: string; html: string; template_id: string };

    it('give the content, with the contact of the address', async () => {
      await service.ok('POST', '/contacts', { email: 'grace.made@example.com', first_name: 'Grace' });
      const source = '<p>Hi {{ contact.first_name }}: {{ data.order }}</p><a href="{{ unsubscribe_url }}">x</a>';
      const { id } = await service.ok('POST', '/templates', { name: 'Made', channel: 'email', subject: '{{ data.order }}', html: source });
      const request = { to: 'Grace.Made@example.com', channel: 'email', template_id: id, data: { order: 'A<1' } };
      const message = await sent((await service.ok('POST', '/messages/send', request)).id);
      expect(message.subject).to.equal('A<1');
      // Without a public URL there are no pages to link to.
      expect(message.html).to.equal('<p>Hi Grace: A&lt;1</p><a href="">x</a>');
      expect(message.message).to.equal('Hi Grace: A<1\n\nx');
      const own = await sent((await service.ok('POST', '/messages/send', { ...request, subject: 'Mine' })).id);
      expect(own.subject).to.equal('Mine');
      await service.ok('DELETE', `/templates/${id}`);
      const refused = await service.call('POST', '/messages/send', request);
      expect([refused.status, ...fieldsOf(refused)]).to.deep.equal([422, ['template_id', 'not_found', undefined]]);
    });

    it('must be for the channel', async () => {
      const { id } = await service.ok('POST', '/templates', { name: 'Mail', channel: 'email', subject: 'Hi', message: 'Hi' });
      const refused = await service.call('POST', '/messages/send', { to: '+14155550177', channel: 'sms', template_id: id, webhook_url: 'nope' });
      expect(fieldsOf(refused).map(([field, code]) => `${field} ${code}`)).to.have.members([
        'template_id channel_mismatch',
        'webhook_url invalid_url',
      ]);
    });

    it('are rendered for each item of a bulk, also from its defaults', async () => {
      await service.ok('POST', '/contacts', { phone: '+14155550178', first_name: 'Ada' });
      const { id } = await service.ok('POST', '/templates', {
        name: 'Text',
        channel: 'sms',
        message: "{{ contact.first_name | default: 'you' }} {{ data.n }}",
      });
      const { id: short } = await service.ok('POST', '/templates', { name: 'Other', channel: 'sms', message: '{{ data.n }}' });
      const messages = [
        { to: '+14155550178', data: { n: 1 } },
        { to: '+14155550179', data: { n: 2 } },
        { to: '+14155550178', template_id: short, data: {} },
        { to: '+14155550178', message: 'Own' },
        { to: '+14155550178', template_id: 'tpl_none' },
      ];
      const body = { defaults: { channel: 'sms', template_id: id }, messages };
      const answer = await service.call('POST', '/messages/bulk', body, { 'Idempotency-Key': 'templates-bulk' });
      expect(answer.status, answer.text).to.equal(202);
      expect(answer.body.errors.map(({ index, field, code }: Record<string, unknown>) => `${index} ${field} ${code}`)).to.deep.equal([
        '2 message template_empty',
        '4 template_id not_found',
      ]);
      const texts = await Promise.all(answer.body.messages.map(async (item: { id: string }) => (await sent(item.id)).message));
      expect(texts).to.deep.equal(['Ada 1', 'you 2', 'Own']);
      await service.ok('PATCH', `/templates/${id}`, { message: '{{ data.none }}' });
      const again = await service.call('POST', '/messages/bulk', body, { 'Idempotency-Key': 'templates-bulk' });
      expect(again.body.messages).to.deep.equal(answer.body.messages);
    });
  });
});
