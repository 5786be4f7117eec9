import { Trans, useLingui } from '@lingui/react/macro';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { noteOf } from '../../api/errors.ts';
import { AsOfSlider } from '../../ui/as-of-slider.tsx';
import { Button } from '../../ui/button.tsx';
import { Code } from '../../ui/code.tsx';
import { linkTo } from '../../ui/links.ts';
import { Panel } from '../../ui/page.tsx';
import { ShowAsCode } from '../../ui/show-as-code.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './consent.module.css';
import { contactQuery, ledgerQuery, standingQuery } from './queries.ts';
import { Standing } from './standing.tsx';
import { Statement, StatementTitle } from './statement.tsx';
import { statusWords } from './words.ts';

interface ContactPartProps {
  readonly id: string;
  readonly asOf: string | undefined;
  readonly onAsOf: (at: string | null) => void;
}

/** The consents of one contact at a moment, the whole ledger up to then, and its export. */
export function ContactPart({ id, asOf, onAsOf }: ContactPartProps) {
  const { t } = useLingui();
  const standing = useQuery({ ...standingQuery(id, asOf), placeholderData: keepPreviousData });
  const ledger = useInfiniteQuery({ ...ledgerQuery(id, undefined), placeholderData: keepPreviousData });
  const failed = standing.error ?? ledger.error;
  if (failed) return <ErrorNote {...noteOf(failed)} onRetry={() => void Promise.all([standing.refetch(), ledger.refetch()])} />;
  if (!standing.data || !ledger.data) return <Loading rows={6} />;
  const entries = ledger.data.pages.flatMap(({ data }) => data);
  const times = entries.map(({ occurred_at }) => occurred_at);
  const oldest = times.at(-1);
  return (
    <>
      {oldest !== undefined && !ledger.hasNextPage && <AsOfSlider from={dayBefore(oldest)} value={asOf ?? null} onChange={onAsOf} marks={times} />}
      <Panel title={<WhoTitle id={id} />} actions={<ShowAsCode method="GET" path={`/v1/contacts/${id}/consents`} query={{ as_of: asOf }} />}>
        <Standing consents={standing.data} />
      </Panel>
      <Panel title={t`Ledger`}>
        {entries.length === 0 ? (
          <p>
            <Trans>Nothing was ever said about consent.</Trans>
          </p>
        ) : (
          <Timeline
            entries={entries.map((entry) => ({
              key: entry.event_id,
              at: entry.occurred_at,
              title: <StatementTitle entry={entry} isAhead={asOf !== undefined && entry.occurred_at > asOf} />,
              detail: entry.source,
              tone: statusWords[entry.status].tone,
              more: <Statement entry={entry} />,
            }))}
          />
        )}
        {ledger.hasNextPage && (
          <Button onPress={() => void ledger.fetchNextPage()} isPending={ledger.isFetchingNextPage}>
            <Trans>Show older entries</Trans>
          </Button>
        )}
      </Panel>
      <Panel title={t`Export for an auditor`}>
        <p>
          <Trans>The ledger as a signed document: each entry carries the hash of the one before. It can be checked without this service.</Trans>
        </p>
        <div>
          {/* A plain link, so that the file has the bytes that were signed. */}
          <a className={styles.download} href={exportAddress(id, asOf)} download={`consents-${id}.json`}>
            <Download aria-hidden size={16} />
            <Trans>Download the signed ledger</Trans>
          </a>
        </div>
        <Code label={t`Check it`} text={`heliograph audit verify consents-${id}.json`} />
      </Panel>
    </>
  );
}

/** A day before, so that the slider also shows how it was without any entry. */
const dayBefore = (time: string): string => new Date(Date.parse(time) - 86_400_000).toISOString();

const exportAddress = (id: string, asOf: string | undefined): string =>
  `/v1/contacts/${encodeURIComponent(id)}/consents/export${asOf === undefined ? '' : `?as_of=${encodeURIComponent(asOf)}`}`;

/** The name of the contact, with a link to its profile. */
function WhoTitle({ id }: { readonly id: string }) {
  const { data } = useQuery(contactQuery(id, undefined));
  const name = [data?.first_name, data?.last_name].filter(Boolean).join(' ');
  return (
    <Link {...linkTo(`/people/${id}`)}>
      <bdi>{name || data?.email || data?.phone || id}</bdi>
    </Link>
  );
}
