import { expect } from 'chai';
import fc from 'fast-check';
import {
  type ConsentCommand,
  type ConsentEvent,
  type Consents,
  consent,
  consentChannels,
  consentOf,
  consentStatuses,
  consentsByChannel,
  mostRestrictive,
  noConsents,
  unifyConsents,
} from '../../domain/consent/consent.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { fold } from '../../domain/kernel/decider.js';
import { specification } from '../given.js';

const { given } = specification(consent);

const proof = { form_id: null, text_version: '1', text: 'Yes', ip: null, user_agent: null };
const cause = { kind: 'request', id: 'req_1' } as const;
const day = (n: number): string => `2026-01-${String(n).padStart(2, '0')}T10:00:00.000Z`;
type EntryFields = Partial<ConsentEvent['data']>;
const entry = (fields: EntryFields = {}) => ({
  contact_id: 'con_1',
  channel: 'email' as const,
  purpose: 'marketing',
  lawful_basis: 'consent' as const,
  source: 'api',
  proof,
  cause,
  occurred_at: day(1),
  at: fields.occurred_at ?? day(1),
  ...fields,
});
const granted = (fields?: EntryFields): ConsentEvent => ({ type: 'ConsentGranted', data: entry(fields) });
const withdrawn = (fields?: EntryFields): ConsentEvent => ({ type: 'ConsentWithdrawn', data: entry(fields) });
const pending = (fields?: EntryFields): ConsentEvent => ({ type: 'ConsentRequested', data: entry(fields) });
const ledgerOf = (...events: ConsentEvent[]): Consents => fold(consent, events);
const record = (fields: Partial<ConsentCommand> = {}): ConsentCommand => {
  const { at: _, ...about } = entry();
  return { type: 'Record', ...about, status: 'granted', now: day(5), ...fields };
};

describe('the consent ledger of a contact', () => {
  it('records a grant with its proof', () =>
    given()
      .when(record())
      .then(granted({ at: day(5) })));
  it('records a time in the future as now', () =>
    given()
      .when(record({ occurred_at: day(9) }))
      .then(granted({ occurred_at: day(5), at: day(5) })));
  it('records a second grant too: its proof may be better', () =>
    given(granted())
      .when(record())
      .then(granted({ at: day(5) })));
  it('skips a statement marked as initial if there is any before', () =>
    given(withdrawn())
      .when(record({ status: 'pending', onlyIfAbsent: true }))
      .thenNothing());
  it('skips a statement whose cause is already recorded', () =>
    given(granted())
      .when(record({ oncePerCause: true }))
      .thenNothing());
  it('records a repeated cause after another statement', () =>
    given(granted(), withdrawn({ occurred_at: day(2) }))
      .when(record({ oncePerCause: true, occurred_at: day(3) }))
      .then(granted({ occurred_at: day(3), at: day(5) })));

  it('reports an opt-out of marketing where it changes the state, and not of an import', () => {
    const withdraw = (fields: Partial<ConsentCommand> = {}) => record({ status: 'withdrawn', occurred_at: day(3), ...fields });
    const said = { occurred_at: day(3), at: day(5) };
    given()
      .when(withdraw())
      .then(withdrawn({ ...said, opted_out: true }));
    given(granted())
      .when(withdraw())
      .then(withdrawn({ ...said, opted_out: true }));
    given(withdrawn()).when(withdraw()).then(withdrawn(said));
    given(granted({ occurred_at: day(4) }))
      .when(withdraw())
      .then(withdrawn(said));
    given()
      .when(withdraw({ cause: { kind: 'import', id: 'job_1' } }))
      .then(withdrawn({ ...said, cause: { kind: 'import', id: 'job_1' } }));
    given()
      .when(withdraw({ purpose: 'profiling' }))
      .then(withdrawn({ ...said, purpose: 'profiling' }));
  });

  it('has the latest statement by occurred_at, in any order of records', () => {
    expect(consentOf(ledgerOf(withdrawn({ occurred_at: day(3) }), granted({ occurred_at: day(2), at: day(4) })), 'email', 'marketing')).to.equal(
      'withdrawn',
    );
    expect(consentOf(ledgerOf(withdrawn({ occurred_at: day(2) }), granted({ occurred_at: day(3) })), 'email', 'marketing')).to.equal('granted');
  });
  it('has the last record of several statements at one time', () =>
    expect(consentOf(ledgerOf(granted(), withdrawn()), 'email', 'marketing')).to.equal('withdrawn'));
  it('separates purposes and channels', () => {
    const consents = ledgerOf(granted());
    expect(consentOf(consents, 'sms', 'marketing')).to.equal('none');
    expect(consentOf(consents, 'email', 'research')).to.equal('none');
  });
  it('applies a statement on all channels to each, also to later ones', () => {
    const consents = ledgerOf(granted({ channel: 'all' }));
    for (const channel of [...channelNames, 'fax']) expect(consentOf(consents, channel, 'marketing'), channel).to.equal('granted');
  });
  it('ignores the request of a double opt-in, which concerns its list alone', () => {
    const ofList = pending({ source: 'double_opt_in', cause: { kind: 'message', id: 'msg_1' } });
    expect(consentOf(ledgerOf(ofList), 'email', 'marketing')).to.equal('none');
    expect(consentsByChannel(ledgerOf(ofList))).to.deep.equal({});
    expect(consentOf(ledgerOf(pending({ source: 'double_opt_in' })), 'email', 'marketing')).to.equal('pending');
  });
  it('uses the later one of a statement on all channels and one on a channel', () => {
    expect(consentOf(ledgerOf(granted(), withdrawn({ channel: 'all', occurred_at: day(2) })), 'email', 'marketing')).to.equal('withdrawn');
    expect(consentOf(ledgerOf(withdrawn({ channel: 'all' }), granted({ occurred_at: day(2) })), 'email', 'marketing')).to.equal('granted');
    expect(consentOf(ledgerOf(withdrawn({ channel: 'all' }), granted({ occurred_at: day(2) })), 'sms', 'marketing')).to.equal('withdrawn');
  });
});

