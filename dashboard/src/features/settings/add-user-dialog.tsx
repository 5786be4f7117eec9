import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { RadioGroup } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { RoleField } from './role-field.tsx';
import styles from './settings.module.css';

type Role = Schemas['Role'];

interface AddUserDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Invites somebody by mail, or adds them with a first password. */
export const AddUserDialog = ({ isOpen, onClose }: AddUserDialogProps) => isOpen && <OpenDialog onClose={onClose} />;

function OpenDialog({ onClose }: Pick<AddUserDialogProps, 'onClose'>) {
  const { t } = useLingui();
  const form = useId();
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [how, setHow] = useState('invite');
  const [password, setPassword] = useState('');
  const add = useMutation({
    /** Whether they will know of it. */
    async mutationFn(): Promise<boolean> {
      if (how === 'invite') return (await answer(api.POST('/v1/account/users/invite', { body: { email, role } }))).message_id !== null;
      await answer(api.POST('/v1/account/users', { body: { email, role, password } }));
      return true;
    },
    onSuccess: (isTold) => {
      if (!isTold) return undefined;
      toast({ message: how === 'invite' ? t`An invitation to ${email} is on its way.` : t`${email} can sign in.` });
      onClose();
      return queries.invalidateQueries({ queryKey: ['user'] });
    },
  });
  const isAtFields = add.error instanceof ApiError && add.error.problems.length > 0;

  return (
    <Dialog
      title={t`Add a user`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={form} look="primary" isPending={add.isPending}>
            {how === 'invite' ? t`Send the invitation` : t`Add the user`}
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          add.mutate();
        }}
      >
        {add.data === false && (
          <ErrorNote
            message={
              <Trans>
                They are invited, but this account cannot send mail to anybody yet. Whoever runs the service prints the link with{' '}
                <code>heliograph user invite</code>; or give them a password here.
              </Trans>
            }
          />
        )}
        {add.error && !isAtFields && <ErrorNote {...noteOf(add.error)} />}
        <TextField
          label={t`Email`}
          type="email"
          autoComplete="off"
          error={problemOf(add.error, 'email')}
          value={email}
          onChange={setEmail}
          isRequired
          autoFocus
        />
        <RoleField value={role} onChange={setRole} error={problemOf(add.error, 'role')} />
        <RadioGroup
          label={t`How they get in`}
          value={how}
          onChange={setHow}
          options={[
            { value: 'invite', label: t`By an invitation`, hint: t`A mail with a link, where they choose a password.` },
            { value: 'password', label: t`With a password from you`, hint: t`For a service that cannot send mail yet.` },
          ]}
        />
        {how === 'password' && (
          <PasswordField
            label={t`Password`}
            autoComplete="new-password"
            error={problemOf(add.error, 'password')}
            value={password}
            onChange={setPassword}
            isRequired
          />
        )}
      </Form>
    </Dialog>
  );
}
