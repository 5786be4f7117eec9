import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  CheckboxGroup as AriaCheckboxGroup,
  RadioGroup as AriaRadioGroup,
  Switch as AriaSwitch,
  FieldError,
  Label,
  Radio,
  Text,
} from 'react-aria-components';
import styles from './choices.module.css';
import field from './field.module.css';

interface Choice {
  readonly value: string;
  readonly label: ReactNode;
  /** In smaller letters below the label. */
  readonly hint?: ReactNode;
  readonly isDisabled?: boolean;
}

interface OnOffProps {
  readonly label: ReactNode;
  readonly hint?: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

const Words = ({ label, hint }: { readonly label: ReactNode; readonly hint?: ReactNode }) => (
  <span className={styles.words}>
    {label}
    {hint && <span className={field.hint}>{hint}</span>}
  </span>
);

const Box = ({ isIndeterminate = false }: { readonly isIndeterminate?: boolean }) => (
  <span className={styles.box}>{isIndeterminate ? <Minus aria-hidden size={14} /> : <Check aria-hidden size={14} />}</span>
);

/** A box to tick. `isIndeterminate`: some of what it stands for is selected. */
export const Checkbox = ({ label, hint, ...props }: OnOffProps & { readonly isIndeterminate?: boolean }) => (
  <AriaCheckbox {...props} className={styles.choice}>
    <Box isIndeterminate={props.isIndeterminate} />
    <Words label={label} hint={hint} />
  </AriaCheckbox>
);

/** What takes effect at once. */
export const Switch = ({ label, hint, ...props }: OnOffProps) => (
  <AriaSwitch {...props} className={styles.choice}>
    <span className={styles.track} />
    <Words label={label} hint={hint} />
  </AriaSwitch>
);

interface GroupProps {
  readonly label: ReactNode;
  readonly options: readonly Choice[];
  readonly hint?: ReactNode;
  /** What is wrong, in the words of the API. */
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
}

const Notes = ({ hint, error }: Pick<GroupProps, 'hint' | 'error'>) => (
  <>
    {hint && !error && (
      <Text slot="description" className={field.hint}>
        {hint}
      </Text>
    )}
    <FieldError className={field.error}>{error}</FieldError>
  </>
);

interface CheckboxGroupProps extends GroupProps {
  readonly value: readonly string[];
  readonly onChange: (value: string[]) => void;
}

/** Any number of a few options, all in sight. */
export const CheckboxGroup = ({ label, options, hint, error, value, ...props }: CheckboxGroupProps) => (
  <AriaCheckboxGroup {...props} value={[...value]} isInvalid={error !== undefined} validationBehavior="aria" className={field.field}>
    <Label className={field.label}>{label}</Label>
    {options.map((option) => (
      <AriaCheckbox key={option.value} value={option.value} isDisabled={option.isDisabled} className={styles.choice}>
        <Box />
        <Words {...option} />
      </AriaCheckbox>
    ))}
    <Notes hint={hint} error={error} />
  </AriaCheckboxGroup>
);

interface RadioGroupProps extends GroupProps {
  readonly value: string | null;
  readonly onChange: (value: string) => void;
}

/** One of a few options, all in sight. */
export const RadioGroup = ({ label, options, hint, error, ...props }: RadioGroupProps) => (
  <AriaRadioGroup {...props} isInvalid={error !== undefined} validationBehavior="aria" className={field.field}>
    <Label className={field.label}>{label}</Label>
    {options.map((option) => (
      <Radio key={option.value} value={option.value} isDisabled={option.isDisabled} className={styles.choice}>
        <span className={styles.dot} />
        <Words {...option} />
      </Radio>
    ))}
    <Notes hint={hint} error={error} />
  </AriaRadioGroup>
);
