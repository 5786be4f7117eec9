import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import styles from './json-view.module.css';
import { entriesOf, foldedText, MANY, startsOpen } from './pure/json.ts';

/** A JSON value that can be folded and copied. */
export function JsonView({ value }: { readonly value: unknown }) {
  const { t } = useLingui();
  return (
    <div className={styles.view}>
      <div className={styles.copy}>
        <CopyButton text={JSON.stringify(value, null, 2) ?? 'null'} label={t`Copy as JSON`} />
      </div>
      <Value value={value} depth={0} />
    </div>
  );
}

interface ValueProps {
  readonly name?: string | number;
  readonly value: unknown;
  readonly depth: number;
}

function Value({ name, value, depth }: ValueProps) {
  const [isOpen, setIsOpen] = useState(() => startsOpen(value, depth));
  const entries = entriesOf(value);
  const label = name !== undefined && <span className={typeof name === 'number' ? styles.index : styles.name}>{name}</span>;
  if (!entries || entries.length === 0) {
    return (
      <div className={styles.leaf}>
        {label}
        <Leaf value={value} />
      </div>
    );
  }
  return (
    <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className={styles.summary}>
        {label}
        <span className={styles.folded}>{isOpen ? countOf(value, entries.length) : foldedText(value)}</span>
      </summary>
      {isOpen && <Parts value={value} depth={depth} />}
    </details>
  );
}

const countOf = (value: unknown, count: number): string => (Array.isArray(value) ? `[${count}]` : `{${count}}`);

function Parts({ value, depth }: { readonly value: unknown; readonly depth: number }) {
  const [shown, setShown] = useState(MANY);
  const entries = entriesOf(value) ?? [];
  return (
    <div className={styles.parts}>
      {entries.slice(0, shown).map(([name, one]) => (
        <Value key={name} name={name} value={one} depth={depth + 1} />
      ))}
      {entries.length > shown && (
        <Button size="small" onPress={() => setShown(shown + 10 * MANY)}>
          <Trans>Show more</Trans>
        </Button>
      )}
    </div>
  );
}

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'string') return <bdi className={styles.string}>{JSON.stringify(value)}</bdi>;
  return <span className={styles.literal}>{foldedText(value)}</span>;
}
