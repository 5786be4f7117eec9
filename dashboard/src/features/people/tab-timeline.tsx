import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Button } from '../../ui/button.tsx';
import { FilterBar } from '../../ui/filter-bar.tsx';
import { Id } from '../../ui/id.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { FieldText } from './field-text.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { listsQuery, type TimelineFilters, timelineQuery } from './queries.ts';
import { useFields } from './use-fields.ts';
import { channelWords, eventWords, kindWords, sourceWords, timelineKinds } from './words.ts';

type Entry = Schemas['ContactTimelineEntry'];

const route = getRouteApi('/signed-in/people/$id');
const tones = {
  consent: 'info',
  list: 'info',
  suppression: 'warning',
  message: 'neutral',
  inbound: 'success',
  event: 'success',
  contact: 'neutral',
} as const;

/** What happened to the person and what the person did, the latest first. */
export function ContactTimeline({ contact: { id }, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { t, i18n } = useLingui();
  const { kind, after, before } = route.useSearch();
  const navigate = route.useNavigate();
  // In the past nothing later is known yet.
  const until = [before, asOf].filter((one) => one !== undefined).sort()[0];
  const filters = { kind: kind as TimelineFilters['kind'], created_after: after, created_before: until };
  const list = useInfiniteQuery({ ...timelineQuery(id, filters), placeholderData: keepPreviousData });
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <div className={styles.stack}>
      <FilterBar
        filters={[
          { key: 'kind', label: t`Kind`, kind: 'choice', options: timelineKinds.map((value) => ({ value, label: i18n._(kindWords[value]) })) },
          { key: 'after', label: t`After`, kind: 'time' },
          { key: 'before', label: t`Before`, kind: 'time' },
        ]}
        values={{ kind, after, before }}
        onChange={(key, value) => void navigate({ search: (now) => ({ ...now, [key]: value }), replace: true, resetScroll: false })}
      />
      {list.isPending && <Loading rows={6} />}
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && entries.length === 0 && <Empty title={<Trans>Nothing happened</Trans>} />}
      <Timeline
        entries={entries.map((entry) => ({
          key: entry.id,
          at: entry.occurred_at,
          title: <Title entry={entry} />,
          detail: <Detail entry={entry} />,
          tone: tones[entry.kind],
          more: <More entry={entry} />,
        }))}
      />
      {list.hasNextPage && (
        <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
          <Trans>Earlier</Trans>
        </Button>
      )}
    </div>
  );
}

const textIn = ({ data }: Entry, name: string): string | null => (typeof data[name] === 'string' ? data[name] : null);

function Title({ entry }: { readonly entry: Entry }) {
  const { i18n } = useLingui();
  const event = textIn(entry, 'event');
  if (entry.type === 'CustomEventRecorded' && event !== null) return <bdi>{event}</bdi>;
  const words = eventWords.get(entry.type);
  return words ? i18n._(words) : entry.type;
}

/** What of an entry is worth a line: the channel, the list, the fields, the first words. */
function Detail({ entry }: { readonly entry: Entry }): ReactNode {
  const { i18n } = useLingui();
  const { data: lists } = useQuery(listsQuery);
  const channel = textIn(entry, 'channel');
  const list = textIn(entry, 'list_id');
  const values = entry.data.values;
  const source = textIn(entry, 'source');
  const labels = new Map(useFields().map(({ name, label }) => [name, label]));
  const parts: ReactNode[] = [
    channel !== null && (Object.hasOwn(channelWords, channel) ? i18n._(channelWords[channel as 'all']) : channel),
    list !== null && (
      <Link to="/people/lists/$id" params={{ id: list }}>
        <bdi>{lists?.data.find(({ id }) => id === list)?.name ?? list}</bdi>
      </Link>
    ),
    ...['status', 'purpose', 'reason'].map((name) => textIn(entry, name)),
    source !== null && (Object.hasOwn(sourceWords, source) ? i18n._(sourceWords[source as 'api']) : source),
    ...(typeof values === 'object' && values !== null
      ? Object.entries(values).map(([name, value]) => (
          <>
            {labels.get(name) ?? name}: <FieldText value={value} />
          </>
        ))
      : []),
    textIn(entry, 'subject') ?? textIn(entry, 'text')?.slice(0, 160),
  ].filter(Boolean);
  return parts.map((part, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no names, and their order never changes
    <span key={place}>
      {place > 0 && ' · '}
      <bdi>{part}</bdi>
    </span>
  ));
}

function More({ entry }: { readonly entry: Entry }) {
  const message = textIn(entry, 'message_id');
  return (
    <div className={styles.stack}>
      <p className={styles.badges}>
        <Id value={entry.id} />
        <span className={styles.small}>{entry.type}</span>
        {message !== null && (
          <Link to={`/messages/${message}` as string}>
            <Trans>Open the message</Trans>
          </Link>
        )}
      </p>
      <JsonView value={entry.data} />
    </div>
  );
}
