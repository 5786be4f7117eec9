import type { ContactPatch } from '../../../domain/contacts/facts.js';
import { addressOf, isAddressName } from '../../../domain/contacts/other-addresses.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { EMAILS, PHONES, spellingsOfKey } from '../recipients.js';

const ON_CONFLICT = ['merge', 'merge', 'keep_separate', 'reject'] as const;

/** People who share numbers: nobody takes over another, and no address is lost. */
export const identities: Capability = {
  name: 'identities',
  begin(run) {
    const random = run.world.random('identities');
    let nth = 0;
    return {
      actions: [
        {
          name: 'name an email and a phone',
          weight: 1.5,
          act: async () => {
            const body = { email: random.pick(EMAILS), phone: random.pick(PHONES), on_conflict: random.pick(ON_CONFLICT) };
            await run.caller.send('POST', '/v1/contacts', body, `identities-${++nth}`);
          },
        },
      ],
      check: (final) => [...addressesAreKept(final), ...valuesAreKept(final)],
    };
  },
};

/** An event that changes what a contact says, with its personal fields sealed. */
interface Saying {
  readonly patch: Pick<ContactPatch, 'values' | 'said' | 'cleared' | 'keys'> & { readonly source: string };
  readonly isReverted: boolean;
  readonly isConfirmed: boolean;
}

const sayingsOf = (events: readonly LogEvent[]): Saying[] =>
  events.flatMap(({ event, meta }) => {
    if (event.type !== 'ContactCreated' && event.type !== 'ContactUpdated') return [];
    const by = meta.$causationId;
    return [{ patch: event.data as Saying['patch'], isReverted: by.includes('revert/'), isConfirmed: by.endsWith('/confirmed') }];
  });

const isEnded = (events: readonly LogEvent[]): boolean =>
  events.some(({ event }) => event.type === 'ContactDeleted' || event.type === 'ContactErased');

/** Every address that a contact ever had is one that a contact has, a number in one of its spellings: callers of the simulation forget none. What an import brought may be reverted. */
function addressesAreKept(final: Final): string[] {
  const contacts = [...streamsOf(final, 'contact-')].filter(([, events]) => !isEnded(events));
  const kept = contacts.map(([stream, events]) => ({ stream, ...addressKeysIn(events) }));
  const has = new Set(kept.flatMap(({ has }) => has.flatMap((key) => spellingsOfKey(final.run, key))));
  const lost = kept.filter(({ had, reverted }) => had.some((key) => !has.has(key) && !reverted.has(key)));
  return lost.map(({ stream }) => `the contact ${stream} had an address that no contact has any more`);
}

/** The addresses that a contact has had and has by itself, and those that the revert of an import took from it. */
function addressKeysIn(events: readonly LogEvent[]): { had: string[]; has: string[]; reverted: ReadonlySet<string> } {
  const present = new Map<string, string | null>();
  const had: string[] = [];
  const reverted = new Set<string>();
  for (const { patch, isReverted } of sayingsOf(events)) {
    for (const [name, key] of Object.entries(patch.keys).filter(([name]) => addressOf(name) !== null)) {
      const before = present.get(name);
      if (isReverted && before) reverted.add(before);
      present.set(name, key);
      if (key !== null) had.push(key);
    }
  }
  return { had, has: [...present.values()].filter((key) => key !== null), reverted };
}

/**
 * A row that was found by a shared phone, and whoever shows no credential, change no value that the contact has by itself: an address
 * of the latter only where the contact is created, and a confirmed submission gives its fields.
 */
function valuesAreKept(final: Final): string[] {
  const problems: string[] = [];
  for (const [stream, events] of streamsOf(final, 'contact-')) {
    const present = new Set<string>();
    for (const [nth, { patch, isConfirmed }] of sayingsOf(events).entries()) {
      const given = [...Object.keys(patch.values), ...patch.said];
      const isStranger = patch.source === 'form' || patch.source === 'push';
      const isWeak = given.some((name) => name.startsWith('shared_'));
      const changed = given.filter((name) => present.has(name));
      if (isWeak || (isStranger && !isConfirmed))
        problems.push(...changed.map((name) => `${stream}: the ${name} of a contact was replaced by a stranger`));
      if (isStranger && nth > 0)
        problems.push(...given.filter(isAddressName).map((name) => `${stream}: a contact has the ${name} of a submission without a credential`));
      for (const name of given) present.add(name);
      for (const name of patch.cleared) present.delete(name);
    }
  }
  return problems;
}
