import { flag, list, named, nullable, record, type Static, text, time } from '../kernel/schema.js';
import { type CustomField, customFieldTypeSchema } from './custom-field.js';

/** A custom field in the API. */
export const customFieldResource = named(
  'CustomField',
  record({
    id: text,
    key: text,
    label: text,
    type: customFieldTypeSchema,
    /** The allowed values; null if any value is allowed. */
    options: nullable(list(text)),
    unique: flag,
    pii: flag,
    created_at: time,
    updated_at: time,
  }),
);
export type CustomFieldResource = Static<typeof customFieldResource>;

export const toCustomFieldResource = ({
  field_id: id,
  key,
  label,
  type,
  options,
  unique,
  pii,
  created_at,
  updated_at,
}: CustomField): CustomFieldResource => ({
  id,
  key,
  label,
  type,
  options,
  unique,
  pii,
  created_at,
  updated_at,
});
