import { expect } from 'chai';
import { contactList, type ListCommand, type ListEvent } from '../../domain/lists/list.js';
import { specification } from '../given.js';

const { given } = specification(contactList);
const now = '2026-01-02T00:00:00.000Z';
const before = '2026-01-01T00:00:00.000Z';

const create: ListCommand = { type: 'Create', list_id: 'lst_1', name: 'News', description: null, opt_in: 'single', now: before };
const change = (fields: object, expected: number | null = null): ListCommand => ({ type: 'Change', list_id: 'lst_1', change: fields, expected, now });
const remove: ListCommand = { type: 'Delete', list_id: 'lst_1', now };

const created: ListEvent = { type: 'ListCreated', data: { list_id: 'lst_1', name: 'News', description: null, opt_in: 'single', at: before } };
const changed = (fields: object): ListEvent => ({ type: 'ListChanged', data: { list_id: 'lst_1', ...fields, at: now } });
const deleted: ListEvent = { type: 'ListDeleted', data: { list_id: 'lst_1', at: now } };

describe('List', () => {
  it('is created', () => given().when(create).then(created));
  it('produces no event when the creation is repeated', () => given(created).when(create).thenNothing());
  it('produces no event when a deleted list is created again', () => given(created, deleted).when(create).thenNothing());

  it('records only the fields that change', () =>
    given(created)
      .when(change({ name: 'Offers', opt_in: 'single' }))
      .then(changed({ name: 'Offers' })));
  it('clears the description with null', () =>
    given(created, changed({ description: 'Weekly' }))
      .when(change({ description: null }))
      .then(changed({ description: null })));
  it('produces no event when nothing changes', () =>
    given(created)
      .when(change({ name: 'News', description: null }))
      .thenNothing());
  it('is changed at the expected version', () =>
    given(created, changed({ name: 'Offers' }))
      .when(change({ name: 'News' }, 2))
      .then(changed({ name: 'News' })));
  it('refuses a change at another version', () =>
    given(created, changed({ name: 'Offers' }))
      .when(change({ name: 'News' }, 1))
      .thenRefused('version_conflict', { expected: 1, actual: 2 }));
  it('refuses a change of a list that does not exist', () =>
    given()
      .when(change({ name: 'Offers' }))
      .thenRefused('not_found'));
  it('refuses a change of a deleted list', () =>
    given(created, deleted)
      .when(change({ name: 'Offers' }))
      .thenRefused('not_found'));

  it('is deleted', () => given(created).when(remove).then(deleted));
  it('produces no event when the deletion is repeated', () => given(created, deleted).when(remove).thenNothing());
  it('refuses the deletion of a list that does not exist', () => given().when(remove).thenRefused('not_found'));

  it('counts its events as versions', () =>
    expect(given(created, changed({ name: 'Offers' }), deleted).state()).to.deep.include({
      status: 'deleted',
      name: 'Offers',
      version: 3,
      created_at: before,
      updated_at: now,
    }));
});
