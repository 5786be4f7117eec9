import { expect } from 'chai';
import { withPreheader } from '../../commands/templates/preheader.js';
import { textOfHtml } from '../../formats/messages/html-text.js';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

const HIDDEN = /<div style="display:none;[^"]*mso-hide:all">([^<]*)<\/div>/;

/** Where the text is: the HTML with a mark in its place. */
const placed = (html: string): string => withPreheader(html, 'Soon').replace(HIDDEN, '[$1]');

describe('a preheader', () => {
  it('stands at the start of the body, wherever that begins', () => {
    const table: readonly [html: string, with_preheader: string][] = [
      ['<p>Hi</p>', '[Soon]<p>Hi</p>'],
      ['Hi', '[Soon]Hi'],
      [
        '<html><head><title>T</title></head><body class="a"><p>Hi</p></body></html>',
        '<html><head><title>T</title></head><body class="a">[Soon]<p>Hi</p></body></html>',
      ],
      ['<BODY\n title="a > b">Hi</BODY>', '<BODY\n title="a > b">[Soon]Hi</BODY>'],
      ['<!DOCTYPE html><p>Hi</p>', '<!DOCTYPE html>[Soon]<p>Hi</p>'],
      ['<!doctype html><html lang="en"><p>Hi</p></html>', '<!doctype html><html lang="en">[Soon]<p>Hi</p></html>'],
      ['<html><head></head><p>Hi</p></html>', '<html><head></head>[Soon]<p>Hi</p></html>'],
      ['<!--[if mso]><body class="mso"><![endif]--><body>Hi', '<!--[if mso]><body class="mso"><![endif]--><body>[Soon]Hi'],
      ['<head><script>"<body>"</script><style>a{}</style></head><body>Hi', '<head><script>"<body>"</script><style>a{}</style></head><body>[Soon]Hi'],
      ['<body>Hi<body>', '<body>[Soon]Hi<body>'],
      ['<body>Hi <!-- open', '<body>[Soon]Hi <!-- open'],
    ];
    for (const [html, expected] of table) expect(placed(html), html).to.equal(expected);
  });

  it('is text, whatever it has', () => {
    const text = '<b>"5 < 6" & \'more\'</b></div><script>';
    const [, written = ''] = HIDDEN.exec(withPreheader('<p>Hi</p>', text)) ?? [];
    expect(textOfHtml(`<p>${written}</p>`)).to.equal(text);
  });
});

