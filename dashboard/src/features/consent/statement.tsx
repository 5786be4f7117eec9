import { Trans, useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Id } from '../../ui/id.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './consent.module.css';
import { channelWords, statusWords } from './words.ts';

type Entry = Schemas['ConsentLedgerEntry'];

/** What a statement says, in one line. `isAhead`: it was made after the moment that the page shows. */
export function StatementTitle({ entry: { status, channel, purpose }, isAhead }: { readonly entry: Entry; readonly isAhead: boolean }) {
  const { i18n } = useLingui();
  const { label, tone } = statusWords[status];
  return (
    <span className={styles.statement} data-ahead={isAhead || undefined}>
      <Badge tone={tone}>{i18n._(label)}</Badge> {i18n._(channelWords[channel])} <bdi className={styles.muted}>{purpose}</bdi>
      {isAhead && (
        <span className={styles.muted}>
          <Trans>later than shown</Trans>
        </span>
      )}
    </span>
  );
}

/** The proof of a statement: the text as it was shown, where, by whom, and the event that holds it. */
export function Statement({ entry }: { readonly entry: Entry }) {
  const { t } = useLingui();
  const { proof, cause, actor, lawful_basis, recorded_at, event_id, source } = entry;
  const found = [
    [t`Legal basis`, lawful_basis],
    [t`Source`, source],
    [t`Form`, proof.form_id],
    [t`Version of the text`, proof.text_version],
    [t`Language`, proof.language],
    [t`Network address`, proof.ip],
    [t`Browser`, proof.user_agent],
    [t`Said by`, `${actor.kind} ${actor.id ?? ''}`.trim()],
    [t`Cause`, `${cause.kind} ${cause.id}`],
  ] as const;
  return (
    <div className={styles.parts}>
      {proof.text !== null && (
        <blockquote className={styles.quote} dir="auto">
          {proof.text}
        </blockquote>
      )}
      <DefinitionList
        items={[
          ...found.flatMap(([term, value]) => (value ? [{ term, value: <bdi>{value}</bdi> }] : [])),
          { term: t`Recorded`, value: <Time value={recorded_at} isExact /> },
          { term: t`Event`, value: <Id value={event_id} /> },
        ]}
      />
    </div>
  );
}
