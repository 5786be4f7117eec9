import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { noteOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { AsOfSlider } from '../../ui/as-of-slider.tsx';
import { Badge } from '../../ui/badge.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { useContactColumns } from './contact-columns.tsx';
import styles from './people.module.css';
import { segmentMembersQuery, segmentQuery } from './queries.ts';

const route = getRouteApi('/signed-in/people/segments/$id');

/** A segment to read: its rule, and who is in it now or was. */
function SegmentPage() {
  const { t, i18n } = useLingui();
  const { id } = route.useParams();
  const { as_of: asOf } = route.useSearch();
  const navigate = route.useNavigate();
  const { timezone } = useMe().account;
  const segment = useQuery(segmentQuery(id));
  // The router shows what went wrong, or that there is nothing at this address.
  if (segment.error && !segment.data) throw segment.error;
  if (!segment.data)
    return (
      <Page title={t`Segment`}>
        <Loading rows={8} />
      </Page>
    );
  const { name, description, count, status, rules, created_at } = segment.data;
  const show = (moment: string | null): void => void navigate({ search: (now) => ({ ...now, as_of: moment ?? undefined }), replace: true });
  return (
    <Page
      title={name}
      about={
        <span className={styles.badges}>
          <Badge tone={status === 'live' ? 'success' : 'info'}>{status === 'live' ? t`Live` : t`Being built`}</Badge>
          <Trans>{i18n.number(count)} people</Trans>
        </span>
      }
      actions={<ShowAsCode method="GET" path={`/v1/segments/${id}/contacts`} query={{ as_of: asOf }} />}
    >
      <Panel title={t`People who`}>
        <p>
          <bdi>{description}</bdi>
        </p>
        <details>
          <summary>
            <Trans>The rule as JSON</Trans>
          </summary>
          <JsonView value={rules} />
        </details>
      </Panel>
      <AsOfSlider from={created_at} value={asOf ?? null} onChange={show} zone={timezone} />
      <Members segment={id} asOf={asOf} />
    </Page>
  );
}

function Members({ segment, asOf }: { readonly segment: string; readonly asOf: string | undefined }) {
  const { t } = useLingui();
  const { shown } = useContactColumns(undefined);
  const members = useInfiniteQuery({ ...segmentMembersQuery(segment, asOf), placeholderData: keepPreviousData });
  if (members.isPending) return <Loading rows={8} />;
  if (!members.data) return <ErrorNote {...noteOf(members.error)} onRetry={() => void members.refetch()} />;
  return (
    <DataTable
      label={t`Members`}
      columns={shown.map(({ canSort: _, ...column }) => column)}
      rows={members.data.pages.flatMap(({ data }) => data)}
      rowKey={({ id }) => id}
      href={({ id }) => `/people/${id}`}
      hasMore={members.hasNextPage}
      isLoadingMore={members.isFetchingNextPage}
      onEndReached={() => void members.fetchNextPage()}
      empty={
        <Empty title={<Trans>Nobody is in it</Trans>}>
          <Trans>The rule holds for nobody at this moment.</Trans>
        </Empty>
      }
    />
  );
}

export const page = createLazyRoute('/signed-in/people/segments/$id')({ component: SegmentPage });
