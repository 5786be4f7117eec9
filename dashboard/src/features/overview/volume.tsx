import { Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { Schemas } from '../../api/client.ts';
import type { Period } from '../../api/overview.ts';
import { Panel } from '../../ui/page.tsx';
import styles from './overview.module.css';

type Counts = Schemas['MessagesByStatus'];
type Status = keyof Counts;

interface Figure {
  readonly label: string;
  /** What it counts. */
  readonly definition: string;
  readonly statuses: readonly Status[];
  /** Whether more of it is good news, bad news, or none. */
  readonly more: 'good' | 'bad' | 'neutral';
}

const sumOf = (counts: Counts, statuses: readonly Status[]): number => statuses.reduce((sum, status) => sum + counts[status], 0);

/** The period whose messages are shown, for who opens the list behind a number. */
interface VolumeProps {
  readonly period: Period;
  readonly messages: Schemas['OverviewMessages'];
}

/** The messages of the period by what became of them, beside the period before. */
export function Volume({ messages }: VolumeProps) {
  const { t } = useLingui();
  const figures: readonly Figure[] = [
    {
      label: t`Accepted`,
      definition: t`All messages that were accepted, without those that a suppression or a missing consent stopped.`,
      statuses: ['scheduled', 'queued', 'sending', 'sent', 'delivered', 'undelivered', 'bounced', 'failed', 'expired', 'canceled'],
      more: 'neutral',
    },
    { label: t`Delivered`, definition: t`Messages that the carrier reported as delivered.`, statuses: ['delivered'], more: 'good' },
    {
      label: t`Not delivered`,
      definition: t`Messages that bounced, failed, were undelivered, or expired.`,
      statuses: ['bounced', 'failed', 'undelivered', 'expired'],
      more: 'bad',
    },
    {
      label: t`On their way`,
      definition: t`Messages that are queued, being sent, or sent without a report of the carrier yet.`,
      statuses: ['queued', 'sending', 'sent'],
      more: 'neutral',
    },
    {
      label: t`Stopped`,
      definition: t`Messages that were not sent because of a suppression, a consent, or a cap.`,
      statuses: ['suppressed'],
      more: 'neutral',
    },
  ];
  return (
    <Panel title={t`Messages`}>
      <ul className={styles.figures}>
        {figures.map((figure) => (
          <FigureTile key={figure.label} figure={figure} messages={messages} />
        ))}
      </ul>
    </Panel>
  );
}

function FigureTile({ figure, messages }: { readonly figure: Figure; readonly messages: VolumeProps['messages'] }) {
  const { i18n } = useLingui();
  const { by_status: now, previous, from, to } = messages;
  const value = sumOf(now, figure.statuses);
  const before = sumOf(previous, figure.statuses);
  const search = { created_after: from, created_before: to, ...(figure.statuses.length === 1 && { status: figure.statuses[0] }) };
  return (
    <li className={styles.figure}>
      <Link to="/messages" search={search} className={styles.figureLink ?? ''} title={figure.definition}>
        <span className={styles.label}>{figure.label}</span>
        <span className={styles.number}>{i18n.number(value)}</span>
      </Link>
      <span className={styles.change} data-tone={before === 0 ? undefined : toneOf(value - before, figure.more)}>
        <Change value={value} before={before} />
      </span>
    </li>
  );
}

function Change({ value, before }: { readonly value: number; readonly before: number }) {
  const { i18n } = useLingui();
  if (before === 0) return <Trans>none before</Trans>;
  const change = i18n.number((value - before) / before, { style: 'percent', signDisplay: 'exceptZero', maximumFractionDigits: 0 });
  const was = i18n.number(before);
  return (
    <Trans>
      {change} from {was}
    </Trans>
  );
}

function toneOf(difference: number, more: Figure['more']): 'good' | 'bad' | undefined {
  if (difference === 0 || more === 'neutral') return undefined;
  return difference > 0 === (more === 'good') ? 'good' : 'bad';
}
