import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './messages.module.css';
import { receivedQuery } from './queries.ts';
import { ReceivedDrawer } from './received-drawer.tsx';
import { channels, channelWords } from './words.ts';

const route = getRouteApi('/signed-in/messages/received');

type Received = Schemas['ReceivedMessage'];

function ReceivedPage() {
  const { t } = useLingui();
  const { open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery({ ...receivedQuery(filters), placeholderData: keepPreviousData });
  const columns = useColumns();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const addressOf = ({ id }: Received): string =>
    `/messages/received?${new URLSearchParams(Object.entries({ ...filters, open: id }).filter(([, value]) => value !== undefined) as string[][])}`;
  return (
    <Page
      title={t`Received messages`}
      about={t`What people wrote to you: answers, keywords such as STOP, and everything else.`}
      actions={<ShowAsCode method="GET" path="/v1/inbound-messages" query={filters} />}
    >
      <FilterBar
        filters={useReceivedFilters()}
        values={filters}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true })}
      />
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.isPending ? (
        <Loading rows={8} />
      ) : (
        list.data && (
          <DataTable
            label={t`Received messages`}
            columns={columns}
            rows={list.data.pages.flatMap(({ data }) => data)}
            rowKey={({ id }) => id}
            href={addressOf}
            hasMore={list.hasNextPage}
            isLoadingMore={list.isFetchingNextPage}
            onEndReached={() => void list.fetchNextPage()}
            empty={isFiltered ? <Empty title={<Trans>No message matches</Trans>} /> : <NothingYet />}
          />
        )
      )}
      <ReceivedDrawer id={open ?? null} onClose={() => void navigate({ search: (now) => ({ ...now, open: undefined }) })} />
    </Page>
  );
}

function useReceivedFilters(): Filter[] {
  const { t, i18n } = useLingui();
  return [
    { key: 'channel', label: t`Channel`, kind: 'choice', options: channels.map((value) => ({ value, label: i18n._(channelWords[value]) })) },
    { key: 'from', label: t`Sender`, kind: 'text' },
    { key: 'message_id', label: t`Answer to message`, kind: 'text' },
    { key: 'created_after', label: t`Received after`, kind: 'time' },
    { key: 'created_before', label: t`Received before`, kind: 'time' },
  ];
}

function useColumns(): Column<Received>[] {
  const { t, i18n } = useLingui();
  return [
    {
      key: 'from',
      header: t`Sender`,
      cell: ({ from, from_name }) => (
        <span className={styles.recipient}>
          {from_name !== null && <bdi className={styles.name}>{from_name}</bdi>}
          <bdi>{from}</bdi>
        </span>
      ),
      width: 'minmax(0, 1.2fr)',
    },
    {
      key: 'text',
      header: t`Text`,
      cell: ({ subject, text }) => (
        <bdi className={styles.start} dir="auto">
          {subject ?? text.slice(0, 160)}
        </bdi>
      ),
      width: 'minmax(0, 2fr)',
    },
    { key: 'channel', header: t`Channel`, cell: ({ channel }) => i18n._(channelWords[channel]), width: '6rem', secondary: true },
    { key: 'kind', header: t`Kind`, cell: (row) => <Kind message={row} />, width: '8rem', secondary: true },
    {
      key: 'created_at',
      header: t`Received`,
      cell: ({ created_at }) => <Time value={created_at} />,
      width: '9rem',
      secondary: true,
    },
  ];
}

/** What kind of message it is, where that is more than a text of a person. */
const Kind = ({ message: { keyword, automatic, message_id } }: { readonly message: Received }) =>
  keyword ? (
    <Badge tone="warning">{keyword}</Badge>
  ) : automatic ? (
    <Badge>
      <Trans>Automatic</Trans>
    </Badge>
  ) : (
    message_id && (
      <Badge tone="info">
        <Trans>Answer</Trans>
      </Badge>
    )
  );

const NothingYet = () => (
  <Empty
    title={<Trans>Nobody has written yet</Trans>}
    actions={
      <a href="/docs/guides/sandbox">
        <Trans>Guide: sandbox recipients that answer</Trans>
      </a>
    }
  >
    <Trans>Answers to your messages arrive here, with the message that they answer. Keywords such as STOP take effect by themselves.</Trans>
  </Empty>
);

export const page = createLazyRoute('/signed-in/messages/received')({ component: ReceivedPage });
