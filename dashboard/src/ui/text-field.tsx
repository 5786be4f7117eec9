import type { ReactNode } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import styles from './field.module.css';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> {
  readonly label: ReactNode;
  /** Below the field: what is expected, or an example. */
  readonly hint?: ReactNode;
  /** What is wrong, in the words of the API. */
  readonly error?: string | undefined;
  readonly placeholder?: string;
  /** With more than one row it is a text area. */
  readonly rows?: number;
}

/** A field for a text, with its label, hint and error. */
export const TextField = ({ label, hint, error, placeholder, rows = 1, ...props }: TextFieldProps) => (
  <AriaTextField {...props} isInvalid={error !== undefined} validationBehavior="aria" className={styles.field ?? ''}>
    <Label className={styles.label ?? ''}>{label}</Label>
    {rows > 1 ? (
      <TextArea className={styles.input ?? ''} rows={rows} placeholder={placeholder} />
    ) : (
      <Input className={styles.input ?? ''} placeholder={placeholder} />
    )}
    {hint && !error && (
      <Text slot="description" className={styles.hint ?? ''}>
        {hint}
      </Text>
    )}
    <FieldError className={styles.error ?? ''}>{error}</FieldError>
  </AriaTextField>
);
