import { expect } from 'chai';
import { type ContactCommand, type ContactEvent, contact, MAX_TAGS, survivorOf } from '../../domain/contacts/contact.js';
import { type ContactPatch, emptyPatch } from '../../domain/contacts/facts.js';
import { specification } from '../given.js';

const { given } = specification(contact);
const at = (hour: number): string => `2026-01-15T${String(hour).padStart(2, '0')}:00:00.000Z`;
const about = { contact_id: 'con_A', source: 'api', import_id: null } as const;

const created = (patch: Partial<ContactPatch> = {}, hour = 10): ContactEvent => ({
  type: 'ContactCreated',
  data: { ...about, ...emptyPatch, ...patch, at: at(hour) },
});
const updated = (patch: Partial<ContactPatch>, hour = 12): ContactEvent => ({
  type: 'ContactUpdated',
  data: { ...about, ...emptyPatch, ...patch, at: at(hour) },
});
const update = (patch: Partial<ContactPatch>, more: object = {}): ContactCommand => ({
  type: 'Update',
  contact_id: 'con_A',
  patch: { ...emptyPatch, ...patch },
  source: 'api',
  import_id: null,
  now: at(12),
  ...more,
});
const named = { personal: { first_name: 'Ada' }, said: ['first_name'] };
const link = { contact_id: 'con_A', merge_id: 'evt_1' };
const merged: ContactEvent = { type: 'ContactMerged', data: { ...link, into: 'con_B', because: 'request', at: at(11) } };
const unmerged: ContactEvent = { type: 'ContactUnmerged', data: { ...link, from: 'con_B', at: at(12) } };
const absorbed: ContactEvent = { type: 'ContactAbsorbed', data: { ...link, absorbed: 'con_C', at: at(11) } };
const deleted: ContactEvent = { type: 'ContactDeleted', data: { contact_id: 'con_A', at: at(12) } };
const erased: ContactEvent = { type: 'ContactErased', data: { contact_id: 'con_A', erasure_id: 'evt_9', at: at(12) } };
const merge: ContactCommand = { type: 'Merge', into: 'con_B', merge_id: 'evt_1', because: 'request', now: at(11) };

describe('a contact', () => {
  it('is created by its first update', () => given().when(update(named)).then(created(named, 12)));
  it('is created by an empty patch', () => given().when(update({})).then(created({}, 12)));
  it('records only what a patch changes', () => {
    given(created(named))
      .when(update({ personal: { first_name: 'Ada', last_name: 'Byron' }, said: ['first_name', 'last_name'] }))
      .then(updated({ personal: { last_name: 'Byron' }, said: ['last_name'] }));
    given(created(named)).when(update(named)).thenNothing();
    given(created())
      .when(update({ cleared: ['phone'] }))
      .thenNothing();
  });
  it('loses a cleared value with its key', () =>
    given(created({ personal: { email: 'a@example.com' }, said: ['email'], keys: { email: 'k1' } }))
      .when(update({ cleared: ['email'], keys: { email: null } }))
      .then(updated({ cleared: ['email'], keys: { email: null } })));
  it('keeps existing values with fillOnly', () =>
    given(created({ values: { locale: 'en' } }))
      .when(update({ values: { locale: 'de', timezone: 'Europe/Berlin' } }, { fillOnly: true }))
      .then(updated({ values: { timezone: 'Europe/Berlin' } })));
  it('has at most 500 tags: more cannot be added, but replaced', () => {
    const tags = Array.from({ length: MAX_TAGS }, (_, i) => `tag${i}`);
    const full = given(created({ tags_added: tags }));
    full.when(update({ tags_added: ['more'] })).thenRefused('validation_error');
    full.when(update({ tags_added: [...tags] })).thenNothing();
    full.when(update({ tags_added: ['more'], tags_removed: ['tag0'] })).then(updated({ tags_added: ['more'], tags_removed: ['tag0'] }));
    full.when(update({ values: { locale: 'de' } })).then(updated({ values: { locale: 'de' } }));
  });
  it('adds a tag once and removes only present tags', () => {
    given(created({ tags_added: ['vip'] }))
      .when(update({ tags_added: ['vip', 'new'], tags_removed: ['old'] }))
      .then(updated({ tags_added: ['new'] }));
    given(created({ tags_added: ['vip'] }))
      .when(update({ tags_removed: ['vip'] }))
      .then(updated({ tags_removed: ['vip'] }));
  });
  it('is merged once, and not with itself', () => {
    given(created()).when(merge).then(merged);
    given(created(), merged)
      .when({ ...merge, into: 'con_D', merge_id: 'evt_2' })
      .thenNothing();
    given(created())
      .when({ ...merge, into: 'con_A' })
      .thenNothing();
    given(created(), deleted).when(merge).thenNothing();
    given(created(), erased).when(merge).thenRefused('contact_erased');
  });
  it('is unmerged by its merge_id and can be merged again', () => {
    given(created(), merged)
      .when({ type: 'Unmerge', merge_id: 'evt_1', now: at(12) })
      .then(unmerged);
    given(created(), merged)
      .when({ type: 'Unmerge', merge_id: 'evt_2', now: at(12) })
      .thenNothing();
    given(created(), merged, unmerged)
      .when({ type: 'Unmerge', merge_id: 'evt_1', now: at(12) })
      .thenNothing();
    given(created(), merged, unmerged).when(merge).then(merged);
  });
  it('absorbs a part once and releases it once', () => {
    const absorb: ContactCommand = { type: 'Absorb', absorbed: 'con_C', merge_id: 'evt_1', now: at(11) };
    const release: ContactCommand = { type: 'Release', absorbed: 'con_C', merge_id: 'evt_1', now: at(13) };
    given(created()).when(absorb).then(absorbed);
    given(created(), absorbed).when(absorb).thenNothing();
    const released: ContactEvent = { type: 'ContactReleased', data: { ...link, absorbed: 'con_C', at: at(13) } };
    given(created(), absorbed).when(release).then(released);
    given(created(), absorbed, released).when(release).thenNothing();
  });
  it('is deleted once and not updated afterward', () => {
    given(created())
      .when({ type: 'Delete', now: at(12) })
      .then(deleted);
    given(created(), deleted)
      .when({ type: 'Delete', now: at(12) })
      .thenNothing();
    given(created(), deleted).when(update(named)).thenNothing();
    given()
      .when({ type: 'Delete', now: at(12) })
      .thenNothing();
  });
  it('refuses updates once erased, and is erased once', () => {
    given(created())
      .when({ type: 'Erase', erasure_id: 'evt_9', now: at(12) })
      .then(erased);
    given(created(), deleted)
      .when({ type: 'Erase', erasure_id: 'evt_9', now: at(12) })
      .then(erased);
    given(created(), erased)
      .when({ type: 'Erase', erasure_id: 'evt_8', now: at(12) })
      .thenNothing();
    given(created(), erased).when(update(named)).thenRefused('contact_erased', { id: 'con_A' });
  });
  it('reads <erased> once its key is destroyed', () => {
    const known = given(created({ said: ['first_name'] })).state();
    expect(known.status === 'active' && known.facts.values.first_name?.value).to.equal('<erased>');
  });
  it('survives a merge if it is older, or equally old with the lower id', () => {
    const [a, b, c] = [
      { id: 'con_A', created_at: at(10) },
      { id: 'con_B', created_at: at(9) },
      { id: 'con_C', created_at: at(10) },
    ];
    expect([survivorOf(a, b), survivorOf(b, a), survivorOf(a, c), survivorOf(c, a)]).to.deep.equal([b, b, a, a]);
  });
});
