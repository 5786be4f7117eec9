import { addressOf, allAddressKeysOf, withOtherAddresses } from '../../domain/contacts/other-addresses.js';
import { causesOf, type SuppressionCause, suppression, suppressionStream } from '../../domain/suppressions/suppression.js';
import type { UnifiedContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import type { PointInTime } from '../../log/aggregates/load-consents.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type OpenSource, openSources } from '../../log/runtime/open-sources.js';
import { domainEntriesOf } from '../contacts/relations.js';

/** A reason why an address of a contact must not be messaged, whatever its consents. */
export interface ContactSuppression extends OpenSource<SuppressionCause> {
  readonly address: 'email' | 'phone';
  readonly address_key: string;
  /** Of the entry of a whole domain. */
  readonly domain?: string;
}

/** The suppressions of all addresses of a contact, the further ones included, and of the contacts merged into it; of its emails also those of their whole domains. */
export async function loadActiveSuppressions(log: EventLog, whole: UnifiedContact, moment: PointInTime = {}): Promise<ContactSuppression[]> {
  const { members, facts, tree } = whole;
  const addresses = new Map<string, Pick<ContactSuppression, 'address' | 'domain'>>(
    allAddressKeysOf(members).map(({ kind, key }) => [key, { address: kind }] as const),
  );
  const of = { account: tree.own.account ?? '', facts: withOtherAddresses(facts, members) };
  for (const { key, domain } of domainEntriesOf(log, of, (name) => addressOf(name) === 'email')) addresses.set(key, { address: 'email', domain });
  const found = await Promise.all(
    [...addresses].map(async ([address_key, about]) => {
      const causes = await loadCauses(log, address_key, moment);
      return causes.map((cause) => ({ ...cause, ...about, address_key }));
    }),
  );
  return openSources(log, found.flat());
}

async function loadCauses(log: EventLog, addressKey: string, { asOf, knownAt }: PointInTime): Promise<readonly SuppressionCause[]> {
  const { state } = await loadAggregate(log, suppression, suppressionStream(addressKey), {
    until: knownAt,
    sealed: true,
    where: ({ event: { data } }) => asOf === undefined || ('occurred_at' in data ? data.occurred_at : data.at) <= asOf,
  });
  return causesOf(state);
}
