import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf, problemOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Panel } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { useChange } from './queries.ts';
import { Suppress } from './suppress.tsx';
import { channelWords, suppressionWords } from './words.ts';

type Suppression = Schemas['ContactSuppression'];

interface SuppressionsProps {
  readonly contact: Contact;
  readonly suppressions: readonly Suppression[];
  readonly isPast: boolean;
}

/** The entries of the do-not-contact list for the addresses of a person. */
export function Suppressions({ contact, suppressions, isPast }: SuppressionsProps) {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const mayWrite = useMay('suppressions:write') && !isPast;
  const hasAddress = contact.email !== null || contact.phone !== null;
  const [open, setOpen] = useState<'suppress' | 'lift' | null>(null);
  return (
    <Panel
      title={t`Suppressions`}
      actions={
        mayWrite && (
          <div className={styles.badges}>
            {suppressions.length > 0 && (
              <Button size="small" onPress={() => setOpen('lift')}>
                <Trans>Lift</Trans>
              </Button>
            )}
            {hasAddress && (
              <Button size="small" look="danger" onPress={() => setOpen('suppress')}>
                <Trans>Suppress</Trans>
              </Button>
            )}
          </div>
        )
      }
    >
      {suppressions.length === 0 ? (
        <p className={styles.muted}>
          <Trans>No address is on the do-not-contact list.</Trans>
        </p>
      ) : (
        <ul className={styles.rows}>
          {suppressions.map(({ address, channel, reason, scope, source, occurred_at, domain }) => (
            <li key={`${address} ${channel} ${reason} ${occurred_at} ${domain}`}>
              <div className={styles.words}>
                <strong>{i18n._(channelWords[channel])}</strong> · {i18n._(suppressionWords[reason])}
                <p className={styles.small}>
                  {address === 'email' ? t`Email` : t`Phone`} · <bdi>{domain ?? source}</bdi> · <Time value={occurred_at} zone={timezone} />
                </p>
              </div>
              <Badge tone={scope === 'all' ? 'danger' : 'warning'}>{scope === 'all' ? t`All messages` : t`Marketing only`}</Badge>
            </li>
          ))}
        </ul>
      )}
      <Suppress contact={contact} isOpen={open === 'suppress'} onClose={() => setOpen(null)} />
      <Lift contact={contact} isOpen={open === 'lift'} onClose={() => setOpen(null)} />
    </Panel>
  );
}

/** The entries that an address has, by its channels. */
const entriesOf = async (address: string) => (await answer(api.GET('/v1/account/unsubscribes', { params: { query: { address, limit: 200 } } }))).data;

interface LiftProps {
  readonly contact: Contact;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Takes an address off the list again, which needs a reason and should have a proof. */
function Lift({ contact: { email, phone }, isOpen, onClose }: LiftProps) {
  const { t } = useLingui();
  const addresses = [email, phone].filter((one) => one !== null);
  const [address, setAddress] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const [proof, setProof] = useState('');
  const close = (): void => {
    lift.reset();
    onClose();
  };
  const chosen = address ?? addresses[0] ?? null;
  const lift = useChange(
    async (of: string) => {
      const entries = await entriesOf(of);
      for (const { id } of entries)
        await answer(
          api.DELETE('/v1/account/unsubscribes/{id}', { params: { path: { id } }, body: { reason, ...(proof.trim() !== '' && { proof }) } }),
        );
      return entries.length;
    },
    () => {
      toast({ message: t`The suppression was lifted. The history keeps both.`, tone: 'success' });
      close();
    },
  );
  const isField = problemOf(lift.error, 'reason') ?? problemOf(lift.error, 'proof');
  return (
    <Dialog title={t`Lift suppressions`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== null) lift.mutate(chosen);
        }}
      >
        {lift.error && isField === undefined && <ErrorNote {...noteOf(lift.error)} />}
        <SelectField label={t`Address`} options={addresses.map((value) => ({ value, label: value }))} value={chosen} onChange={setAddress} />
        <TextField label={t`Reason`} value={reason} onChange={setReason} error={problemOf(lift.error, 'reason')} isRequired />
        <TextField
          label={t`Proof`}
          rows={3}
          hint={t`That the person wants it: a quotation, a form, a ticket.`}
          value={proof}
          onChange={setProof}
          error={problemOf(lift.error, 'proof')}
        />
        <p className={styles.muted}>
          <Trans>All entries of the address are lifted. Reason and proof stay in its history.</Trans>
        </p>
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={lift.isPending}>
            <Trans>Lift</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
