import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import { noteOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { segmentPagesQuery } from './queries.ts';

function SegmentsPage() {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const segments = useInfiniteQuery(segmentPagesQuery);
  return (
    <Page title={t`Segments`} about={t`Rules, and everybody for whom they hold right now.`} actions={<ShowAsCode method="GET" path="/v1/segments" />}>
      {segments.isPending && <Loading rows={6} />}
      {segments.isError && <ErrorNote {...noteOf(segments.error)} onRetry={() => void segments.refetch()} />}
      {segments.data && (
        <DataTable
          label={t`Segments`}
          columns={[
            { key: 'name', header: t`Name`, width: 'minmax(9rem, 1fr)', cell: ({ name }) => <bdi>{name}</bdi> },
            { key: 'rule', header: t`People who`, width: 'minmax(10rem, 2fr)', secondary: true, cell: ({ description }) => <bdi>{description}</bdi> },
            { key: 'count', header: t`People`, width: '6rem', align: 'end', cell: ({ count }) => i18n.number(count) },
            {
              key: 'status',
              header: t`Status`,
              width: '8rem',
              secondary: true,
              cell: ({ status }) => <Badge tone={status === 'live' ? 'success' : 'info'}>{status === 'live' ? t`Live` : t`Being built`}</Badge>,
            },
            {
              key: 'updated_at',
              header: t`Changed`,
              width: '9rem',
              secondary: true,
              cell: ({ updated_at }) => <Time value={updated_at} zone={timezone} />,
            },
          ]}
          rows={segments.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          href={({ id }) => `/people/segments/${id}`}
          hasMore={segments.hasNextPage}
          isLoadingMore={segments.isFetchingNextPage}
          onEndReached={() => void segments.fetchNextPage()}
          empty={
            <Empty
              title={<Trans>No segments yet</Trans>}
              actions={
                <a href="/docs/guides/segments">
                  <Trans>Guide: segments</Trans>
                </a>
              }
            >
              <Trans>A segment is a rule. Everybody for whom it holds is in it, at once and for as long as it holds.</Trans>
            </Empty>
          }
        />
      )}
    </Page>
  );
}

export const page = createLazyRoute('/signed-in/people/segments')({ component: SegmentsPage });
