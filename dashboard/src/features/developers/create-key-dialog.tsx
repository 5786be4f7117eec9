import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, RadioGroup } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './developers.module.css';

type Mode = Schemas['ApiKeyMode'];

/** The scopes of each choice, null being everything. */
const ACCESS: Readonly<Record<string, Schemas['Scope'][] | null>> = { read: ['read'], write: ['write'], both: ['read', 'write'], all: null };

interface CreateKeyDialogProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onIssued: (key: Schemas['IssuedApiKey']) => void;
}

export const CreateKeyDialog = (props: CreateKeyDialogProps) => props.isOpen && <OpenDialog {...props} />;

function OpenDialog({ onClose, onIssued }: CreateKeyDialogProps) {
  const { t } = useLingui();
  const form = useId();
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const [access, setAccess] = useState('both');
  const [mode, setMode] = useState<Mode>('live');
  const [strict, setStrict] = useState(false);
  const body = { name, scopes: ACCESS[access] ?? null, mode, ...(strict && { strict }) };
  const create = useMutation({
    mutationFn: () => answer(api.POST('/v1/api-keys', { body })),
    onSuccess: (key) => {
      onIssued(key);
      return queries.invalidateQueries({ queryKey: ['api_key'] });
    },
  });
  const isUnnamed = create.error && !(create.error instanceof ApiError && create.error.problems.some(({ field }) => field === 'name'));

  return (
    <Dialog
      title={t`Create an API key`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <ShowAsCode method="POST" path="/v1/api-keys" body={body} />
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" form={form} look="primary" isPending={create.isPending}>
            <Trans>Create the key</Trans>
          </Button>
        </>
      }
    >
      <Form
        id={form}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        {isUnnamed && <ErrorNote {...noteOf(create.error)} />}
        <TextField
          label={t`Name`}
          hint={t`The program that will use it, such as “Shop, production”.`}
          error={problemOf(create.error, 'name')}
          value={name}
          onChange={setName}
          isRequired
          autoFocus
        />
        <RadioGroup
          label={t`Access`}
          value={access}
          onChange={setAccess}
          options={[
            { value: 'read', label: t`Read`, hint: t`Looks at everything, and changes nothing.` },
            { value: 'write', label: t`Write`, hint: t`Sends and changes, but sees nothing.` },
            { value: 'both', label: t`Read and write`, hint: t`All but users, keys and settings.` },
            { value: 'all', label: t`Everything`, hint: t`Also users, keys and settings: as an owner.` },
          ]}
        />
        <RadioGroup
          label={t`Mode`}
          value={mode}
          onChange={(value) => setMode(value === 'test' ? 'test' : 'live')}
          options={[
            { value: 'live', label: t`Live`, hint: t`Messages go to people.` },
            { value: 'test', label: t`Test`, hint: t`Messages reach the sandbox alone, and nothing that is live is changed.` },
          ]}
        />
        <Checkbox
          label={t`Strict`}
          hint={t`Every request with an unknown field is refused, which finds misspelt names early.`}
          isSelected={strict}
          onChange={setStrict}
        />
      </Form>
    </Dialog>
  );
}
