import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import cell from '../../ui/cell.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Drawer } from '../../ui/drawer.tsx';
import { Id } from '../../ui/id.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Panel } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './developers.module.css';
import { deliveryStatuses, deliveryWords, eventNames } from './events.ts';
import { isSuccess } from './health.tsx';
import { deliveriesQuery, deliveryQuery } from './queries.ts';

const route = getRouteApi('/signed-in/developers/webhooks/$id');

type Delivery = Schemas['EndpointDelivery'];

interface DeliveriesProps {
  readonly endpointId: string;
  readonly mayWrite: boolean;
  readonly isEnabled: boolean;
}

/** The latest deliveries to an endpoint. Filters and the one that is open are in the address. */
export function Deliveries({ endpointId, mayWrite, isEnabled }: DeliveriesProps) {
  const { t, i18n } = useLingui();
  const { status, event, delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useInfiniteQuery(deliveriesQuery(endpointId, { ...(status && { status }), ...(event && { event }) }));
  const columns = useColumns();

  return (
    <Panel title={t`Deliveries`}>
      <div className={styles.filters}>
        <SelectField
          label={t`Status`}
          emptyLabel={t`Any`}
          options={deliveryStatuses.map((value) => ({ value, label: i18n._(deliveryWords[value].label) }))}
          value={status ?? null}
          onChange={(value) => void navigate({ search: (now) => ({ ...now, status: value ?? undefined }) })}
        />
        <SelectField
          label={t`Event`}
          emptyLabel={t`Any`}
          options={eventNames.map((value) => ({ value, label: value }))}
          value={event ?? null}
          onChange={(value) => void navigate({ search: (now) => ({ ...now, event: value ?? undefined }) })}
        />
      </div>
      {list.isPending && <Loading rows={5} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`Deliveries`}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          href={({ id }) =>
            `/developers/webhooks/${endpointId}?${new URLSearchParams({ ...(status && { status }), ...(event && { event }), delivery: id })}`
          }
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={
            <Empty title={status || event ? t`No delivery is like that` : t`Nothing was sent yet`}>
              <Trans>Each event of the account that this endpoint wants appears here, with every attempt and its answer.</Trans>
            </Empty>
          }
        />
      )}
      {delivery !== undefined && (
        <Drawer
          title={t`Delivery`}
          isOpen
          size="large"
          onClose={() => void navigate({ search: (now) => ({ ...now, delivery: undefined }), resetScroll: false })}
        >
          <Detail endpointId={endpointId} id={delivery} maySend={mayWrite && isEnabled} />
        </Drawer>
      )}
    </Panel>
  );
}

const DeliveryStatus = ({ status }: Pick<Delivery, 'status'>) => {
  const { i18n } = useLingui();
  const { tone, label } = deliveryWords[status];
  return <Badge tone={tone}>{i18n._(label)}</Badge>;
};

function useColumns(): Column<Delivery>[] {
  const { t } = useLingui();
  return [
    { key: 'event', header: t`Event`, width: 'minmax(0, 2fr)', cell: ({ event }) => <span className={styles.name}>{event}</span> },
    { key: 'status', header: t`Status`, width: '9rem', cell: ({ status }) => <DeliveryStatus status={status} /> },
    {
      key: 'answer',
      header: t`Last answer`,
      width: 'minmax(0, 1fr)',
      secondary: true,
      cell: ({ attempts }) => {
        const last = attempts.at(-1);
        return <>{last ? (last.error?.message ?? last.status_code) : t`None yet`}</>;
      },
    },
    { key: 'attempts', header: t`Attempts`, width: '6rem', align: 'end', secondary: true, cell: ({ attempts }) => attempts.length },
    { key: 'created', header: t`Event at`, width: '9rem', secondary: true, cell: ({ created_at }) => <Time value={created_at} /> },
  ];
}

interface DetailProps {
  readonly endpointId: string;
  readonly id: string;
  readonly maySend: boolean;
}

function Detail({ endpointId, id, maySend }: DetailProps) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const found = useQuery(deliveryQuery(endpointId, id));
  const redeliver = useMutation({
    mutationFn: () =>
      answer(api.POST('/v1/webhook-endpoints/{id}/deliveries/{delivery_id}/redeliver', { params: { path: { id: endpointId, delivery_id: id } } })),
    onSuccess: () => {
      toast({ message: t`It is sent once more. The attempt appears here.` });
      return queries.invalidateQueries({ queryKey: ['webhook_delivery'] });
    },
  });
  if (found.error) return <ErrorNote {...noteOf(found.error)} onRetry={() => void found.refetch()} />;
  if (!found.data) return <Loading rows={6} />;
  const { event, event_id, status, attempts, next_attempt_at, request_body } = found.data;

  return (
    <div className={styles.form}>
      <div className={styles.head}>
        <div className={cell.stack}>
          <strong>{event}</strong>
          <Id value={event_id} />
        </div>
        <DeliveryStatus status={status} />
        {maySend && (
          <Button size="small" onPress={() => redeliver.mutate()} isPending={redeliver.isPending}>
            <Trans>Send again</Trans>
          </Button>
        )}
      </div>
      {redeliver.error && <ErrorNote {...noteOf(redeliver.error)} />}
      <h3>
        <Trans>Attempts</Trans>
      </h3>
      {attempts.length === 0 && <p className={styles.muted}>{t`None yet`}</p>}
      <Timeline
        entries={attempts.map((attempt) => ({
          key: `${attempt.trigger} ${attempt.number}`,
          at: attempt.at,
          title: attempt.error?.message ?? t`Status ${attempt.status_code}`,
          detail:
            attempt.trigger === 'manual' ? <Trans>by hand, after {attempt.duration_ms} ms</Trans> : <Trans>after {attempt.duration_ms} ms</Trans>,
          tone: isSuccess(attempt) ? ('success' as const) : ('danger' as const),
          ...(attempt.response_body && { more: <pre className={styles.body}>{attempt.response_body}</pre> }),
        }))}
      />
      {next_attempt_at && (
        <p>
          <Trans>
            Next attempt: <Time value={next_attempt_at} />
          </Trans>
        </p>
      )}
      <h3>
        <Trans>Request</Trans>
      </h3>
      <JsonView value={parsed(request_body)} />
    </div>
  );
}

/** A body is JSON, except where parts of it were erased. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
