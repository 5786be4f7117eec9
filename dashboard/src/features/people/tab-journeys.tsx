import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { JourneyState } from './journey-state.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { enrollmentsQuery, explainJourneyQuery, journeysQuery } from './queries.ts';

interface JourneysProps {
  readonly contact: Contact;
  readonly asOf: string | undefined;
}

/** The journeys that the person is or was in, where in them and what comes next; and why not in others. */
export function Journeys({ contact, asOf }: JourneysProps) {
  const { t } = useLingui();
  const list = useInfiniteQuery(enrollmentsQuery(contact.id, asOf));
  const journeys = useQuery(journeysQuery);
  if (list.isPending) return <Loading rows={5} />;
  if (!list.data) return <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />;
  const enrollments = list.data.pages.flatMap(({ data }) => data);
  const nameOf = (id: string): string => journeys.data?.data.find((one) => one.id === id)?.name ?? id;
  return (
    <div className={styles.stack}>
      {asOf !== undefined && (
        <p className={styles.muted}>
          <Trans>Journeys that had begun by then, as they stand today.</Trans>
        </p>
      )}
      <Panel title={t`Journeys`}>
        {enrollments.length === 0 ? (
          <Empty
            title={<Trans>In no journey</Trans>}
            actions={
              <a href="/docs/guides/journeys">
                <Trans>Guide: journeys</Trans>
              </a>
            }
          >
            <Trans>A journey begins for a person when something happens, and goes on by what the person does.</Trans>
          </Empty>
        ) : (
          <ul className={styles.rows}>
            {enrollments.map((enrollment) => (
              <EnrollmentRow
                key={enrollment.id}
                enrollment={enrollment}
                name={nameOf(enrollment.journey_id)}
                contact={contact.id}
                isPast={asOf !== undefined}
              />
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
            <Trans>Earlier</Trans>
          </Button>
        )}
      </Panel>
      {asOf === undefined && <OtherJourney contact={contact.id} journeys={journeys.data?.data ?? []} />}
    </div>
  );
}

interface EnrollmentRowProps {
  readonly enrollment: Schemas['EnrollmentSummary'];
  readonly name: string;
  readonly contact: string;
  readonly isPast: boolean;
}

function EnrollmentRow({ enrollment, name, contact, isPast }: EnrollmentRowProps) {
  const { t } = useLingui();
  const { timezone } = useMe().account;
  const mayWrite = useMay('journeys:write') && !isPast;
  const { id, journey_id, status, reason, node, due_at, started_at, goal_at, test } = enrollment;
  const [isOpen, setIsOpen] = useState(false);
  return (
    <li>
      <div className={styles.words}>
        <Link to={`/journeys/${journey_id}` as string}>
          <bdi>{name}</bdi>
        </Link>
        <p className={styles.small}>
          <Trans>
            Began <Time value={started_at} zone={timezone} />
          </Trans>
          {node !== null && (
            <>
              {' · '}
              <Trans>
                at <code>{node}</code>
              </Trans>
            </>
          )}
          {due_at !== null && status === 'active' && (
            <>
              {' · '}
              <Trans>
                goes on <Time value={due_at} zone={timezone} />
              </Trans>
            </>
          )}
        </p>
      </div>
      <span className={styles.badges}>
        {test && <Badge tone="info">{t`Test`}</Badge>}
        {goal_at !== null && <Badge tone="success">{t`Goal reached`}</Badge>}
        <Badge tone={status === 'active' ? 'info' : 'neutral'}>{status === 'active' ? t`Active` : (reason ?? t`Ended`)}</Badge>
        <Button size="small" look="quiet" aria-label={t`Where and what next: ${name}`} aria-expanded={isOpen} onPress={() => setIsOpen(!isOpen)}>
          <Trans>Where, what next</Trans>
        </Button>
      </span>
      {isOpen && (
        <div className={styles.wide}>
          <JourneyState journey={journey_id} contact={contact} enrollment={id} mayExit={mayWrite && status === 'active'} />
        </div>
      )}
    </li>
  );
}

/** Why the person is not in another journey, and whether it could enter now. */
function OtherJourney({
  contact,
  journeys,
}: {
  readonly contact: string;
  readonly journeys: readonly { readonly id: string; readonly name: string }[];
}) {
  const { t } = useLingui();
  const [chosen, setChosen] = useState<string | null>(null);
  const why = useQuery({ ...explainJourneyQuery(chosen ?? '', contact), enabled: chosen !== null });
  if (journeys.length === 0) return null;
  return (
    <Panel title={t`Why, or why not`}>
      <SelectField
        label={t`Journey`}
        placeholder={t`Choose a journey`}
        options={journeys.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
      />
      {chosen !== null && why.isPending && <Loading rows={2} />}
      {why.error && <ErrorNote {...noteOf(why.error)} onRetry={() => void why.refetch()} />}
      {why.data && (
        <div className={styles.stack}>
          <p>
            <Badge tone={why.data.can_enter ? 'success' : 'neutral'}>{why.data.can_enter ? t`Can enter` : t`Cannot enter`}</Badge>
          </p>
          <p>{why.data.explanation}</p>
          {why.data.trigger !== null && <p className={styles.small}>{why.data.trigger}</p>}
        </div>
      )}
    </Panel>
  );
}
