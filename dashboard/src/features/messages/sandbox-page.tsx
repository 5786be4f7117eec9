import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { type Filter, FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './messages.module.css';
import { sandboxQuery } from './queries.ts';
import { channelWords } from './words.ts';

const route = getRouteApi('/signed-in/messages/sandbox');

function SandboxPage() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = useMay('messages:read_content');
  const filters: Filter[] = [
    { key: 'to', label: t`Recipient`, kind: 'text' },
    { key: 'message_id', label: t`Message id`, kind: 'text' },
    { key: 'created_after', label: t`Created after`, kind: 'time' },
    { key: 'created_before', label: t`Created before`, kind: 'time' },
  ];
  return (
    <Page
      title={t`Sandbox`}
      about={t`What would have gone out: the sandbox takes messages of every channel that has no carrier, and reaches nobody.`}
      actions={<ShowAsCode method="GET" path="/v1/sandbox/messages" query={search} />}
    >
      {mayRead ? (
        <>
          <FilterBar
            filters={filters}
            values={search}
            onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true })}
          />
          <Dispatches />
        </>
      ) : (
        <Empty title={<Trans>Your role cannot read what the sandbox was handed</Trans>}>
          <Trans>It contains links that act for their recipients. Ask an owner of the account.</Trans>
        </Empty>
      )}
    </Page>
  );
}

function Dispatches() {
  const { t, i18n } = useLingui();
  const list = useInfiniteQuery({ ...sandboxQuery(route.useSearch()), placeholderData: keepPreviousData });
  if (!list.data) return list.error ? <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} /> : <Loading rows={8} />;
  return (
    <DataTable
      label={t`Dispatches to the sandbox`}
      columns={[
        { key: 'to', header: t`Recipient`, cell: ({ to }) => <bdi>{to}</bdi>, width: 'minmax(0, 1fr)' },
        {
          key: 'content',
          header: t`Content`,
          cell: ({ subject, text }) => (
            <bdi className={styles.start} dir="auto">
              {subject ?? text.slice(0, 160)}
            </bdi>
          ),
          width: 'minmax(0, 2fr)',
        },
        { key: 'channel', header: t`Channel`, cell: ({ channel }) => i18n._(channelWords[channel]), width: '6rem', secondary: true },
        { key: 'attempt', header: t`Try`, cell: ({ attempt }) => attempt, width: '4rem', align: 'end', secondary: true },
        {
          key: 'at',
          header: t`Dispatched`,
          cell: ({ handed_over_at }) => <Time value={handed_over_at} />,
          width: '9rem',
          secondary: true,
        },
      ]}
      rows={list.data.pages.flatMap(({ data }) => data)}
      rowKey={({ message_id, attempt }) => `${message_id} ${attempt}`}
      href={({ message_id }) => `/messages/${message_id}?tab=sandbox`}
      hasMore={list.hasNextPage}
      isLoadingMore={list.isFetchingNextPage}
      onEndReached={() => void list.fetchNextPage()}
      empty={
        <Empty
          title={<Trans>The sandbox was handed nothing yet</Trans>}
          actions={
            <a href="/docs/guides/sandbox">
              <Trans>Guide: sandbox recipients</Trans>
            </a>
          }
        >
          <Trans>Send a message to an address at sandbox.test: some of them bounce, answer or stay silent.</Trans>
        </Empty>
      }
    />
  );
}

export const page = createLazyRoute('/signed-in/messages/sandbox')({ component: SandboxPage });
