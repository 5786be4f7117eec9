import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastQueue as AriaToastQueue,
  UNSTABLE_ToastRegion as AriaToastRegion,
  Text,
} from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './toast.module.css';

interface ToastContent {
  readonly message: string;
  readonly tone?: 'success' | 'danger';
  /** What takes the change back, if the log can. */
  readonly undo?: () => void;
}

/** Milliseconds that a note stays; one with an Undo stays as long as the service takes it back. */
const STAYS = 6_000;
const STAYS_WITH_UNDO = 30_000;

const queue = new AriaToastQueue<ToastContent>({ maxVisibleToasts: 3 });

/** Tells, for some seconds, that something was done. */
export const toast = (content: ToastContent): void => {
  queue.add(content, { timeout: content.undo ? STAYS_WITH_UNDO : STAYS });
};

/** Where notes appear. Once in the application. */
export function ToastRegion() {
  const { t } = useLingui();
  return (
    <AriaToastRegion queue={queue} className={styles.region ?? ''}>
      {({ toast: one }) => (
        <AriaToast toast={one} className={styles.toast ?? ''} data-tone={one.content.tone}>
          <AriaToastContent className={styles.content ?? ''}>
            <Text slot="title">{one.content.message}</Text>
          </AriaToastContent>
          {one.content.undo && (
            <Button
              size="small"
              onPress={() => {
                one.content.undo?.();
                queue.close(one.key);
              }}
            >
              <Trans>Undo</Trans>
            </Button>
          )}
          <Button slot="close" size="small" look="quiet" aria-label={t`Close`}>
            <X aria-hidden />
          </Button>
        </AriaToast>
      )}
    </AriaToastRegion>
  );
}
