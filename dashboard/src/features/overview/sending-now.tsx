import { Trans, useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './overview.module.css';

/** Campaigns and bulks that are being sent, with their progress. */
export function SendingNow({ sending }: { readonly sending: readonly Schemas['SendingNow'][] }) {
  const { t, i18n } = useLingui();
  return (
    <Panel title={t`Sending now`}>
      <ul className={styles.rows}>
        {sending.map(({ id, name, done, total, started_at }) => {
          const label = name ?? t`Bulk ${id}`;
          const doneText = i18n.number(done);
          const totalText = total === null ? '…' : i18n.number(total);
          return (
            <li key={id} className={styles.row}>
              <span className={styles.words}>{label}</span>
              <progress aria-label={label} className={styles.progress} {...(total !== null && { value: done, max: Math.max(total, 1) })} />
              <span className={styles.count}>
                <Trans>
                  {doneText} of {totalText}
                </Trans>
              </span>
              <Time value={started_at} />
            </li>
          );
        })}
      </ul>
    </Panel>
  );
}
