import { Trans, useLingui } from '@lingui/react/macro';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { Button as AriaButton, Dialog, DialogTrigger, Form, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './filter-bar.module.css';
import list from './list.module.css';
import { Menu } from './menu.tsx';
import type { Option } from './select-field.tsx';
import { TextField } from './text-field.tsx';
import { Time } from './time.tsx';
import { TimeField } from './time-field.tsx';

export type Filter =
  | { readonly key: string; readonly label: string; readonly kind: 'choice'; readonly options: readonly Option[] }
  | { readonly key: string; readonly label: string; readonly kind: 'text' | 'time' };

export interface FilterBarProps {
  readonly filters: readonly Filter[];
  /** By the key of the filter; the page keeps them in its address. */
  readonly values: Readonly<Record<string, string | undefined>>;
  readonly onChange: (key: string, value: string | undefined) => void;
}

/** What narrows a list: a chip for each filter in use, and a menu of the others. */
export function FilterBar({ filters, values, onChange }: FilterBarProps) {
  const { t } = useLingui();
  const [open, setOpen] = useState<string | null>(null);
  const inUse = filters.filter(({ key }) => values[key] !== undefined || key === open);
  const others = filters.filter(({ key }) => values[key] === undefined);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form
    <div role="group" aria-label={t`Filters`} className={styles.bar}>
      {inUse.map((filter) => (
        <Chip
          key={filter.key}
          filter={filter}
          value={values[filter.key]}
          isOpen={open === filter.key}
          onOpenChange={(opens) => setOpen(opens ? filter.key : null)}
          onChange={(value) => {
            setOpen(null);
            onChange(filter.key, value);
          }}
        />
      ))}
      {others.length > 0 && (
        <Menu label={t`Add filter`} look="plain" size="small" items={others.map(({ key, label }) => ({ key, label, onAction: () => setOpen(key) }))}>
          <ListFilter aria-hidden />
          <Trans>Add filter</Trans>
        </Menu>
      )}
    </div>
  );
}

interface ChipProps {
  readonly filter: Filter;
  readonly value: string | undefined;
  readonly isOpen: boolean;
  readonly onOpenChange: (isOpen: boolean) => void;
  readonly onChange: (value: string | undefined) => void;
}

function Chip({ filter, value, isOpen, onOpenChange, onChange }: ChipProps) {
  const { t } = useLingui();
  const { label } = filter;
  return (
    <span className={styles.chip}>
      <DialogTrigger isOpen={isOpen} onOpenChange={onOpenChange}>
        <AriaButton className={styles.value}>
          <span className={styles.name}>{label}</span>
          {value !== undefined && <ValueOf filter={filter} value={value} />}
        </AriaButton>
        <Popover className={list.popover} placement="bottom start">
          <Dialog aria-label={label} className={styles.dialog}>
            {filter.kind === 'choice' ? (
              <ListBox
                aria-label={label}
                autoFocus
                selectionMode="single"
                disallowEmptySelection
                selectedKeys={value === undefined ? [] : [value]}
                onSelectionChange={(keys) => onChange([...keys].map(String)[0])}
                className={list.list}
                items={filter.options}
              >
                {(option) => (
                  <ListBoxItem id={option.value} className={list.item}>
                    {option.label}
                  </ListBoxItem>
                )}
              </ListBox>
            ) : (
              <Entry filter={filter} value={value} onChange={onChange} />
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {value !== undefined && (
        <AriaButton className={styles.remove} aria-label={t`Remove filter ${label}`} onPress={() => onChange(undefined)}>
          <X aria-hidden size={14} />
        </AriaButton>
      )}
    </span>
  );
}

function ValueOf({ filter, value }: { readonly filter: Filter; readonly value: string }) {
  if (filter.kind === 'choice') return <>{filter.options.find((option) => option.value === value)?.label ?? value}</>;
  return filter.kind === 'time' ? <Time value={value} isExact /> : <bdi>{value}</bdi>;
}

/** A field that takes effect when it is left by Enter or its button. */
function Entry({ filter, value, onChange }: Pick<ChipProps, 'filter' | 'value' | 'onChange'>) {
  const [draft, setDraft] = useState(value ?? '');
  return (
    <Form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        onChange(draft.trim() || undefined);
      }}
    >
      {filter.kind === 'time' ? (
        <TimeField label={filter.label} value={draft || null} onChange={(at) => setDraft(at ?? '')} autoFocus />
      ) : (
        <TextField label={filter.label} value={draft} onChange={setDraft} autoFocus />
      )}
      <Button type="submit" look="primary" size="small">
        <Trans>Apply</Trans>
      </Button>
    </Form>
  );
}
