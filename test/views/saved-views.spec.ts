import { MAX_SAVED_VIEWS, type SavedViewCommand, type SavedViewEvent, savedViews } from '../../domain/views/saved-views.js';
import { specification } from '../given.js';

const at = '2026-01-15T10:30:00.000Z';
const later = '2026-01-15T11:30:00.000Z';
const content = { name: 'Failed', page: 'messages', query: 'status=failed', shared: false };
const about = { account_id: 'acc_1', view_id: 'vie_1' };
const create = (view_id = 'vie_1', shared = false, user: string | null = 'usr_1'): SavedViewCommand => ({
  ...({ type: 'Create', account_id: 'acc_1', content: { ...content, shared }, now: at } as const),
  view_id,
  user,
});
const created = (view_id = 'vie_1', shared = false, owner: string | null = 'usr_1'): SavedViewEvent => ({
  type: 'SavedViewCreated',
  data: { account_id: 'acc_1', view_id, ...content, shared, owner, at },
});
const change = (
  change: Extract<SavedViewCommand, { type: 'Change' }>['change'],
  user: string | null = 'usr_1',
  expected: number | null = null,
): SavedViewCommand => ({
  type: 'Change',
  ...about,
  change,
  user,
  expected,
  now: later,
});
const remove = (user: string | null = 'usr_1'): SavedViewCommand => ({ type: 'Delete', view_id: 'vie_1', user, now: later });
const deleted: SavedViewEvent = { type: 'SavedViewDeleted', data: { view_id: 'vie_1', at: later } };
const { given } = specification(savedViews);

describe('saved views', () => {
  it('are created once', () => {
    given().when(create()).then(created());
    given(created()).when(create()).thenNothing();
    given(created(), deleted).when(create()).thenNothing();
  });

  it('are for all of the account where a key makes them', () => {
    given()
      .when(create('vie_1', true, null))
      .then(created('vie_1', true, null));
    given()
      .when(create('vie_1', false, null))
      .thenRefused('forbidden');
    given(created('vie_1', true, null))
      .when(change({ shared: false }, null))
      .thenRefused('forbidden');
  });

  it('are at most 200', () => {
    const all = Array.from({ length: MAX_SAVED_VIEWS }, (_, i) => created(`vie_${i + 1}`));
    given(...all)
      .when(create('vie_201'))
      .thenRefused('conflict', { limit: MAX_SAVED_VIEWS });
    given(...all, deleted)
      .when(create('vie_201'))
      .then(created('vie_201'));
    given(...all)
      .when(create('vie_200'))
      .thenNothing();
  });

  it('change as a whole, and only if something changes', () => {
    given(created()).when(change({})).thenNothing();
    given(created())
      .when(change({ ...content }))
      .thenNothing();
    given(created())
      .when(change({ query: '' }))
      .then({ type: 'SavedViewChanged', data: { ...about, ...content, query: '', at: later } });
    given(created())
      .when(change({ query: '' }, 'usr_1', 2))
      .thenRefused('version_conflict', { actual: 1 });
  });

  it('do not exist for other users and keys while they are personal', () => {
    for (const other of ['usr_2', null]) {
      given(created())
        .when(change({ name: 'Mine' }, other))
        .thenRefused('not_found');
      given(created()).when(remove(other)).thenRefused('not_found');
    }
  });

  it('are changed by whoever may write while they are shared, and taken back by their owner alone', () => {
    const shared = created('vie_1', true);
    given(shared)
      .when(change({ name: 'Ours' }, 'usr_2'))
      .thenIncludes({ type: 'SavedViewChanged', data: { name: 'Ours', shared: true } });
    given(shared)
      .when(change({ shared: false }, 'usr_2'))
      .thenRefused('forbidden');
    given(shared)
      .when(change({ shared: false }))
      .thenIncludes({ type: 'SavedViewChanged', data: { shared: false } });
    given(shared).when(remove(null)).then(deleted);
  });

  it('are deleted once', () => {
    given(created()).when(remove()).then(deleted);
    given(created(), deleted).when(remove()).thenNothing();
    given().when(remove()).thenRefused('not_found');
  });
});
