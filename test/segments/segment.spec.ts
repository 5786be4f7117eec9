import type { Rule } from '../../domain/segments/rule.js';
import { segment } from '../../domain/segments/segment.js';
import { specification } from '../given.js';

const { given } = specification(segment);
const [id, at, now] = ['seg_1', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z'];
const rules: Rule = { type: 'attribute', field: 'plan', op: 'eq', value: 'pro' };
const created = { type: 'SegmentCreated', data: { segment_id: id, name: 'Pros', rules, at } } as const;
const deleted = { type: 'SegmentDeleted', data: { segment_id: id, at: now } } as const;
const update = (change: { name?: string; rules?: Rule }, expected: number | null = null) =>
  ({ type: 'Update', segment_id: id, change, expected, now }) as const;

describe('A segment', () => {
  it('is created once', () => {
    const create = { type: 'Create', segment_id: id, name: 'Pros', rules, now: at } as const;
    given().when(create).then(created);
    given(created).when(create).thenNothing();
  });

  it('counts its rules apart from its changes', () => {
    const renamed = { type: 'SegmentUpdated', data: { segment_id: id, name: 'Best', at: now } } as const;
    given(created)
      .when(update({ name: 'Best', rules }))
      .then(renamed);
    given(created, renamed)
      .when(update({ rules: { type: 'everyone' } }))
      .then({ type: 'SegmentUpdated', data: { segment_id: id, rules: { type: 'everyone' }, rules_version: 2, at: now } });
    given(created)
      .when(update({ rules: { field: 'plan', value: 'pro', op: 'eq', type: 'attribute' } }))
      .thenNothing();
  });

  it('is changed at the expected version only, and not after its deletion', () => {
    given(created)
      .when(update({ name: 'x' }, 2))
      .thenRefused('version_conflict', { expected: 2, actual: 1 });
    given(created, deleted)
      .when(update({ name: 'x' }))
      .thenRefused('not_found');
    given()
      .when(update({ name: 'x' }))
      .thenRefused('not_found');
  });

  it('is deleted once', () => {
    given(created).when({ type: 'Delete', segment_id: id, now }).then(deleted);
    given(created, deleted).when({ type: 'Delete', segment_id: id, now }).thenNothing();
  });
});
