import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { publicPageTexts } from '../../api/public/page-texts.js';
import type { OutgoingMessage } from '../../carriers/runtime/carrier.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import { type Language, languages } from '../../domain/kernel/languages.js';
import { UnsubscribeTokens } from '../../formats/suppressions/unsubscribe-tokens.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { footerTexts } from '../../processes/suppressions/footer-texts.js';
import { withUnsubscribeLinks } from '../../processes/suppressions/unsubscribe-links.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const about = { account: 'acc_1', address_key: 'key-of-ada', channel: 'email', message_id: 'msg_1', list_id: null } as const;

describe('the footer of a marketing email', () => {
  it('is left out where the mail has the link at a place of its own', () => {
    const complete = withUnsubscribeLinks({ tokens: new UnsubscribeTokens(randomBytes(32)), publicUrl: 'https://mail.example.com' });
    const mail = { account: 'acc_1', message_id: 'msg_1', channel: 'email', category: 'marketing', content: { message: 'Hi', html: '<p>Hi</p>' } };
    const first = complete(mail as OutgoingMessage, 'key-of-ada');
    const [link = ''] = /https:[^>]+/.exec(first.headers?.['List-Unsubscribe'] ?? '') ?? [];
    const content = { message: `Hi\n${link}`, html: `<a href="${link}">Hi</a>` };
    expect(complete({ ...mail, content } as OutgoingMessage, 'key-of-ada').content).to.deep.equal(content);
    expect(first.content.html).to.include(link);
  });
});

describe('an unsubscribe token', () => {
  const tokens = new UnsubscribeTokens(randomBytes(32));

  it('contains its claims, encrypted', () => {
    const given = { ...about, list_id: 'lst_1' };
    const token = tokens.seal(given);
    expect(tokens.open(token)).to.deep.equal(given);
    expect(Buffer.from(token, 'base64url').toString('latin1')).to.not.include('key-of-ada').and.not.include('acc_1');
    expect(token).to.match(/^[\w-]{60,400}$/);
    expect(new UnsubscribeTokens(randomBytes(32)).open(token)).to.equal(null);
  });

  it('is deterministic, and different for each message, address and channel', () => {
    expect(tokens.seal(about)).to.equal(tokens.seal({ ...about }));
    const others = [{ message_id: 'msg_2' }, { address_key: 'key-of-eve' }, { channel: 'sms' }, { account: 'acc_2' }, { list_id: 'lst_1' }];
    expect(new Set([about, ...others.map((other) => ({ ...about, ...other }))].map((one) => tokens.seal(one))).size).to.equal(6);
  });

  it('is rejected when forged or changed', () => {
    const token = tokens.seal(about);
    for (const wrong of ['', 'x', '.', token.slice(1), `${token}A`, `${token}=`, token.toLowerCase(), 'A'.repeat(2_000)])
      expect(tokens.open(wrong)).to.equal(null);
    fc.assert(
      fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABCxyz019-_'), (at, letter) => {
        const changed = token.slice(0, at) + letter + token.slice(at + 1);
        expect(tokens.open(changed)).to.deep.equal(changed === token ? about : null);
      }),
    );
    fc.assert(fc.property(fc.base64String(), (text) => tokens.open(text) === null));
  });
});

