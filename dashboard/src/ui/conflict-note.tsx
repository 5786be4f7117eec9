import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './conflict-note.module.css';

export interface Difference {
  readonly label: ReactNode;
  readonly mine: string;
  readonly theirs: string;
}

interface ConflictNoteProps {
  /** The values that are not the same. */
  readonly differences: readonly Difference[];
  readonly onTakeTheirs: () => void;
  readonly onKeepMine: () => void;
  readonly isPending?: boolean;
}

/** Says that somebody else has saved something meanwhile, shows both, and lets the person choose. */
export function ConflictNote({ differences, onTakeTheirs, onKeepMine, isPending }: ConflictNoteProps) {
  const { t } = useLingui();
  return (
    <div className={styles.note} role="alert">
      <p>
        <Trans>Somebody else has saved a change since you began. Nothing of yours is saved yet.</Trans>
      </p>
      {differences.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              <th scope="col">{t`Yours`}</th>
              <th scope="col">{t`Saved meanwhile`}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ label, mine, theirs }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the rows have no other name, and stay as they are
              <tr key={index}>
                <th scope="row">{label}</th>
                <td>{mine}</td>
                <td>{theirs}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles.actions}>
        <Button size="small" onPress={onTakeTheirs}>
          <Trans>Take theirs</Trans>
        </Button>
        <Button size="small" onPress={onKeepMine} isPending={isPending}>
          <Trans>Save mine over it</Trans>
        </Button>
      </div>
    </div>
  );
}
