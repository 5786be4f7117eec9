import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { type BulkAction, type BulkTarget, dryRun, hasTimes, start } from './bulk-request.ts';
import styles from './people.module.css';
import { PersonName } from './person-name.tsx';

interface BulkDialogProps {
  readonly action: BulkAction;
  readonly target: BulkTarget;
  readonly lists: readonly { readonly id: string; readonly name: string }[];
  readonly onClose: () => void;
  readonly onStarted: (job: string) => void;
}

/** Asks for what an action needs, says how many people it reaches, and starts it. */
export function BulkDialog({ action, target, lists, onClose, onStarted }: BulkDialogProps) {
  const { t, i18n } = useLingui();
  const [tags, setTags] = useState('');
  const [list, setList] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const named = tags.split(',').flatMap((tag) => tag.trim() || []);
  const step = { action, target, tags: named, list };
  const look = useMutation({ mutationFn: () => dryRun(step) });
  const run = useMutation({ mutationFn: () => start(step), onSuccess: ({ id }) => onStarted(id) });
  const titles: Record<BulkAction, string> = {
    tag: t`Add tags`,
    untag: t`Remove tags`,
    add_to_list: t`Add to a list`,
    remove_from_list: t`Take off a list`,
    suppress: t`Suppress`,
    delete: t`Delete`,
  };
  const isGrave = action === 'suppress' || action === 'delete';
  const needsTags = action === 'tag' || action === 'untag';
  const needsList = action === 'add_to_list' || action === 'remove_from_list';
  const found = look.data;
  const isComplete = !(needsTags && named.length === 0) && !(needsList && list === null);
  const change = (set: () => void): void => {
    set();
    look.reset();
  };
  if (hasTimes(target))
    return (
      <Dialog title={titles[action]} isOpen onClose={onClose}>
        <p>
          <Trans>Filters by time do not work for actions. Remove them, or select the people in the list.</Trans>
        </p>
      </Dialog>
    );
  return (
    <Dialog title={titles[action]} isOpen onClose={onClose}>
      <Form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (!found) look.mutate();
          else run.mutate();
        }}
      >
        {(look.error ?? run.error) && <ErrorNote {...noteOf(look.error ?? run.error)} />}
        {needsTags && (
          <TextField label={t`Tags`} hint={t`Several with commas.`} value={tags} onChange={(value) => change(() => setTags(value))} autoFocus />
        )}
        {needsList && (
          <SelectField
            label={t`List`}
            placeholder={t`Choose a list`}
            options={lists.map(({ id, name }) => ({ value: id, label: name }))}
            value={list}
            onChange={(value) => change(() => setList(value))}
          />
        )}
        {found && (
          <div className={styles.stack} role="status">
            <p>
              {found.total.exact ? (
                <Plural value={found.total.value} one="It reaches # person." other="It reaches # people." />
              ) : (
                <Trans>It reaches more than {i18n.number(found.total.value)} people.</Trans>
              )}
            </p>
            <ul className={styles.rows}>
              {found.sample.map((contact) => (
                <li key={contact.id}>
                  <PersonName contact={contact} />
                </li>
              ))}
            </ul>
            {isGrave && <TextField label={t`Type “${found.total.value}” to confirm`} value={typed} onChange={setTyped} autoComplete="off" />}
          </div>
        )}
        <div className={styles.buttons}>
          <Button onPress={onClose}>
            <Trans>Cancel</Trans>
          </Button>
          {found ? (
            <Button
              type="submit"
              look={isGrave ? 'danger' : 'primary'}
              isPending={run.isPending}
              isDisabled={found.total.value === 0 || (isGrave && typed.trim() !== String(found.total.value))}
            >
              {titles[action]}
            </Button>
          ) : (
            <Button type="submit" look="primary" isPending={look.isPending} isDisabled={!isComplete}>
              <Trans>Whom does it reach?</Trans>
            </Button>
          )}
        </div>
      </Form>
    </Dialog>
  );
}
