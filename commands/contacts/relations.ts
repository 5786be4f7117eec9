import type { KnownContact } from '../../domain/contacts/contact.js';
import type { Relations } from '../../domain/contacts/resource.js';
import { fold } from '../../domain/kernel/decider.js';
import { channelNames, channels } from '../../domain/messages/channels.js';
import {
  evolve,
  refusalOf,
  type SealedSuppressionEvent,
  type Suppression,
  suppression,
  suppressionStream,
} from '../../domain/suppressions/suppression.js';
import type { EventLog } from '../../log/event-log.js';
import { isWithin, type Until, type Whole } from './contact-tree.js';

/** What is kept of a contact elsewhere, read from the log: its lists, its consents, and where its addresses must not be written to. */
export async function relationsOf(log: EventLog, whole: Whole, until?: Until): Promise<Relations> {
  const [lists, consents, suppressed_channels] = await Promise.all([
    listsOf(log, whole, until),
    consentsOf(log, whole, until),
    suppressedChannels(log, whole.members, until),
  ]);
  return { lists, consents, suppressed_channels };
}

const listsOf = async (_log: EventLog, _whole: Whole, _until?: Until): Promise<Relations['lists']> => [];
const consentsOf = async (_log: EventLog, _whole: Whole, _until?: Until): Promise<Relations['consents']> => ({});

/** What a member can be written to by, each with the key under which it may be suppressed. */
export const addressKeysOf = (members: readonly Pick<KnownContact, 'facts'>[]): { kind: 'email' | 'phone'; key: string }[] =>
  members.flatMap(({ facts }) =>
    (['email', 'phone'] as const).flatMap((kind) => {
      const key = facts.keys[kind]?.value;
      return key ? [{ kind, key }] : [];
    }),
  );

/** A channel counts where an address that it writes to is suppressed; one that writes to the contact itself, where any is. */
export async function suppressedChannels(log: EventLog, members: readonly Pick<KnownContact, 'facts'>[], until?: Until): Promise<string[]> {
  const states = await Promise.all(addressKeysOf(members).map(async ({ kind, key }) => ({ kind, state: await suppressionOf(log, key, until) })));
  return channelNames.filter((name) =>
    states.some(({ kind, state }) => {
      const { address } = channels[name];
      return (address === kind || address === 'contact') && refusalOf(state, name, 'marketing') !== null;
    }),
  );
}

async function suppressionOf(log: EventLog, key: string, until: Until | undefined): Promise<Suppression> {
  const events = (await log.readSealed(suppressionStream(key))) ?? [];
  const said = events.map(({ event, position }) => ({ event: event as SealedSuppressionEvent, position }));
  return fold(
    { ...suppression, evolve },
    said.filter(({ event, position }) => isWithin(until, event.data.at, position)).map(({ event }) => event),
  );
}
