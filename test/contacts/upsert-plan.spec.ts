import { expect } from 'chai';
import type { LoadedRow } from '../../commands/contacts/row-identity.js';
import { planUpsert, type UpsertOptions, type UpsertProgress } from '../../commands/contacts/upsert-plan.js';
import { type ContactEvent, contact, contactStream } from '../../domain/contacts/contact.js';
import { contactKeyStream } from '../../domain/contacts/contact-key.js';
import { emptyPatch } from '../../domain/contacts/facts.js';
import { fold } from '../../domain/kernel/decider.js';
import type { LoadedClaim } from '../../log/aggregates/contacts/load-claims.js';
import { type LoadedContact, noPast } from '../../log/aggregates/contacts/load-contact.js';

const now = '2026-01-01T12:00:00.000Z';
const caller = { account: 'acc_A', now };
const options: UpsertOptions = { source: 'api', import_id: null, on_conflict: 'merge' };
const keys = [
  { name: 'email', key: 'E' },
  { name: 'phone', key: 'P' },
];
const row = { keys, patch: { ...emptyPatch, values: { locale: 'en' }, keys: { email: 'E', phone: 'P' } } };

const created = (contact_id: string, hour: number, names: Record<string, string> = {}): ContactEvent => {
  const values = Object.fromEntries(Object.keys(names).map((name) => [name, name]));
  const data = { ...emptyPatch, contact_id, source: 'api' as const, import_id: null, values, keys: names, at: `2026-01-01T${hour}:00:00.000Z` };
  return { type: 'ContactCreated', data };
};
const loaded = (id: string, ...events: ContactEvent[]): LoadedContact => ({
  id,
  account: 'acc_A',
  state: fold(contact, events),
  revision: events.length - 1,
  past: { ...noPast, count: events.length },
  events: async () => [],
});
const claim = (nth: number, holder: LoadedContact | null): LoadedClaim => ({
  ...(keys[nth] as (typeof keys)[number]),
  state: holder ? { status: 'claimed', contact_id: holder.id, claims: 1 } : { status: 'free', claims: 0 },
  revision: holder ? 0 : -1,
  holder,
  stale: null,
  last: null,
});
const rowOf = (claims: readonly LoadedClaim[], paths: Record<string, readonly LoadedContact[]>): LoadedRow => ({
  claims,
  paths: new Map(Object.entries(paths)),
  unified: new Map(
    Object.values(paths).flatMap((path) => {
      const root = path.at(-1) as LoadedContact;
      return root.state.status === 'new' ? [] : [[root.id, root.state.facts] as const];
    }),
  ),
});
const plan = (given: LoadedRow, more: Partial<UpsertOptions> = {}, progress: readonly UpsertProgress[] = []) =>
  planUpsert(given, progress, row, { ...options, ...more }, caller);
const streams = ({ appends }: ReturnType<typeof plan>) => appends.map(({ stream, events }) => [stream, ...events.map(({ type }) => type)]);

