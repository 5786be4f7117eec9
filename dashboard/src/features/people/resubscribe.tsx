import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { useChange } from './queries.ts';

interface ResubscribeProps {
  readonly contact: string;
  readonly list: string;
  readonly onClose: () => void;
}

/** Puts somebody back on a list who was taken off by mistake. */
export function Resubscribe({ contact, list, onClose }: ResubscribeProps) {
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const [proof, setProof] = useState('');
  const back = useChange(
    () =>
      answer(
        api.POST('/v1/lists/{id}/contacts/{contact_id}/resubscribe', {
          params: { path: { id: list, contact_id: contact } },
          body: { reason, proof },
        }),
      ),
    ({ unchanged }) => {
      toast({ message: unchanged?.message ?? t`Back on the list.`, tone: 'success' });
      onClose();
    },
  );
  const isField = problemOf(back.error, 'reason') ?? problemOf(back.error, 'proof');
  return (
    <Dialog title={t`Put back on the list`} isOpen onClose={onClose}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          back.mutate(undefined);
        }}
      >
        {back.error && isField === undefined && <ErrorNote {...noteOf(back.error)} />}
        <TextField label={t`Reason`} value={reason} onChange={setReason} error={problemOf(back.error, 'reason')} isRequired autoFocus />
        <TextField
          label={t`Proof`}
          rows={3}
          hint={t`That the person wants it: a quotation, a form, a ticket.`}
          value={proof}
          onChange={setProof}
          error={problemOf(back.error, 'proof')}
          isRequired
        />
        <p className={styles.muted}>
          <Trans>The person is subscribed at once, also where the list asks for a confirmation. Consents and suppressions stay as they are.</Trans>
        </p>
        <div className={styles.buttons}>
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={back.isPending}>
            <Trans>Put back</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
