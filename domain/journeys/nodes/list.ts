import { named, oneOf, record, type Static } from '../../kernel/schema.js';
import { unknownReference } from '../part-problems.js';
import { nameOf } from '../texts.js';
import type { NodeDescriptor } from './descriptor.js';
import { base, nextNode, reference } from './fields.js';
import { onlyNext } from './ways.js';

const schema = named(
  'JourneyListChange',
  record({ ...base('list'), action: named('JourneyListAction', oneOf('add', 'remove')), list_id: reference, next: nextNode }),
);
export type ListNode = Static<typeof schema>;

/** Adds the contact to a list, or removes it from one. */
export const listDescriptor: NodeDescriptor<'list', ListNode, ListNode> = {
  kind: 'list',
  title: 'List',
  group: 'act',
  form: { schema },
  apart: [],
  ways: onlyNext,
  complete: (given) => given,
  describe: ({ action, list_id }, names) => `${action === 'add' ? 'Add to' : 'Remove from'} ${nameOf('list', list_id, names)}`,
  problems: ({ list_id }, pointer, { catalog }) =>
    typeof list_id === 'string' && list_id !== '' && !catalog.lists.has(list_id) ? [unknownReference(`${pointer}/list_id`, 'list', list_id)] : [],
  references: (node) => ({ parts: [node] }),
};
