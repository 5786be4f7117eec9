import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { keysQuery, usersQuery } from '../../api/account-lists.ts';
import { noteOf } from '../../api/errors.ts';
import cell from '../../ui/cell.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx';
import { Id } from '../../ui/id.tsx';
import { Page } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { browserOf } from './browser.ts';
import { type Activity, activityQuery } from './queries.ts';
import styles from './settings.module.css';

const route = getRouteApi('/signed-in/settings/activity');

function ActivityPage() {
  const { t } = useLingui();
  const { entry, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(activityQuery(filters));
  const columns = useColumns();
  const offered = useFilters();
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? [];
  const shown = entry === undefined ? undefined : rows.find(({ id }) => id === entry);
  const isFiltered = Object.keys(filters).length > 0;

  return (
    <Page title={t`Activity`} about={t`Who changed what and when, by the dashboard, by a key or by the operator’s command line.`}>
      <FilterBar
        filters={offered}
        values={filters}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value, entry: undefined }) })}
      />
      {list.isPending && <Loading rows={8} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`Activity`}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          href={({ id }) => `/settings/activity?${new URLSearchParams({ ...filters, entry: id })}`}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={
            <Empty title={isFiltered ? t`Nothing is like that` : t`Nothing was changed yet`}>
              <Trans>Each change by a person or a program is kept here for 400 days. What programs do often is counted by the hour.</Trans>
            </Empty>
          }
        />
      )}
      <Drawer
        title={shown?.action ?? t`Activity`}
        isOpen={shown !== undefined}
        onClose={() => void navigate({ search: (now) => ({ ...now, entry: undefined }), resetScroll: false })}
      >
        {shown && <Detail activity={shown} />}
      </Drawer>
    </Page>
  );
}

function useFilters(): Filter[] {
  const { t } = useLingui();
  const users = useInfiniteQuery(usersQuery).data?.pages.flatMap(({ data }) => data) ?? [];
  const keys = useInfiniteQuery(keysQuery).data?.pages.flatMap(({ data }) => data) ?? [];
  return [
    { key: 'user_id', label: t`User`, kind: 'choice', options: users.map(({ id, name, email }) => ({ value: id, label: name ?? email })) },
    { key: 'key_id', label: t`API key`, kind: 'choice', options: keys.map(({ id, name }) => ({ value: id, label: name })) },
    { key: 'action', label: t`Action`, kind: 'text' },
    { key: 'resource_kind', label: t`Kind of resource`, kind: 'text' },
    { key: 'resource_id', label: t`Resource id`, kind: 'text' },
    { key: 'created_after', label: t`Since`, kind: 'time' },
    { key: 'created_before', label: t`Until`, kind: 'time' },
  ];
}

function useColumns(): Column<Activity>[] {
  const { t } = useLingui();
  return [
    { key: 'at', header: t`When`, width: '7.5rem', cell: ({ at }) => <Time value={at} /> },
    { key: 'actor', header: t`Who`, width: 'minmax(0, 1fr)', cell: ({ actor }) => <Actor actor={actor} /> },
    { key: 'action', header: t`What`, width: 'minmax(0, 1fr)', cell: ({ action }) => <code>{action}</code> },
    {
      key: 'resource',
      header: t`Of`,
      width: 'minmax(0, 2fr)',
      secondary: true,
      cell: ({ resource, count }) => (
        <span className={cell.stack}>
          <span>{resource.name ?? resource.id ?? resource.kind}</span>
          {count > 1 && <span>{t`${count} times`}</span>}
        </span>
      ),
    },
  ];
}

function Actor({ actor: { kind, id, name } }: Pick<Activity, 'actor'>) {
  const { t } = useLingui();
  const kinds = { user: t`User`, key: t`API key`, operator: t`Operator` };
  return (
    <span className={cell.stack}>
      <span className={styles.strong}>{name ?? (kind === 'operator' ? kinds.operator : id)}</span>
      {kind !== 'operator' && <span>{kinds[kind]}</span>}
    </span>
  );
}

function Detail({ activity }: { readonly activity: Activity }) {
  const { t } = useLingui();
  const { at, actor, resource, changes, count, ip, user_agent, request_id } = activity;
  const fields = Object.entries(changes);
  return (
    <div className={styles.form}>
      <DefinitionList
        items={[
          { term: t`When`, value: <Time value={at} isExact /> },
          { term: t`Who`, value: <Actor actor={actor} /> },
          { term: t`Resource`, value: resource.name ?? resource.kind },
          { term: t`Resource id`, value: resource.id && <Id value={resource.id} /> },
          { term: t`How often`, value: count },
          { term: t`Address`, value: ip },
          { term: t`Browser`, value: browserOf(user_agent) },
          { term: t`Request`, value: request_id && <Id value={request_id} /> },
        ]}
      />
      {fields.length > 0 && (
        <table className={styles.changes}>
          <caption>
            <Trans>Changes</Trans>
          </caption>
          <thead>
            <tr>
              <th scope="col">{t`Field`}</th>
              <th scope="col">{t`Before`}</th>
              <th scope="col">{t`After`}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map(([field, { from, to }]) => (
              <tr key={field}>
                <th scope="row">{field}</th>
                <td>{textOf(from)}</td>
                <td>{textOf(to)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : value === null || value === undefined ? '–' : JSON.stringify(value));

export const page = createLazyRoute('/signed-in/settings/activity')({ component: ActivityPage });
