import { expect } from 'chai';
import { type ConsentEvent, type Consents, effectiveForGates, evolve, noConsents, unifyConsents } from '../../domain/consent/consent.js';
import { type ContactBasis, earlierBasis, formBasis, importBasis, marketingBasis } from '../../domain/consent/marketing-basis.js';

const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T10:00:00.000Z`;
const proof = { form_id: null, text_version: null, text: null, ip: null, user_agent: null };
type Kind = ConsentEvent['data']['cause']['kind'];
const entry = (type: ConsentEvent['type'], kind: Kind, at = day(1), channel: 'email' | 'all' = 'email'): ConsentEvent => ({
  type,
  data: {
    ...{ contact_id: 'con_1', channel, purpose: 'marketing', lawful_basis: 'consent', source: 'spec', proof },
    ...{ cause: { kind, id: 'id_1' }, occurred_at: at, at },
  },
});
const ledger = (...events: ConsentEvent[]): Consents => events.reduce((known, event) => evolve(known, event), noConsents);

/** The ledgers, by a name for them. */
const ledgers = {
  nothing: [],
  'a grant': [entry('ConsentGranted', 'request')],
  'a grant for all channels': [entry('ConsentGranted', 'actor', day(1), 'all')],
  'a grant by an import': [entry('ConsentGranted', 'import')],
  'a confirmed double opt-in': [entry('ConsentGranted', 'form'), entry('ConsentGranted', 'message')],
  'the box of a form': [entry('ConsentGranted', 'form')],
  'a withdrawal': [entry('ConsentGranted', 'request'), entry('ConsentWithdrawn', 'request', day(2))],
  'a request of the account': [entry('ConsentRequested', 'request')],
  'a list request of an earlier release': [entry('ConsentRequested', 'message')],
  'such a request after a grant': [entry('ConsentGranted', 'request'), entry('ConsentRequested', 'message', day(2))],
  'such a request before a grant that is older': [entry('ConsentRequested', 'message', day(2)), entry('ConsentGranted', 'import', day(1))],
} as const satisfies Record<string, readonly ConsentEvent[]>;

const form = { kind: 'form', id: 'fsb_1' } as const;
const list = { kind: 'list', id: 'lst_1' } as const;
/** How a contact came to be. */
const origins = {
  'the account': { of: 'account' },
  'a form that puts onto a list': { of: 'list', by: form },
  'an unconfirmed form': { of: 'list', by: form, unconfirmed: form },
  'an unconfirmed list': { of: 'account', unconfirmed: list },
  'a form that was confirmed by its link': { of: 'list', by: form, unconfirmed: form, confirmed: 'link' },
  'a form whose wait a consent has ended': { of: 'list', by: form, unconfirmed: form, confirmed: 'consent' },
  'a form without a basis': { of: 'none', by: form },
  'a confirmed form without a basis': { of: 'none', by: form, unconfirmed: form, confirmed: 'link' },
} as const satisfies Record<string, ContactBasis>;

type Ledger = keyof typeof ledgers;
type Origin = keyof typeof origins;
/** With the rule opt_out: yes; or no, because of an entry, of the open request, or of a form without a basis. */
const expected: Record<
  Origin,
  Partial<Record<Ledger, 'yes' | 'entry' | 'unconfirmed' | 'no_basis'>> & { nothing: string; 'the box of a form': string }
> = {
  'the account': { nothing: 'yes', 'the box of a form': 'yes' },
  'a form that puts onto a list': { nothing: 'yes', 'the box of a form': 'yes' },
  'an unconfirmed form': { nothing: 'unconfirmed', 'the box of a form': 'unconfirmed' },
  'an unconfirmed list': { nothing: 'unconfirmed', 'the box of a form': 'unconfirmed' },
  'a form that was confirmed by its link': { nothing: 'yes', 'the box of a form': 'yes' },
  'a form whose wait a consent has ended': { nothing: 'unconfirmed', 'the box of a form': 'yes' },
  'a form without a basis': { nothing: 'no_basis', 'the box of a form': 'yes' },
  'a confirmed form without a basis': { nothing: 'no_basis', 'the box of a form': 'yes' },
};
/** The same wherever the contact comes from. */
const always: Partial<Record<Ledger, string>> = {
  ...{ 'a grant': 'yes', 'a grant for all channels': 'yes', 'a grant by an import': 'yes', 'a confirmed double opt-in': 'yes' },
  ...{ 'a withdrawal': 'entry', 'a request of the account': 'entry', 'a list request of an earlier release': 'entry' },
  ...{ 'such a request after a grant': 'yes', 'such a request before a grant that is older': 'yes' },
};

const answer = (events: readonly ConsentEvent[], basis: ContactBasis, rule: 'opt_in' | 'opt_out'): string => {
  const decided = marketingBasis(effectiveForGates(ledger(...events), 'email', 'marketing')?.value, basis, rule);
  return decided.allowed ? 'yes' : decided.because;
};

describe('the basis of marketing', () => {
  for (const [origin, basis] of Object.entries(origins) as [Origin, ContactBasis][])
    it(`of a contact from ${origin} depends on its ledger`, () => {
      for (const [name, events] of Object.entries(ledgers) as [Ledger, readonly ConsentEvent[]][]) {
        const right = always[name] ?? expected[origin][name];
        expect(answer(events, basis, 'opt_out'), name).to.equal(right);
        // The rule opt_in requires an entry, and changes nothing where there is one.
        const strict = name === 'nothing' && right === 'yes' ? 'entry' : right;
        expect(answer(events, basis, 'opt_in'), `${name}, with the rule opt_in`).to.equal(strict);
      }
    });

  it('names the request that waits', () => {
    expect(marketingBasis(undefined, origins['an unconfirmed list'], 'opt_out')).to.deep.equal({
      allowed: false,
      because: 'unconfirmed',
      request: list,
    });
    expect(marketingBasis(undefined, origins['a form without a basis'], 'opt_out')).to.deep.equal({
      allowed: false,
      because: 'no_basis',
      request: form,
    });
  });

  it('is not lowered by the list request of a contact that is merged into another one', () => {
    const [asked, granted] = [ledger(...ledgers['a list request of an earlier release']), ledger(...ledgers['a grant'])];
    for (const [left, right] of [
      [asked, granted],
      [granted, asked],
    ] as const)
      expect(effectiveForGates(unifyConsents(left, right, day(9)), 'email', 'marketing')?.value.status).to.equal('granted');
  });
});

const single = { id: 'lst_s', opt_in: 'single' } as const;
const double = { id: 'lst_d', opt_in: 'double' } as const;

describe('the basis that a form gives', () => {
  const cases = [
    // double opt-in, consent block, box ticked, lists → basis, waits for
    [false, false, false, [], 'none', undefined],
    [false, false, false, [single], 'list', undefined],
    [false, false, false, [double], 'list', 'lst_d'],
    [false, false, false, [single, double], 'list', undefined],
    [false, true, false, [single], 'none', undefined],
    [false, true, false, [double], 'none', 'lst_d'],
    [false, true, true, [], 'none', undefined],
    [false, true, true, [double], 'none', undefined],
    [true, false, false, [], 'none', 'fsb_1'],
    [true, false, false, [single], 'list', 'fsb_1'],
    [true, true, true, [single], 'none', 'fsb_1'],
    [true, true, false, [double], 'none', 'fsb_1'],
  ] as const;
  for (const [double_opt_in, asksConsent, consented, lists, of, waits] of cases)
    it(`with ${JSON.stringify({ double_opt_in, asksConsent, consented, lists: lists.map(({ opt_in }) => opt_in) })} is ${of}, and waits for ${waits}`, () => {
      const basis = formBasis('fsb_1', { double_opt_in, asksConsent, consented }, lists);
      expect([basis.of, basis.unconfirmed?.id]).to.deep.equal([of, waits]);
    });
});

describe('the basis of an imported contact', () => {
  it('waits only where every list of the import has double opt-in', () => {
    expect(importBasis([], false)).to.deep.equal({ of: 'account' });
    expect(importBasis([single, double], false)).to.deep.equal({ of: 'account' });
    expect(importBasis([double], false)).to.deep.equal({ of: 'account', unconfirmed: { kind: 'list', id: 'lst_d' } });
    expect(importBasis([double], true)).to.deep.equal({ of: 'account' });
  });
});

describe('the basis of a contact of an earlier release', () => {
  const cases = [
    ['api', [], 'yes'],
    ['api', ['pending'], 'yes'],
    ['event', ['pending'], 'yes'],
    ['import', [], 'yes'],
    ['import', ['pending'], 'unconfirmed'],
    ['import', ['pending', 'subscribed'], 'yes'],
    ['form', [], 'no_basis'],
    ['form', ['pending'], 'unconfirmed'],
    ['form', ['unsubscribed'], 'no_basis'],
    ['form', ['subscribed'], 'yes'],
    ['form', ['pending', 'subscribed'], 'yes'],
  ] as const;
  for (const [source, statuses, right] of cases)
    it(`by ${source}, with memberships ${statuses.join(', ') || 'nowhere'}, is ${right}`, () => {
      const basis = earlierBasis(source, statuses);
      expect(answer([], basis, 'opt_out')).to.equal(right);
      expect(answer(ledgers['a grant'], basis, 'opt_out')).to.equal('yes');
      const decided = marketingBasis(undefined, basis, 'opt_out');
      if (!decided.allowed && decided.because !== 'entry') expect(decided.request).to.equal(null);
    });
});
