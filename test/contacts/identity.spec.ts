import { expect } from 'chai';
import type { OnConflict } from '../../domain/accounts/settings.js';
import { type CandidateKeys, decideIdentity, type IdentityDecision, type RowKey, type Trust } from '../../domain/contacts/identity.js';
import type { AddressRole } from '../../domain/contacts/other-addresses.js';

/** What a key of a row finds: nothing, or a contact as one of its addresses. The row has no such key where it is absent. */
type Finds = 'absent' | 'free' | `${'A' | 'B' | 'C'}` | `${'A' | 'B' | 'C'} ${Exclude<AddressRole, 'primary'>}`;

interface Row {
  readonly email: Finds;
  readonly phone: Finds;
  readonly ext: Finds;
  readonly trust: Trust;
  readonly on: OnConflict;
  /** What the contacts have beside what the row names. */
  readonly has?: Readonly<Record<string, readonly ('email' | 'phone' | 'ext')[]>>;
  readonly fillOnly?: boolean;
}

const NAMES = { email: 'email', phone: 'phone', ext: 'custom_fields.ext' } as const;
type Short = keyof typeof NAMES;
const shorts = Object.keys(NAMES) as Short[];

function keysOf(row: Row): RowKey[] {
  return shorts.flatMap((short) => {
    const finds = row[short];
    if (finds === 'absent') return [];
    const [contact_id = '', role = 'primary'] = finds.split(' ');
    return [{ name: NAMES[short], key: `row ${short}`, found: finds === 'free' ? null : { contact_id, role: role as AddressRole } }];
  });
}

/** A contact that a key finds as its own has that; one that is found by a further address has another. */
function contactsOf(row: Row): CandidateKeys[] {
  const found = keysOf(row).flatMap(({ name, key, found }) => (found ? [{ name, key, ...found }] : []));
  return [...new Set(found.map(({ contact_id }) => contact_id))].map((id) => ({
    id,
    keys: Object.fromEntries([
      ...(row.has?.[id] ?? []).map((short) => [NAMES[short], `${id}'s ${short}`]),
      ...found.filter((one) => one.contact_id === id).map(({ name, key, role }) => [name, role === 'primary' ? key : `${id}'s ${name}`]),
    ]),
  }));
}

const decide = (row: Row): IdentityDecision =>
  decideIdentity({ keys: keysOf(row), contacts: contactsOf(row), trust: row.trust, on_conflict: row.on, fillOnly: row.fillOnly ?? false });

/** A decision as a line: `weak A: email shared, phone primary; matched_by_phone A`. */
function said(decision: IdentityDecision): string {
  if (decision.does === 'merge') return `merge ${decision.contact_id} ${decision.other_id}`;
  if (decision.does === 'reject') return `reject ${decision.contact_ids.join(' ')}`;
  const shortOf = (name: string) => shorts.find((short) => NAMES[short] === name);
  const placed = [...decision.placements].map(([name, to]) => `${shortOf(name)} ${to}`).sort();
  const warned = decision.warnings.map(({ code, contact_id }) => `${code} ${contact_id}`);
  const who = decision.does === 'create' ? 'create' : `${decision.reach} ${decision.contact_id}`;
  return [[who, placed.join(', ')].filter(Boolean).join(': '), ...warned].join('; ');
}

const row = (email: Finds, phone: Finds, ext: Finds, more: Partial<Row> = {}): Row => ({
  email,
  phone,
  ext,
  trust: 'credentials',
  on: 'merge',
  ...more,
});
const B = { has: { B: ['email' as const] } };
const A = { has: { A: ['email' as const] } };

