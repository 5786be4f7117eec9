import { expect } from 'chai';
import { confirmationMail } from '../../commands/lists/send-confirmation.js';
import { languages } from '../../domain/kernel/languages.js';
import { preferencesPath, unsubscribePath } from '../../formats/suppressions/unsubscribe-tokens.js';
import { confirmationPath } from '../lists/confirmation-path.js';
import { eventually } from '../support/eventually.js';
import { guestWithLinks } from './links.js';

/** What a page or mail of the language contains. */
const expected: Readonly<
  Record<(typeof languages)[number], { readonly unsubscribe: string; readonly save: string; readonly broken: string; readonly confirm: string }>
> = {
  en: { unsubscribe: 'Unsubscribe?', save: 'Save', broken: 'This link does not work', confirm: 'Yes, I want to receive' },
  de: { unsubscribe: 'Abmelden?', save: 'Speichern', broken: 'Dieser Link funktioniert nicht', confirm: 'Ja, ich möchte' },
  fr: { unsubscribe: 'Se désabonner\u00a0?', save: 'Enregistrer', broken: 'Ce lien ne fonctionne pas', confirm: 'Oui, je souhaite recevoir' },
  es: { unsubscribe: '¿Darse de baja?', save: 'Guardar', broken: 'Este enlace no funciona', confirm: 'Sí, deseo recibir' },
  pl: { unsubscribe: 'Zrezygnować z subskrypcji?', save: 'Zapisz', broken: 'Ten link nie działa', confirm: 'Tak, chcę otrzymywać' },
};

describe('public pages', () => {
  const fixture = guestWithLinks();

  const api = (method: string, path: string, body?: unknown) => fixture.service.api(method, path, body);
  async function open(path: string, language: string | null, init: RequestInit = {}) {
    const headers = { Accept: 'text/html', ...(language !== null && { 'Accept-Language': language }), ...init.headers };
    const answer = await fetch(fixture.service.url + path, { ...init, headers });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  /** Asks a new contact of a double opt-in list; gives the path of the page and the mail. */
  async function asked(email: string, more: object = {}) {
    const { body: contact } = await api('POST', '/v1/contacts', { email, ...more });
    const { body: list } = await api('POST', '/v1/lists', { name: 'Monthly news', opt_in: 'double' });
    await api('POST', `/v1/lists/${list.id}/contacts`, { contact_ids: [contact.id] });
    const mail = await eventually('the mail is there', async () => {
      const { body } = await api('GET', `/v1/messages?to=${encodeURIComponent(email)}`);
      return body.data[0] ?? false;
    });
    return { contact, mail, path: await confirmationPath(fixture.service, contact.id) };
  }

  it('are in the language that the browser prefers, also where they report an error', async () => {
    const token = await fixture.tokenFor('languages@example.com');
    const { path } = await asked('asked@example.com');
    for (const language of languages) {
      const { unsubscribe, save, broken, confirm } = expected[language];
      const preferred = `${language}-XX,${language};q=0.9,en;q=0.1`;
      for (const [page, text] of [
        [unsubscribePath(token), unsubscribe],
        [preferencesPath(token), save],
        [unsubscribePath('x'), broken],
        [path, confirm],
      ] as const) {
        const shown = await open(page, preferred);
        expect(shown.text, page).to.include(`<html lang="${language}">`).and.include(text);
        expect(shown.headers.get('vary')).to.include('Accept-Language');
      }
    }
  });

  it('are in the language of the account where the browser prefers none of theirs', async () => {
    await api('PATCH', '/v1/account/settings', { branding: { locale: 'pl' } });
    const path = unsubscribePath(await fixture.tokenFor('fallback@example.com'));
    for (const language of [null, 'ja', '*', ';;;']) expect((await open(path, language)).text, String(language)).to.include('<html lang="pl">');
    expect((await open(path, 'fr')).text).to.include('<html lang="fr">');
    await api('PATCH', '/v1/account/settings', { branding: { locale: 'en' } });
  });

  it('show the name, the logo and the color of the account, and allow no other picture', async () => {
    const branding = { logo_url: 'https://cdn.example.com/logo.png?a=1&b=2', color: '#7a1fa2' };
    const changed = await api('PATCH', '/v1/account/settings', { name: 'Acme & Sons', branding });
    expect(changed.body.branding).to.deep.equal({ ...branding, locale: 'en' });
    const token = await fixture.tokenFor('brand@example.com');
    const { path } = await asked('brand-asked@example.com');
    for (const page of [unsubscribePath(token), preferencesPath(token), path]) {
      const { text, headers } = await open(page, 'en');
      expect(text).to.include('Acme &amp; Sons').and.include('src="https://cdn.example.com/logo.png?a=1&amp;b=2"').and.include('--accent: #7a1fa2');
      expect(headers.get('content-security-policy')).to.include('img-src https://cdn.example.com;');
    }
    await api('PATCH', '/v1/account/settings', { branding: { logo_url: null, color: null } });
    expect((await open(path, 'en')).headers.get('content-security-policy')).to.not.include('img-src');
  });

  it('take no logo without https and no color that is none', async () => {
    for (const [field, values] of Object.entries({
      logo_url: ['http://example.com/a.png', 'javascript:alert(1)', "https://example.com/';script-src *", 'https://', 'https://%%'],
      color: ['red', '#12345', 'url(x)', '#12345g'],
      locale: ['xx', 'en-GB'],
    }))
      for (const value of values) {
        const { status, body } = await api('PATCH', '/v1/account/settings', { branding: { [field]: value } });
        expect([status, body.errors?.[0].field], value).to.deep.equal([422, `branding.${field}`]);
      }
  });

  it('store the text that was agreed to in its language', async () => {
    const { contact, path } = await asked('proof@example.com');
    const shown = await open(path, 'es');
    expect(shown.text).to.include('name="language" value="es"');
    const form = { method: 'POST', body: 'language=es', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } };
    expect((await open(path, 'de', form)).text).to.include('Recibirá «Monthly news»');
    const { body } = await api('GET', `/v1/contacts/${contact.id}/consents`);
    expect(body.data[0].proof.text).to.equal('Sí, deseo recibir «Monthly news» por correo electrónico.');
  });

  it('are asked for by mails in the language of the contact, or else of the account, that name who asks', async () => {
    await api('PATCH', '/v1/account/settings', { name: 'Acme', branding: { locale: 'fr' } });
    const { mail: german } = await asked('german@example.com', { locale: 'de-AT' });
    expect(german.subject).to.equal('Bitte bestätigen: Monthly news');
    expect(german.message).to.include('Acme bittet Sie');
    const { mail: french } = await asked('french@example.com', { locale: 'ja' });
    expect(french.message).to.include('Acme vous demande de confirmer');
  });

  it('have mails without line breaks in the subject and with all names escaped', () => {
    for (const language of languages) {
      const { subject, html } = confirmationMail('<b>\r\nBcc: x', 'A & <i>', 'https://example.com/?a&b', language);
      expect(subject).to.not.match(/[\r\n]/);
      expect(html).to.include(`lang="${language}"`).and.include('&lt;b&gt;').and.include('A &amp; &lt;i&gt;').and.not.include('<b>');
    }
  });
});
