import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './gallery.module.css';

const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

export const Shown = () => (
  <>
    <Panel title="Times">
      <div className={styles.line}>
        {[0, 5, -90, 700, 4_000, 600_000].map((minutes) => (
          <Time key={minutes} value={minutesAgo(minutes)} />
        ))}
        <Time value={minutesAgo(4_000)} zone="America/New_York" />
        <Time value={null} />
      </div>
    </Panel>
    <Panel title="Timeline">
      <Timeline
        entries={[
          { key: '4', at: minutesAgo(2), title: 'Opened', detail: 'Mail, on a phone', tone: 'info' },
          {
            key: '3',
            at: minutesAgo(3),
            title: <Badge tone="success">Delivered</Badge>,
            detail: 'Receipt of the carrier',
            more: <p>250 2.0.0 OK</p>,
          },
          { key: '2', at: minutesAgo(5), title: 'Deferred', detail: '421 4.7.0 Try again later', tone: 'warning' },
          { key: '1', at: minutesAgo(5_000), title: 'Accepted by the API, with the key “Shop”' },
        ]}
      />
    </Panel>
  </>
);
