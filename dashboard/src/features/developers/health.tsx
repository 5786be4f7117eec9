import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import cell from '../../ui/cell.module.css';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Panel } from '../../ui/page.tsx';
import { Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './developers.module.css';
import { deliveriesQuery } from './queries.ts';

/** How the endpoint has done with its latest deliveries. */
export function Health({ endpointId }: { readonly endpointId: string }) {
  const { t } = useLingui();
  const latest = useInfiniteQuery(deliveriesQuery(endpointId, {}));
  const deliveries = latest.data?.pages[0]?.data;
  return (
    <Panel title={t`Health`}>
      {!deliveries && <Loading rows={3} />}
      {deliveries?.length === 0 && (
        <p className={styles.muted}>
          <Trans>Nothing was sent yet.</Trans>
        </p>
      )}
      {deliveries && deliveries.length > 0 && <Facts deliveries={deliveries} />}
    </Panel>
  );
}

function Facts({ deliveries }: { readonly deliveries: readonly Schemas['EndpointDelivery'][] }) {
  const { t } = useLingui();
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const waiting = deliveries.filter(({ status }) => status === 'pending').length;
  const attempts = deliveries.flatMap((delivery) => delivery.attempts);
  const failed = attempts.filter((one) => !isSuccess(one)).sort(byTime)[0];
  const succeeded = attempts.filter(isSuccess).sort(byTime)[0];
  const durations = attempts.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b);
  const median = durations[Math.floor(durations.length / 2)];
  return (
    <DefinitionList
      items={[
        { term: t`Of the latest ${deliveries.length}`, value: <Trans>{delivered} delivered</Trans> },
        ...(waiting > 0 ? [{ term: t`Waiting for an attempt`, value: waiting }] : []),
        ...(median === undefined ? [] : [{ term: t`Usual answer`, value: <Trans>after {median} ms</Trans> }]),
        { term: t`Last success`, value: succeeded ? <Time value={succeeded.at} /> : t`None among these` },
        {
          term: t`Last failure`,
          value: failed ? (
            <span className={cell.stack}>
              <Time value={failed.at} />
              <span>{failed.error?.message ?? t`Status ${failed.status_code}`}</span>
            </span>
          ) : (
            t`None among these`
          ),
        },
      ]}
    />
  );
}

type Attempt = Schemas['DeliveryAttempt'];

export const isSuccess = ({ status_code: status }: Attempt): boolean => status !== null && status >= 200 && status < 300;

/** The latest first. */
const byTime = (a: Attempt, b: Attempt): number => b.at.localeCompare(a.at);
