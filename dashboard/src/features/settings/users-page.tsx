import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { usersQuery } from '../../api/account-lists.ts';
import { answer, api } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import cell from '../../ui/cell.module.css';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import { AddUserDialog } from './add-user-dialog.tsx';
import { ChangeUserDialog } from './change-user-dialog.tsx';
import type { User } from './queries.ts';
import styles from './settings.module.css';
import { roleWords } from './words.ts';

const route = getRouteApi('/signed-in/settings/users');

type Asked = { readonly what: 'change' | 'remove'; readonly user: User } | null;

function UsersPage() {
  const { t } = useLingui();
  const mayManage = useMay('users:manage');
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const [asked, setAsked] = useState<Asked>(null);
  const list = useInfiniteQuery(usersQuery);
  const columns = useColumns(mayManage ? setAsked : null);
  const open = (what?: 'new') => void navigate({ search: { create: what } });
  const close = () => setAsked(null);

  return (
    <Page
      title={t`Users`}
      about={t`The people who sign in to this account, and what each may do.`}
      actions={
        mayManage && (
          <Button look="primary" onPress={() => open('new')}>
            <UserPlus aria-hidden />
            <Trans>Add a user</Trans>
          </Button>
        )
      }
    >
      {list.isPending && <Loading rows={4} />}
      {list.error && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && (
        <DataTable
          label={t`Users`}
          columns={columns}
          rows={list.data.pages.flatMap(({ data }) => data)}
          rowKey={({ id }) => id}
          hasMore={list.hasNextPage}
          isLoadingMore={list.isFetchingNextPage}
          onEndReached={() => void list.fetchNextPage()}
          empty={null}
        />
      )}
      <AddUserDialog isOpen={create === 'new' && mayManage} onClose={() => open()} />
      {asked?.what === 'change' && <ChangeUserDialog userId={asked.user.id} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog user={asked.user} onClose={close} />}
    </Page>
  );
}

function useColumns(onAsk: ((asked: Asked) => void) | null): Column<User>[] {
  const { t, i18n } = useLingui();
  const me = useMe().user?.id;
  const actions: Column<User> = {
    key: 'actions',
    header: t`Actions`,
    width: '5.5rem',
    align: 'end',
    cell: (user) => (
      <Menu
        label={t`Actions for ${user.email}`}
        size="small"
        items={[
          { key: 'change', label: t`Change…`, onAction: () => onAsk?.({ what: 'change', user }) },
          { key: 'remove', label: t`Remove…`, tone: 'danger', onAction: () => onAsk?.({ what: 'remove', user }) },
        ]}
      />
    ),
  };
  return [
    {
      key: 'user',
      header: t`User`,
      width: 'minmax(0, 3fr)',
      cell: ({ id, name, email }) => (
        <span className={cell.stack}>
          <span className={styles.strong}>
            {name ?? email}
            {id === me && <> ({t`you`})</>}
          </span>
          {name && <span>{email}</span>}
        </span>
      ),
    },
    { key: 'role', header: t`Role`, width: 'minmax(5.5rem, 1fr)', cell: ({ role }) => i18n._(roleWords[role].label) },
    {
      key: 'status',
      header: t`Status`,
      width: '8rem',
      secondary: true,
      cell: ({ status }) => (status === 'active' ? <Badge tone="success">{t`Active`}</Badge> : <Badge>{t`Disabled`}</Badge>),
    },
    { key: 'created', header: t`Added`, width: '8rem', secondary: true, cell: ({ created_at }) => <Time value={created_at} /> },
    ...(onAsk ? [actions] : []),
  ];
}

function RemoveDialog({ user: { id, email }, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => answer(api.DELETE('/v1/account/users/{id}', { params: { path: { id } } })),
    onSuccess: () => {
      toast({ message: t`${email} is removed.` });
      onClose();
      return queries.invalidateQueries({ queryKey: ['user'] });
    },
  });
  return (
    <ConfirmDialog
      title={t`Remove ${email}`}
      isOpen
      onClose={onClose}
      confirmLabel={t`Remove`}
      typedName={email}
      onConfirm={() => remove.mutate()}
      isPending={remove.isPending}
      {...(remove.error && { error: noteOf(remove.error).message, requestId: noteOf(remove.error).requestId })}
    >
      <Trans>
        They are signed out everywhere, and cannot sign in again. What they did stays in the activity. To make a break, disable them instead.
      </Trans>
    </ConfirmDialog>
  );
}

export const page = createLazyRoute('/signed-in/settings/users')({ component: UsersPage });