/** The rule, line by line: what the row names, and what becomes of it. */
const table: readonly (readonly [what: string, row: Row, decision: string])[] = [
  ['nobody has any of it', row('free', 'free', 'free'), 'create'],
  ['the email is known', row('A', 'absent', 'absent'), 'whole A: email primary'],
  ['the email is a further one', row('A other', 'absent', 'absent'), 'whole A: email other'],
  ['the email came by a phone that two share', row('A shared', 'absent', 'absent'), 'weak A: email shared; matched_by_phone A'],
  ['and its phone is known', row('A shared', 'A', 'absent'), 'weak A: email shared, phone primary; matched_by_phone A'],
  ['only the phone is given', row('absent', 'A', 'absent', A), 'whole A: phone primary'],
  ['the phone is that of a contact without an email', row('free', 'A', 'absent'), 'whole A: email primary, phone primary'],
  ['the phone is that of a contact with another email', row('free', 'A', 'absent', A), 'weak A: email shared, phone primary; matched_by_phone A'],
  ['the same, apart', row('free', 'A', 'absent', { ...A, on: 'keep_separate' }), 'create: phone nowhere; phone_kept_by A'],
  ['the same, refused', row('free', 'A', 'absent', { ...A, on: 'reject' }), 'reject A'],
  ['the same, with an identifier of its own', row('free', 'A', 'free', A), 'weak A: email shared, ext nowhere, phone primary; matched_by_phone A'],
  ['a new phone beside a known email', row('A', 'free', 'absent'), 'whole A: email primary, phone primary'],
  ['where the contact has another phone', row('A', 'free', 'absent', { has: { A: ['phone'] } }), 'whole A: email primary, phone other'],
  ['email and phone are of two, the second without an email', row('A', 'B', 'absent'), 'merge A B'],
  ['the same, apart', row('A', 'B', 'absent', { on: 'keep_separate' }), 'whole A: email primary, phone nowhere; phone_kept_by B'],
  ['the same, refused', row('A', 'B', 'absent', { on: 'reject' }), 'reject A B'],
  ['the second has an email', row('A', 'B', 'absent', B), 'whole A: email primary, phone nowhere; phone_kept_by B'],
  ['an identifier names the contact, the email is new', row('free', 'absent', 'A', A), 'whole A: email primary, ext primary'],
  ['and only empty fields are filled', row('free', 'absent', 'A', { ...A, fillOnly: true }), 'whole A: email other, ext primary'],
  ['the email is one that came by a phone', row('A shared', 'absent', 'A'), 'whole A: email primary, ext primary'],
  ['identifier and email are of two', row('B', 'absent', 'A', A), 'merge A B'],
  ['which have two identifiers', row('B', 'absent', 'A', { has: { B: ['ext'] } }), 'whole A: email nowhere, ext primary; email_kept_by B'],
  [
    'identifier and phone are of two with an email each',
    row('absent', 'B', 'A', { has: { A: ['email'], B: ['email'] } }),
    'whole A: ext primary, phone nowhere; phone_kept_by B',
  ],
  ['anybody names a known email', row('A', 'free', 'free', { trust: 'none' }), 'unproven A: email primary, ext nowhere, phone nowhere'],
  ['anybody names a known phone', row('free', 'A', 'absent', { ...A, trust: 'none' }), 'create: email primary, phone nowhere; phone_kept_by A'],
  ['whose contact has no email', row('free', 'A', 'absent', { trust: 'none' }), 'create: email primary, phone nowhere; phone_kept_by A'],
  ['and nothing else', row('absent', 'A', 'absent', { trust: 'none' }), 'create: phone nowhere; phone_kept_by A'],
  ['anybody names two', row('A', 'B', 'absent', { trust: 'none' }), 'unproven A: email primary, phone nowhere; phone_kept_by B'],
  ['anybody names an email that came by a phone', row('A shared', 'absent', 'absent', { trust: 'none' }), 'weak A: email nowhere'],
  ['a person confirms their email', row('A', 'free', 'absent', { trust: 'confirmed' }), 'whole A: email primary, phone nowhere'],
];

const findings: readonly Finds[] = ['absent', 'free', 'A', 'A other', 'A shared', 'B', 'B other', 'C'];
const ownFindings: readonly Finds[] = ['absent', 'free', 'A', 'B', 'C'];

const belongings: readonly NonNullable<Row['has']>[] = [
  {},
  { A: ['email'] },
  { B: ['email'] },
  { A: ['email', 'phone'], B: ['email', 'phone', 'ext'], C: ['email'] },
];

/** Every row that there is: each key finds nothing or one of three contacts, which have further addresses or none. */
function allRows(): Row[] {
  const rows = findings.flatMap((email) => findings.flatMap((phone) => ownFindings.map((ext) => ({ email, phone, ext }))));
  const named = rows.filter(({ email, phone, ext }) => email !== 'absent' || phone !== 'absent' || ext !== 'absent');
  const ways = (['credentials', 'confirmed', 'none'] as const).flatMap((trust) =>
    (['merge', 'reject', 'keep_separate'] as const).flatMap((on) => [false, true].map((fillOnly) => ({ trust, on, fillOnly }))),
  );
  return named.flatMap((keys) => ways.flatMap((way) => belongings.map((has) => ({ ...keys, ...way, has }))));
}

