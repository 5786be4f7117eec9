import { Trans, useLingui } from '@lingui/react/macro';
import { X } from 'lucide-react';
import { useState } from 'react';
import { Form } from 'react-aria-components';
import { answer, api } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { useChange } from './queries.ts';

interface ContactTagsProps {
  readonly contact: Contact;
  readonly version: string | null;
  readonly mayWrite: boolean;
}

/** The tags of a person. A PATCH replaces all of them, so that it names the version that it has seen. */
export function ContactTags({ contact: { id, tags }, version, mayWrite }: ContactTagsProps) {
  const { t } = useLingui();
  const [typed, setTyped] = useState('');
  const change = useChange((next: readonly string[]) =>
    answer(
      api.PATCH('/v1/contacts/{id}', {
        params: { path: { id } },
        headers: version === null ? {} : { 'If-Match': version },
        body: { tags: [...next] },
      }),
    ),
  );
  const remove = (tag: string): void =>
    change.mutate(
      tags.filter((one) => one !== tag),
      { onSuccess: () => toast({ message: t`The tag ${tag} was removed.`, tone: 'success' }) },
    );
  const problem = change.error instanceof ApiError ? change.error.problems[0]?.message : undefined;
  return (
    <div className={styles.stack}>
      {tags.length === 0 ? (
        <p className={styles.muted}>
          <Trans>No tags.</Trans>
        </p>
      ) : (
        <ul className={styles.tags} aria-label={t`Tags`}>
          {tags.map((tag) => (
            <li key={tag} className={styles.tag}>
              <bdi>{tag}</bdi>
              {mayWrite && (
                <button type="button" className={styles.remove} aria-label={t`Remove the tag ${tag}`} onClick={() => remove(tag)}>
                  <X aria-hidden size={14} />
                </button>
              )}
            </li>
          ))}
        </ul>
      )}
      {change.isError && problem === undefined && <ErrorNote {...noteOf(change.error)} />}
      {mayWrite && (
        <Form
          className={styles.add}
          onSubmit={(event) => {
            event.preventDefault();
            if (typed.trim() !== '') change.mutate([...tags, typed.trim()], { onSuccess: () => setTyped('') });
          }}
        >
          <TextField label={t`New tag`} value={typed} onChange={setTyped} error={problem} />
          <Button type="submit" isPending={change.isPending}>
            <Trans>Add</Trans>
          </Button>
        </Form>
      )}
    </div>
  );
}