describe('two ledgers of merged contacts', () => {
  const of = (left: Consents, right: Consents, unifiedAt = day(10)) => unifyConsents(left, right, unifiedAt);

  it('unify to the most restrictive of the statements before the merge', () => {
    const sides = {
      granted: ledgerOf(granted({ occurred_at: day(3) })),
      pending: ledgerOf(pending({ occurred_at: day(2) })),
      withdrawn: ledgerOf(withdrawn()),
    };
    expect(consentOf(of(sides.granted, sides.withdrawn), 'email', 'marketing')).to.equal('withdrawn');
    expect(consentOf(of(sides.withdrawn, sides.granted), 'email', 'marketing')).to.equal('withdrawn');
    expect(consentOf(of(sides.pending, sides.granted), 'email', 'marketing')).to.equal('pending');
  });
  it('prefer a withdrawal from all channels to a later grant on one', () => {
    const all = ledgerOf(withdrawn({ channel: 'all' }));
    const one = ledgerOf(granted({ occurred_at: day(3) }));
    expect(consentOf(of(all, one), 'email', 'marketing')).to.equal('withdrawn');
    expect(consentOf(of(one, all), 'email', 'marketing')).to.equal('withdrawn');
  });
  it('use statements after the merge for both', () =>
    expect(consentOf(of(ledgerOf(withdrawn()), ledgerOf(granted({ occurred_at: day(11) }))), 'email', 'marketing')).to.equal('granted'));
  it('unify to the most restrictive of statements at the same moment', () =>
    expect(consentOf(of(ledgerOf(granted({ occurred_at: day(11) })), ledgerOf(withdrawn({ occurred_at: day(11) }))), 'email', 'marketing')).to.equal(
      'withdrawn',
    ));

  const event: fc.Arbitrary<ConsentEvent> = fc
    .record({ status: fc.constantFrom(...consentStatuses), channel: fc.constantFrom(...consentChannels), on: fc.integer({ min: 1, max: 9 }) })
    .map(({ status, channel, on }) => ({ granted, withdrawn, pending })[status]({ channel, occurred_at: day(on) }));
  const ledger = fc.array(event, { maxLength: 6 }).map((events) => ledgerOf(...events));

  it('never permit what either denied before, for any statements', () =>
    fc.assert(
      fc.property(ledger, ledger, fc.constantFrom(...channelNames), (left, right, channel) => {
        const sides = [left, right].map((side) => consentOf(side, channel, 'marketing'));
        const both = consentOf(of(left, right), channel, 'marketing');
        const expected = (['withdrawn', 'pending', 'granted'] as const).find((status) => sides.includes(status)) ?? 'none';
        expect(both).to.equal(expected);
      }),
    ));
  it('unify to the same result from either side', () =>
    fc.assert(
      fc.property(ledger, ledger, (left, right) => {
        for (const channel of channelNames)
          expect(consentOf(of(left, right), channel, 'marketing')).to.equal(consentOf(of(right, left), channel, 'marketing'));
      }),
    ));
  it('are empty if both are', () => expect(of(noConsents, noConsents)).to.deep.equal({}));
  it('use the later statement if the status is the same', () => {
    const [early, late] = [ledgerOf(granted()), ledgerOf(granted({ occurred_at: day(2) }))].map((consents) => consents['email/marketing']);
    if (!early || !late) throw new Error('both have a statement');
    expect(mostRestrictive(early, late)).to.equal(late);
    expect(mostRestrictive(late, early)).to.equal(late);
  });
});
