import { expect } from 'chai';
import { confirmationPath } from '../lists/confirmation-path.js';
import { eventually } from '../support/eventually.js';
import { mailedConfirmation } from '../support/mailed-confirmation.js';
import { Service } from '../support/service.js';

const emailField = { key: 'email', type: 'email', label: 'Email', required: true, maps_to: 'email' };
const phoneField = { key: 'phone', type: 'phone', label: 'Phone', maps_to: 'phone' };
const consent = { text: 'I want offers.', version: '1', channels: ['email'] };

/** Nobody who exists only because of an unconfirmed request is written to, over HTTP. */
describe('people who have not confirmed', () => {
  const service = Service.guest();
  let journey: string;
  let single: string;
  let double: string;
  before(async () => {
    single = (await service.ok('POST', '/lists', { name: 'Single' })).id;
    double = (await service.ok('POST', '/lists', { name: 'Double', opt_in: 'double' })).id;
    journey = await published('contact_created');
  });

  async function published(type: string, more: object = {}): Promise<string> {
    const trigger = { id: 't', kind: 'trigger', on: { type, ...more }, next: 's' };
    const send = { id: 's', kind: 'send', channel: 'email', subject: 'Welcome', message: 'Welcome', next: null };
    const { id } = await service.ok('POST', '/journeys', { name: type, nodes: [trigger, send] });
    await service.ok('POST', `/journeys/${id}/publish`, {});
    return id;
  }
  let nth = 0;
  const address = () => `person${++nth}@sandbox.test`;
  async function form(body: object): Promise<string> {
    const slug = `unconfirmed-${service.account?.accountId.slice(-8).toLowerCase()}-${++nth}`;
    return (await service.ok('POST', '/forms', { name: 'Form', slug, fields: [emailField, phoneField], status: 'live', ...body })).id;
  }
  const submit = (id: string, fields: object, more: object = {}) =>
    service.call('POST', `/public/forms/${id}/submit`, { fields, ...more }, { 'X-API-Key': '' });
  const contactOf = async (email: string) => (await service.ok('GET', `/contacts?email=${encodeURIComponent(email)}`)).data[0];
  const marketing = async (to: string, channel = 'email') => {
    const content = channel === 'email' ? { subject: 'News' } : {};
    return service.ok('POST', '/messages/send', { to, channel, message: 'News', category: 'marketing', ...content });
  };
  const refusal = async (to: string, channel?: string) => {
    const message = await marketing(to, channel);
    if (message.status !== 'suppressed') return message.status;
    expect(message.status_reason).to.equal('no_consent');
    return (await service.ok('GET', `/messages/${message.id}/why`)).chain.at(-1).details.refused_by.cause?.because;
  };
  const enrolled = async (contact: string, id = journey) =>
    (await service.ok('GET', `/journeys/${id}/explain?contact_id=${contact}`)).enrollments.length;
  async function confirm(email: string): Promise<void> {
    await press(await mailedConfirmation(service, email));
  }
  const press = async (pathname: string) => {
    const headers = { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    expect((await service.ask('POST', pathname, 'language=en', headers)).status).to.equal(200);
  };
  const importOnto = async (lists: string[], contacts: object[], more: object = {}) =>
    service.ok('POST', '/contacts/import', { contacts, list_ids: lists, ...more });

  it('get no marketing and start no journey by a form, whatever the account does besides, until they confirm', async () => {
    const to = address();
    const bought = await published('event', { event: 'bought' });
    const id = await form({ double_opt_in: true, list_ids: [single] });
    const sent = await submit(id, { email: to });
    const { id: contact } = await contactOf(to);
    const first = await marketing(to);
    expect(first).to.include({ status: 'suppressed', status_reason: 'no_consent' });
    const why = (await service.ok('GET', `/messages/${first.id}/why`)).chain.at(-1);
    expect(why).to.deep.include({ step: 'gate', result: 'refused' });
    expect(why.details.refused_by).to.deep.include({ kind: 'consent', status: 'pending', contact_id: contact });
    expect(why.details.refused_by.cause).to.deep.equal({ because: 'unconfirmed', kind: 'form', id: sent.body.submission_id });
    const explained = await eventually('the explanation', async () => {
      const body = await service.ok('GET', `/journeys/${journey}/explain?contact_id=${contact}`);
      return body.missed.length > 0 && body;
    });
    expect(explained).to.deep.include({ can_enter: false, refused: 'unconfirmed', enrollments: [] });
    expect(explained.missed[0]).to.include({ trigger: 'contact_created', reason: 'unconfirmed' });
    expect(explained.explanation).to.include('double opt-in that is not confirmed').and.include('the confirmation counts instead');

    await service.ok('POST', '/contacts', { email: to, first_name: 'Ada', tags: ['vip'] });
    await service.ok('POST', '/contacts', { email: to, phone: '+14155550190' });
    await service.ok('POST', '/events', { contact: { email: to }, event: 'bought' });
    await service.ok('POST', `/lists/${single}/contacts`, { emails: [to] });
    await importOnto([single], [{ email: to }]);
    const open = await form({ list_ids: [single], consent });
    expect((await submit(open, { email: to }, { consent: true })).body.status).to.equal('accepted');
    await eventually('the refusal', async () => {
      const { refusals } = await service.ok('GET', `/journeys/${bought}/explain?contact_id=${contact}`);
      return refusals[0]?.reason === 'unconfirmed';
    });
    expect(await refusal(to)).to.equal('unconfirmed');
    expect(await refusal('+14155550190', 'sms')).to.equal('unconfirmed');
    expect((await service.ok('POST', '/messages/send', { to, channel: 'email', subject: 'Order', message: 'Order' })).status).to.equal('queued');
    expect([await enrolled(contact), await enrolled(contact, bought)]).to.deep.equal([0, 0]);

    await confirm(to);
    expect((await marketing(to)).status).to.equal('queued');
    await eventually('the welcome', async () => (await enrolled(contact)) === 1);
    expect(await enrolled(contact, bought)).to.equal(0);
  });

  it('are those of a list, too: an import straight onto it is pending', async () => {
    const [to, other, named] = [address(), address(), address()];
    await service.ok('POST', '/contacts', { email: named });
    await importOnto([double], [{ email: to }, { email: other }, { email: named }]);
    expect([await refusal(to), await refusal(other), await refusal(named)]).to.deep.equal(['unconfirmed', 'unconfirmed', 'queued']);
    const { id: contact, lists } = await contactOf(to);
    expect(lists).to.deep.equal([{ id: double, status: 'pending' }]);
    // The same file every night.
    await importOnto([double], [{ email: to, first_name: 'Ada' }]);
    await importOnto([], [{ email: to, first_name: 'Bea' }]);
    expect(await refusal(to)).to.equal('unconfirmed');
    await press(new URL(await confirmationPath(service, contact), service.url).pathname);
    expect([await refusal(to), await refusal(other)]).to.deep.equal(['queued', 'unconfirmed']);
    await eventually('the welcome', async () => (await enrolled(contact)) === 1);
    const straight = address();
    await importOnto([double, single], [{ email: straight }]);
    expect(await refusal(straight)).to.equal('queued');
    const granted = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'fair' };
    const agreed = address();
    await importOnto([double], [{ email: agreed }], { consent: granted });
    expect(await refusal(agreed)).to.equal('queued');
  });

  it('may be written to where the account records a consent, on its channel alone', async () => {
    const [to, phone] = [address(), '+14155550191'];
    const id = await form({ double_opt_in: true });
    await submit(id, { email: to });
    const { id: contact } = await contactOf(to);
    await service.ok('POST', '/contacts', { email: to, phone });
    const entry = { channel: 'email', purpose: 'marketing', lawful_basis: 'consent', source: 'phone call', proof: { text: 'Yes' } };
    await service.ok('POST', `/contacts/${contact}/consents`, { ...entry, purpose: 'news', status: 'granted' });
    await service.ok('POST', `/contacts/${contact}/consents`, { ...entry, channel: 'sms', status: 'pending' });
    expect(await refusal(to)).to.equal('unconfirmed');
    expect(await enrolled(contact)).to.equal(0);
    await service.ok('POST', `/contacts/${contact}/consents`, { ...entry, status: 'granted' });
    expect(await refusal(to)).to.equal('queued');
    expect((await marketing(phone, 'sms')).status_reason).to.equal('no_consent');
    await eventually('the welcome', async () => (await enrolled(contact)) === 1);
    await service.ok('POST', `/contacts/${contact}/consents`, { ...entry, status: 'withdrawn' });
    expect((await marketing(to)).status_reason).to.equal('no_consent');
  });

  it('are told apart from those whose form gives no basis, and those whose form gives one', async () => {
    const cases = [
      [{}, {}, 'no_basis'],
      [{ list_ids: [single] }, {}, 'queued'],
      [{ list_ids: [double] }, {}, 'unconfirmed'],
      [{ consent, list_ids: [single] }, { consent: false }, 'no_basis'],
      [{ consent, list_ids: [single] }, { consent: true }, 'queued'],
      [{ consent }, { consent: true }, 'queued'],
    ] as const;
    for (const [definition, given, right] of cases) {
      const to = address();
      await submit(await form(definition), { email: to }, given);
      expect(await refusal(to), JSON.stringify([definition, given])).to.equal(right);
    }
    const phone = '+14155550192';
    await submit(await form({ consent }), { email: address(), phone }, { consent: true });
    expect(await refusal(phone, 'sms')).to.equal('no_basis');
    const later = address();
    await submit(await form({}), { email: later });
    await submit(await form({ list_ids: [single] }), { email: later });
    expect(await refusal(later)).to.equal('queued');
  });

  it('do not consent by confirming a form that asks for nothing and leads onto no list', async () => {
    const [asked, listed, unticked] = [address(), address(), address()];
    await submit(await form({ double_opt_in: true }), { email: asked });
    await submit(await form({ double_opt_in: true, list_ids: [single] }), { email: listed });
    await submit(await form({ double_opt_in: true, consent, list_ids: [single] }), { email: unticked }, { consent: false });
    for (const to of [asked, listed, unticked]) await confirm(to);
    expect([await refusal(asked), await refusal(listed), await refusal(unticked)]).to.deep.equal(['no_basis', 'queued', 'no_basis']);
    const { id } = await contactOf(asked);
    await eventually('the welcome', async () => (await enrolled(id)) === 1);
  });

  it('are counted apart in the audience of a campaign', async () => {
    const list = (await service.ok('POST', '/lists', { name: 'Audience' })).id;
    const [open, pending] = [address(), address()];
    await service.ok('POST', '/contacts', { email: open });
    await submit(await form({ double_opt_in: true, list_ids: [list] }), { email: pending });
    for (const to of [open, pending]) await service.ok('POST', `/lists/${list}/contacts`, { emails: [to] });
    const contact_ids = await Promise.all([open, pending].map(async (to) => (await contactOf(to)).id));
    const audience = { include: { contact_ids } };
    const campaign = await service.ok('POST', '/campaigns', { name: 'C', channel: 'email', audience, content: { subject: 'News', message: 'News' } });
    const reach = await service.ok('GET', `/campaigns/${campaign.id}/audience`);
    expect(reach).to.deep.include({ total: 2, reachable: 1, no_consent: 1 });
  });
});
