import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { noteOf } from '../../api/errors.ts';
import { useMe } from '../../api/session.ts';
import { Badge } from '../../ui/badge.tsx';
import { ErrorNote, Loading } from '../../ui/states.tsx';
import { Time } from '../../ui/time.tsx';
import styles from './people.module.css';
import type { Contact } from './person-name.tsx';
import { consentsQuery, devicesQuery, marketingConsentQuery } from './queries.ts';
import { type Channel, type Reach, reachOn } from './reachability.ts';
import { channels, channelWords, methodWords, suppressionWords } from './words.ts';

/** For each channel what reaches the person, in one sentence with its reason. */
export function Channels({ contact, asOf }: { readonly contact: Contact; readonly asOf: string | undefined }) {
  const { i18n } = useLingui();
  const consents = useQuery(consentsQuery(contact.id, asOf));
  const devices = useQuery(devicesQuery(contact.id));
  const settings = useQuery(marketingConsentQuery);
  if (consents.isPending) return <Loading rows={4} />;
  if (!consents.data) return <ErrorNote {...noteOf(consents.error)} onRetry={() => void consents.refetch()} />;
  const facts = {
    contact,
    suppressions: consents.data.suppressions,
    consents: consents.data.data,
    hasDevice: devices.data?.data.some(({ status }) => status === 'active') ?? false,
    rules: settings.data?.marketing_consent,
  };
  return (
    <ul className={styles.rows}>
      {channels.map((channel) => (
        <li key={channel}>
          <div className={styles.words}>
            <strong>{i18n._(channelWords[channel])}</strong>
            <Sentence contact={contact.id} reach={reachOn(channel, facts)} channel={channel} />
          </div>
        </li>
      ))}
    </ul>
  );
}

function Sentence({ contact, reach: { reach, because }, channel }: { readonly contact: string; readonly reach: Reach; readonly channel: Channel }) {
  const { i18n } = useLingui();
  const { timezone } = useMe().account;
  const toConsent = (text: ReactNode): ReactNode => (
    <Link to="/people/$id" params={{ id: contact }} search={(now: object) => ({ ...now, tab: 'consent' })} resetScroll={false}>
      {text}
    </Link>
  );
  const limit = <ReachBadge reach={reach} />;
  switch (because.kind) {
    case 'no_address':
      return (
        <p className={styles.muted}>
          {channel === 'push' ? (
            <Trans>Nothing: no device.</Trans>
          ) : channel === 'email' ? (
            <Trans>Nothing: no email.</Trans>
          ) : (
            <Trans>Nothing: no phone.</Trans>
          )}
        </p>
      );
    case 'suppression': {
      const { reason, via, occurred_at, domain } = because.suppression;
      const how = via === null ? i18n._(suppressionWords[reason]) : `${i18n._(suppressionWords[reason])} ${i18n._(methodWords[via])}`;
      return (
        <p>
          {limit} {toConsent(how)}
          {domain !== undefined && (
            <>
              {' '}
              <Trans>
                (all of <bdi>{domain}</bdi>)
              </Trans>
            </>
          )}
          , <Time value={occurred_at} zone={timezone} />
        </p>
      );
    }
    case 'consent': {
      const { status, occurred_at } = because.consent;
      const words = {
        granted: <Trans>consent was granted</Trans>,
        withdrawn: <Trans>consent was withdrawn</Trans>,
        pending: <Trans>consent waits for its confirmation</Trans>,
      };
      return (
        <p>
          {limit} {toConsent(words[status])}, <Time value={occurred_at} zone={timezone} />
        </p>
      );
    }
    case 'no_consent':
      return (
        <p>
          {limit} {toConsent(<Trans>no consent is on record</Trans>)}
        </p>
      );
    default:
      return (
        <p>
          {limit} {toConsent(<Trans>nothing else is on record</Trans>)}
        </p>
      );
  }
}

const ReachBadge = ({ reach }: { readonly reach: Reach['reach'] }) => {
  if (reach === 'none')
    return (
      <Badge tone="danger">
        <Trans>No messages</Trans>
      </Badge>
    );
  if (reach === 'transactional')
    return (
      <Badge tone="warning">
        <Trans>Receipts, no marketing</Trans>
      </Badge>
    );
  return (
    <Badge tone="success">
      <Trans>Everything</Trans>
    </Badge>
  );
};
