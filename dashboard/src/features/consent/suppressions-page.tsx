import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { AddSuppression } from './add-suppression.tsx';
import { suppressionsQuery } from './queries.ts';
import { SuppressionDrawer } from './suppression-drawer.tsx';
import { channels, channelWords, reasons, reasonWords, scopeWords } from './words.ts';

const route = getRouteApi('/signed-in/consent/suppressions');

type Suppression = Schemas['Suppression'];

function SuppressionsPage() {
  const { t } = useLingui();
  const { open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const mayWrite = useMay('suppressions:write');
  const [adds, setAdds] = useState(false);
  const list = useInfiniteQuery({ ...suppressionsQuery(filters), placeholderData: keepPreviousData });
  const columns = useColumns();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const addressOf = ({ id }: Suppression): string =>
    `/consent/suppressions?${new URLSearchParams(Object.entries({ ...filters, open: id }).filter(([, value]) => value !== undefined) as string[][])}`;
  return (
    <Page
      title={t`Do-not-contact list`}
      about={t`Addresses that get no message, or no marketing, whatever their consents say.`}
      actions={
        <>
          <ShowAsCode method="GET" path="/v1/account/unsubscribes" query={filters} />
          {mayWrite && (
            <Button look="primary" onPress={() => setAdds(true)}>
              <Trans>Add an address</Trans>
            </Button>
          )}
        </>
      }
    >
      <FilterBar
        filters={useSuppressionFilters()}
        values={filters}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true })}
      />
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.isPending && <Loading rows={8} />}
      {list.data && (
        <DataTable
          label={t`Suppressed addresses`}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          href={addressOf}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={isFiltered ? <Empty title={<Trans>No entry matches</Trans>} /> : <NothingYet />}
        />
      )}
      <SuppressionDrawer id={open ?? null} onClose={() => void navigate({ search: (now) => ({ ...now, open: undefined }) })} />
      <AddSuppression isOpen={adds} onClose={() => setAdds(false)} />
    </Page>
  );
}

function useSuppressionFilters(): Filter[] {
  const { t, i18n } = useLingui();
  return [
    { key: 'address', label: t`Address`, kind: 'text' },
    { key: 'channel', label: t`Channel`, kind: 'choice', options: channels.map((value) => ({ value, label: i18n._(channelWords[value]) })) },
    { key: 'reason', label: t`Reason`, kind: 'choice', options: reasons.map((value) => ({ value, label: i18n._(reasonWords[value]) })) },
    { key: 'created_after', label: t`Added after`, kind: 'time' },
    { key: 'created_before', label: t`Added before`, kind: 'time' },
  ];
}

function useColumns(): Column<Suppression>[] {
  const { t, i18n } = useLingui();
  return [
    {
      key: 'address',
      header: t`Address`,
      cell: ({ address }) => (address === null ? <em>{t`known by its hash only`}</em> : <bdi>{address}</bdi>),
      width: 'minmax(0, 1.5fr)',
    },
    { key: 'channel', header: t`Channel`, cell: ({ channel }) => i18n._(channelWords[channel]), width: '8rem', secondary: true },
    {
      key: 'scope',
      header: t`Stops`,
      cell: ({ scope }) => <Badge tone={scope === 'all' ? 'danger' : 'warning'}>{i18n._(scopeWords[scope])}</Badge>,
      width: 'minmax(9.5rem, 1fr)',
    },
    { key: 'reason', header: t`Reason`, cell: ({ reason }) => i18n._(reasonWords[reason]), width: 'minmax(0, 1fr)', secondary: true },
    { key: 'created_at', header: t`Added`, cell: ({ created_at }) => <Time value={created_at} />, width: '9rem', secondary: true },
  ];
}

const NothingYet = () => (
  <Empty
    title={<Trans>Nobody is on the list</Trans>}
    actions={
      <a href="/docs/guides/moving">
        <Trans>Guide: moving from another service</Trans>
      </a>
    }
  >
    <Trans>People who unsubscribe, answer STOP or complain come here by themselves, and addresses that bounce.</Trans>
  </Empty>
);

export const page = createLazyRoute('/signed-in/consent/suppressions')({ component: SuppressionsPage });
