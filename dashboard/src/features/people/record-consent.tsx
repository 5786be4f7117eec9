import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { TimeField } from '../../ui/time-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { useChange } from './queries.ts';
import { basisWords, channels, channelWords, consentWords } from './words.ts';

type Input = Schemas['ConsentInput'];
type Draft = Required<Pick<Input, 'channel' | 'purpose' | 'status' | 'lawful_basis' | 'source'>> & { text: string; occurred_at: string | null };

const EMPTY: Draft = {
  channel: 'email',
  purpose: 'marketing',
  status: 'granted',
  lawful_basis: 'consent',
  source: 'dashboard',
  text: '',
  occurred_at: null,
};

const bodyOf = ({ text, occurred_at, ...statement }: Draft): Input => ({
  ...statement,
  ...(text.trim() !== '' && { proof: { text: text.trim() } }),
  ...(occurred_at !== null && { occurred_at }),
});

/** Adds a statement to the ledger. */
export function RecordConsent({ contact, isOpen, onClose }: { readonly contact: string; readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const [draft, setDraft] = useState(EMPTY);
  const set = <K extends keyof Draft>(name: K, value: Draft[K]): void => setDraft({ ...draft, [name]: value });
  const close = (): void => {
    setDraft(EMPTY);
    record.reset();
    onClose();
  };
  const record = useChange(
    (body: Input) => answer(api.POST('/v1/contacts/{id}/consents', { params: { path: { id: contact } }, body })),
    () => {
      toast({ message: t`The consent was recorded.`, tone: 'success' });
      close();
    },
  );
  return (
    <Dialog title={t`Record a consent`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          record.mutate(bodyOf(draft));
        }}
      >
        {record.error && (!(record.error instanceof ApiError) || record.error.problems.length === 0) && <ErrorNote {...noteOf(record.error)} />}
        <div className={styles.pair}>
          <SelectField
            label={t`Channel`}
            options={(['all', ...channels] as const).map((value) => ({ value, label: i18n._(channelWords[value]) }))}
            value={draft.channel}
            onChange={(value) => set('channel', value as Draft['channel'])}
            error={problemOf(record.error, 'channel')}
          />
          <SelectField
            label={t`Statement`}
            options={(Object.keys(consentWords) as Schemas['ConsentStatus'][]).map((value) => ({ value, label: i18n._(consentWords[value].label) }))}
            value={draft.status}
            onChange={(value) => set('status', value as Draft['status'])}
            error={problemOf(record.error, 'status')}
          />
        </div>
        <div className={styles.pair}>
          <TextField
            label={t`Purpose`}
            hint={t`Campaigns need “marketing”.`}
            value={draft.purpose}
            onChange={(value) => set('purpose', value)}
            error={problemOf(record.error, 'purpose')}
          />
          <SelectField
            label={t`Lawful basis`}
            options={(Object.keys(basisWords) as Schemas['LawfulBasis'][]).map((value) => ({ value, label: i18n._(basisWords[value]) }))}
            value={draft.lawful_basis}
            onChange={(value) => set('lawful_basis', value as Draft['lawful_basis'])}
            error={problemOf(record.error, 'lawful_basis')}
          />
        </div>
        <TextField
          label={t`Proof`}
          rows={3}
          hint={t`The text that was agreed to, or how you know: a quotation, a ticket, a form.`}
          value={draft.text}
          onChange={(value) => set('text', value)}
          error={problemOf(record.error, 'proof.text')}
        />
        <div className={styles.pair}>
          <TextField label={t`Source`} value={draft.source} onChange={(value) => set('source', value)} error={problemOf(record.error, 'source')} />
          <TimeField label={t`When it was said`} value={draft.occurred_at} onChange={(value) => set('occurred_at', value)} zone={timezone} />
        </div>
        <p className={styles.muted}>
          <Trans>Entries are never changed or removed. A mistake is mended by another statement.</Trans>
        </p>
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={record.isPending}>
            <Trans>Record</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
