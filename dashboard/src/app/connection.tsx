import { Trans } from '@lingui/react/macro';
import { onlineManager } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import styles from './shell.module.css';

const subscribe = (listener: () => void): (() => void) => onlineManager.subscribe(listener);

/** Says that there is no connection, as long as there is none. */
export function ConnectionNotice() {
  const isOnline = useSyncExternalStore(subscribe, () => onlineManager.isOnline());
  return (
    <div role="status">
      {!isOnline && (
        <p className={styles.offline}>
          <CloudOff aria-hidden size={16} />
          <Trans>You are offline. What you see may be out of date, and changes cannot be saved.</Trans>
        </p>
      )}
    </div>
  );
}
