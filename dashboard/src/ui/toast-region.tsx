import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import {
  UNSTABLE_Toast as AriaToast,
  UNSTABLE_ToastContent as AriaToastContent,
  UNSTABLE_ToastRegion as AriaToastRegion,
  Text,
} from 'react-aria-components';
import { Button } from './button.tsx';
import styles from './toast.module.css';
import { queue } from './toast.tsx';

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
