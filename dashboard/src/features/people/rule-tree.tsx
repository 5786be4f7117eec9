import { Trans, useLingui } from '@lingui/react/macro';
import { Check, X } from 'lucide-react';
import type { Schemas } from '../../api/client.ts';
import { useMe } from '../../api/session.ts';
import { Time } from '../../ui/time.tsx';
import styles from './people.module.css';

type Rule = Schemas['ExplainedSegmentRule'];

/** A rule with its truth for one person: each part, and the events that made it so. */
export const RuleTree = ({ rule }: { readonly rule: Rule }) => (
  <ul className={styles.tree}>
    <Node rule={rule} />
  </ul>
);

function Node({ rule: { type, result, description, rules = [], events = [], event_count = 0 } }: { readonly rule: Rule }) {
  const { t } = useLingui();
  const joins: Readonly<Record<string, string>> = { all: t`All of these`, any: t`At least one of these`, not: t`Not this` };
  return (
    <li className={styles.stack}>
      <div>
        <p className={styles.leaf}>
          {result ? (
            <Check aria-label={t`Holds:`} size={16} className={styles.yes} />
          ) : (
            <X aria-label={t`Does not hold:`} size={16} className={styles.no} />
          )}
          <bdi>{Object.hasOwn(joins, type) ? joins[type] : description}</bdi>
        </p>
        <Events events={events} count={event_count} />
      </div>
      {rules.length > 0 && (
        <ul className={styles.tree}>
          {rules.map((one, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a rule have no ids, and an explanation is shown as a whole
            <Node key={place} rule={one} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The latest events by which a part of the rule holds or not. */
function Events({ events, count }: { readonly events: readonly Schemas['SegmentEvent'][]; readonly count: number }) {
  const { timezone } = useMe().account;
  if (events.length === 0) return null;
  const more = count - events.length;
  return (
    <p className={styles.small}>
      {events.slice(-3).map((event, place) => (
        <span key={event.id}>
          {place > 0 && ', '}
          <bdi>{event.type}</bdi> <Time value={event.occurred_at} zone={timezone} />
        </span>
      ))}
      {more > 0 && (
        <>
          {' '}
          <Trans>and {more} more</Trans>
        </>
      )}
    </p>
  );
}
