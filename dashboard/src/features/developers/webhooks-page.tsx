import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { Webhook } from 'lucide-react';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import cell from '../../ui/cell.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Page } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './developers.module.css';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { endpointsQuery } from './queries.ts';

const route = getRouteApi('/signed-in/developers/webhooks');

type Endpoint = Schemas['WebhookEndpoint'];

function WebhooksPage() {
  const { t } = useLingui();
  const mayWrite = useMay('webhooks:write');
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const [created, setCreated] = useState<Schemas['WebhookEndpointWithSecret'] | null>(null);
  const list = useQuery(endpointsQuery);
  const columns = useColumns();
  const open = (what?: 'new') => void navigate({ search: { create: what } });
  const createButton = mayWrite && (
    <Button look="primary" onPress={() => open('new')}>
      <Webhook aria-hidden />
      <Trans>Add an endpoint</Trans>
    </Button>
  );

  return (
    <Page
      title={t`Webhook endpoints`}
      about={t`Addresses of your own that are told what happens, moments after it happened. An account has at most 20.`}
      actions={createButton}
    >
      {created && (
        <SecretOnce title={t`The secret of ${created.url}`} label={t`Secret`} text={created.secret} onDone={() => setCreated(null)}>
          <Trans>Your program checks with it that requests come from here. It is not shown again.</Trans>
        </SecretOnce>
      )}
      {list.isPending && <Loading rows={4} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`Webhook endpoints`}
          columns={columns}
          rows={list.data.data}
          rowKey={({ id }) => id}
          href={({ id }) => `/developers/webhooks/${id}`}
          empty={
            <Empty title={t`No endpoints`} actions={createButton}>
              <Trans>
                Instead of asking again and again whether a message arrived or somebody unsubscribed, let the service call you. Each request is
                signed, and repeated until your program answers with a status of 200 to 299.{' '}
                <a href="/docs/guides/webhooks">How to receive webhooks</a>
              </Trans>
            </Empty>
          }
        />
      )}
      <EndpointDialog
        isOpen={create === 'new' && mayWrite}
        onClose={() => open()}
        onCreated={(endpoint) => {
          setCreated(endpoint);
          open();
        }}
      />
    </Page>
  );
}

function useColumns(): Column<Endpoint>[] {
  const { t } = useLingui();
  return [
    {
      key: 'url',
      header: t`Address`,
      width: 'minmax(0, 3fr)',
      cell: ({ url, description }) => (
        <span className={cell.stack}>
          <span className={styles.name}>{url}</span>
          {description && <span>{description}</span>}
        </span>
      ),
    },
    {
      key: 'events',
      header: t`Events`,
      width: '9rem',
      secondary: true,
      cell: ({ events }) => (events.length === 0 ? <Trans>All events</Trans> : <Plural value={events.length} one="# event" other="# events" />),
    },
    { key: 'status', header: t`Status`, width: '7.5rem', cell: ({ status }) => <EndpointStatus status={status} /> },
    { key: 'created', header: t`Created`, width: '8rem', secondary: true, cell: ({ created_at }) => <Time value={created_at} /> },
  ];
}

export const EndpointStatus = ({ status }: Pick<Endpoint, 'status'>) =>
  status === 'enabled' ? (
    <Badge tone="success">
      <Trans>Receives</Trans>
    </Badge>
  ) : (
    <Badge tone="warning">
      <Trans>Paused</Trans>
    </Badge>
  );

export const page = createLazyRoute('/signed-in/developers/webhooks')({ component: WebhooksPage });
