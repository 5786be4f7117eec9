import type { Schemas } from '../../api/client.ts';
import type { Contact } from './person-name.tsx';

export type Channel = Schemas['Channel'];
type Suppression = Schemas['ContactSuppression'];
type Consent = Schemas['CurrentConsent'];

/** What reaches a person on a channel, and the one fact that decides it. */
export type Reach =
  | {
      readonly reach: 'none';
      readonly because: { readonly kind: 'no_address' } | { readonly kind: 'suppression'; readonly suppression: Suppression };
    }
  | {
      readonly reach: 'transactional';
      readonly because:
        | { readonly kind: 'suppression'; readonly suppression: Suppression }
        | { readonly kind: 'consent'; readonly consent: Consent }
        | { readonly kind: 'no_consent' };
    }
  | { readonly reach: 'all'; readonly because: { readonly kind: 'consent'; readonly consent: Consent } | { readonly kind: 'opt_out_rule' } };

export interface ReachFacts {
  readonly contact: Pick<Contact, 'email' | 'phone'>;
  readonly suppressions: readonly Suppression[];
  readonly consents: readonly Consent[];
  readonly hasDevice: boolean;
  /** The setting of the account for marketing to people of whom nothing is on record; undefined before it is loaded. */
  readonly rules: Readonly<Partial<Record<Channel, 'opt_in' | 'opt_out'>>> | undefined;
}

const addressOf = (channel: Channel): 'email' | 'phone' | null =>
  channel === 'email' ? 'email' : channel === 'push' || channel === 'in_app' ? null : 'phone';

function hasAddress(channel: Channel, { contact, hasDevice }: ReachFacts): boolean {
  const address = addressOf(channel);
  if (address !== null) return contact[address] !== null;
  return channel === 'in_app' || hasDevice;
}

/** As the gates of the service decide at acceptance: the do-not-contact list first, then consent. The time of day and caps are left out. */
export function reachOn(channel: Channel, facts: ReachFacts): Reach {
  if (!hasAddress(channel, facts)) return { reach: 'none', because: { kind: 'no_address' } };
  const address = addressOf(channel);
  const held = facts.suppressions.filter(
    (one) => (one.channel === 'all' || one.channel === channel) && (address === null || one.address === address),
  );
  const suppression = held.find(({ scope }) => scope === 'all') ?? held[0];
  if (suppression) return { reach: suppression.scope === 'all' ? 'none' : 'transactional', because: { kind: 'suppression', suppression } };
  const consent = facts.consents.find((one) => one.channel === channel && one.purpose === 'marketing');
  if (consent) return { reach: consent.status === 'granted' ? 'all' : 'transactional', because: { kind: 'consent', consent } };
  return facts.rules?.[channel] === 'opt_in'
    ? { reach: 'transactional', because: { kind: 'no_consent' } }
    : { reach: 'all', because: { kind: 'opt_out_rule' } };
}
