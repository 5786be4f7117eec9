import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createLazyRoute, getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { answer, api, type Schemas } from '../../api/client.ts';
import { ApiError, noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { AsOfSlider } from '../../ui/as-of-slider.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { PersonName } from './person-name.tsx';
import { listQuery, type MemberFilters, membersQuery, useChange } from './queries.ts';
import { membershipStatuses, membershipWords } from './words.ts';

const route = getRouteApi('/signed-in/people/lists/$id');

function ListPage() {
  const { t, i18n } = useLingui();
  const { id } = route.useParams();
  const { as_of: asOf, status } = route.useSearch();
  const navigate = route.useNavigate();
  const { timezone } = useMe().account;
  const mayWrite = useMay('lists:write') && asOf === undefined;
  const list = useQuery(listQuery(id));
  // The router shows what went wrong, or that there is nothing at this address.
  if (list.error && !list.data) throw list.error;
  if (!list.data)
    return (
      <Page title={t`List`}>
        <Loading rows={8} />
      </Page>
    );
  const { name, description, counts, opt_in, created_at } = list.data;
  const show = (moment: string | null): void => void navigate({ search: (now) => ({ ...now, as_of: moment ?? undefined }), replace: true });
  return (
    <Page
      title={name}
      about={
        <span className={styles.badges}>
          {description !== null && <bdi>{description}</bdi>}
          <span>{opt_in === 'double' ? t`Double opt-in` : t`Single opt-in`}</span>
          {membershipStatuses
            .filter((one) => one === 'subscribed' || counts[one] > 0)
            .map((one) => (
              <Badge key={one} tone={membershipWords[one].tone}>
                {i18n._(membershipWords[one].label)}: {i18n.number(counts[one])}
              </Badge>
            ))}
        </span>
      }
      actions={
        <>
          <ShowAsCode method="GET" path={`/v1/lists/${id}/contacts`} query={{ status, as_of: asOf }} />
          {mayWrite && <DeleteList list={list.data} />}
        </>
      }
    >
      <AsOfSlider from={created_at} value={asOf ?? null} onChange={show} zone={timezone} />
      <FilterBar
        filters={[
          {
            key: 'status',
            label: t`Status`,
            kind: 'choice',
            options: membershipStatuses.map((value) => ({ value, label: i18n._(membershipWords[value].label) })),
          },
        ]}
        values={{ status }}
        onChange={(_, value) => void navigate({ search: (now) => ({ ...now, status: value }), replace: true })}
      />
      <Members list={id} filters={{ status: status as MemberFilters['status'], as_of: asOf }} />
    </Page>
  );
}

function Members({ list, filters }: { readonly list: string; readonly filters: MemberFilters }) {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const members = useInfiniteQuery({ ...membersQuery(list, filters), placeholderData: keepPreviousData });
  if (members.isPending) return <Loading rows={8} />;
  if (!members.data) return <ErrorNote {...noteOf(members.error)} onRetry={() => void members.refetch()} />;
  return (
    <DataTable
      label={t`Members`}
      columns={[
        {
          key: 'name',
          header: t`Name`,
          width: 'minmax(9rem, 1.2fr)',
          cell: ({ contact, contact_id }) => (contact ? <PersonName contact={{ ...contact, id: contact_id }} /> : t`Deleted or erased`),
        },
        { key: 'email', header: t`Email`, secondary: true, cell: ({ contact }) => <bdi>{contact?.email}</bdi> },
        {
          key: 'status',
          header: t`Status`,
          width: 'minmax(8rem, 1fr)',
          cell: ({ status }) => <Badge tone={membershipWords[status].tone}>{i18n._(membershipWords[status].label)}</Badge>,
        },
        { key: 'source', header: t`Source`, width: '9rem', secondary: true, cell: ({ source }) => <bdi>{source}</bdi> },
        { key: 'since', header: t`Since`, width: '9rem', secondary: true, cell: ({ since }) => <Time value={since} zone={timezone} /> },
      ]}
      rows={members.data.pages.flatMap(({ data }) => data)}
      rowKey={({ contact_id }) => contact_id}
      href={({ contact_id }) => `/people/${contact_id}`}
      hasMore={members.hasNextPage}
      isLoadingMore={members.isFetchingNextPage}
      onEndReached={() => void members.fetchNextPage()}
      empty={
        <Empty
          title={<Trans>Nobody is here</Trans>}
          actions={
            <ButtonLink to="/people">
              <Trans>People</Trans>
            </ButtonLink>
          }
        >
          <Trans>Add people from the list of all, or from their own page. Forms and imports add them, too.</Trans>
        </Empty>
      }
    />
  );
}

function DeleteList({ list: { id, name, counts } }: { readonly list: Schemas['ContactList'] }) {
  const { t } = useLingui();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  const remove = useChange(
    () => answer(api.DELETE('/v1/lists/{id}', { params: { path: { id } } })),
    () => {
      toast({ message: t`The list was deleted.`, tone: 'success' });
      void navigate({ to: '/people/lists' });
    },
  );
  const members = counts.subscribed + counts.pending;
  return (
    <>
      <Button look="danger" onPress={() => setIsOpen(true)}>
        <Trans>Delete</Trans>
      </Button>
      <ConfirmDialog
        title={t`Delete this list`}
        isOpen={isOpen}
        onClose={() => {
          remove.reset();
          setIsOpen(false);
        }}
        confirmLabel={t`Delete`}
        onConfirm={() => remove.mutate(undefined)}
        isPending={remove.isPending}
        typedName={name}
        {...(remove.error && { error: remove.error.message, requestId: remove.error instanceof ApiError ? remove.error.requestId : null })}
      >
        <Trans>
          It has {members} members, who are on it no longer then. The people stay. A list that segments or journeys name cannot be deleted.
        </Trans>
      </ConfirmDialog>
    </>
  );
}

export const page = createLazyRoute('/signed-in/people/lists/$id')({ component: ListPage });
