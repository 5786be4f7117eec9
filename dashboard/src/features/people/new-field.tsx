import { Trans, useLingui } from '@lingui/react/macro';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf, problemOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/choices.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { fieldsQuery, useChange } from './queries.ts';
import { fieldTypeWords } from './words.ts';

const EMPTY = { label: '', key: '', type: 'string' as Schemas['CustomFieldType'], options: '', unique: false, pii: false };

/** A key for a label: `Loyalty tier` gives `loyalty_tier`. */
const keyFor = (label: string): string =>
  label
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_+$/g, '')
    .slice(0, 64);

/** Defines a custom field. */
export function NewField({ isOpen, onClose }: { readonly isOpen: boolean; readonly onClose: () => void }) {
  const { t, i18n } = useLingui();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(EMPTY);
  const close = (): void => {
    setDraft(EMPTY);
    define.reset();
    onClose();
  };
  const define = useChange(
    ({ options, ...field }: typeof EMPTY) => {
      const lines = options.split('\n').flatMap((line) => line.trim() || []);
      return answer(api.POST('/v1/custom-fields', { body: { ...field, ...(lines.length > 0 && { options: lines }) } }));
    },
    () => {
      toast({ message: t`The field was created.`, tone: 'success' });
      void queries.invalidateQueries({ queryKey: fieldsQuery.queryKey });
      close();
    },
  );
  const { error } = define;
  const isElsewhere = error && !(error instanceof ApiError && error.problems.length > 0);
  return (
    <Dialog title={t`New field`} isOpen={isOpen} onClose={close}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          define.mutate({ ...draft, key: draft.key || keyFor(draft.label) });
        }}
      >
        {isElsewhere && <ErrorNote {...noteOf(error)} />}
        <TextField
          label={t`Label`}
          value={draft.label}
          onChange={(label) => setDraft({ ...draft, label })}
          error={problemOf(error, 'label')}
          autoFocus
        />
        <div className={styles.pair}>
          <TextField
            label={t`Key`}
            hint={t`Cannot be changed later.`}
            placeholder={keyFor(draft.label)}
            value={draft.key}
            onChange={(key) => setDraft({ ...draft, key })}
            error={problemOf(error, 'key')}
          />
          <SelectField
            label={t`Type`}
            hint={t`Cannot be changed later.`}
            options={(Object.keys(fieldTypeWords) as Schemas['CustomFieldType'][]).map((value) => ({ value, label: i18n._(fieldTypeWords[value]) }))}
            value={draft.type}
            onChange={(type) => setDraft({ ...draft, type: type as Schemas['CustomFieldType'] })}
            error={problemOf(error, 'type')}
          />
        </div>
        {(draft.type === 'string' || draft.type === 'string_list') && (
          <TextField
            label={t`Allowed values`}
            hint={t`One a line. Without any, every value is allowed.`}
            rows={3}
            value={draft.options}
            onChange={(options) => setDraft({ ...draft, options })}
            error={problemOf(error, 'options')}
          />
        )}
        <Checkbox
          label={t`Unique`}
          hint={problemOf(error, 'unique') ?? t`Your own identifier of a person, by which imports and calls find it.`}
          isSelected={draft.unique}
          onChange={(unique) => setDraft({ ...draft, unique })}
        />
        <Checkbox
          label={t`Personal`}
          hint={problemOf(error, 'pii') ?? t`Its values are encrypted, and destroyed with an erasure.`}
          isSelected={draft.pii}
          onChange={(pii) => setDraft({ ...draft, pii })}
        />
        <div className={styles.buttons}>
          <Button onPress={close}>
            <Trans>Cancel</Trans>
          </Button>
          <Button type="submit" look="primary" isPending={define.isPending}>
            <Trans>Create</Trans>
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
