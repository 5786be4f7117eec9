import { Trans, useLingui } from '@lingui/react/macro';
import { createLazyRoute, getRouteApi } from '@tanstack/react-router';
import { useMay } from '../../api/session.ts';
import { ButtonLink } from '../../ui/button.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Page } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Empty } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { CancelButton } from './cancel-button.tsx';
import { useFilters } from './filters.ts';
import { type Message, MessageTable } from './message-table.tsx';

const route = getRouteApi('/signed-in/messages/scheduled');

function ScheduledPage() {
  const { t } = useLingui();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const maySend = useMay('messages:send');
  const query = { ...search, status: 'scheduled' };
  const columns: Column<Message>[] = [
    { key: 'scheduled_at', header: t`Goes out`, cell: ({ scheduled_at }) => <Time value={scheduled_at} />, width: '10rem' },
    ...(maySend ? [{ key: 'cancel', header: t`Action`, cell: (row: Message) => <CancelButton message={row} />, width: '6.5rem' }] : []),
  ];
  return (
    <Page
      title={t`Scheduled messages`}
      about={t`Messages that wait for their time, for the end of quiet hours, or for a free place. Until then each can be canceled.`}
      actions={<ShowAsCode method="GET" path="/v1/messages" query={query} />}
    >
      <FilterBar
        filters={useFilters().filter(({ key }) => !key.startsWith('status'))}
        values={search}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true })}
      />
      <MessageTable
        label={t`Scheduled messages`}
        filters={query}
        columns={columns}
        empty={
          <Empty
            title={<Trans>Nothing is scheduled</Trans>}
            actions={
              maySend && (
                <ButtonLink to="/messages/send">
                  <Trans>Send a message at a time</Trans>
                </ButtonLink>
              )
            }
          >
            <Trans>Messages with a time to send wait here, and those that quiet hours hold back.</Trans>
          </Empty>
        }
      />
    </Page>
  );
}

export const page = createLazyRoute('/signed-in/messages/scheduled')({ component: ScheduledPage });
