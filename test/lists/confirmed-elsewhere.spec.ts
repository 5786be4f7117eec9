import { expect } from 'chai';
import { eventually } from '../support/eventually.js';
import { Service } from '../support/service.js';

/** Memberships of lists with double opt-in that need no mail, or one more. */
describe('a list with double opt-in over HTTP', () => {
  const service = Service.guest();
  let list: string;
  before(async () => {
    list = (await service.ok('POST', '/lists', { name: 'Double', opt_in: 'double' })).id;
  });

  let nth = 0;
  const address = () => `elsewhere${++nth}@sandbox.test`;
  const contactOf = async (email: string) => (await service.ok('GET', `/contacts?email=${encodeURIComponent(email)}`)).data[0];
  const mails = async (to: string) => (await service.ok('GET', `/sandbox/messages?to=${encodeURIComponent(to)}`)).data;
  const marketing = async (to: string) =>
    (await service.ok('POST', '/messages/send', { to, channel: 'email', subject: 'News', message: 'News', category: 'marketing' })).status;
  const proof = { text: 'Double opt-in at the shop, 2023-05-01', ip: '192.0.2.1' };
  const historyOf = async (id: string) => (await service.ok('GET', `/contacts/${id}/consents/history`)).data;
  /** A marker mail: what was to be sent before it has been sent. */
  async function withoutMail(to: string): Promise<void> {
    const other = address();
    await service.ok('POST', '/contacts', { email: other });
    await service.ok('POST', `/lists/${list}/contacts`, { emails: [other] });
    await eventually('the other mail', async () => (await mails(other)).length > 0);
    expect((await mails(to)).filter(({ subject }: { subject: string }) => subject !== 'News')).to.deep.equal([]);
  }

  it('takes people who have confirmed elsewhere without a mail, with the proof as their consent', async () => {
    const [to, asText] = [address(), address()];
    for (const email of [to, asText]) await service.ok('POST', '/contacts', { email });
    const { added } = await service.ok('POST', `/lists/${list}/contacts`, { emails: [to], confirmed: true, proof });
    expect(added[0]).to.include({ status: 'subscribed', changed: true });
    await service.ok('POST', `/lists/${list}/contacts`, { emails: [asText], confirmed: true, proof: 'Signed on paper' });
    const contact = await contactOf(to);
    expect(contact).to.deep.include({ lists: [{ id: list, status: 'subscribed' }], consents: { email: { marketing: 'granted' } } });
    const [entry, ...others] = await historyOf(contact.id);
    expect(others).to.deep.equal([]);
    expect(entry).to.deep.include({ status: 'granted', source: 'confirmed_elsewhere', lawful_basis: 'consent' });
    expect(entry.proof).to.deep.include(proof);
    expect((await historyOf((await contactOf(asText)).id))[0].proof.text).to.equal('Signed on paper');
    await withoutMail(to);
  });

  it('takes an import of them, who are reachable at once, and does not undo what a person has said', async () => {
    const [to, left, withdrawn, pending] = [address(), address(), address(), address()];
    for (const email of [left, withdrawn, pending]) await service.ok('POST', '/contacts', { email });
    await service.ok('POST', `/lists/${list}/contacts`, { emails: [left], confirmed: true, proof });
    await service.call('DELETE', `/lists/${list}/contacts/${(await contactOf(left)).id}`);
    const withdrawal = { channel: 'email', purpose: 'marketing', status: 'withdrawn', source: 'spec' };
    await service.ok('POST', `/contacts/${(await contactOf(withdrawn)).id}/consents`, withdrawal);
    await service.ok('POST', '/contacts/import', { contacts: [{ email: pending }], list_ids: [list] });
    const contacts = [to, left, withdrawn, pending].map((email) => ({ email }));
    const result = await service.ok('POST', '/contacts/import', { contacts, list_ids: [list], confirmed: true, proof });
    expect(result).to.include({ created: 1, failed: 0 });
    const statusOf = async (email: string) => (await contactOf(email)).lists[0].status;
    expect(await Promise.all([to, left, withdrawn, pending].map(statusOf))).to.deep.equal(['subscribed', 'unsubscribed', 'subscribed', 'subscribed']);
    expect([await marketing(to), await marketing(withdrawn), await marketing(pending)]).to.deep.equal(['queued', 'suppressed', 'queued']);
    expect((await historyOf((await contactOf(to)).id))[0].cause).to.deep.equal({ kind: 'import', id: result.id });
    expect((await historyOf((await contactOf(left)).id)).length).to.equal(1);
    await withoutMail(to);
    // As the case was written: a granted consent with its proof, and the list.
    const granted = { channel: 'email', purpose: 'marketing', status: 'granted', lawful_basis: 'consent', source: 'shop', proof };
    const shop = address();
    await service.ok('POST', '/contacts/import', { contacts: [{ email: shop }], list_ids: [list], consent: granted, confirmed: true });
    expect([await statusOf(shop), await marketing(shop)]).to.deep.equal(['subscribed', 'queued']);
  });

  it('refuses a confirmation without a proof, and a proof of nothing', async () => {
    const email = address();
    await service.ok('POST', '/contacts', { email });
    for (const [body, field] of [
      [{ confirmed: true }, 'proof'],
      [{ confirmed: true, proof: {} }, 'proof'],
      [{ confirmed: true, proof: { text: ' ' } }, 'proof'],
      [{ proof }, 'confirmed'],
    ] as const) {
      const onto = await service.call('POST', `/lists/${list}/contacts`, { emails: [email], ...body });
      const imported = await service.call('POST', '/contacts/import', { contacts: [{ email }], list_ids: [list], ...body });
      for (const answer of [onto, imported]) {
        expect(answer.status, JSON.stringify(body)).to.equal(422);
        expect(answer.body.errors.map((one: { field: string }) => one.field)).to.deep.equal([field]);
      }
    }
    expect((await contactOf(email)).lists).to.deep.equal([]);
  });

  it('sends the confirmation again to who is pending, once in ten minutes, and all links work', async () => {
    const to = address();
    const { id } = await service.ok('POST', '/contacts', { email: to });
    await service.ok('POST', `/lists/${list}/contacts`, { emails: [to] });
    const [first] = await eventually('the mail', async () => {
      const all = await mails(to);
      return all.length > 0 && all;
    });
    const path = `/lists/${list}/contacts/${id}/resend-confirmation`;
    const key = { 'Idempotency-Key': `resend-${to}` };
    const resent = await service.call('POST', path, undefined, key);
    expect([resent.status, resent.body.resent, resent.body.remaining, resent.body.status], resent.text).to.deep.equal([200, 1, 2, 'pending']);
    expect((await service.call('POST', path, undefined, key)).body).to.deep.equal(resent.body);
    await eventually('the second mail', async () => (await mails(to)).length === 2);
    const again = await service.call('POST', path);
    expect([again.status, again.body.code, again.body.limit, again.body.window]).to.deep.equal([429, 'rate_limit_exceeded', 1, '10 minutes']);
    expect(again.body.retry_after).to.be.within(500, 600);
    expect(again.headers.get('retry-after')).to.equal(String(again.body.retry_after));
    expect((await service.ok('POST', `/lists/${list}/contacts`, { emails: [to] })).added[0].unchanged.message).to.include('resend-confirmation');
    const { pathname } = new URL((/https?:\/\/\S+\/confirm\S+/.exec(first.text) as RegExpExecArray)[0]);
    const headers = { 'X-API-Key': '', 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'text/html' };
    expect((await service.ask('POST', pathname, 'language=en', headers)).status).to.equal(200);
    expect((await contactOf(to)).lists).to.deep.equal([{ id: list, status: 'subscribed' }]);
    const over = await service.call('POST', path);
    expect([over.status, over.body.code, over.body.current, over.body.allowed]).to.deep.equal([409, 'invalid_state', 'subscribed', ['pending']]);
    const nobody = await service.ok('POST', '/contacts', { phone: '+14155550195' });
    expect((await service.call('POST', `/lists/${list}/contacts/${nobody.id}/resend-confirmation`)).body).to.include({
      code: 'invalid_state',
      current: 'none',
    });
    await service.ok('POST', `/lists/${list}/contacts`, { contact_ids: [nobody.id] });
    expect((await service.call('POST', `/lists/${list}/contacts/${nobody.id}/resend-confirmation`)).body.code).to.equal('recipient_not_found');
    expect((await service.call('POST', `/lists/lst_none/contacts/${id}/resend-confirmation`)).status).to.equal(404);
  });
});
