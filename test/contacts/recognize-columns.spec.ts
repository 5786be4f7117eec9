import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { certainOptOutWords } from '../../api/contacts/columns/meanings.js';
import { plainText } from '../../api/contacts/columns/plain-text.js';
import { type ColumnValues, isCertainOptOut, type RecognizedColumn, recognizeColumns } from '../../api/contacts/columns/recognize.js';
import { statementsOf } from '../../api/contacts/columns/row-statements.js';
import type { CustomField } from '../../domain/contacts/custom-field.js';
import { exportCases } from './exports.js';

const at = '2026-01-01T00:00:00.000Z';
const definition = { field_id: 'fld_1', key: 'external_id', label: 'Id', type: 'string', options: null, unique: true, pii: false } as const;
const externalId: CustomField = { ...definition, created_at: at, updated_at: at };
const fields = new Map([['external_id', externalId]]);

const source = (file: string): string => readFileSync(fileURLToPath(new URL(`../../../test/contacts/exports/${file}`, import.meta.url)), 'utf8');

function columnsOf(rows: readonly (readonly string[])[]): ColumnValues[] {
  const [header = [], ...others] = rows;
  return header.map((name, i) => {
    const values = others.map((row) => row[i]?.trim() ?? '').filter((value) => value !== '');
    return { name, values: new Set(values), optOut: values.find(isCertainOptOut) ?? null };
  });
}

const column = (name: string, ...values: string[]): ColumnValues => ({ name, values: new Set(values), optOut: values.find(isCertainOptOut) ?? null });
const email = column('email', 'a@x.example');

/** What a row says that lowers, as `exportCases` writes it. */
function lowersOf(columns: readonly RecognizedColumn[], row: readonly string[]): Record<string, string> {
  const cells = columns.flatMap(({ name, use }, i) =>
    use?.is === 'statement'
      ? [[{ name, about: { kind: use.kind, channel: use.channel }, reading: use.reading, isMapped: false }, row[i] ?? ''] as const]
      : [],
  );
  const { statements, problems } = statementsOf(cells);
  expect(problems).to.deep.equal([]);
  const lowering = statements.filter(({ meaning }) => meaning !== 'granted');
  return Object.fromEntries(lowering.map(({ kind, channel, meaning, at }) => [`${kind}.${channel}`, at ? `${meaning} at ${at}` : meaning]));
}