describe('the preheader of contents', () => {
  const service = Service.guest();
  const preheader = 'For {{ contact.first_name }}: {{ data.offer | default: "a <b>gift</b>" }}';
  const content = { subject: 'News', preheader, html: '<html><body><p>Dear {{ contact.first_name }}</p></body></html>' };
  const written = 'For Ada: a &#60;b&#62;gift&#60;/b&#62;';
  let contact: string;

  before(async () => {
    contact = (await service.ok('POST', '/contacts', { email: 'ada@sandbox.test', first_name: 'Ada' })).id;
  });

  /** What the carrier got of a message. */
  const mailed = (id: string): Promise<{ html: string; text: string }> =>
    eventually('the mail', async () => (await service.ok('GET', `/sandbox/messages?message_id=${id}`)).data[0]);

  async function expectHidden(id: string): Promise<void> {
    const { html, text } = await mailed(id);
    expect(HIDDEN.exec(html)?.[1], html).to.equal(written);
    expect(html.indexOf('<body>') + '<body>'.length, 'right after the body tag').to.equal(html.search(HIDDEN));
    expect(text).to.include('Dear Ada').and.not.include('gift');
  }

  it('is rendered and hidden in the mail of a template, shown in its resource, and kept by other changes', async () => {
    const template = await service.ok('POST', '/templates', { name: 'News', channel: 'email', ...content });
    expect([template.preheader, template.variables]).to.deep.equal([preheader, ['contact.first_name', 'data.offer']]);
    const sent = await service.ok('POST', '/messages/send', { to: 'ada@sandbox.test', channel: 'email', template_id: template.id });
    await expectHidden(sent.id);
    const shown = await service.ok('POST', `/templates/${template.id}/render`, { contact_id: contact, data: { offer: 'tea' } });
    expect([HIDDEN.exec(shown.html)?.[1], shown.message]).to.deep.equal(['For Ada: tea', 'Dear Ada']);
    const changed = await service.ok('PATCH', `/templates/${template.id}`, { subject: 'Other' });
    expect([changed.preheader, changed.version]).to.deep.equal([preheader, 2]);
    expect((await service.ok('PATCH', `/templates/${template.id}`, { preheader: null })).preheader).to.equal(null);
  });

  it('is hidden in what MJML was compiled to', async () => {
    const mjml = '<mjml><mj-body><mj-section><mj-column><mj-text>Dear {{ contact.first_name }}</mj-text></mj-column></mj-section></mj-body></mjml>';
    const { id } = await service.ok('POST', '/templates', { name: 'M', channel: 'email', subject: 'News', preheader, mjml });
    const shown = await service.ok('POST', `/templates/${id}/render`, { contact_id: contact });
    expect(HIDDEN.exec(shown.html)?.[1]).to.equal(written);
    expect(shown.message).to.equal('Dear Ada');
  });

  it('is hidden in the mails of a campaign', async () => {
    const audience = { include: { contact_ids: [contact] } };
    const { id } = await service.ok('POST', '/campaigns', { name: 'C', channel: 'email', category: 'transactional', audience, content });
    expect((await service.ok('GET', `/campaigns/${id}`)).content.preheader).to.equal(preheader);
    await service.ok('POST', `/campaigns/${id}/send`);
    const message = await eventually('the message', async () => (await service.ok('GET', `/messages?campaign_id=${id}`)).data[0]);
    await expectHidden(message.id);
  });

  it('is hidden in the mails of a journey', async () => {
    const nodes = [
      { id: 't', kind: 'trigger', on: { type: 'api' }, next: 's' },
      { id: 's', kind: 'send', channel: 'email', category: 'transactional', ...content, next: null },
    ];
    const { id } = await service.ok('POST', '/journeys', { name: 'J', nodes });
    await service.ok('POST', `/journeys/${id}/publish`);
    await service.ok('POST', `/journeys/${id}/enrollments`, { contact: { email: 'ada@sandbox.test' } });
    const message = await eventually('the message', async () => (await service.ok('GET', `/messages?journey_id=${id}`)).data[0]);
    await expectHidden(message.id);
  });

  it('is that of the language in the mails of templates, campaigns and journeys', async () => {
    const de = { subject: 'Neues', preheader: 'Für {{ contact.first_name }}', html: '<body><p>Liebe {{ contact.first_name }}</p></body>' };
    const translated = { ...content, translations: { de } };
    const reader = (await service.ok('POST', '/contacts', { email: 'eva@sandbox.test', first_name: 'Eva', locale: 'de-AT' })).id;
    const hiddenIn = async (path: string): Promise<string | undefined> => {
      const message = await eventually('the message', async () => (await service.ok('GET', `/messages?${path}`)).data[0]);
      return HIDDEN.exec((await mailed(message.id)).html)?.[1];
    };
    const template = await service.ok('POST', '/templates', { name: 'News', channel: 'email', ...translated });
    expect(template.translations.de.preheader).to.equal(de.preheader);
    const sent = await service.ok('POST', '/messages/send', { to: 'eva@sandbox.test', channel: 'email', template_id: template.id });
    expect(HIDDEN.exec((await mailed(sent.id)).html)?.[1]).to.equal('Für Eva');

    const about = { name: 'C', channel: 'email', category: 'transactional', audience: { include: { contact_ids: [reader] } } };
    for (const of of [translated, { template_id: template.id }]) {
      const { id } = await service.ok('POST', '/campaigns', { ...about, content: of });
      await service.ok('POST', `/campaigns/${id}/send`);
      expect(await hiddenIn(`campaign_id=${id}`)).to.equal('Für Eva');
    }
    const nodes = [
      { id: 't', kind: 'trigger', on: { type: 'api' }, next: 's' },
      { id: 's', kind: 'send', channel: 'email', category: 'transactional', ...translated, next: null },
    ];
    const { id } = await service.ok('POST', '/journeys', { name: 'J', nodes });
    await service.ok('POST', `/journeys/${id}/publish`);
    await service.ok('POST', `/journeys/${id}/enrollments`, { contact: { email: 'eva@sandbox.test' } });
    expect(await hiddenIn(`journey_id=${id}`)).to.equal('Für Eva');
  });

  it('of a translation is there where the default has one, and stands in HTML', async () => {
    const html = '<p>Hallo</p>';
    const audience = { include: { everyone: true } };
    const node = (more: object) => [
      { id: 't', kind: 'trigger', on: { type: 'api' }, next: 's' },
      { id: 's', kind: 'send', channel: 'email', ...more, next: null },
    ];
    const places: readonly [path: string, at: string, body: (of: object) => object][] = [
      ['/templates', '', (of) => ({ name: 'T', channel: 'email', ...of })],
      ['/campaigns', 'content.', (of) => ({ name: 'C', channel: 'email', audience, content: of })],
      ['/journeys', 'nodes[1].', (of) => ({ name: 'J', nodes: node(of) })],
    ];
    const plain = { subject: 'News', message: 'Hi' };
    for (const [path, at, body] of places)
      for (const [of, problem] of [
        [{ ...content, translations: { de: { subject: 'Neues', html } } }, 'required'],
        [{ ...plain, translations: { de: { ...plain, preheader: 'Bald' } } }, 'needs_html'],
        [{ ...content, translations: { de: { subject: 'Neues', html, preheader: '{{ a | nosuch }}' } } }, 'unknown_filter'],
      ] as const) {
        const { status, body: answer } = await service.api('POST', `/v1${path}`, body(of));
        const found = (answer.errors ?? []).map(({ field, code }: Record<string, string>) => `${field} ${code}`);
        expect([status, ...found], `${path} ${problem}`).to.deep.equal([422, `${at}translations.de.preheader ${problem}`]);
      }
  });

  it('is refused where there is no HTML, on other channels, and where it is no template', async () => {
    const problems = async (path: string, body: object): Promise<string[]> => {
      const { status, body: answer } = await service.api('POST', `/v1${path}`, body);
      expect(status, JSON.stringify(answer)).to.equal(422);
      return answer.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);
    };
    const campaign = { name: 'C', audience: { include: { everyone: true } } };
    const send = (more: object) => ({
      name: 'J',
      nodes: [
        { id: 't', kind: 'trigger', on: { type: 'api' }, next: 's' },
        { id: 's', kind: 'send', ...more, next: null },
      ],
    });
    const plain = { subject: 'News', message: 'Hi', preheader: 'Soon' };
    expect(await problems('/templates', { name: 'T', channel: 'email', ...plain })).to.deep.equal(['preheader needs_html']);
    expect(await problems('/campaigns', { ...campaign, channel: 'email', content: plain })).to.deep.equal(['content.preheader needs_html']);
    expect(await problems('/journeys', send({ channel: 'email', ...plain }))).to.deep.equal(['nodes[1].preheader needs_html']);
    const text = { message: 'Hi', preheader: 'Soon' };
    expect(await problems('/templates', { name: 'T', channel: 'sms', ...text })).to.deep.equal(['preheader not_for_channel']);
    expect(await problems('/campaigns', { ...campaign, channel: 'sms', content: text })).to.deep.equal(['content.preheader not_for_channel']);
    expect(await problems('/journeys', send({ channel: 'sms', ...text }))).to.deep.equal(['nodes[1].preheader not_for_channel']);
    const wrong = { ...content, preheader: '{% if %}' };
    expect((await problems('/templates', { name: 'T', channel: 'email', ...wrong }))[0]).to.match(/^preheader /);
    expect((await problems('/campaigns', { ...campaign, channel: 'email', content: wrong }))[0]).to.match(/^content\.preheader /);
    expect((await problems('/journeys', send({ channel: 'email', ...wrong })))[0]).to.match(/^nodes\[1\]\.preheader /);
  });
});
