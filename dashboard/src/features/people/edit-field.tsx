import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { FieldText } from './field-text.tsx';
import { asText, asValue, changeOf, type Field, fieldValue } from './field-values.ts';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { contactQuery } from './queries.ts';

interface EditFieldProps {
  readonly field: Field;
  readonly contact: Contact;
  readonly version: string | null;
  readonly onClose: () => void;
}

/** What somebody else has stored while the field was open. */
interface Conflict {
  readonly value: unknown;
  readonly version: string | null;
}

/** The value as it was when the field was opened, and what has become of it since. */
function useFieldChange({ field, contact, version, onClose }: EditFieldProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const [opened] = useState(() => ({ value: fieldValue(field, contact), version }));
  const [conflict, setConflict] = useState<Conflict | null>(null);

  const patch = (value: unknown, expected: string | null) =>
    answer(
      api.PATCH('/v1/contacts/{id}', {
        params: { path: { id: contact.id } },
        headers: expected === null ? {} : { 'If-Match': expected },
        body: changeOf(field, value),
      }),
    );
  /** Another field may have changed meanwhile, which is no conflict; the same one is, and is shown. */
  const save = async ({ value, over }: { value: unknown; over: Conflict | null }) => {
    try {
      await patch(value, over ? over.version : opened.version);
      return 'saved' as const;
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'version_conflict')) throw error;
      const now = await queries.fetchQuery({ ...contactQuery(contact.id), staleTime: 0 });
      const theirs = fieldValue(field, now.value);
      if (JSON.stringify(theirs) === JSON.stringify(over ? over.value : opened.value)) {
        await patch(value, now.version);
        return 'saved' as const;
      }
      setConflict({ value: theirs, version: now.version });
      return 'conflict' as const;
    }
  };
  const change = useMutation({
    mutationFn: save,
    onSuccess: async (outcome) => {
      if (outcome === 'conflict') return;
      toast({ message: t`${field.label} was saved.`, tone: 'success' });
      onClose();
      await queries.invalidateQueries({ queryKey: ['contact'] });
    },
  });
  return { change, conflict };
}

/** Changes one field. A value that somebody else has stored meanwhile is shown beside the own one. */
export function EditField(props: EditFieldProps) {
  const { field, contact, onClose } = props;
  const { t } = useLingui();
  const [text, setText] = useState(() => asText(fieldValue(field, contact)));
  const { change, conflict } = useFieldChange(props);
  const value = asValue(field, text);
  const problem = change.error instanceof ApiError ? change.error.problems.find((one) => one.field.startsWith(field.name)) : undefined;
  return (
    <Form
      className={styles.editing}
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate({ value, over: conflict });
      }}
    >
      <FieldInput field={field} text={text} onChange={setText} error={problem?.message} />
      {change.isError && problem === undefined && <ErrorNote {...noteOf(change.error)} />}
      {conflict && <BothValues theirs={conflict.value} mine={value} />}
      <div className={styles.buttons}>
        <Button size="small" onPress={onClose}>
          {conflict ? t`Keep theirs` : t`Cancel`}
        </Button>
        <Button size="small" type="submit" look="primary" isPending={change.isPending}>
          {conflict ? t`Save mine` : t`Save`}
        </Button>
      </div>
    </Form>
  );
}

interface FieldInputProps {
  readonly field: Field;
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly error: string | undefined;
}

function FieldInput({ field: { label, custom }, text, onChange, error }: FieldInputProps) {
  const { t } = useLingui();
  const options =
    custom?.type === 'boolean'
      ? [
          { value: 'true', label: t`Yes` },
          { value: 'false', label: t`No` },
        ]
      : custom?.type === 'string' && custom.options
        ? custom.options.map((value) => ({ value, label: value }))
        : null;
  if (options)
    return (
      <SelectField
        label={label}
        options={options}
        value={text || null}
        onChange={(value) => onChange(value ?? '')}
        error={error}
        emptyLabel={t`No value`}
        autoFocus
      />
    );
  const isLong = custom?.type === 'json' || custom?.type === 'string_list';
  return (
    <TextField label={label} value={text} onChange={onChange} error={error} rows={isLong ? 4 : 1} hint={<Hint type={custom?.type} />} autoFocus />
  );
}

function Hint({ type }: { readonly type: string | undefined }) {
  if (type === 'string_list') return <Trans>One a line.</Trans>;
  if (type === 'date') return <Trans>Such as 2026-05-31.</Trans>;
  if (type === 'datetime') return <Trans>Such as 2026-05-31T10:00:00Z.</Trans>;
  return null;
}

const BothValues = ({ theirs, mine }: { readonly theirs: unknown; readonly mine: unknown }) => (
  <div className={styles.conflict} role="alert">
    <p>
      <Trans>Somebody else has changed this field meanwhile.</Trans>
    </p>
    <dl className={styles.both}>
      <dt>
        <Trans>Theirs</Trans>
      </dt>
      <dd>
        <ValueOrNone value={theirs} />
      </dd>
      <dt>
        <Trans>Yours</Trans>
      </dt>
      <dd>
        <ValueOrNone value={mine} />
      </dd>
    </dl>
  </div>
);

const ValueOrNone = ({ value }: { readonly value: unknown }) => (value === null ? <Trans>no value</Trans> : <FieldText value={value} />);
