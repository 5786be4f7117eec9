import { Trans, useLingui } from '@lingui/react/macro';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty } from '../../ui/states.tsx';
import { useFilters } from './filters.ts';
import { MessageTable, useHistoryColumns } from './message-table.tsx';

const route = getRouteApi('/signed-in/messages');

function HistoryPage() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const maySend = useMay('messages:send');
  const { order, ...filters } = search;
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <Page
      title={t`Messages`}
      about={t`Everything that was sent, or was refused, newest first.`}
      actions={
        <>
          <ShowAsCode method="GET" path="/v1/messages" query={search} />
          {maySend && (
            <ButtonLink to="/messages/send" look="primary">
              <Trans>Send a message</Trans>
            </ButtonLink>
          )}
        </>
      }
    >
      <FilterBar
        filters={useFilters()}
        values={filters}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true })}
      />
      <MessageTable
        label={t`Messages`}
        filters={search}
        columns={useHistoryColumns()}
        sort={{ key: 'created_at', descending: order !== 'asc' }}
        onSort={({ descending }) => void navigate({ search: (now) => ({ ...now, order: descending ? undefined : 'asc' }) })}
        empty={isFiltered ? <NothingFound onClear={() => void navigate({ search: {} })} /> : <NothingYet maySend={maySend} />}
      />
    </Page>
  );
}

const NothingFound = ({ onClear }: { readonly onClear: () => void }) => (
  <Empty
    title={<Trans>No message matches</Trans>}
    actions={
      <Button onPress={onClear}>
        <Trans>Remove all filters</Trans>
      </Button>
    }
  >
    <Trans>All filters must match. Remove one, or choose a longer time.</Trans>
  </Empty>
);

const NothingYet = ({ maySend }: { readonly maySend: boolean }) => (
  <Empty
    title={<Trans>Nothing has been sent yet</Trans>}
    actions={
      <>
        {maySend && (
          <ButtonLink to="/messages/send" look="primary">
            <Trans>Send a message</Trans>
          </ButtonLink>
        )}
        <a href="/docs/guides/first-message">
          <Trans>Guide: a first message</Trans>
        </a>
      </>
    }
  >
    <Trans>Every message that an application, a campaign or a journey sends appears here at once, with what became of it and why.</Trans>
  </Empty>
);

export const page = createLazyRoute('/signed-in/messages')({ component: HistoryPage });
