import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, Link } from '@tanstack/react-router';
import { overviewQuery, type Period, periods } from '../../api/overview.ts';
import { useMay, useMe } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Failures, Replies } from './latest.tsx';
import styles from './overview.module.css';
import { Problems } from './problems.tsx';
import { SampleCard, SampleNote } from './sample/sample-card.tsx';
import { SendingNow } from './sending-now.tsx';
import { Volume } from './volume.tsx';

const route = getRouteApi('/signed-in/');

/** Whether all is well, what was sent, and what is sent now. */
function OverviewPage() {
  const { t } = useLingui();
  const { period = 'P7D' } = route.useSearch();
  const { data, error, refetch } = useQuery(overviewQuery(period));
  const { account } = useMe();
  const maySend = useMay('messages:send');

  return (
    <Page
      title={t`Overview`}
      about={account.name}
      actions={
        <>
          <PeriodChoice period={period} />
          {maySend && (
            <ButtonLink to="/messages/send" look="primary">
              <Trans>Send a message</Trans>
            </ButtonLink>
          )}
        </>
      }
    >
      {error && <ErrorNote message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <Loading rows={8} />}
      {data && (
        <>
          <SampleCard />
          <Problems problems={data.problems} />
          <Volume period={period} messages={data.messages} />
          {data.sending_now.length > 0 && <SendingNow sending={data.sending_now} />}
          <div className={styles.columns}>
            <Failures failures={data.latest_failures} />
            <Replies replies={data.latest_replies} />
          </div>
          <SampleNote />
        </>
      )}
    </Page>
  );
}

function PeriodChoice({ period }: { readonly period: Period }) {
  const { t } = useLingui();
  return (
    <nav aria-label={t`Period`} className={styles.periods}>
      {periods.map((one) => (
        <Link key={one} to="/" search={{ period: one }} aria-current={one === period ? 'true' : undefined} className={styles.period ?? ''}>
          <Plural value={Number.parseInt(one.slice(1), 10)} one="# day" other="# days" />
        </Link>
      ))}
    </nav>
  );
}

export const page = createLazyRoute('/signed-in/')({ component: OverviewPage });