describe('the plan of an upsert', () => {
  const old = loaded('con_old', created('con_old', 10, { email: 'E' }));
  const young = loaded('con_young', created('con_young', 11, { phone: 'P' }));

  it('claims free keys, then creates the contact', () => {
    const planned = plan(rowOf([claim(0, null), claim(1, null)], {}));
    expect(
      streams(planned)
        .map(([stream]) => stream)
        .slice(0, 2),
    ).to.deep.equal([contactKeyStream('E'), contactKeyStream('P')]);
    expect(streams(planned)[2]?.[1]).to.equal('ContactCreated');
    expect(planned).to.have.nested.property('result.outcome', 'created');
  });

  it('claims a new key of a contact before it updates the contact at the loaded revision', () => {
    const planned = plan(rowOf([claim(0, old), claim(1, null)], { email: [old] }));
    expect(streams(planned)).to.deep.equal([
      [contactKeyStream('P'), 'ContactKeyClaimed'],
      [contactStream('con_old'), 'ContactUpdated'],
    ]);
    expect(planned.appends[1]?.expected).to.equal(0);
    expect(planned).to.have.nested.property('result.outcome', 'merged');
  });

  it('merges the younger of two contacts and takes another round', () => {
    const planned = plan(rowOf([claim(0, old), claim(1, young)], { email: [old], phone: [young] }));
    expect(streams(planned)).to.deep.equal([[contactStream('con_young'), 'ContactMerged']]);
    expect(planned).to.have.nested.property('progress.merge_id');
  });

  it('throws conflict for two contacts with on_conflict reject', () =>
    expect(() => plan(rowOf([claim(0, old), claim(1, young)], { email: [old], phone: [young] }), { on_conflict: 'reject' })).to.throw(
      'names 2 contacts',
    ));

  it('creates a contact that is claimed and missing before it merges', () => {
    const missing = loaded('con_missing');
    const planned = plan(rowOf([claim(0, old), claim(1, missing)], { email: [old], phone: [missing] }));
    expect(streams(planned)).to.deep.equal([[contactStream('con_missing'), 'ContactCreated']]);
    expect(planned).to.not.have.property('result');
  });

  it('completes a half-made link before anything else', () => {
    const link = { contact_id: 'con_young', into: 'con_old', merge_id: 'm1', because: 'row' as const, at: now };
    const merged = loaded('con_young', created('con_young', 11, { phone: 'P' }), { type: 'ContactMerged', data: link });
    const planned = plan(rowOf([claim(0, old), claim(1, merged)], { email: [old], phone: [merged, old] }));
    expect(streams(planned)).to.deep.equal([[contactStream('con_old'), 'ContactAbsorbed']]);
  });

  it('completes the link of its own merge even if no claim leads to the merged contact any more', () => {
    const link = { contact_id: 'con_young', into: 'con_old', merge_id: 'm1', because: 'row' as const, at: now };
    const merged = loaded('con_young', created('con_young', 11, { phone: 'P' }), { type: 'ContactMerged', data: link });
    const progress: UpsertProgress[] = [{ merge_id: 'm1', absorbed: 'con_young' }];
    const given = { ...rowOf([claim(0, old), claim(1, null)], { email: [old] }), mergedPaths: [[merged, old]] };
    expect(streams(plan(given, {}, progress))).to.deep.equal([[contactStream('con_old'), 'ContactAbsorbed']]);
  });

  it('removes a half-made link if the absorbing contact is deleted', () => {
    const link = { contact_id: 'con_young', into: 'con_old', merge_id: 'm1', because: 'row' as const, at: now };
    const merged = loaded('con_young', created('con_young', 11, { phone: 'P' }), { type: 'ContactMerged', data: link });
    const gone = loaded('con_old', created('con_old', 10), { type: 'ContactDeleted', data: { contact_id: 'con_old', at: now } });
    const planned = plan(rowOf([claim(0, null), claim(1, merged)], { phone: [merged, gone] }));
    expect(streams(planned)).to.deep.equal([[contactStream('con_young'), 'ContactUnmerged']]);
  });

  it('updates a part in a round of its own, and keeps the outcome of the first round', () => {
    const link = { contact_id: 'con_young', into: 'con_old', merge_id: 'm1', because: 'row' as const, at: now };
    const part = loaded('con_young', created('con_young', 11, { phone: 'other' }), { type: 'ContactMerged', data: link });
    const absorbed: ContactEvent = { type: 'ContactAbsorbed', data: { contact_id: 'con_old', absorbed: 'con_young', merge_id: 'm1', at: now } };
    const root = loaded('con_old', created('con_old', 10, { email: 'E' }), absorbed);
    const given = rowOf([claim(0, root), claim(1, part)], { email: [root], phone: [part, root] });
    const first = plan(given);
    expect(streams(first)).to.deep.equal([[contactStream('con_old'), 'ContactUpdated']]);
    const progress = 'progress' in first && first.progress ? [first.progress] : [];
    expect(progress).to.have.length(1);
    expect(plan(given, {}, progress)).to.have.nested.property('result.outcome', 'merged');
  });
});
