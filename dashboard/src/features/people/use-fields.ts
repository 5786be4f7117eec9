import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type BaseField, baseFields, type Field } from './field-values.ts';
import { fieldsQuery } from './queries.ts';

/** The fields that every contact has, and those of the account. */
export function useFields(): Field[] {
  const { t } = useLingui();
  const { data } = useQuery(fieldsQuery);
  const labels: Record<BaseField, string> = {
    email: t`Email`,
    phone: t`Phone`,
    first_name: t`First name`,
    last_name: t`Last name`,
    locale: t`Language`,
    timezone: t`Time zone`,
  };
  const custom = (data?.data ?? []).map((field): Field => ({ name: `custom_fields.${field.key}`, label: field.label, custom: field }));
  return [...baseFields.map((name): Field => ({ name, label: labels[name], custom: null })), ...custom];
}
