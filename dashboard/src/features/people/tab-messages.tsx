import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { ButtonLink } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import type { Contact } from './person-name.tsx';
import { contactMessagesQuery } from './queries.ts';
import { channelWords } from './words.ts';

const tones: Partial<Record<Schemas['MessageStatus'], Tone>> = {
  delivered: 'success',
  undelivered: 'danger',
  bounced: 'danger',
  failed: 'danger',
  suppressed: 'warning',
  expired: 'warning',
  scheduled: 'info',
  queued: 'info',
  sending: 'info',
};

/** What was written to the person. */
export function Messages({ contact: { id }, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { t, i18n } = useLingui();
  const { timezone } = useMe().account;
  const maySend = useMay('messages:send') && asOf === undefined;
  const list = useInfiniteQuery(contactMessagesQuery(id, asOf));
  if (list.isPending) return <Loading rows={6} />;
  if (!list.data) return <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />;
  return (
    <DataTable
      label={t`Messages to this person`}
      columns={[
        {
          key: 'content',
          header: t`Content`,
          width: 'minmax(9rem, 2fr)',
          cell: ({ subject, title, message }) => <bdi>{subject ?? title ?? message.slice(0, 160)}</bdi>,
        },
        { key: 'channel', header: t`Channel`, width: '6rem', secondary: true, cell: ({ channel }) => i18n._(channelWords[channel]) },
        { key: 'status', header: t`Status`, width: '8rem', cell: ({ status }) => <Badge tone={tones[status] ?? 'neutral'}>{status}</Badge> },
        {
          key: 'created_at',
          header: t`Created`,
          width: '9rem',
          secondary: true,
          cell: ({ created_at }) => <Time value={created_at} zone={timezone} />,
        },
      ]}
      rows={list.data.pages.flatMap(({ data }) => data)}
      rowKey={(message) => message.id}
      href={(message) => `/messages/${message.id}`}
      hasMore={list.hasNextPage}
      isLoadingMore={list.isFetchingNextPage}
      onEndReached={() => void list.fetchNextPage()}
      empty={
        <Empty
          title={<Trans>No messages</Trans>}
          actions={
            maySend && (
              <ButtonLink to={'/messages/send' as string} look="primary">
                <Trans>Send a message</Trans>
              </ButtonLink>
            )
          }
        >
          <Trans>What an application, a campaign or a journey sends to this person appears here.</Trans>
        </Empty>
      }
    />
  );
}
