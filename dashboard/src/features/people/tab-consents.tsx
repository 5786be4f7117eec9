import { Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { noteOf } from '../../api/errors.ts';
import { useMay, useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Id } from '../../ui/id.tsx';
import { Panel } from '../../ui/page.tsx';
import { Empty, ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import { Timeline } from '../../ui/timeline.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { consentHistoryQuery, consentsQuery } from './queries.ts';
import { RecordConsent } from './record-consent.tsx';
import { Suppressions } from './suppressions.tsx';
import { basisWords, channelWords, consentWords } from './words.ts';

interface ConsentsProps {
  readonly contact: Contact;
  readonly asOf: string | undefined;
}

/** What the person has agreed to, with the proof of each statement; and what stops messages besides. */
export function Consents({ contact, asOf }: ConsentsProps) {
  const { t } = useLingui();
  const mayRecord = useMay('consent:write') && asOf === undefined;
  const consents = useQuery(consentsQuery(contact.id, asOf));
  const [isRecording, setIsRecording] = useState(false);
  if (consents.isPending) return <Loading rows={6} />;
  if (!consents.data) return <ErrorNote {...noteOf(consents.error)} onRetry={() => void consents.refetch()} />;
  const { data, suppressions } = consents.data;
  const exported = `/v1/contacts/${contact.id}/consents/export${asOf === undefined ? '' : `?as_of=${encodeURIComponent(asOf)}`}`;
  return (
    <div className={styles.stack}>
      <Panel
        title={t`Consents`}
        actions={
          <div className={styles.badges}>
            <a href={exported} download={`consents-${contact.id}.json`}>
              <Trans>Signed export</Trans>
            </a>
            {mayRecord && (
              <Button size="small" onPress={() => setIsRecording(true)}>
                <Trans>Record a consent</Trans>
              </Button>
            )}
          </div>
        }
      >
        {data.length === 0 ? (
          <p className={styles.muted}>
            <Trans>Nothing is on record. Then the settings of the account decide whether marketing is sent.</Trans>
          </p>
        ) : (
          <ul className={styles.rows}>
            {data.map((consent) => (
              <li key={`${consent.channel} ${consent.purpose}`}>
                <Statement consent={consent} />
              </li>
            ))}
          </ul>
        )}
      </Panel>
      <Suppressions contact={contact} suppressions={suppressions} isPast={asOf !== undefined} />
      <Ledger contact={contact} asOf={asOf} />
      <RecordConsent contact={contact.id} isOpen={isRecording} onClose={() => setIsRecording(false)} />
    </div>
  );
}

function Statement({ consent }: { readonly consent: Schemas['CurrentConsent'] }) {
  const { i18n } = useLingui();
  const { timezone } = useMe().account;
  const { label, tone } = consentWords[consent.status];
  return (
    <>
      <div className={styles.words}>
        <strong>{i18n._(channelWords[consent.channel])}</strong> · <bdi>{consent.purpose}</bdi>
        <p className={styles.small}>
          <bdi>{consent.source}</bdi> · {i18n._(basisWords[consent.lawful_basis])} · <Time value={consent.occurred_at} zone={timezone} />
        </p>
        <Proof proof={consent.proof} />
      </div>
      <Badge tone={tone}>{i18n._(label)}</Badge>
    </>
  );
}

const Proof = ({ proof }: { readonly proof: Schemas['ConsentProof'] }) =>
  proof.text && (
    <blockquote className={styles.quote}>
      <bdi>{proof.text}</bdi>
      {proof.text_version && (
        <span className={styles.small}>
          {' '}
          <Trans>
            Version <bdi>{proof.text_version}</bdi>
          </Trans>
        </span>
      )}
    </blockquote>
  );

/** Every statement, also those that later ones replaced. */
function Ledger({ contact, asOf }: ConsentsProps) {
  const { t, i18n } = useLingui();
  const list = useInfiniteQuery(consentHistoryQuery(contact.id, asOf));
  const entries = list.data?.pages.flatMap(({ data }) => data) ?? [];
  return (
    <Panel title={t`Ledger`}>
      {list.isPending && <Loading rows={3} />}
      {list.isError && <ErrorNote {...noteOf(list.error)} onRetry={() => void list.refetch()} />}
      {list.data && entries.length === 0 && (
        <Empty
          title={<Trans>No statement yet</Trans>}
          actions={
            <a href="/docs/guides/consent">
              <Trans>Guide: consent and suppression</Trans>
            </a>
          }
        >
          <Trans>Each consent is an entry that is never changed: the latest one counts, and all of them can be proven.</Trans>
        </Empty>
      )}
      <Timeline
        entries={entries.map((entry) => ({
          key: entry.event_id,
          at: entry.occurred_at,
          tone: consentWords[entry.status].tone,
          title: (
            <>
              {i18n._(channelWords[entry.channel])} · <bdi>{entry.purpose}</bdi> · {i18n._(consentWords[entry.status].label)}
            </>
          ),
          detail: <bdi>{entry.source}</bdi>,
          more: (
            <div className={styles.stack}>
              <p className={styles.badges}>
                <Id value={entry.event_id} />
                <span className={styles.small}>
                  {entry.cause.kind} {entry.cause.id}
                </span>
              </p>
              <Proof proof={entry.proof} />
            </div>
          ),
        }))}
      />
      {list.hasNextPage && (
        <Button onPress={() => void list.fetchNextPage()} isPending={list.isFetchingNextPage}>
          <Trans>Earlier</Trans>
        </Button>
      )}
    </Panel>
  );
}
