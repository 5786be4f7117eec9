import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { type Contact, PersonName } from './person-name.tsx';
import { contactsQuery, useChange } from './queries.ts';
import { useTypedText } from './use-pause.ts';

interface MergeIntoProps {
  readonly contact: Contact;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Makes one contact of two that are the same person. */
export function MergeInto({ contact, isOpen, onClose }: MergeIntoProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [q, setQ] = useState('');
  const [typed, setTyped] = useTypedText(q, setQ);
  const [chosen, setChosen] = useState<string | null>(null);
  const found = useInfiniteQuery({ ...contactsQuery({ q }), enabled: isOpen && q !== '', placeholderData: keepPreviousData, retry: false });
  const others = q === '' ? [] : (found.data?.pages[0]?.data ?? []).filter(({ id }) => id !== contact.id).slice(0, 8);
  const close = (): void => {
    merge.reset();
    setChosen(null);
    onClose();
  };
  const unmerge = useChange(({ id, merge_id }: { id: string; merge_id: string }) =>
    answer(api.POST('/v1/contacts/{id}/unmerge', { params: { path: { id } }, body: { merge_id } })),
  );
  const merge = useChange(
    (source_contact_id: string) => answer(api.POST('/v1/contacts/{id}/merge', { params: { path: { id: contact.id } }, body: { source_contact_id } })),
    ({ contact: { id }, merge_id }) => {
      toast({ message: t`The two are one contact now.`, tone: 'success', undo: () => unmerge.mutate({ id, merge_id }) });
      close();
      void navigate({ to: '/people/$id', params: { id } });
    },
  );
  return (
    <Dialog
      title={t`Merge with another contact`}
      isOpen={isOpen}
      onClose={close}
      actions={
        <>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button look="primary" isDisabled={chosen === null} isPending={merge.isPending} onPress={() => chosen !== null && merge.mutate(chosen)}>
            <Trans>Merge</Trans>
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {merge.error && <ErrorNote {...noteOf(merge.error)} />}
        <SearchField label={t`Search the other contact`} placeholder={t`Name, email or phone`} value={typed} onChange={setTyped} autoFocus />
        {q !== '' && found.error && <p className={styles.muted}>{found.error.message}</p>}
        {q !== '' && found.data && !found.error && others.length === 0 && (
          <p className={styles.muted}>
            <Trans>Nobody matches.</Trans>
          </p>
        )}
        {others.length > 0 && (
          <RadioGroup
            label={t`The same person`}
            options={others.map((one) => ({ value: one.id, label: <PersonName contact={one} />, hint: <bdi>{one.email ?? one.phone}</bdi> }))}
            value={chosen}
            onChange={setChosen}
          />
        )}
        <p className={styles.muted}>
          <Trans>
            The older one stays, and the address of the other leads to it. The latest values win, tags are put together, and the more restrictive
            consent counts. It can be undone.
          </Trans>
        </p>
      </div>
    </Dialog>
  );
}
