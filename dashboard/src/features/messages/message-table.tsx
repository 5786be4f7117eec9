import { useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { type Column, DataTable, type Sort } from '../../ui/data-table.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './messages.module.css';
import { type Filters, messagesQuery } from './queries.ts';
import { StatusBadge } from './status-badge.tsx';
import { channelWords } from './words.ts';

export type Message = Schemas['Message'];

interface MessageTableProps {
  readonly label: string;
  readonly filters: Filters;
  /** Besides the recipient and the content, which are always there. */
  readonly columns?: readonly Column<Message>[];
  readonly sort?: Sort;
  readonly onSort?: (sort: Sort) => void;
  readonly empty: ReactNode;
}

/** Messages as rows, loaded while one scrolls. */
export function MessageTable({ label, filters, columns = [], sort, onSort, empty }: MessageTableProps) {
  const { t, i18n } = useLingui();
  const list = useInfiniteQuery({ ...messagesQuery(filters), placeholderData: keepPreviousData });
  if (list.isPending) return <Loading rows={8} />;
  if (!list.data) return <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />;
  const always: Column<Message>[] = [
    { key: 'to', header: t`Recipient`, cell: (row) => <Recipient message={row} />, width: 'minmax(0, 1.2fr)' },
    { key: 'channel', header: t`Channel`, cell: ({ channel }) => i18n._(channelWords[channel]), width: '6rem', secondary: true },
    { key: 'content', header: t`Content`, cell: (row) => <Start message={row} />, width: 'minmax(0, 1.6fr)', secondary: true },
  ];
  return (
    <>
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      <DataTable
        label={label}
        columns={[...always, ...columns]}
        rows={list.data.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        href={({ id }) => `/messages/${id}`}
        hasMore={list.hasNextPage}
        isLoadingMore={list.isFetchingNextPage}
        onEndReached={() => void list.fetchNextPage()}
        {...(sort && { sort })}
        {...(onSort && { onSort })}
        empty={empty}
      />
    </>
  );
}

const Recipient = ({ message: { to, to_name } }: { readonly message: Message }) => (
  <span className={styles.recipient}>
    {to_name !== undefined && <bdi className={styles.name}>{to_name}</bdi>}
    <bdi>{to}</bdi>
  </span>
);

/** The subject or title, and where there is none, the start of the text. */
const Start = ({ message: { subject, title, message } }: { readonly message: Message }) => (
  <bdi className={styles.start} dir="auto">
    {subject ?? title ?? message.slice(0, 160)}
  </bdi>
);

/** Columns of messages that are on their way or have arrived. */
export function useHistoryColumns(): Column<Message>[] {
  const { t } = useLingui();
  return [
    {
      key: 'status',
      header: t`Status`,
      cell: ({ status, status_reason }) => <StatusBadge status={status} reason={status_reason} />,
      width: 'minmax(7.5rem, 1.2fr)',
    },
    {
      key: 'created_at',
      header: t`Created`,
      cell: ({ created_at }) => <Time value={created_at} />,
      width: '9rem',
      secondary: true,
      canSort: true,
    },
  ];
}