const all = allRows().map((asked) => ({ asked, decision: decide(asked), keys: keysOf(asked), contacts: contactsOf(asked) }));
type Case = (typeof all)[number];
const expectNone = (what: (one: Case) => boolean): void => {
  const wrong = all.filter(what).map(({ asked, decision }) => `${JSON.stringify(asked)} → ${said(decision)}`);
  expect(wrong.slice(0, 3)).to.deep.equal([]);
};
const placementsOf = ({ decision }: Case) => ('placements' in decision ? [...decision.placements] : []);
const keyOf = ({ keys }: Case, name: string) => keys.find((key) => key.name === name);
const presentOf = ({ decision, contacts }: Case, name: string): string | undefined =>
  decision.does === 'update' ? contacts.find(({ id }) => id === decision.contact_id)?.keys[name] : undefined;

describe('which contact a row is about', () => {
  for (const [what, asked, decision] of table) it(`is decided where ${what}: ${decision}`, () => expect(said(decide(asked))).to.equal(decision));

  it('is decided for every combination', () => expect(all.length).to.equal((findings.length ** 2 * ownFindings.length - 1) * 3 * 3 * 2 * 4));

  it('never puts a key of one contact into another', () =>
    expectNone((one) =>
      placementsOf(one).some(([name, to]) => {
        const holder = keyOf(one, name)?.found?.contact_id;
        const taker = one.decision.does === 'update' ? one.decision.contact_id : null;
        return to !== 'nowhere' && holder !== undefined && holder !== taker;
      }),
    ));

  it('replaces an address only where the caller names the contact by an identifier of its own', () =>
    expectNone((one) =>
      placementsOf(one).some(([name, to]) => {
        const isReplaced = to === 'primary' && presentOf(one, name) !== undefined && presentOf(one, name) !== keyOf(one, name)?.key;
        return isReplaced && name !== NAMES.ext && (one.asked.trust !== 'credentials' || one.asked.ext === 'free' || one.asked.ext === 'absent');
      }),
    ));

  it('loses no address of a caller with credentials: it is placed, or another contact has it', () =>
    expectNone((one) => {
      if (one.asked.trust !== 'credentials') return false;
      return placementsOf(one).some(([name, to]) => to === 'nowhere' && name !== NAMES.ext && !keyOf(one, name)?.found);
    }));

  it('gives no address and no identifier to a contact without credentials, and merges and refuses nobody', () =>
    expectNone((one) => {
      if (one.asked.trust === 'credentials') return false;
      if (one.decision.does === 'merge' || one.decision.does === 'reject') return true;
      return (
        one.decision.does === 'update' && placementsOf(one).some(([name, to]) => to !== 'nowhere' && presentOf(one, name) !== keyOf(one, name)?.key)
      );
    }));

  it('finds a contact without credentials by the email alone', () =>
    expectNone(({ asked, decision }) => {
      if (asked.trust === 'credentials' || decision.does !== 'update') return false;
      return asked.email.split(' ')[0] !== decision.contact_id;
    }));

  it('replaces nothing of a contact that only a shared phone has found', () =>
    expectNone(({ asked, decision, contacts }) => {
      if (decision.does !== 'update' || asked.ext.length === 1) return false;
      const isFoundByPhone = asked.email === 'free' || asked.email.endsWith('shared');
      const hasEmail = contacts.find(({ id }) => id === decision.contact_id)?.keys.email !== undefined;
      return isFoundByPhone && hasEmail && decision.reach === 'whole';
    }));

  it('warns of every address and identifier that stays with another contact', () =>
    expectNone((one) => {
      if (!('warnings' in one.decision)) return false;
      const { warnings } = one.decision;
      const kept = placementsOf(one).filter(([name, to]) => to === 'nowhere' && keyOf(one, name)?.found);
      const taker = one.decision.does === 'update' ? one.decision.contact_id : null;
      return kept.some(([name]) => keyOf(one, name)?.found?.contact_id !== taker && !warnings.some(({ field }) => field === name));
    }));

  it('is the same whatever the order of the keys', () =>
    expectNone(({ asked, keys, contacts, decision }) => {
      const turned = decideIdentity({
        keys: [...keys].reverse(),
        contacts,
        trust: asked.trust,
        on_conflict: asked.on,
        fillOnly: asked.fillOnly ?? false,
      });
      const sorted = (of: IdentityDecision): string => said(of).split('; ').sort().join();
      return turned.does !== 'reject' && sorted(turned) !== sorted(decision);
    }));
});