describe('recognized columns', () => {
  it('knows a certain opt-out in every spelling', () => {
    const spellings: readonly ((word: string) => string)[] = [
      (word) => word.toUpperCase(),
      (word) => word.replaceAll('_', ' '),
      (word) => `  [${word.replaceAll('_', '-')}]!`,
      (word) => word.replace(/[aeiou]/, (letter) => `${letter}\u0301`),
      (word) => word.replaceAll('l', 'ł').normalize('NFC'),
    ];
    for (const word of certainOptOutWords) for (const spell of spellings) expect(isCertainOptOut(spell(word)), spell(word)).to.equal(true);
    const piece = fc.constantFrom(...certainOptOutWords, ...'_- .\'"éłÉnoud1', 'plan', 'ada@example.com');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 4 }), (pieces) => {
        const value = pieces.join('');
        expect(isCertainOptOut(value)).to.equal(value.length <= 40 && certainOptOutWords.has(plainText(value)));
      }),
      { numRuns: 2_000 },
    );
  });

  for (const { file, service, fields: expected, lowers } of exportCases) {
    it(`are those of ${file} of ${service}`, () => {
      const delimiter = source(file).split('\n')[0]?.includes(';') ? ';' : ',';
      const [header = [], ...rows] = parse(source(file), { delimiter }) as string[][];
      const columns = recognizeColumns(columnsOf([header, ...rows]), fields);
      expect(columns.filter(({ unclear }) => unclear !== null)).to.deep.equal([]);
      const filled = columns.flatMap(({ name, use }) => (use?.is === 'field' ? [[name, use.field]] : []));
      expect(Object.fromEntries(filled)).to.deep.equal(expected);
      const at = columns.findIndex(({ use }) => use?.is === 'field' && use.field === 'email');
      const said = rows.map((row) => [row[at], lowersOf(columns, row)] as const).filter(([, lowered]) => Object.keys(lowered).length > 0);
      expect(Object.fromEntries(said)).to.deep.equal(lowers);
    });
  }

  const use = (...columns: ColumnValues[]) => recognizeColumns([email, ...columns], fields).slice(1);

  it('are found by their names in eight languages', () => {
    const named: Record<string, string[]> = {
      email: ['E-Mail-Adresse', 'Adresse e-mail', 'Correo electrónico', 'Indirizzo email', 'Endereço de e-mail', 'E-mailadres', 'Adres e-mail'],
      phone: ['Telefon', 'Téléphone', 'Teléfono móvil', 'Cellulare', 'Telemóvel', 'Mobiele nummer', 'Numer telefonu', 'Cell Phone'],
      first_name: ['Vorname', 'Prénom', 'Nombre', 'Nome', 'Voornaam', 'Imię'],
      last_name: ['Nachname', 'Nom', 'Apellidos', 'Cognome', 'Sobrenome', 'Achternaam', 'Nazwisko'],
    };
    for (const [field, names] of Object.entries(named)) {
      for (const name of names) {
        const [only] = recognizeColumns([column(name, field === 'phone' ? '+14155550100' : 'x')], fields);
        expect(only?.use, name).to.deep.include({ is: 'field', field });
      }
    }
  });

  const lowering: [name: string, value: string, says: string][] = [
    ['unsubscribed', 'TRUE', 'unsubscribed'],
    ['Opt-Out', 'x', 'unsubscribed'],
    ['emailOptOut', '1', 'unsubscribed'],
    ['Abgemeldet am', '31.12.2023', 'unsubscribed'],
    ['Désabonné', 'oui', 'unsubscribed'],
    ['Baja', 'sí', 'unsubscribed'],
    ['Disiscritto', 'Sì', 'unsubscribed'],
    ['Descadastrado', 'sim', 'unsubscribed'],
    ['Uitgeschreven', 'ja', 'unsubscribed'],
    ['Wypisany', 'tak', 'unsubscribed'],
    ['Newsletter', 'nein', 'unsubscribed'],
    ['Einwilligung', 'widerrufen', 'unsubscribed'],
    ['subscribed', 'off', 'unsubscribed'],
    ['Subscription status', 'Cleaned', 'bounced'],
    ['Hard bounced', 'yes', 'bounced'],
    ['Spam complaint', 'true', 'complained'],
    ['Blacklisted', '1', 'manual'],
    ['status', 'Unsubscribed', 'unsubscribed'],
  ];
  for (const [name, value, meaning] of lowering) {
    it(`read '${value}' of '${name}' as ${meaning}`, () => {
      const columns = recognizeColumns([email, column(name, value)], fields);
      expect(columns[1]?.unclear).to.equal(null);
      expect(Object.values(lowersOf(columns, ['a@x.example', value])).map((said) => said.replace(/ at .*/, ''))).to.deep.equal([meaning]);
    });
  }

  it('take the time of an opt-out', () => {
    const columns = recognizeColumns([email, column('unsubscribed_at', '31.12.2023 10:00')], fields);
    expect(lowersOf(columns, ['', '31.12.2023 10:00'])).to.deep.equal({ 'consent.all': 'unsubscribed at 2023-12-31T10:00:00.000Z' });
    expect(lowersOf(columns, ['', '1672653600'])).to.deep.equal({ 'consent.all': 'unsubscribed at 2023-01-02T10:00:00.000Z' });
    expect(lowersOf(columns, ['', '05/01/2023'])).to.deep.equal({ 'consent.all': 'unsubscribed' });
  });

  const stopping: [name: string, ...values: string[]][] = [
    ['Newsletter A/B permission', 'yes', 'no'],
    ['Kann kontaktiert werden (DSGVO)', 'ja'],
    ['mail_optout_reason_code', 'R7'],
    ['Choice', 'unsubscribed', 'other'],
    ['Segment', 'gold', 'Opted out'],
    ['unsubscribed', 'maybe'],
    ['Email Marketing Consent', 'SUBSCRIBED', 'SOMETHING_NEW'],
    ['Zgoda na SMS-y', 'nie'],
    ['consent_given_2021', '2021-01-01'],
  ];
  for (const [name, ...values] of stopping) {
    it(`stop at '${name}' with ${values.join(', ')}`, () => {
      const [only] = use(column(name, ...values));
      expect(only?.use).to.equal(null);
      expect(values).to.include(only?.unclear);
    });
  }

  const harmless: [name: string, ...values: string[]][] = [
    ['Subscription plan', 'gold', 'silver'],
    ['Marketing source', 'facebook', 'fair'],
    ['status', 'customer', 'lead'],
    ['status', 'active', 'inactive'],
    ['City', 'Bath'],
    ['unsubscribed_note'],
    ['Company', 'Stop & Shop'],
  ];
  for (const [name, ...values] of harmless) {
    it(`pass over '${name}' with ${values.join(', ') || 'no values'}`, () => {
      const [only] = use(column(name, ...values));
      expect([only?.use, only?.unclear]).to.deep.equal([null, null]);
    });
  }

  it('keep an opt-out that has the name of a custom field', () => {
    const own = new Map([...fields, ['unsubscribed', { ...externalId, key: 'unsubscribed', unique: false }] as const]);
    expect(recognizeColumns([email, column('unsubscribed', 'true')], own)[1]?.use?.is).to.equal('statement');
    expect(recognizeColumns([email, column('external_id', 'true')], own)[1]?.use).to.deep.equal({ is: 'field', field: 'custom_fields.external_id' });
  });

  it('ask the mobile number first where there are several', () => {
    const ranks = use(column('Home Phone', '+14155550100'), column('Mobile Phone', '+14155550101'), column('Business Phone', '+14155550102'));
    const [home, mobile, business] = ranks.map(({ rank }) => rank);
    expect([(mobile ?? 0) < (home ?? 0), (home ?? 0) < (business ?? 0)]).to.deep.equal([true, true]);
  });
});