describe('the unsubscribe links of marketing email', () => {
  const tokens = new UnsubscribeTokens(randomBytes(32));

  /** What a carrier was handed. */
  async function handed(message: object, { contact, account = 'en' }: { contact?: string; account?: Language } = {}): Promise<OutgoingMessage> {
    const got: OutgoingMessage[] = [];
    const carrier = carrierThat((outgoing) => {
      got.push(outgoing);
      return got.length === 1 ? { outcome: 'transient_error', code: null, error: 'busy' } : { outcome: 'accepted', carrier_message_id: 'c1' };
    });
    const complete = withUnsubscribeLinks({ tokens, publicUrl: 'https://mail.example.com/x' });
    const settings = defaultSettings('Test', 'UTC');
    const rules = { ...settings, branding: { ...settings.branding, locale: account } };
    const app = new TestApp([dispatchMessages({ routes: () => carrier, complete })], { messages: { marketingRules: () => rules } });
    const upsert = (locale: string) => app.execute(upsertContact, { contact: { email: 'ada@example.com', locale }, source: 'api' });
    if (contact) await upsert(contact);
    const { output } = await app.execute(sendMessage, {
      to: 'ada@example.com',
      channel: 'email',
      subject: 'News',
      message: 'Hello\n\n',
      ...message,
    });
    // The first try fails, and what the contact changes then is too late.
    await app.run(1);
    if (contact) await upsert('en');
    await app.run();
    const [first, second] = got as [OutgoingMessage, OutgoingMessage];
    expect({ ...second, attempt: 1 }, 'the same is handed over each time').to.deep.equal(first);
    const address_key = app.vault.key(ACCOUNT, 'ada@example.com');
    const token = /\/unsubscribe\/([\w-]+)/.exec(JSON.stringify(second))?.[1];
    if (token) expect(tokens.open(token)).to.deep.equal({ account: ACCOUNT, address_key, channel: 'email', message_id: output.id, list_id: null });
    return second;
  }

  it('are in the headers of RFC 2369 and RFC 8058', async () => {
    const { headers } = await handed({ category: 'marketing' });
    expect(headers).to.have.all.keys('List-Unsubscribe', 'List-Unsubscribe-Post');
    expect(headers?.['List-Unsubscribe']).to.match(/^<https:\/\/mail\.example\.com\/x\/v1\/public\/unsubscribe\/[\w-]+>$/);
    expect(headers?.['List-Unsubscribe']?.length).to.be.below(900);
    expect(headers?.['List-Unsubscribe-Post']).to.equal('List-Unsubscribe=One-Click');
  });

  it('are in a footer of the text and of the HTML', async () => {
    const { headers, content } = await handed({ category: 'marketing', html: '<html><body><p>Hello</p></BODY></html>' });
    const link = headers?.['List-Unsubscribe']?.slice(1, -1) ?? '';
    expect(content.message.split('\n').slice(0, 5)).to.deep.equal([
      'Hello',
      '',
      '-- ',
      `Unsubscribe: ${link}`,
      `Choose what you receive: ${link.replace('unsubscribe', 'preferences')}`,
    ]);
    expect(content.html)
      .to.include(`<a href="${link}"`)
      .and.match(/<\/p><\/BODY><\/html>$/);
    expect((await handed({ category: 'marketing', html: '<p>Hello</p>' })).content.html).to.match(/^<p>Hello<\/p><p style.*<\/p>$/);
    expect((await handed({ category: 'marketing' })).content).to.not.have.property('html');
  });

  it('are in the language of the contact, or else of the account', async () => {
    const cases: readonly [contact: string | undefined, account: Language, expected: Language][] = [
      ['de-AT', 'fr', 'de'],
      ['pl', 'en', 'pl'],
      ['en-GB', 'es', 'en'],
      ['fi', 'es', 'es'],
      [undefined, 'fr', 'fr'],
      [undefined, 'en', 'en'],
    ];
    for (const [contact, account, expected] of cases) {
      const { content } = await handed({ category: 'marketing', html: '<p>Hello</p>' }, { ...(contact && { contact }), account });
      const { unsubscribe, preferences } = footerTexts[expected];
      expect(content.message, expected).to.match(new RegExp(`\n-- \n${unsubscribe}: https.*\n${preferences}: https.*\n$`));
      expect(content.html, expected).to.match(
        new RegExp(`<p style="[^"]*" lang="${expected}"><a [^>]*>${unsubscribe}</a> &middot; <a [^>]*>${preferences}</a></p>$`),
      );
    }
  });

  it('have the words of the pages that they open', () => {
    for (const language of languages) {
      const { unsubscribeButton, choose } = publicPageTexts[language];
      expect(footerTexts[language]).to.deep.equal({ unsubscribe: unsubscribeButton, preferences: choose });
    }
  });

  it('are not in transactional messages or other channels', async () => {
    const plain = await handed({});
    expect(plain).to.not.have.property('headers');
    expect(plain.content.message).to.equal('Hello\n\n');
    const text = await handed({ to: '+14155550100', channel: 'sms', category: 'marketing', message: 'Sale' });
    expect(text).to.not.have.property('headers');
    expect(text.content.message).to.equal('Sale');
  });
});
