import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { toast } from '../../ui/toast.tsx';
import { useCancel } from './queries.ts';

interface CancelButtonProps {
  readonly message: { readonly id: string; readonly to: string };
  readonly size?: 'small' | 'normal';
}

/** Takes a message back, after asking. */
export function CancelButton({ message: { id, to }, size = 'small' }: CancelButtonProps) {
  const { t } = useLingui();
  const [asks, setAsks] = useState(false);
  const cancel = useCancel(id, (status) => {
    setAsks(false);
    toast(
      status === 'canceled'
        ? { message: t`The message to ${to} was canceled.`, tone: 'success' }
        : { message: t`The carrier may have the message already. It is not handed over again.` },
    );
  });
  return (
    <>
      <Button size={size} onPress={() => setAsks(true)}>
        <Trans>Cancel</Trans>
      </Button>
      <ConfirmDialog
        title={t`Cancel this message?`}
        confirmLabel={t`Cancel the message`}
        isOpen={asks}
        onClose={() => setAsks(false)}
        onConfirm={() => cancel.mutate()}
        isPending={cancel.isPending}
        error={cancel.error?.message}
      >
        <p>
          <Trans>
            It will not be sent to <bdi>{to}</bdi>. A canceled message stays canceled.
          </Trans>
        </p>
      </ConfirmDialog>
    </>
  );
}
