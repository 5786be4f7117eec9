import { Trans } from '@lingui/react/macro';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button, ComboBox, FieldError, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import styles from './combo-field.module.css';
import field from './field.module.css';
import list from './list.module.css';

export interface ComboItem {
  readonly value: string;
  readonly label: string;
  /** In smaller letters beside the label. */
  readonly hint?: string;
}

export interface ComboFieldProps {
  readonly label: ReactNode;
  readonly value: string | null;
  /** The text for the value until it has been looked up. */
  readonly valueLabel?: string;
  readonly onChange: (value: string | null, item: ComboItem | null) => void;
  /** What matches a text; called after a pause in typing, and first with an empty one. */
  readonly load: (text: string, signal: AbortSignal) => Promise<readonly ComboItem[]>;
  /** Whether a text that no item has is a value of its own. */
  readonly allowsOther?: boolean;
  readonly placeholder?: string;
  readonly hint?: ReactNode;
  /** What is wrong, in the words of the API. */
  readonly error?: string | undefined;
  readonly isDisabled?: boolean;
  readonly isRequired?: boolean;
  readonly autoFocus?: boolean;
}

/** Milliseconds without a letter after which items are looked up. */
const PAUSE = 200;

/** One of many values, found by typing. */
export function ComboField(props: ComboFieldProps) {
  const { label, value, valueLabel, onChange, load, allowsOther = false, placeholder, hint, error, ...more } = props;
  const [text, setText] = useState(valueLabel ?? value ?? '');
  const { items, isLoading, start } = useItems(load, text);
  const choose = (item: ComboItem | null): void => {
    setText(item?.label ?? '');
    onChange(item?.value ?? null, item);
  };
  return (
    <ComboBox
      {...more}
      items={items}
      value={value}
      onChange={(key) => {
        const item = items.find((one) => one.value === key);
        if (item) choose(item);
      }}
      inputValue={text}
      onInputChange={(next) => {
        setText(next);
        if (next === '') onChange(null, null);
        else if (allowsOther) onChange(next, null);
      }}
      onFocus={start}
      allowsCustomValue={allowsOther}
      allowsEmptyCollection
      menuTrigger="focus"
      isInvalid={error !== undefined}
      validationBehavior="aria"
      className={field.field}
    >
      <Label className={field.label}>{label}</Label>
      <span className={styles.box}>
        <Input className={`${field.input} ${styles.input}`} placeholder={placeholder} />
        <Button className={field.inner}>
          <ChevronDown aria-hidden size={16} />
        </Button>
      </span>
      {hint && !error && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <FieldError className={field.error}>{error}</FieldError>
      <Popover className={`${list.popover} ${styles.popover}`}>
        <ListBox<ComboItem>
          className={list.list}
          renderEmptyState={() => <p className={list.none}>{isLoading ? <Trans>Loading</Trans> : <Trans>Nothing found</Trans>}</p>}
        >
          {(item) => (
            <ListBoxItem id={item.value} textValue={item.label} className={list.item}>
              <Text slot="label">{item.label}</Text>
              {item.hint && (
                <Text slot="description" className={list.muted}>
                  {item.hint}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}

/** The items for a text, once the field is used. Those for the text before stay until the new ones are there. */
function useItems(load: ComboFieldProps['load'], text: string) {
  const [items, setItems] = useState<readonly ComboItem[]>([]);
  const [isLoading, setIsLoading] = useState(false);
  const [isUsed, setIsUsed] = useState(false);
  const latest = useRef(load);
  useEffect(() => {
    latest.current = load;
  });
  useEffect(() => {
    if (!isUsed) return;
    const ended = new AbortController();
    setIsLoading(true);
    const show = (found: readonly ComboItem[]): void => {
      if (ended.signal.aborted) return;
      setItems(found);
      setIsLoading(false);
    };
    const timer = setTimeout(() => latest.current(text, ended.signal).then(show, () => show([])), PAUSE);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [text, isUsed]);
  return { items, isLoading, start: () => setIsUsed(true) };
}
