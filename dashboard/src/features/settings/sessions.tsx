import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import cell from '../../ui/cell.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { browserOf } from './browser.ts';
import { sessionsQuery } from './queries.ts';
import styles from './settings.module.css';

type Session = Schemas['Session'];

/** The browsers that are signed in as this user. */
export function Sessions() {
  const { t } = useLingui();
  const queries = useQueryClient();
  const list = useInfiniteQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: (id: string) => answer(api.DELETE('/v1/auth/sessions/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ message: t`The browser is signed out.` });
      return queries.invalidateQueries({ queryKey: ['session'] });
    },
  });
  const columns: Column<Session>[] = [
    {
      key: 'browser',
      header: t`Browser`,
      width: 'minmax(0, 2fr)',
      cell: ({ user_agent, ip, current }) => (
        <span className={cell.stack}>
          <span className={styles.badges}>
            <span className={styles.strong}>{browserOf(user_agent) ?? t`Unknown`}</span>
            {current && <Badge tone="info">{t`This one`}</Badge>}
          </span>
          <span>{ip}</span>
        </span>
      ),
    },
    { key: 'created', header: t`Signed in`, width: '9rem', secondary: true, cell: ({ created_at }) => <Time value={created_at} /> },
    { key: 'used', header: t`Last use`, width: '9rem', secondary: true, cell: ({ last_used_at }) => <Time value={last_used_at} /> },
    {
      key: 'actions',
      header: t`Actions`,
      width: '6rem',
      align: 'end',
      cell: ({ id, current, user_agent }) =>
        !current && (
          <Button size="small" look="quiet" aria-label={t`Sign out ${browserOf(user_agent) ?? t`Unknown`}`} onPress={() => end.mutate(id)}>
            <Trans>Sign out</Trans>
          </Button>
        ),
    },
  ];
  return (
    <Panel title={t`Where you are signed in`}>
      <p className={styles.about}>
        <Trans>Sign out what you do not know, and then change your password. Last uses may lag by ten minutes.</Trans>
      </p>
      {end.error && <ErrorNote {...noteOf(end.error)} />}
      {list.isPending && <Loading rows={3} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`Where you are signed in`}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={null}
        />
      )}
    </Panel>
  );
}
