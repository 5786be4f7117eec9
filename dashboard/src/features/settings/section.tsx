import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Form } from 'react-aria-components';
import { ApiError, noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { ConflictNote } from '../../ui/conflict-note.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote } from '../../ui/states.tsx';
import styles from './settings.module.css';
import type { SectionState } from './use-section.ts';

interface SectionProps<D extends object> {
  readonly title: string;
  /** What the section decides. */
  readonly about?: ReactNode;
  readonly section: SectionState<D>;
  /** Its values as texts, for who must choose between two of them. */
  readonly words: (draft: D) => readonly (readonly [label: string, value: string])[];
  readonly children: ReactNode;
}

/** A panel with the fields of a section and their one button. */
export function Section<D extends object>({ title, about, section, words, children }: SectionProps<D>) {
  const { draft, theirs, error, isDirty, isPending, mayWrite, save, discard } = section;
  const isAtFields = error instanceof ApiError && error.problems.length > 0;
  return (
    <Panel title={title}>
      {about && <p className={styles.about}>{about}</p>}
      <Form
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          if (isDirty) save();
        }}
      >
        {children}
        {error && !isAtFields && <ErrorNote {...noteOf(error)} />}
        {theirs && (
          <ConflictNote differences={differencesOf(words(draft), words(theirs))} onTakeTheirs={discard} onKeepMine={save} isPending={isPending} />
        )}
        {mayWrite && !theirs && (
          <div className={styles.actions}>
            <Button type="submit" look={isDirty ? 'primary' : 'plain'} isDisabled={!isDirty} isPending={isPending}>
              <Trans>Save</Trans>
            </Button>
            {isDirty && (
              <Button look="quiet" onPress={discard}>
                <Trans>Discard</Trans>
              </Button>
            )}
          </div>
        )}
      </Form>
    </Panel>
  );
}

const differencesOf = (mine: readonly (readonly [string, string])[], theirs: readonly (readonly [string, string])[]) =>
  mine
    .map(([label, value], index) => ({ label, mine: value, theirs: theirs[index]?.[1] ?? '' }))
    .filter((difference) => difference.mine !== difference.theirs);
