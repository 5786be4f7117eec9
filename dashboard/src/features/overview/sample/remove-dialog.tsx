import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { toast } from '../../../ui/toast.tsx';
import { removeSample } from './remove-sample.ts';

/** Asks before the sample is removed. */
export default function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const removing = useMutation({
    mutationFn: removeSample,
    onSuccess: async () => {
      toast({ message: t`The sample is removed.`, tone: 'success' });
      onClose();
      await queries.invalidateQueries();
    },
  });
  return (
    <ConfirmDialog
      isOpen
      title={t`Remove the sample?`}
      confirmLabel={t`Remove`}
      onConfirm={() => removing.mutate()}
      onClose={onClose}
      isPending={removing.isPending}
      error={removing.error?.message}
    >
      <p>
        <Trans>
          Its people, lists, segments, templates, campaign and journey are deleted. What was sent to them stays in the history of messages.
        </Trans>
      </p>
    </ConfirmDialog>
  );
}
