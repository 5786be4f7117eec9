import { useLingui } from '@lingui/react/macro';
import { Eye, EyeOff } from 'lucide-react';
import { useState } from 'react';
import { TextField as AriaTextField, FieldError, Group, Input, Label, Text } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './field.module.css';
import type { TextFieldProps } from './text-field.tsx';

type PasswordFieldProps = Omit<TextFieldProps, 'type' | 'rows'>;

/** A field for a password, which can be looked at while it is typed. */
export function PasswordField({ label, hint, error, placeholder, ...props }: PasswordFieldProps) {
  const { t } = useLingui();
  const [isShown, setIsShown] = useState(false);
  return (
    <AriaTextField
      {...props}
      type={isShown ? 'text' : 'password'}
      isInvalid={error !== undefined}
      validationBehavior="aria"
      spellCheck="false"
      className={styles.field ?? ''}
    >
      <Label className={styles.label ?? ''}>{label}</Label>
      <Group className={styles.withButton ?? ''}>
        <Input className={styles.input ?? ''} placeholder={placeholder} autoCapitalize="none" />
        <Button
          slot={null}
          size="small"
          look="quiet"
          aria-label={isShown ? t`Hide what is typed` : t`Show what is typed`}
          onPress={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
        </Button>
      </Group>
      {hint && !error && (
        <Text slot="description" className={styles.hint ?? ''}>
          {hint}
        </Text>
      )}
      <FieldError className={styles.error ?? ''}>{error}</FieldError>
    </AriaTextField>
  );
}
