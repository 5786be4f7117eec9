import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Select as AriaSelect, Button, FieldError, Label, ListBox, ListBoxItem, Popover, SelectValue, Text } from 'react-aria-components';
import field from './field.module.css';
import list from './list.module.css';
import styles from './select-field.module.css';

export interface Option {
  readonly value: string;
  readonly label: string;
}

export interface SelectFieldProps {
  readonly label: ReactNode;
  readonly options: readonly Option[];
  readonly value: string | null;
  readonly onChange: (value: string | null) => void;
  readonly hint?: ReactNode;
  /** What is wrong, in the words of the API. */
  readonly error?: string | undefined;
  /** Adds an option that gives null. */
  readonly emptyLabel?: string;
  readonly placeholder?: string;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
}

/** Stands for null, which is no key of an option. */
const NOTHING = '\0';

/** One of a few options, chosen from a list that opens. */
export const SelectField = ({ label, options, value, onChange, hint, error, emptyLabel, ...props }: SelectFieldProps) => (
  <AriaSelect
    {...props}
    value={value ?? (emptyLabel === undefined ? null : NOTHING)}
    onChange={(key) => onChange(key === null || key === NOTHING ? null : String(key))}
    isInvalid={error !== undefined}
    validationBehavior="aria"
    className={field.field}
  >
    <Label className={field.label}>{label}</Label>
    <Button className={`${field.input} ${styles.button}`}>
      <SelectValue className={styles.value} />
      <ChevronDown aria-hidden size={16} />
    </Button>
    {hint && !error && (
      <Text slot="description" className={field.hint}>
        {hint}
      </Text>
    )}
    <FieldError className={field.error}>{error}</FieldError>
    <Popover className={`${list.popover} ${styles.popover}`}>
      <ListBox className={list.list}>
        {emptyLabel !== undefined && (
          <ListBoxItem id={NOTHING} className={`${list.item} ${list.muted}`}>
            {emptyLabel}
          </ListBoxItem>
        )}
        {options.map((option) => (
          <ListBoxItem key={option.value} id={option.value} className={list.item}>
            {option.label}
          </ListBoxItem>
        ))}
      </ListBox>
    </Popover>
  </AriaSelect>
);
