import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import { hasStatus, noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Page, Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { CancelButton } from './cancel-button.tsx';
import { ContentTab } from './content-tab.tsx';
import { DeliveriesTab } from './deliveries-tab.tsx';
import { EventsTab } from './events-tab.tsx';
import { Facts } from './facts.tsx';
import styles from './messages.module.css';
import { messageQuery } from './queries.ts';
import { SandboxTab } from './sandbox-tab.tsx';
import { StateTrack } from './state-track.tsx';
import { StatusBadge } from './status-badge.tsx';
import { WhyTab } from './why-tab.tsx';
import { statusWords } from './words.ts';

const route = getRouteApi('/signed-in/messages/$id');

export type WholeMessage = Schemas['MessageWithContent'];

const cancelable = new Set<WholeMessage['status']>(['queued', 'scheduled']);

function DetailPage() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(messageQuery(id));
  // The router shows that there is nothing at this address.
  if (hasStatus(error, 404)) throw error;
  if (!data) return <Page title={t`Message`}>{error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading rows={8} />}</Page>;
  return <Detail message={data} />;
}

function Detail({ message }: { readonly message: WholeMessage }) {
  const { t, i18n } = useLingui();
  const { id, status, status_reason, to, to_name, webhook_url, carrier } = message;
  const maySend = useMay('messages:send');
  const mayReadContent = useMay('messages:read_content');
  const navigate = route.useNavigate();
  const { tab = 'content' } = route.useSearch();
  const name = to_name ?? to;
  const tabs = [
    { key: 'content', title: t`Content`, content: <ContentTab message={message} /> },
    { key: 'why', title: t`Why`, content: <WhyTab id={id} /> },
    { key: 'events', title: t`Events`, content: <EventsTab id={id} /> },
    { key: 'webhooks', title: t`Webhooks`, content: <DeliveriesTab id={id} hasWebhook={webhook_url !== null} /> },
    ...(mayReadContent && carrier?.name === 'sandbox' ? [{ key: 'sandbox', title: t`Sandbox`, content: <SandboxTab id={id} /> }] : []),
  ].map((one) => ({ ...one, href: `/messages/${id}${one.key === 'content' ? '' : `?tab=${one.key}`}` }));
  return (
    <Page
      title={t`Message to ${name}`}
      about={
        <span className={styles.about}>
          <StatusBadge status={status} reason={status_reason} /> {i18n._(statusWords[status].meaning)}
        </span>
      }
      actions={
        <>
          <ShowAsCode method="GET" path={`/v1/messages/${id}`} />
          {maySend && cancelable.has(status) && <CancelButton message={message} size="normal" />}
        </>
      }
    >
      <StateTrack message={message} />
      <div className={styles.columns}>
        <Panel>
          <Tabs
            label={t`About this message`}
            selected={tabs.some(({ key }) => key === tab) ? tab : 'content'}
            tabs={tabs}
            onSelect={(key) => void navigate({ search: key === 'content' ? {} : { tab: key }, resetScroll: false })}
          />
        </Panel>
        <Panel title={t`Facts`}>
          <Facts message={message} />
        </Panel>
      </div>
    </Page>
  );
}

export const page = createLazyRoute('/signed-in/messages/$id')({ component: DetailPage });
