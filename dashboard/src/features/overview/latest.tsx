import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './overview.module.css';

/** The messages that failed last, with the reason. */
export function Failures({ failures }: { readonly failures: readonly Schemas['LatestFailure'][] }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Latest failures`}>
      {failures.length === 0 ? (
        <p className={styles.none}>
          <Trans>No message has failed.</Trans>
        </p>
      ) : (
        <ul className={styles.rows}>
          {failures.map(({ id, to, status, status_reason, created_at, failed_at }) => (
            <li key={id} className={styles.row}>
              <Badge tone="danger">{status}</Badge>
              <span className={styles.words}>
                <Link to="/messages/$id" params={{ id }}>
                  {to}
                </Link>
                {status_reason && <span className={styles.reason}>{status_reason.replaceAll('_', ' ')}</span>}
              </span>
              <Time value={failed_at ?? created_at} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

/** What people answered last. */
export function Replies({ replies }: { readonly replies: readonly Schemas['LatestReply'][] }) {
  const { t } = useLingui();
  return (
    <Panel title={t`Latest replies`}>
      {replies.length === 0 ? (
        <p className={styles.none}>
          <Trans>Nobody has answered yet.</Trans>
        </p>
      ) : (
        <ul className={styles.rows}>
          {replies.map(({ id, from, from_name, subject, text, message_id, created_at }) => (
            <li key={id} className={styles.reply}>
              <span className={styles.row}>
                <bdi className={styles.words}>{from_name ?? from}</bdi>
                <Time value={created_at} />
              </span>
              <span className={styles.text}>{subject ? `${subject}: ${text}` : text}</span>
              {message_id && (
                <Link to="/messages/$id" params={{ id: message_id }}>
                  <Trans>The message it answers</Trans>
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}
