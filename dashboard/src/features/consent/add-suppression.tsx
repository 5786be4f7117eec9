import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './consent.module.css';
import { channels, channelWords, reasons, reasonWords } from './words.ts';

interface AddSuppressionProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Puts one address, or a whole domain, on the do-not-contact list. */
export function AddSuppression(props: AddSuppressionProps) {
  const { t } = useLingui();
  return (
    <Dialog title={t`Add an address`} {...props}>
      <AddForm onClose={props.onClose} />
    </Dialog>
  );
}

/** The field of the request that an address belongs into. */
function fieldOf(given: string): 'email' | 'phone' | 'domain' {
  if (/^\*?@|^[^@\s]*\.[^@\s\d]+$/.test(given)) return 'domain';
  return given.includes('@') ? 'email' : 'phone';
}

const chosen = reasons.filter((reason) => !['erased', 'soft_bounces'].includes(reason));

function AddForm({ onClose }: Pick<AddSuppressionProps, 'onClose'>) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const [address, setAddress] = useState('');
  const [channel, setChannel] = useState<string | null>('all');
  const [reason, setReason] = useState<string | null>('manual');
  const [scope, setScope] = useState('all');
  const [source, setSource] = useState('');
  const [occurredAt, setOccurredAt] = useState<string | null>(null);
  const given = address.trim();
  const field = fieldOf(given);
  const add = useMutation({
    mutationFn: () =>
      answer(
        api.POST('/v1/account/unsubscribes', {
          body: {
            [field]: given,
            channel: (channel ?? 'all') as Schemas['SuppressionChannel'],
            reason: (reason ?? 'manual') as Schemas['SuppressionReason'],
            scope: scope as Schemas['SuppressionScope'],
            source: source.trim() || 'dashboard',
            ...(occurredAt !== null && { occurred_at: occurredAt }),
          },
        }),
      ),
    onSuccess({ address: added, changed }) {
      onClose();
      toast({ message: changed ? t`${added} gets no more messages.` : t`${added} was on the list before.`, tone: 'success' });
      return queries.invalidateQueries({ queryKey: ['suppression'] });
    },
  });
  const isUnknown = add.error !== null && !(add.error instanceof ApiError && add.error.problems.length > 0);
  return (
    <Form
      className={styles.parts}
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate();
      }}
    >
      <TextField
        label={t`Address`}
        value={address}
        onChange={setAddress}
        hint={t`An email address, a phone number with its country prefix, or a domain such as example.com.`}
        error={problemOf(add.error, field) ?? problemOf(add.error, 'email')}
        autoFocus
        autoComplete="off"
      />
      <SelectField
        label={t`Channel`}
        options={channels.map((value) => ({ value, label: i18n._(channelWords[value]) }))}
        value={channel}
        onChange={setChannel}
        error={problemOf(add.error, 'channel')}
      />
      <RadioGroup
        label={t`Stops`}
        value={scope}
        onChange={setScope}
        options={[
          { value: 'all', label: t`Every message` },
          { value: 'marketing', label: t`Marketing only` },
        ]}
      />
      <SelectField
        label={t`Reason`}
        options={chosen.map((value) => ({ value, label: i18n._(reasonWords[value]) }))}
        value={reason}
        onChange={setReason}
        error={problemOf(add.error, 'reason')}
      />
      <TextField
        label={t`Source`}
        value={source}
        onChange={setSource}
        hint={t`How you know, such as “phone call”.`}
        error={problemOf(add.error, 'source')}
      />
      <TimeField label={t`Said at`} value={occurredAt} onChange={setOccurredAt} hint={t`Empty: now.`} error={problemOf(add.error, 'occurred_at')} />
      {isUnknown && <ErrorNote {...noteOf(add.error)} />}
      <div className={styles.buttons}>
        <Button onPress={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button type="submit" look="primary" isPending={add.isPending}>
          <Trans>Add to the list</Trans>
        </Button>
      </div>
    </Form>
  );
}
