import { type CustomFieldCommand, type CustomFieldEvent, customFields, MAX_CUSTOM_FIELDS } from '../../domain/contacts/custom-field.js';
import { specification } from '../given.js';

const { given } = specification(customFields);
const now = '2026-01-15T12:00:00.000Z';
const plan = { field_id: 'fld_1', key: 'plan', label: 'Plan', type: 'string', options: ['free', 'pro'], unique: false, pii: false } as const;
type Field = Extract<CustomFieldCommand, { type: 'Define' }>['field'];
const define = (more: Partial<Field> = {}): CustomFieldCommand => ({ type: 'Define', field: { ...plan, options: [...plan.options], ...more }, now });
const defined = (more: Partial<Field> = {}): CustomFieldEvent => ({
  type: 'CustomFieldDefined',
  data: { ...plan, options: [...plan.options], ...more, at: now },
});
const change = (more: object): CustomFieldCommand => ({ type: 'Change', field_id: 'fld_1', ...more, now });
const removed: CustomFieldEvent = { type: 'CustomFieldRemoved', data: { field_id: 'fld_1', key: 'plan', at: now } };

describe('the custom fields of an account', () => {
  it('are defined once for each key', () => {
    given().when(define()).then(defined());
    given(defined()).when(define()).thenNothing();
    given(defined())
      .when(define({ field_id: 'fld_2' }))
      .thenRefused('conflict', { id: 'fld_1' });
  });
  it('accept a removed key again', () =>
    given(defined(), removed)
      .when(define({ field_id: 'fld_2', type: 'number', options: null }))
      .then(defined({ field_id: 'fld_2', type: 'number', options: null })));
  it('can be unique only for types with a normal form', () => {
    for (const type of ['boolean', 'date', 'datetime', 'string_list', 'json'] as const) {
      given()
        .when(define({ type, options: null, unique: true }))
        .thenRefused('validation_error');
    }
  });
  it('have options only for text types', () => {
    given()
      .when(define({ type: 'number' }))
      .thenRefused('validation_error');
    given(defined({ type: 'number', options: null }))
      .when(change({ options: ['1'] }))
      .thenRefused('validation_error');
  });
  it('are limited in number', () => {
    const all = Array.from({ length: MAX_CUSTOM_FIELDS }, (_, n) => defined({ field_id: `fld_${n}`, key: `key_${n}` }));
    given(...all)
      .when(define({ field_id: 'fld_more' }))
      .thenRefused('conflict');
  });
  it('record only changes of label and options', () => {
    given(defined())
      .when(change({ label: 'Tariff', options: null }))
      .then({ type: 'CustomFieldChanged', data: { field_id: 'fld_1', key: 'plan', label: 'Tariff', options: null, at: now } });
    given(defined())
      .when(change({ label: 'Plan', options: ['free', 'pro'] }))
      .thenNothing();
    given()
      .when(change({ label: 'Tariff' }))
      .thenRefused('not_found', { resource: 'custom_field', id: 'fld_1' });
  });
  it('are removed once', () => {
    given(defined()).when({ type: 'Remove', field_id: 'fld_1', now }).then(removed);
    given(defined(), removed).when({ type: 'Remove', field_id: 'fld_1', now }).thenNothing();
  });
});
