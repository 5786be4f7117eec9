import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

describe('the senders of a template', () => {
  const service = Service.guest();
  const from = '{{ contact.first_name | default: "Us" }} at Shop <shop@example.com>';
  const template = { name: 'News', channel: 'email', subject: 'News', html: '<p>Hi</p>', from, reply_to: 'Help <help@example.com>' };
  const create = async (more: object = {}): Promise<string> => (await service.ok('POST', '/templates', { ...template, ...more })).id;
  const fromOf = async (id: string): Promise<[string, string | null]> => {
    const { from: address, from_name } = await service.ok('GET', `/messages/${id}`);
    return [address, from_name ?? null];
  };
  let contact: string;

  before(async () => {
    contact = (await service.ok('POST', '/contacts', { email: 'quoted@sandbox.test', first_name: 'A "B", <C>\u2028' })).id;
  });

  it('are rendered and quoted for each contact, without control characters', async () => {
    const id = await create();
    const shown = await service.ok('GET', `/templates/${id}`);
    expect([shown.from, shown.reply_to, shown.variables]).to.deep.equal([from, template.reply_to, ['contact.first_name']]);
    const rendered = await service.ok('POST', `/templates/${id}/render`, { contact_id: contact });
    expect([rendered.from, rendered.reply_to]).to.deep.equal(['"A \\"B\\", <C> at Shop" <shop@example.com>', 'Help <help@example.com>']);
    const nobody = await service.ok('POST', `/templates/${id}/render`, {});
    expect(nobody.from).to.equal('Us at Shop <shop@example.com>');
  });

  it('are those of its messages, unless the message, the campaign or the node has its own', async () => {
    const id = await create();
    const send = async (more: object = {}) =>
      (await service.ok('POST', '/messages/send', { to: 'quoted@sandbox.test', channel: 'email', template_id: id, ...more })).id;
    expect((await fromOf(await send()))[0]).to.equal('shop@example.com');
    expect((await fromOf(await send({ from: 'own@example.com' })))[0]).to.equal('own@example.com');
    const audience = { include: { contact_ids: [contact] } };
    const campaign = async (content: object): Promise<string> => {
      const made = await service.ok('POST', '/campaigns', { name: 'C', channel: 'email', category: 'transactional', audience, content });
      await service.ok('POST', `/campaigns/${made.id}/send`);
      return (await eventually('the message', async () => (await service.ok('GET', `/messages?campaign_id=${made.id}`)).data[0])).id;
    };
    expect((await fromOf(await campaign({ template_id: id })))[0]).to.equal('shop@example.com');
    expect((await fromOf(await campaign({ template_id: id, from: 'Own <own@example.com>' })))[0]).to.equal('own@example.com');
  });

  it('are those of the translation where it has its own, and those of the campaign come before both', async () => {
    const de = { subject: 'Neues', html: '<p>Hallo</p>', from: '{{ contact.first_name }} bei Laden <laden@example.com>' };
    const nl = { subject: 'Nieuws', html: '<p>Hallo</p>' };
    const id = await create({ translations: { de, nl } });
    expect((await service.ok('GET', `/templates/${id}`)).translations).to.deep.equal({ de, nl });
    for (const [locale, sender] of [
      ['de', 'Eva bei Laden <laden@example.com>'],
      ['nl', 'Eva at Shop <shop@example.com>'],
    ]) {
      const shown = await service.ok('POST', `/templates/${id}/render`, { values: { contact: { first_name: 'Eva' } }, locale });
      expect([shown.language, shown.from, shown.reply_to]).to.deep.equal([locale, sender, template.reply_to]);
    }
    const reader = (await service.ok('POST', '/contacts', { email: 'eva@sandbox.test', first_name: 'Eva', locale: 'de' })).id;
    const audience = { include: { contact_ids: [reader] } };
    for (const [own, sender] of [
      [{}, ['laden@example.com', 'Eva bei Laden']],
      [{ from: 'Own <own@example.com>' }, ['own@example.com', 'Own']],
      [{ from: 'Own <own@example.com>', translations: { de: { from: 'Eigener <eigen@example.com>' } } }, ['eigen@example.com', 'Eigener']],
    ] as const) {
      const about = { name: 'C', channel: 'email', category: 'transactional', audience, content: { template_id: id, ...own } };
      const { id: campaign } = await service.ok('POST', '/campaigns', about);
      await service.ok('POST', `/campaigns/${campaign}/send`);
      const message = await eventually('the message', async () => (await service.ok('GET', `/messages?campaign_id=${campaign}`)).data[0]);
      expect(await fromOf(message.id), JSON.stringify(own)).to.deep.equal(sender);
    }
    const changed = await service.ok('PATCH', `/templates/${id}`, { translations: { nl: { ...nl, from: 'Winkel <winkel@example.com>' } } });
    expect([changed.version, changed.translations.nl.from]).to.deep.equal([2, 'Winkel <winkel@example.com>']);
  });

  it('change with a new version alone, and are taken away by null', async () => {
    const id = await create();
    const changed = await service.ok('PATCH', `/templates/${id}`, { from: 'Shop <new@example.com>' });
    expect([changed.version, changed.from]).to.deep.equal([2, 'Shop <new@example.com>']);
    const removed = await service.ok('PATCH', `/templates/${id}`, { from: null, reply_to: null });
    expect([removed.version, removed.from, removed.reply_to]).to.deep.equal([3, null, null]);
  });

  it('are refused with variables in the address, with an address that is none, and on other channels', async () => {
    const problems = async (body: object): Promise<string[]> => {
      const { status, body: answer } = await service.api('POST', '/v1/templates', body);
      expect(status, JSON.stringify(answer)).to.equal(422);
      return answer.errors.map(({ field, code }: Record<string, string>) => `${field} ${code}`);
    };
    expect(await problems({ ...template, from: 'Shop <{{ data.a }}@example.com>', reply_to: '{{ data.a }}' })).to.deep.equal([
      ...['from variable_in_address', 'reply_to variable_in_address'],
    ]);
    expect(await problems({ ...template, from: 'nobody' })).to.deep.equal(['from invalid_email']);
    expect(await problems({ ...template, from: '{{ contact.first_name }} <nobody>' })).to.deep.equal(['from invalid_email']);
    expect(await problems({ ...template, from: '{{ a | nosuch }} <a@example.com>' })).to.deep.equal(['from unknown_filter']);
    const inGerman = (from: string) => ({ ...template, translations: { de: { subject: 'Neues', html: '<p>Hallo</p>', from } } });
    expect(await problems(inGerman('nobody'))).to.deep.equal(['translations.de.from invalid_email']);
    expect(await problems(inGerman('Laden <{{ data.a }}@example.com>'))).to.deep.equal(['translations.de.from variable_in_address']);
    expect(await problems({ name: 'T', channel: 'sms', message: 'Hi', from: 'Shop' })).to.deep.equal(['from not_for_channel']);
  });
});
