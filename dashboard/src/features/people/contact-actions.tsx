import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api } from '../../api/client.ts';
import { ApiError } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { toast } from '../../ui/toast.tsx';
import { MergeInto } from './merge-contact.tsx';
import { type Contact, nameOf } from './person-name.tsx';
import { useChange } from './queries.ts';
import { RecordConsent } from './record-consent.tsx';
import { Suppress } from './suppress.tsx';

type Action = 'consent' | 'suppress' | 'merge' | 'delete' | 'erase';

/** What can be done with a person. */
export function ContactActions({ contact }: { readonly contact: Contact }) {
  const { t } = useLingui();
  const [open, setOpen] = useState<Action | null>(null);
  const maySuppress = useMay('suppressions:write') && (contact.email !== null || contact.phone !== null);
  const maySend = useMay('messages:send');
  const close = (): void => setOpen(null);
  const to = contact.email ?? contact.phone;
  return (
    <>
      {maySend && to !== null && (
        <ButtonLink
          to={'/messages/send' as string}
          search={{ to, channel: contact.email === null ? 'sms' : 'email', contact_id: contact.id } as never}
        >
          <Trans>Send a message</Trans>
        </ButtonLink>
      )}
      <Menu
        label={t`Actions`}
        look="plain"
        items={[
          { key: 'consent', label: t`Record a consent`, onAction: () => setOpen('consent') },
          { key: 'merge', label: t`Merge with another contact`, onAction: () => setOpen('merge') },
          ...(maySuppress ? [{ key: 'suppress', label: t`Suppress`, tone: 'danger' as const, onAction: () => setOpen('suppress') }] : []),
          { key: 'delete', label: t`Delete`, tone: 'danger', onAction: () => setOpen('delete') },
          { key: 'erase', label: t`Erase`, tone: 'danger', onAction: () => setOpen('erase') },
        ]}
      />
      <RecordConsent contact={contact.id} isOpen={open === 'consent'} onClose={close} />
      <Suppress contact={contact} isOpen={open === 'suppress'} onClose={close} />
      <MergeInto contact={contact} isOpen={open === 'merge'} onClose={close} />
      <Delete contact={contact} isOpen={open === 'delete'} onClose={close} />
      <Erase contact={contact} isOpen={open === 'erase'} onClose={close} />
    </>
  );
}

interface StepProps {
  readonly contact: Contact;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const failureOf = (error: Error | null) => (error ? { error: error.message, requestId: error instanceof ApiError ? error.requestId : null } : {});

function Delete({ contact, isOpen, onClose }: StepProps) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const remove = useChange(
    () => answer(api.DELETE('/v1/contacts/{id}', { params: { path: { id: contact.id } } })),
    () => {
      toast({ message: t`The contact was deleted.`, tone: 'success' });
      void navigate({ to: '/people' });
    },
  );
  return (
    <ConfirmDialog
      title={t`Delete this contact`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel={t`Delete`}
      onConfirm={() => remove.mutate(undefined)}
      isPending={remove.isPending}
      {...failureOf(remove.error)}
    >
      <Trans>
        The addresses are free for a new contact. Suppressions and consents stay on record, and so does what was sent. To destroy the personal data as
        well, erase the person instead.
      </Trans>
    </ConfirmDialog>
  );
}

function Erase({ contact, isOpen, onClose }: StepProps) {
  const { t } = useLingui();
  const erase = useChange(
    () => answer(api.POST('/v1/contacts/{id}/erase', { params: { path: { id: contact.id } } })),
    () => toast({ message: t`The person was erased.`, tone: 'success' }),
  );
  return (
    <ConfirmDialog
      title={t`Erase this person`}
      isOpen={isOpen}
      onClose={onClose}
      confirmLabel={t`Erase for ever`}
      onConfirm={() => erase.mutate(undefined)}
      isPending={erase.isPending}
      typedName={nameOf(contact) ?? contact.id}
      {...failureOf(erase.error)}
    >
      <Trans>
        This destroys the keys of all personal data: names, addresses, texts of messages, proofs and properties of events, also of contacts that are
        merged into this one. Nobody can undo it. It reaches one person.
      </Trans>
    </ConfirmDialog>
  );
}
