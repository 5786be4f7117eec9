import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Panel } from '../../ui/page.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { scoresQuery } from './queries.ts';
import { bandWords, noScoreWords, scoreWords } from './words.ts';

type Score = Schemas['ContactScore'];

/** What is predicted of the person, with what speaks for it; and why something is not. */
export function Scores({ contact: { id }, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { t, i18n } = useLingui();
  const scores = useQuery(scoresQuery(id, asOf));
  if (scores.isPending) return <Loading rows={6} />;
  if (!scores.data) return <ErrorNote {...noteOf(scores.error)} onRetry={() => void scores.refetch()} />;
  const known = scores.data.scores.filter(({ value }) => value !== null);
  const unknown = scores.data.scores.filter(({ value }) => value === null);
  const title = ({ name }: Score): string => {
    const words = scoreWords.get(name);
    return words ? i18n._(words) : name;
  };
  return (
    <div className={styles.stack}>
      {known.length > 0 && (
        <Panel title={t`Scores`}>
          <ul className={styles.rows}>
            {known.map((score) => (
              <li key={score.name}>
                <div className={styles.words}>
                  <strong>{title(score)}</strong>
                  <Drivers score={score} />
                </div>
                <span className={styles.badges}>
                  <ScoreValue score={score} />
                  {score.band && <Badge tone={bandWords[score.band].tone}>{i18n._(bandWords[score.band].label)}</Badge>}
                </span>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      {unknown.length > 0 && (
        <Panel title={t`Not known`}>
          <ul className={styles.rows}>
            {unknown.map((score) => (
              <li key={score.name}>
                <div className={styles.words}>
                  {title(score)}
                  <p className={styles.small}>{score.null_reason && i18n._(noScoreWords[score.null_reason])}</p>
                </div>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </div>
  );
}

const Drivers = ({ score: { explanation, horizon_days } }: { readonly score: Score }) => (
  <>
    {explanation?.drivers.map(({ factor, direction, text }) => (
      <p key={factor} className={styles.small}>
        {direction === 'raises' ? '↑ ' : direction === 'lowers' ? '↓ ' : ''}
        {text}
      </p>
    ))}
    {explanation?.percentile != null && (
      <p className={styles.small}>
        <Trans>Higher than {Math.round(explanation.percentile)} of 100 buyers.</Trans>
      </p>
    )}
    {explanation?.baseline != null && horizon_days != null && (
      <p className={styles.small}>
        <Trans>It happened for {Math.round(explanation.baseline * 100)} % of all buyers in the last test.</Trans>
      </p>
    )}
  </>
);

function ScoreValue({ score: { name, value, currency } }: { readonly score: Score }) {
  const { i18n } = useLingui();
  const { timezone } = useMe().account;
  if (typeof value === 'string') return <Time value={value} zone={timezone} />;
  if (value === null) return null;
  if (name.startsWith('best_send_hour')) return <span className={styles.score}>{`${value}:00`}</span>;
  if (name.includes('probability') || name.startsWith('engagement'))
    return <span className={styles.score}>{i18n.number(value, { style: 'percent', maximumFractionDigits: 1 })}</span>;
  const isMoney = name.includes('clv') && currency !== null;
  return <span className={styles.score}>{i18n.number(value, isMoney ? { style: 'currency', currency } : { maximumFractionDigits: 1 })}</span>;
}
