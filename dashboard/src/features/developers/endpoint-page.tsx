import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { answer, api, type Schemas, type VersionedValue, versioned } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Id } from '../../ui/id.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page, Panel } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { Deliveries } from './deliveries.tsx';
import styles from './developers.module.css';
import { EndpointDialog } from './endpoint-dialog.tsx';
import { Health } from './health.tsx';
import { endpointQuery } from './queries.ts';
import { EndpointStatus } from './webhooks-page.tsx';

const route = getRouteApi('/signed-in/developers/webhooks/$id');

type Endpoint = Schemas['WebhookEndpoint'];
type Asked = 'change' | 'rotate' | 'delete' | null;

function EndpointPage() {
  const { t } = useLingui();
  const { id } = route.useParams();
  const found = useQuery(endpointQuery(id));
  if (found.error) throw found.error;
  if (!found.data)
    return (
      <Page title={t`Webhook endpoint`}>
        <Loading rows={6} />
      </Page>
    );
  return <Shown endpoint={found.data} />;
}

function Shown({ endpoint }: { readonly endpoint: VersionedValue<Endpoint> }) {
  const { t } = useLingui();
  const { id, url, description, status, events, created_at, updated_at } = endpoint.value;
  const queries = useQueryClient();
  const mayWrite = useMay('webhooks:write');
  const [asked, setAsked] = useState<Asked>(null);
  const [secret, setSecret] = useState<string | null>(null);
  const test = useMutation({ mutationFn: () => answer(api.POST('/v1/webhook-endpoints/{id}/test', { params: { path: { id } } })) });
  const isEnabled = status === 'enabled';
  const pause = useMutation({
    mutationFn: () =>
      versioned(
        api.PATCH('/v1/webhook-endpoints/{id}', {
          params: { path: { id } },
          body: { status: isEnabled ? 'disabled' : 'enabled' },
          headers: { 'If-Match': endpoint.version ?? '*' },
        }),
      ),
    onSuccess: (changed) => {
      queries.setQueryData(endpointQuery(id).queryKey, changed);
      toast({ message: isEnabled ? t`The endpoint is paused.` : t`The endpoint receives events again.` });
      return queries.invalidateQueries({ queryKey: ['webhook_endpoint'] });
    },
    // What was read is too old: it is read again, and shown.
    onError: () => queries.invalidateQueries({ queryKey: ['webhook_endpoint', id] }),
  });

  return (
    <Page
      title={description ?? url}
      about={description ? url : undefined}
      actions={
        mayWrite && (
          <>
            <Button onPress={() => test.mutate()} isPending={test.isPending}>
              <Send aria-hidden />
              <Trans>Send a test</Trans>
            </Button>
            <Button onPress={() => pause.mutate()} isPending={pause.isPending}>
              {isEnabled ? t`Pause` : t`Resume`}
            </Button>
            <Menu
              label={t`More`}
              items={[
                { key: 'change', label: t`Change…`, onAction: () => setAsked('change') },
                { key: 'rotate', label: t`New secret…`, onAction: () => setAsked('rotate') },
                { key: 'delete', label: t`Delete…`, tone: 'danger', onAction: () => setAsked('delete') },
              ]}
            />
          </>
        )
      }
    >
      {pause.error && <ErrorNote {...noteOf(pause.error)} />}
      {test.error && <ErrorNote {...noteOf(test.error)} />}
      {test.data && <TestResult result={test.data} onClose={test.reset} />}
      {secret !== null && (
        <SecretOnce title={t`The new secret`} label={t`Secret`} text={secret} onDone={() => setSecret(null)}>
          <Trans>For a day both secrets sign, so that your programs can change over. It is not shown again.</Trans>
        </SecretOnce>
      )}
      <div className={styles.columns}>
        <Panel title={t`Endpoint`}>
          <DefinitionList
            items={[
              { term: t`Status`, value: <EndpointStatus status={status} /> },
              { term: t`Events`, value: events.length === 0 ? t`All, also those that come with later releases` : events.join(', ') },
              { term: t`Created`, value: <Time value={created_at} /> },
              { term: t`Changed`, value: <Time value={updated_at} /> },
              { term: t`Id`, value: <Id value={id} /> },
            ]}
          />
        </Panel>
        <Health endpointId={id} />
      </div>
      <Deliveries endpointId={id} mayWrite={mayWrite} isEnabled={isEnabled} />
      <EndpointDialog isOpen={asked === 'change'} onClose={() => setAsked(null)} endpoint={endpoint} />
      <RotateDialog id={id} isOpen={asked === 'rotate'} onClose={() => setAsked(null)} onRotated={setSecret} />
      <DeleteDialog endpoint={endpoint.value} isOpen={asked === 'delete'} onClose={() => setAsked(null)} />
    </Page>
  );
}

function TestResult({ result, onClose }: { readonly result: Schemas['PingResult']; readonly onClose: () => void }) {
  const { t } = useLingui();
  const { delivered, status_code, duration_ms, response_body, error } = result;
  return (
    <div role="status">
      <Panel
        title={t`The test`}
        actions={
          <Button size="small" look="quiet" onPress={onClose}>
            <Trans>Close</Trans>
          </Button>
        }
      >
        <div className={styles.badges}>
          {delivered ? <Badge tone="success">{t`Delivered`}</Badge> : <Badge tone="danger">{t`Not delivered`}</Badge>}
          <span>
            {status_code === null ? error?.message : t`Status ${status_code}`}, <Trans>after {duration_ms} ms</Trans>
          </span>
        </div>
        {response_body !== null && response_body !== '' && <Code label={t`What it answered`} text={response_body} />}
      </Panel>
    </div>
  );
}

interface AskedProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

function RotateDialog({ id, onRotated, ...asked }: AskedProps & { readonly id: string; readonly onRotated: (secret: string) => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => answer(api.POST('/v1/webhook-endpoints/{id}/rotate-secret', { params: { path: { id } }, body: {} })),
    onSuccess: ({ secret }) => {
      onRotated(secret);
      asked.onClose();
      return queries.invalidateQueries({ queryKey: ['webhook_endpoint', id] });
    },
  });
  return (
    <ConfirmDialog
      {...asked}
      title={t`Make a new secret`}
      look="primary"
      confirmLabel={t`Make a new secret`}
      onConfirm={() => rotate.mutate()}
      isPending={rotate.isPending}
      {...(rotate.error && { error: noteOf(rotate.error).message })}
    >
      <Trans>For a day requests are signed with both secrets. After that only the new one signs.</Trans>
    </ConfirmDialog>
  );
}

function DeleteDialog({ endpoint: { id, url }, ...asked }: AskedProps & { readonly endpoint: Endpoint }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE('/v1/webhook-endpoints/{id}', { params: { path: { id } } })),
    onSuccess: async () => {
      toast({ message: t`The endpoint is deleted.` });
      await navigate({ to: '/developers/webhooks' });
      await queries.invalidateQueries({ queryKey: ['webhook_endpoint', 'list'] });
    },
  });
  return (
    <ConfirmDialog
      {...asked}
      title={t`Delete the endpoint`}
      confirmLabel={t`Delete`}
      typedName={url}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      {...(remove.error && { error: noteOf(remove.error).message })}
    >
      <Trans>Deliveries that wait for another attempt stop, and its history is gone. To make a break, pause it instead.</Trans>
    </ConfirmDialog>
  );
}

export const page = createLazyRoute('/signed-in/developers/webhooks/$id')({ component: EndpointPage });
