import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMay } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { BulkDialog } from './bulk-dialog.tsx';
import { BulkProgress } from './bulk-progress.tsx';
import type { BulkAction, BulkTarget } from './bulk-request.ts';
import styles from './people.module.css';
import type { ContactFilters } from './queries.ts';
import { listsQuery } from './queries.ts';

interface BulkActionsProps {
  readonly selected: ReadonlySet<string>;
  /** Those of the list: who matches them is the target while nobody is selected. */
  readonly filters: ContactFilters;
  readonly onDone: () => void;
}

/** What can be done with those who are selected, or with all who match the filters. */
export function BulkActions({ selected, filters, onDone }: BulkActionsProps) {
  const { t } = useLingui();
  const maySuppress = useMay('suppressions:write');
  const { data: lists } = useQuery(listsQuery);
  const [action, setAction] = useState<BulkAction | null>(null);
  const [job, setJob] = useState<string | null>(null);
  const target: BulkTarget = selected.size > 0 ? { ids: [...selected] } : { filters };
  const hasLists = (lists?.data.length ?? 0) > 0;
  const item = (key: BulkAction, label: string) => ({ key, label, onAction: () => setAction(key) });
  return (
    <>
      <div className={styles.bulk}>
        <Menu
          label={selected.size > 0 ? t`Actions with those selected` : t`Actions with all that match`}
          size="small"
          look="plain"
          items={[
            item('tag', t`Add tags`),
            item('untag', t`Remove tags`),
            ...(hasLists ? [item('add_to_list', t`Add to a list`), item('remove_from_list', t`Take off a list`)] : []),
            ...(maySuppress ? [{ ...item('suppress', t`Suppress`), tone: 'danger' as const }] : []),
            { ...item('delete', t`Delete`), tone: 'danger' },
          ]}
        >
          {selected.size > 0 ? <Plural value={selected.size} one="# selected" other="# selected" /> : <Trans>All that match</Trans>}
        </Menu>
        {selected.size > 0 && (
          <Button size="small" look="quiet" onPress={onDone}>
            <Trans>Select nobody</Trans>
          </Button>
        )}
      </div>
      {job !== null && (
        <div className={styles.wide}>
          <BulkProgress job={job} onClose={() => setJob(null)} />
        </div>
      )}
      {action !== null && (
        <BulkDialog
          action={action}
          target={target}
          lists={lists?.data ?? []}
          onClose={() => setAction(null)}
          onStarted={(id) => {
            setAction(null);
            setJob(id);
            onDone();
          }}
        />
      )}
    </>
  );
}
