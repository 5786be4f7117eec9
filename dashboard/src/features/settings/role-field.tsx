import { useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import { RadioGroup } from '../../ui/choices.tsx';
import { roles, roleWords } from './words.ts';

type Role = Schemas['Role'];

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
  readonly error: string | undefined;
}

export function RoleField({ value, onChange, error }: RoleFieldProps) {
  const { t, i18n } = useLingui();
  return (
    <RadioGroup
      label={t`Role`}
      value={value}
      onChange={(role) => onChange(role as Role)}
      options={roles.map((role) => ({ value: role, label: i18n._(roleWords[role].label), hint: i18n._(roleWords[role].hint) }))}
      error={error}
    />
  );
}
