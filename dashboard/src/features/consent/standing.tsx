import { Trans, useLingui } from '@lingui/react/macro';
import type { Schemas } from '../../api/client.ts';
import { Badge } from '../../ui/badge.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './consent.module.css';
import { Statement } from './statement.tsx';
import { channels, channelWords, methodWords, reasonWords, scopeWords, statusWords } from './words.ts';

/** What is in effect: for each channel and purpose the statement that counts, and what suppresses the addresses. */
export function Standing({ consents: { data, suppressions } }: { readonly consents: Schemas['ContactConsents'] }) {
  const { t, i18n } = useLingui();
  const silent = channels.filter((channel) => channel !== 'all' && !data.some((one) => one.channel === channel));
  const names = new Intl.ListFormat(i18n.locale, { type: 'unit' }).format(silent.map((channel) => i18n._(channelWords[channel])));
  return (
    <div className={styles.parts}>
      {data.length > 0 && (
        <ul className={styles.rows} aria-label={t`Consents`}>
          {data.map((entry) => (
            <ConsentRow key={`${entry.channel} ${entry.purpose}`} entry={entry} />
          ))}
        </ul>
      )}
      {names !== '' && (
        <p className={styles.muted}>
          <Trans>Nothing was said for {names}.</Trans>
        </p>
      )}
      <h3>
        <Trans>Do-not-contact list</Trans>
      </h3>
      {suppressions.length === 0 ? (
        <p className={styles.muted}>
          <Trans>No entry concerns this contact.</Trans>
        </p>
      ) : (
        <ul className={styles.rows} aria-label={t`Suppressions`}>
          {suppressions.map((entry) => (
            <li key={`${entry.address} ${entry.channel} ${entry.reason} ${entry.domain ?? ''}`} className={styles.row}>
              <span className={styles.what}>
                <strong>{i18n._(channelWords[entry.channel])}</strong>
                <span className={styles.muted}>{entry.domain ?? (entry.address === 'email' ? t`the email address` : t`the phone number`)}</span>
              </span>
              <Badge tone={entry.scope === 'all' ? 'danger' : 'warning'}>{i18n._(scopeWords[entry.scope])}</Badge>
              <span>{i18n._(reasonWords[entry.reason])}</span>
              <span className={styles.muted}>
                <Time value={entry.occurred_at} /> · {entry.via === null ? entry.source : i18n._(methodWords[entry.via])}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ConsentRow({ entry }: { readonly entry: Schemas['CurrentConsent'] }) {
  const { i18n } = useLingui();
  const { label, tone } = statusWords[entry.status];
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <strong>{i18n._(channelWords[entry.channel])}</strong>
        <bdi className={styles.muted}>{entry.purpose}</bdi>
      </span>
      <Badge tone={tone}>{i18n._(label)}</Badge>
      <span className={styles.muted}>
        <Trans>
          since <Time value={entry.occurred_at} />
        </Trans>
      </span>
      <bdi className={styles.muted}>{entry.source}</bdi>
      <details className={styles.proof}>
        <summary>
          <Trans>Proof</Trans>
        </summary>
        <Statement entry={entry} />
      </details>
    </li>
  );
}
