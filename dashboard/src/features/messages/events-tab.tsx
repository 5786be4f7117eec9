import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { Code } from '../../ui/code.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './messages.module.css';
import { messageEventsQuery } from './queries.ts';
import { eventWords, statusWords } from './words.ts';

/** All events of the message as the log has them, with what the carrier reported word for word. */
export function EventsTab({ id }: { readonly id: string }) {
  const { i18n } = useLingui();
  const { data, error, refetch } = useQuery(messageEventsQuery(id));
  if (!data) return error ? <ErrorNote {...noteOf(error)} onRetry={() => void refetch()} /> : <Loading />;
  return (
    <Timeline
      entries={data.data.map((event, index) => {
        const words = eventWords.get(event.type);
        const isChange = event.status !== data.data[index - 1]?.status;
        return {
          key: event.id,
          at: event.occurred_at,
          title: words ? i18n._(words) : event.type,
          detail: <code>{event.type}</code>,
          tone: isChange ? statusWords[event.status].tone : 'neutral',
          more: <Raw event={event} />,
        };
      })}
    />
  );
}

/** The fields of an event; the report of a carrier apart from them, as it came. */
function Raw({ event: { data, ...event } }: { readonly event: Schemas['MessageEvent'] }) {
  const { t } = useLingui();
  const { raw, ...fields } = data;
  return (
    <div className={styles.parts}>
      <JsonView value={{ ...event, data: fields }} />
      {typeof raw === 'string' && raw !== '' && <Code text={raw} label={t`Report of the carrier`} />}
    </div>
  );
}
