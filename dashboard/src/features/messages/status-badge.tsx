import { useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import styles from './messages.module.css';
import { reasonWords, type Status, statusWords } from './words.ts';

/** The status of a message, with its reason if it has one. */
export function StatusBadge({ status, reason = null }: { readonly status: Status; readonly reason?: Schemas['StatusReason'] | null }) {
  const { i18n } = useLingui();
  const { label, tone } = statusWords[status];
  return (
    <span className={styles.status}>
      <Badge tone={tone}>{i18n._(label)}</Badge>
      {reason !== null && <span className={styles.reason}>{i18n._(reasonWords[reason])}</span>}
    </span>
  );
}
