import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import type { Tone } from './badge.tsx';
import { Time } from './time.tsx';
import styles from './timeline.module.css';

export interface TimelineEntry {
  readonly key: string;
  /** An instant as ISO 8601. */
  readonly at: string;
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly tone?: Tone;
  /** Shown on demand, such as the stored event. */
  readonly more?: ReactNode;
}

/** What happened, one after the other. */
export const Timeline = ({ entries }: { readonly entries: readonly TimelineEntry[] }) => (
  <ol className={styles.timeline}>
    {entries.map(({ key, at, title, detail, tone = 'neutral', more }) => (
      <li key={key} className={styles.entry} data-tone={tone}>
        <div className={styles.head}>
          <span className={styles.title}>{title}</span>
          <span className={styles.at}>
            <Time value={at} />
          </span>
        </div>
        {detail && <div className={styles.detail}>{detail}</div>}
        {more && (
          <details className={styles.more}>
            <summary>
              <Trans>Details</Trans>
            </summary>
            {more}
          </details>
        )}
      </li>
    ))}
  </ol>
);
