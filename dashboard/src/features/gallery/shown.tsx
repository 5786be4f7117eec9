import { useState } from 'react';
import { AsOfSlider } from '../../ui/as-of-slider.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Code } from '../../ui/code.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Id } from '../../ui/id.tsx';
import { JsonView } from '../../ui/json-view.tsx';
import { Metric } from '../../ui/metric.tsx';
import { Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { Sparkline } from '../../ui/sparkline.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './gallery.module.css';

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

const message = {
  id: 'msg_01M8FE458SRK2SM8CAJKWGD9TN',
  to: 'ada@example.com',
  metadata: {
    order: 'A1',
    lines: [
      { sku: 'x-1', price: 12.5 },
      { sku: 'x-2', price: 3 },
    ],
    gift: false,
    note: null,
  },
  events: Array.from({ length: 250 }, (_, i) => ({ position: i, type: 'MessageOpened' })),
  'a text that is <b>long</b>': 'It’s here, and it goes on and on, so that it does not fit into one line of a narrow window. '.repeat(3),
};

export const Shown = () => (
  <>
    <Panel title="Numbers">
      <div className={styles.grid}>
        <Metric
          label="Sent today"
          definition="Messages that a carrier accepted since midnight, Europe/Berlin."
          value="12,408"
          href="/messages"
          change={0.123}
        />
        <Metric label="Delivered" definition="Of the messages sent today, those with a receipt." value="98.2 %" change={-0.004} />
        <Metric label="Replies" definition="Messages received today." value={0} change={null} />
        <Sparkline label="Messages of each of the last 14 days" values={[3, 5, 4, 8, 12, 9, 7, 14, 13, 15, 11, 18, 21, 19]} />
      </div>
    </Panel>
    <Panel title="As of">
      <Slide />
    </Panel>
    <div className={styles.grid}>
      <Panel title="Definitions">
        <DefinitionList
          items={[
            { term: 'Id', value: <Id value={message.id} /> },
            { term: 'To', value: message.to },
            { term: 'Accepted', value: <Time value={minutesAgo(3)} /> },
            { term: 'Campaign', value: null },
            { term: 'A term that is long', value: 'and_a_value_without_any_place_to_break_that_is_long_as_well_and_goes_on' },
          ]}
        />
      </Panel>
      <Panel title="Timeline">
        <Timeline
          entries={[
            { key: '4', at: minutesAgo(2), title: 'Opened', detail: 'Mail, on a phone', tone: 'info' },
            {
              key: '3',
              at: minutesAgo(3),
              title: <Badge tone="success">Delivered</Badge>,
              detail: 'Receipt',
              more: <Code label="SMTP" text="250 2.0.0 OK" />,
            },
            { key: '2', at: minutesAgo(5), title: 'Deferred', detail: '421 4.7.0 Try again later', tone: 'warning' },
            { key: '1', at: minutesAgo(5_000), title: 'Accepted by the API, with the key “Shop”' },
          ]}
        />
      </Panel>
    </div>
    <Panel title="Times">
      <div className={styles.line}>
        {[0, 5, -90, 700, 4_000, 600_000].map((minutes) => (
          <Time key={minutes} value={minutesAgo(minutes)} />
        ))}
        <Time value={minutesAgo(4_000)} zone="America/New_York" />
        <Time value={null} />
      </div>
    </Panel>
    <Panel
      title="Code"
      actions={
        <ShowAsCode
          method="POST"
          path="/v1/messages/send"
          query={{ dry_run: true }}
          body={{ to: '+14155550100', message: 'It’s "you\'re"', tags: [] }}
        />
      }
    >
      <Code label="curl" text={'curl \'http://127.0.0.1:3000/v1/messages?status=failed\' \\\n  -H "X-API-Key: $HELIOGRAPH_KEY"'} />
      <JsonView value={message} />
    </Panel>
  </>
);

function Slide() {
  const [at, setAt] = useState<string | null>(null);
  return <AsOfSlider from={minutesAgo(100_000)} value={at} onChange={setAt} marks={[minutesAgo(90_000), minutesAgo(30_000), minutesAgo(28_000)]} />;
}
