/** Runs in a copy of the project that has the field `nickname`: what the specs of the table cannot know of a single field. */
import assert from 'node:assert/strict';
import { readContactInput } from '../../../dist/commands/contacts/contact-input.js';
import { contactResource } from '../../../dist/domain/contacts/resource.js';
import { ruleFields } from '../../../dist/domain/segments/fields.js';

const reader = { account: 'acc_A', addresses: { key: () => 'key' }, fields: new Map() };
const { row } = readContactInput({ nickname: 'Countess' }, reader);
assert.deepEqual(row.patch.personal, { nickname: 'Countess' });
assert.deepEqual(row.patch.values, {});
assert.ok(Object.keys(contactResource.properties).includes('nickname'));
assert.equal(ruleFields.nickname, 'string');
console.log('ok');
