import { Trans, useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
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

type Fields = Record<'email' | 'phone' | 'first_name' | 'last_name', string>;
const EMPTY: Fields = { email: '', phone: '', first_name: '', last_name: '' };

/** Makes a contact, or completes the one who has the address already, and opens it. */
export function NewContact({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [fields, setFields] = useState(EMPTY);
  const create = useChange(
    (body: Partial<Fields>) => answer(api.POST('/v1/contacts', { body })),
    ({ id, merged }) => {
      toast({ message: merged ? t`There was such a contact: it was completed.` : t`The contact was created.`, tone: 'success' });
      close();
      void navigate({ to: '/people/$id', params: { id } });
    },
  );
  const close = (): void => {
    setFields(EMPTY);
    create.reset();
    onClose();
  };
  const field = (name: keyof Fields) => ({
    value: fields[name],
    onChange: (value: string) => setFields({ ...fields, [name]: value }),
    error: problemOf(create.error, name),
  });
  const isElsewhere = create.isError && !Object.keys(EMPTY).some((name) => problemOf(create.error, name) !== undefined);
  return (
    <Dialog title={t`New contact`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate(Object.fromEntries(Object.entries(fields).filter(([, value]) => value.trim() !== '')));
        }}
      >
        {isElsewhere && <ErrorNote {...noteOf(create.error)} />}
        <TextField label={t`Email`} type="email" autoFocus {...field('email')} />
        <TextField label={t`Phone`} type="tel" hint={t`With country prefix, such as +14155550100.`} {...field('phone')} />
        <div className={styles.pair}>
          <TextField label={t`First name`} {...field('first_name')} />
          <TextField label={t`Last name`} {...field('last_name')} />
        </div>
        <p className={styles.muted}>
          <Trans>Making a contact grants no consent. Record one on the page of the person, with its proof.</Trans>
        </p>
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={create.isPending}>
            <Trans>Create</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
