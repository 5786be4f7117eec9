import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Form } from 'react-aria-components';
import { api, type VersionedValue, versioned } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { useVersionedSave } from '../../api/versioned-save.ts';
import { Button } from '../../ui/button.tsx';
import { Switch } from '../../ui/choices.tsx';
import { ConflictNote } from '../../ui/conflict-note.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { type User, userQuery } from './queries.ts';
import { RoleField } from './role-field.tsx';
import styles from './settings.module.css';
import { roleWords } from './words.ts';

interface ChangeUserDialogProps {
  readonly userId: string;
  readonly onClose: () => void;
}

/** Name, role and status of a user. */
export function ChangeUserDialog({ userId, onClose }: ChangeUserDialogProps) {
  const { t } = useLingui();
  // What it shows at first is what it saves over: it is read when it opens.
  const found = useQuery({ ...userQuery(userId), staleTime: 0, gcTime: 0 });
  if (found.data) return <Loaded user={found.data} onClose={onClose} />;
  return (
    <Dialog title={t`Change the user`} isOpen onClose={onClose}>
      {found.error ? <ErrorNote {...noteOf(found.error)} /> : <Loading rows={4} />}
    </Dialog>
  );
}

function Loaded({ user, onClose }: { readonly user: VersionedValue<User>; readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const form = useId();
  const queries = useQueryClient();
  const [base] = useState(user);
  const { id, email } = base.value;
  const [draft, setDraft] = useState(shapeOf(base.value));
  const set = (change: Partial<typeof draft>): void => setDraft({ ...draft, ...change });
  const { save, isPending, error, theirs, reset } = useVersionedSave<User>({
    base,
    reload: () => queries.fetchQuery({ ...userQuery(id), staleTime: 0 }),
    save: (version) => versioned(api.PATCH('/v1/account/users/{id}', { params: { path: { id } }, body: draft, headers: { 'If-Match': version } })),
    onSaved: () => {
      toast({ message: t`${email} is saved.` });
      onClose();
      return queries.invalidateQueries({ queryKey: ['user'] });
    },
  });
  const words = ({ name, role, status }: typeof draft): [string, string][] => [
    [t`Name`, name ?? ''],
    [t`Role`, i18n._(roleWords[role].label)],
    [t`Status`, status === 'active' ? t`Active` : t`Disabled`],
  ];
  const isAtFields = error instanceof ApiError && error.problems.length > 0;

  return (
    <Dialog
      title={t`Change ${email}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={form} look="primary" isPending={isPending} isDisabled={theirs !== null}>
            <Trans>Save</Trans>
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {error && !isAtFields && <ErrorNote {...noteOf(error)} />}
        {theirs && (
          <ConflictNote
            differences={words(draft)
              .map(([label, mine], index) => ({ label, mine, theirs: words(shapeOf(theirs))[index]?.[1] ?? '' }))
              .filter((difference) => difference.mine !== difference.theirs)}
            onTakeTheirs={() => {
              setDraft(shapeOf(theirs));
              reset();
            }}
            onKeepMine={save}
            isPending={isPending}
          />
        )}
        <TextField
          label={t`Name`}
          error={problemOf(error, 'name')}
          value={draft.name ?? ''}
          onChange={(name) => set({ name: name === '' ? null : name })}
          autoFocus
        />
        <RoleField value={draft.role} onChange={(role) => set({ role })} error={problemOf(error, 'role')} />
        <Switch
          label={t`May sign in`}
          hint={t`Without it they are signed out everywhere.`}
          isSelected={draft.status === 'active'}
          onChange={(may) => set({ status: may ? 'active' : 'disabled' })}
        />
      </Form>
    </Dialog>
  );
}

const shapeOf = ({ name, role, status }: User): Pick<User, 'name' | 'role' | 'status'> => ({ name, role, status });
