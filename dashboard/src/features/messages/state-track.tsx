import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Time } from '../../ui/time.tsx';
import type { WholeMessage } from './detail-page.tsx';
import { durationWords } from './duration.ts';
import { messageEventsQuery } from './queries.ts';
import styles from './state-track.module.css';
import { type State, statesOf } from './states.ts';
import { type Status, statusWords } from './words.ts';

/** States that are not the end where everything is reported. */
const transient = new Set<Status>(['scheduled', 'queued', 'sending', 'sent']);

/** The way of a message through its states, as a line with a dot for each. */
export function StateTrack({ message }: { readonly message: WholeMessage }) {
  const { t } = useLingui();
  const { data } = useQuery(messageEventsQuery(message.id));
  const states = statesOf(data?.data ?? [], (status) => transient.has(status));
  return (
    <ol className={styles.track} aria-label={t`States of this message`}>
      {states.map((state, i) => (
        <Dot key={`${state.status} ${state.at ?? i}`} state={state} isCurrent={state.at !== null && (states[i + 1]?.at ?? null) === null} />
      ))}
    </ol>
  );
}

function Dot({ state: { status, at, took, times }, isCurrent }: { readonly state: State; readonly isCurrent: boolean }) {
  const { i18n } = useLingui();
  const { label, tone } = statusWords[status];
  return (
    <li className={styles.state} data-tone={at === null ? 'ahead' : isCurrent ? tone : 'passed'} aria-current={isCurrent ? 'step' : undefined}>
      <span className={styles.label}>
        {i18n._(label)}
        {times > 1 && (
          <span className={styles.times}>
            <Trans>try {times}</Trans>
          </span>
        )}
      </span>
      <span className={styles.time}>
        {at === null ? <Trans>not yet</Trans> : <Time value={at} />}
        {took !== null && <span className={styles.took}>+{durationWords(took, i18n.locale)}</span>}
      </span>
    </li>
  );
}
