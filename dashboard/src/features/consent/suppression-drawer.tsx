import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Id } from '../../ui/id.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { AddressHistory } from './address-part.tsx';
import styles from './consent.module.css';
import { suppressionQuery } from './queries.ts';
import { channelWords, methodWords, reasonWords, scopeWords } from './words.ts';

type Suppression = Schemas['Suppression'];

interface SuppressionDrawerProps {
  /** Null while it is closed. */
  readonly id: string | null;
  readonly onClose: () => void;
}

/** One entry of the do-not-contact list, with its reasons, its history, and how to lift it. */
export function SuppressionDrawer({ id, onClose }: SuppressionDrawerProps) {
  const { t } = useLingui();
  const mayWrite = useMay('suppressions:write');
  const [lifts, setLifts] = useState(false);
  const { data, error } = useQuery({ ...suppressionQuery(id ?? ''), enabled: id !== null });
  return (
    <Drawer
      title={data?.address ?? t`Suppressed address`}
      isOpen={id !== null}
      onClose={onClose}
      actions={
        mayWrite &&
        data && (
          <Button look="danger" onPress={() => setLifts(true)}>
            <Trans>Lift</Trans>
          </Button>
        )
      }
    >
      {error ? <ErrorNote {...noteOf(error)} /> : data ? <Content entry={data} /> : <Loading />}
      {data && (
        <LiftDialog
          entry={data}
          isOpen={lifts}
          onClose={() => setLifts(false)}
          onLifted={() => {
            setLifts(false);
            onClose();
          }}
        />
      )}
    </Drawer>
  );
}

function Content({ entry }: { readonly entry: Suppression }) {
  const { t, i18n } = useLingui();
  const { id, address, channel, scope, reasons, created_at } = entry;
  const isErased = address === null || address.startsWith('<');
  return (
    <div className={styles.parts}>
      <DefinitionList
        items={[
          { term: t`Channel`, value: i18n._(channelWords[channel]) },
          { term: t`Stops`, value: i18n._(scopeWords[scope]) },
          { term: t`Added`, value: <Time value={created_at} /> },
          { term: t`Id`, value: <Id value={id} /> },
        ]}
      />
      <h3>
        <Trans>Reasons</Trans>
      </h3>
      <ul className={styles.rows}>
        {reasons.map((one) => (
          <li key={`${one.reason} ${one.occurred_at} ${one.source}`} className={styles.row}>
            <strong>{i18n._(reasonWords[one.reason])}</strong>
            <span className={styles.muted}>
              <Time value={one.occurred_at} /> · <bdi>{one.source}</bdi>
              {one.via !== null && ` · ${i18n._(methodWords[one.via])}`}
            </span>
            {one.message_id !== null && (
              <Link to="/messages/$id" params={{ id: one.message_id }}>
                <Trans>The message</Trans>
              </Link>
            )}
          </li>
        ))}
      </ul>
      {!isErased && (
        <>
          <h3>
            <Trans>History of the address</Trans>
          </h3>
          <AddressHistory address={address} />
        </>
      )}
    </div>
  );
}

interface LiftDialogProps {
  readonly entry: Suppression;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onLifted: () => void;
}

/** Asks why, and for the proof that the person wants it. */
function LiftDialog({ entry: { id, address }, isOpen, onClose, onLifted }: LiftDialogProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [reason, setReason] = useState('');
  const [proof, setProof] = useState('');
  const lift = useMutation({
    mutationFn: () =>
      answer(
        api.DELETE('/v1/account/unsubscribes/{id}', {
          params: { path: { id } },
          body: { reason: reason.trim(), ...(proof.trim() !== '' && { proof: proof.trim() }) },
        }),
      ),
    onSuccess() {
      onLifted();
      toast({ message: t`The entry was lifted. Its history keeps both.`, tone: 'success' });
      return queries.invalidateQueries({ queryKey: ['suppression'] });
    },
  });
  const ofReason = problemOf(lift.error, 'reason');
  const ofProof = problemOf(lift.error, 'proof');
  const name = address ?? t`this address`;
  return (
    <ConfirmDialog
      title={t`Lift this entry?`}
      confirmLabel={t`Lift the entry`}
      isOpen={isOpen}
      onClose={onClose}
      onConfirm={() => lift.mutate()}
      isPending={lift.isPending}
      error={ofReason || ofProof ? undefined : lift.error?.message}
    >
      <div className={styles.parts}>
        <p>
          <Trans>
            <bdi>{name}</bdi> can be written to again, unless another entry stands against it. Lift only what the person wants lifted.
          </Trans>
        </p>
        <TextField label={t`Reason`} value={reason} onChange={setReason} error={ofReason} autoFocus isRequired />
        <TextField
          label={t`Proof`}
          rows={3}
          value={proof}
          onChange={setProof}
          hint={t`What shows that the person wants it: a quotation, a form, a ticket.`}
          error={ofProof}
        />
      </div>
    </ConfirmDialog>
  );
}
