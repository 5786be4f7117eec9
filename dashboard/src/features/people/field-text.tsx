import { useLingui } from '@lingui/react/macro';

/** The value of a custom field as a text. */
export function FieldText({ value }: { readonly value: unknown }) {
  const { t } = useLingui();
  if (value === undefined || value === null) return null;
  if (typeof value === 'boolean') return value ? t`Yes` : t`No`;
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return <bdi>{value.join(', ')}</bdi>;
  return <bdi>{typeof value === 'object' ? JSON.stringify(value) : String(value)}</bdi>;
}
