import { Trans, useLingui } from '@lingui/react/macro';
import { Dialog } from '../ui/dialog.tsx';
import styles from './palette.module.css';

/** What the platform calls its main key for commands. */
export const commandKey = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

/** All keys, for who wants to leave the mouse alone. */
export function KeysDialog({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const keys: readonly (readonly [readonly string[], string])[] = [
    [[commandKey, 'K'], t`Go anywhere, find anyone, do something`],
    [['/'], t`Filter the list`],
    [['j'], t`Next row`],
    [['k'], t`Previous row`],
    [['Enter'], t`Open the row`],
    [['x'], t`Select the row; with Shift up to the last one selected`],
    [['Esc'], t`Close what is open`],
    [['?'], t`These keys`],
  ];
  return (
    <Dialog title={t`Keyboard shortcuts`} isOpen={isOpen} onClose={onClose}>
      <table className={styles.keys}>
        <thead className={styles.hidden}>
          <tr>
            <th scope="col">
              <Trans>Key</Trans>
            </th>
            <th scope="col">
              <Trans>What it does</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {keys.map(([parts, does]) => (
            <tr key={does}>
              <td>
                {parts.map((part) => (
                  <kbd key={part}>{part}</kbd>
                ))}
              </td>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  );
}
