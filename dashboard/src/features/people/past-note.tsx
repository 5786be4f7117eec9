import { Trans } from '@lingui/react/macro';
import { useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './people.module.css';

/** Says that the page shows the past, and leads back. */
export function PastNote({ at, onBack }: { readonly at: string; readonly onBack: () => void }) {
  const { timezone } = useMe().account;
  return (
    <div className={styles.past} role="status">
      <p>
        <Trans>
          You see the past: <Time value={at} zone={timezone} isExact />. Nothing can be changed there.
        </Trans>
      </p>
      <Button size="small" onPress={onBack}>
        <Trans>Back to now</Trans>
      </Button>
    </div>
  );
}
