import { Trans } from '@lingui/react/macro';
import { CircleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import styles from './states.module.css';

/** Gray lines where content will be. */
export const Loading = ({ rows = 4 }: { readonly rows?: number }) => (
  <div className={styles.loading} role="status" aria-busy="true">
    <span className={styles.hidden}>
      <Trans>Loading</Trans>
    </span>
    {Array.from({ length: rows }, (_, i) => `line ${i}`).map((key) => (
      <span key={key} className={styles.line} />
    ))}
  </div>
);

interface EmptyProps {
  readonly title: ReactNode;
  /** What this is, for who sees it for the first time. */
  readonly children?: ReactNode;
  /** One primary action, and a link to its guide. */
  readonly actions?: ReactNode;
}

/** What a page shows that has nothing yet. */
export const Empty = ({ title, children, actions }: EmptyProps) => (
  <div className={styles.empty}>
    <h2>{title}</h2>
    {children && <p>{children}</p>}
    {actions && <div className={styles.actions}>{actions}</div>}
  </div>
);

interface ErrorNoteProps {
  readonly message: ReactNode;
  /** Names the request to whoever runs the service. */
  readonly requestId?: string | null;
  readonly onRetry?: () => void;
}

/** Announces that something failed, and what to do. */
export const ErrorNote = ({ message, requestId, onRetry }: ErrorNoteProps) => (
  <div className={styles.error} role="alert">
    <CircleAlert aria-hidden size={18} />
    <div>
      <p>{message}</p>
      {requestId && (
        <p className={styles.request}>
          <Trans>
            Request <code>{requestId}</code>
          </Trans>
        </p>
      )}
    </div>
    {onRetry && (
      <Button size="small" onPress={onRetry}>
        <Trans>Try again</Trans>
      </Button>
    )}
  </div>
);
