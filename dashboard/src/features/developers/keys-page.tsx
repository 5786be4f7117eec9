import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { keysQuery } from '../../api/account-lists.ts';
import { answer, api, type Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import styles from './developers.module.css';

const route = getRouteApi('/signed-in/developers/keys');

type ApiKey = Schemas['ApiKey'];

function KeysPage() {
  const { t } = useLingui();
  const mayManage = useMay('keys:manage');
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const [issued, setIssued] = useState<Schemas['IssuedApiKey'] | null>(null);
  const [revoked, setRevoked] = useState<ApiKey | null>(null);
  const list = useInfiniteQuery(keysQuery);
  const columns = useColumns(mayManage ? setRevoked : null);
  const open = (what?: 'new') => void navigate({ search: { create: what } });

  const createButton = mayManage && (
    <Button look="primary" onPress={() => open('new')}>
      <KeyRound aria-hidden />
      <Trans>Create a key</Trans>
    </Button>
  );

  return (
    <Page title={t`API keys`} about={t`Programs use the API with them. A key belongs to this account and to no person.`} actions={createButton}>
      {issued && (
        <SecretOnce title={t`The key “${issued.name}”`} label={t`API key`} text={issued.key} onDone={() => setIssued(null)}>
          <Trans>Copy it now and keep it like a password: only its hash is stored, and it is not shown again.</Trans>
        </SecretOnce>
      )}
      {list.isPending && <Loading rows={5} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`API keys`}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={
            <Empty title={t`No keys`} actions={createButton}>
              <Trans>
                A program sends its key in the header <code>X-API-Key</code>. Give each program its own, with no more access than it needs.{' '}
                <a href="/docs/guides/first-message">How to send a first message</a>
              </Trans>
            </Empty>
          }
        />
      )}
      <CreateKeyDialog
        isOpen={create === 'new' && mayManage}
        onClose={() => open()}
        onIssued={(key) => {
          setIssued(key);
          open();
        }}
      />
      {revoked && <RevokeDialog apiKey={revoked} onClose={() => setRevoked(null)} />}
    </Page>
  );
}

function useColumns(onRevoke: ((key: ApiKey) => void) | null): Column<ApiKey>[] {
  const { t } = useLingui();
  const actions: Column<ApiKey> = {
    key: 'actions',
    header: t`Actions`,
    width: '5.5rem',
    align: 'end',
    cell: (key) => (
      <Button size="small" look="quiet" aria-label={t`Revoke ${key.name}`} onPress={() => onRevoke?.(key)}>
        <Trans>Revoke</Trans>
      </Button>
    ),
  };
  return [
    { key: 'name', header: t`Name`, width: 'minmax(0, 2fr)', cell: ({ name }) => <strong className={styles.name}>{name}</strong> },
    { key: 'prefix', header: t`Begins with`, width: '9.5rem', secondary: true, cell: ({ prefix }) => <code>{prefix}…</code> },
    { key: 'access', header: t`Access`, width: 'minmax(6.25rem, 1fr)', cell: ({ scopes }) => <Access scopes={scopes} /> },
    {
      key: 'mode',
      header: t`Mode`,
      width: '10rem',
      secondary: true,
      cell: ({ mode, strict }) => (
        <span className={styles.badges}>
          {mode === 'test' ? <Badge tone="warning">{t`Test`}</Badge> : <Badge tone="success">{t`Live`}</Badge>}
          {strict && <Badge>{t`Strict`}</Badge>}
        </span>
      ),
    },
    {
      key: 'used',
      header: t`Last use`,
      width: '8rem',
      secondary: true,
      cell: ({ last_used_at }) => (last_used_at ? <Time value={last_used_at} /> : <span className={styles.muted}>{t`Never`}</span>),
    },
    { key: 'created', header: t`Created`, width: '8rem', secondary: true, cell: ({ created_at }) => <Time value={created_at} /> },
    ...(onRevoke ? [actions] : []),
  ];
}

function Access({ scopes }: Pick<ApiKey, 'scopes'>) {
  const { t } = useLingui();
  if (scopes === null) return <>{t`Everything`}</>;
  if (scopes.length === 0) return <span className={styles.muted}>{t`Nothing`}</span>;
  if (scopes.length === 2) return <>{t`Read and write`}</>;
  return <>{scopes[0] === 'read' ? t`Read` : t`Write`}</>;
}

function RevokeDialog({ apiKey: { id, name }, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => answer(api.DELETE('/v1/api-keys/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ message: t`The key “${name}” is revoked.` });
      onClose();
      return queries.invalidateQueries({ queryKey: ['api_key'] });
    },
  });
  return (
    <ConfirmDialog
      title={t`Revoke the key “${name}”`}
      isOpen
      onClose={onClose}
      confirmLabel={t`Revoke`}
      typedName={name}
      onConfirm={() => revoke.mutate()}
      isPending={revoke.isPending}
      {...(revoke.error && { error: noteOf(revoke.error).message, requestId: noteOf(revoke.error).requestId })}
    >
      <Trans>Programs that use it are refused from now on. A revoked key cannot be brought back.</Trans>
    </ConfirmDialog>
  );
}

export const page = createLazyRoute('/signed-in/developers/keys')({ component: KeysPage });
