import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { DefinitionList } from '../../ui/definition-list.tsx';
import { Id } from '../../ui/id.tsx';
import { Time } from '../../ui/time.tsx';
import type { WholeMessage } from './detail-page.tsx';
import { campaignAddress, contactAddress, journeyAddress, PageLink, templateAddress } from './links.tsx';
import styles from './messages.module.css';
import { channelWords } from './words.ts';

/** Everything about a message besides its content, with links to what it belongs to. */
export function Facts({ message }: { readonly message: WholeMessage }) {
  const { t, i18n } = useLingui();
  const { contact_id, campaign_id, journey_id, template_id, template_version, batch_id, carrier, engagement, metadata, tags } = message;
  const time = (value: string | null): ReactNode => value !== null && <Time value={value} />;
  const link = (id: string | null, address: (id: string) => string, words: string): ReactNode =>
    id !== null && <PageLink to={address(id)}>{words}</PageLink>;
  const found: readonly (readonly [string, ReactNode])[] = [
    [t`To`, <bdi key="to">{message.to_name === undefined ? message.to : `${message.to_name} <${message.to}>`}</bdi>],
    [t`From`, message.from !== null && <bdi>{message.from_name === undefined ? message.from : `${message.from_name} <${message.from}>`}</bdi>],
    [t`Channel`, i18n._(channelWords[message.channel])],
    [t`Category`, message.category === 'marketing' ? t`Marketing` : t`Transactional`],
    [t`Contact`, link(contact_id, contactAddress, t`Profile`)],
    [t`Campaign`, link(campaign_id, campaignAddress, t`Campaign`)],
    [t`Journey`, link(journey_id, journeyAddress, t`Journey`)],
    [t`Template`, link(template_id, templateAddress, template_version === null ? t`Template` : t`Version ${template_version}`)],
    [t`Language`, message.content_language],
    [t`Variant`, message.variant],
    [t`Bulk request`, batch_id !== null && <PageLink to={`/messages?batch_id=${batch_id}`}>{t`All its messages`}</PageLink>],
    [t`Created`, time(message.created_at)],
    [t`Scheduled for`, time(message.scheduled_at)],
    [t`Carrier`, carrier && (carrier.code === null ? carrier.name : `${carrier.name} (${carrier.code})`)],
    [t`Carrier’s id`, carrier?.message_id && <Id value={carrier.message_id} />],
    [t`Tries`, message.attempts > 0 && i18n.number(message.attempts)],
    [t`Parts`, message.segments !== null && (message.encoding === null ? message.segments : `${message.segments} (${message.encoding})`)],
    [t`Opens`, engagement.opens > 0 && <Count count={engagement.opens} first={time(engagement.opened_at)} />],
    [t`Clicks`, engagement.clicks > 0 && <Count count={engagement.clicks} first={time(engagement.clicked_at)} />],
    [t`Read`, time(engagement.read_at)],
    [t`Tags`, tags.length > 0 && tags.join(', ')],
    [t`Test`, message.test === true && t`Sent by a test key, reaches the sandbox only`],
    [t`Webhook`, message.webhook_url !== null && <code className={styles.wrap}>{message.webhook_url}</code>],
    ...Object.entries(metadata).map(([key, value]) => [key, <bdi key={key}>{String(value)}</bdi>] as const),
    [t`Id`, <Id key="id" value={message.id} />],
  ];
  return (
    <DefinitionList items={found.flatMap(([term, value]) => (value === null || value === undefined || value === false ? [] : [{ term, value }]))} />
  );
}

const Count = ({ count, first }: { readonly count: number; readonly first: ReactNode }) => {
  const { i18n } = useLingui();
  return (
    <span>
      {i18n.number(count)} · {first}
    </span>
  );
};
