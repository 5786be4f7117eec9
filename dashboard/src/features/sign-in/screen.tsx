import { useLingui } from '@lingui/react/macro';
import { Sun } from 'lucide-react';
import type { FormEvent, ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { ApiError, hasStatus } from '../../api/errors.ts';
import { Page } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import styles from './sign-in.module.css';

interface ScreenProps {
  readonly title: string;
  readonly about?: ReactNode;
  readonly children: ReactNode;
  /** Below the card: where else one may want to go. */
  readonly below?: ReactNode;
}

/** A page for people who are not signed in: one card below the name of the product. */
export const Screen = ({ title, about, children, below }: ScreenProps) => (
  <main className={styles.screen}>
    <div className={styles.column}>
      <p className={styles.brand}>
        <Sun aria-hidden size={26} />
        Heliograph
      </p>
      <div className={styles.card}>
        <Page title={title} about={about}>
          {children}
        </Page>
      </div>
      {below && <div className={styles.below}>{below}</div>}
    </div>
  </main>
);

interface ScreenFormProps {
  readonly error: Error | null;
  /** What the status 401 means here, if not what the API says. */
  readonly refused?: string;
  readonly onSubmit: () => void;
  readonly children: ReactNode;
}

/** Its form: a failure is announced above the fields, except where it stands at a field. */
export function ScreenForm({ error, refused, onSubmit, children }: ScreenFormProps) {
  const failure = useFailure(error);
  const message = refused && hasStatus(error, 401) ? refused : failure;
  return (
    <Form
      className={styles.form ?? ''}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {message && <ErrorNote message={message} requestId={error instanceof ApiError && error.status >= 500 ? error.requestId : null} />}
      {children}
    </Form>
  );
}

/** What went wrong in words, or null if nothing did or a field says it. */
function useFailure(error: Error | null): string | null {
  const { t, i18n } = useLingui();
  if (error === null) return null;
  if (!(error instanceof ApiError)) return t`The service cannot be reached. Check your connection and try again.`;
  if (error.status === 429) {
    const seconds = error.retryAfter ?? 60;
    const minutes = Math.ceil(seconds / 60);
    const time = new Intl.DateTimeFormat(i18n.locale, { timeStyle: 'short' }).format(Date.now() + seconds * 1_000);
    return t`Too many attempts. Try again at ${time}, in ${minutes} min.`;
  }
  return error.problems.length > 0 ? null : error.message;
}
