import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { answer, api } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Button } from '../../ui/button.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import { toast } from '../../ui/toast.tsx';
import styles from './people.module.css';
import { explainJourneyQuery, useChange } from './queries.ts';

interface JourneyStateProps {
  readonly journey: string;
  readonly contact: string;
  readonly enrollment: string;
  readonly mayExit: boolean;
}

/** Where somebody stands in a journey: the way until now, and what comes next if nothing else happens. */
export function JourneyState({ journey, contact, enrollment, mayExit }: JourneyStateProps) {
  const { t } = useLingui();
  const { timezone } = useMe().account;
  const why = useQuery(explainJourneyQuery(journey, contact));
  const exit = useChange(
    () => answer(api.POST('/v1/enrollments/{id}/exit', { params: { path: { id: enrollment } } })),
    () => toast({ message: t`Taken out of the journey.`, tone: 'success' }),
  );
  if (why.isPending) return <Loading rows={3} />;
  if (!why.data) return <ErrorNote {...noteOf(why.error)} onRetry={() => void why.refetch()} />;
  const found = why.data.enrollments.find(({ id }) => id === enrollment);
  if (!found) return <p>{why.data.explanation}</p>;
  const { path, next, forecast, detail } = found;
  return (
    <div className={styles.stack}>
      {next && (
        <p>
          {next.waits_for}
          {next.at !== null && (
            <>
              {' · '}
              <Time value={next.at} zone={timezone} />
            </>
          )}
        </p>
      )}
      {detail !== null && (
        <p>
          <bdi>{detail}</bdi>
        </p>
      )}
      <Timeline
        entries={[
          ...(forecast?.path ?? []).slice(1).map((step, place) => ({
            key: `next ${place} ${step.node}`,
            at: step.at,
            tone: 'info' as const,
            title: (
              <Trans>
                Next: <bdi>{step.action}</bdi> <code>{step.node}</code>
              </Trans>
            ),
            detail: step.gate,
          })),
          ...path.map((step, place) => ({
            key: `${place} ${step.node}`,
            at: step.entered_at,
            title: <code>{step.node}</code>,
            detail: (
              <>
                <bdi>{step.outcome}</bdi>{' '}
                {step.message_id !== null && (
                  <Link to={`/messages/${step.message_id}` as string}>
                    <Trans>Open the message</Trans>
                  </Link>
                )}
              </>
            ),
          })),
        ]}
      />
      {exit.error && <ErrorNote {...noteOf(exit.error)} />}
      {mayExit && (
        <div className={`${styles.buttons} ${styles.start}`}>
          <Button size="small" look="danger" isPending={exit.isPending} onPress={() => exit.mutate(undefined)}>
            <Trans>Take out of the journey</Trans>
          </Button>
        </div>
      )}
    </div>
  );
}
