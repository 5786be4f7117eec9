/** What happened in the past, as journeys react to it. */

import { type ContactSignal, matchesOccurrence } from '../../domain/journeys/contact-signal.js';
import type { ActiveEnrollment } from '../../domain/journeys/enrollment.js';
import { entryKeyText } from '../../domain/journeys/entry.js';
import type { Answers } from '../../domain/journeys/interpreter.js';
import type { WaitNode } from '../../domain/journeys/nodes/wait.js';
import { inOrderOfRecord, type PastSignal, wantedByWait } from '../../domain/journeys/past.js';
import { PROPERTY_PREFIX } from '../../domain/journeys/triggers.js';
import { ownField } from '../../domain/kernel/own-fields.js';
import { matchesWhere, propertyOf } from '../../domain/segments/meaning.js';
import type { FoundContact } from '../../log/aggregates/contacts/load-contact.js';
import { HASHED_VALUE } from '../../log/runtime/event-log.js';
import type { Context } from '../runtime/command.js';
import { journeyMessageId } from './send-node.js';

/** The hash of a property, `properties.cart_id`. */
export const keyHash = ({ addresses, cause }: Pick<Context, 'addresses' | 'cause'>, properties: object, path: string): string =>
  addresses.key(cause.account, `${HASHED_VALUE}${entryKeyText(propertyOf(properties, path.slice(PROPERTY_PREFIX.length)))}`);

export const contactSignalOf = (past: PastSignal, context: Pick<Context, 'addresses' | 'cause'>): ContactSignal => ({
  ...past,
  meets: (where) => matchesWhere(where, past.properties),
  keyAt: (path) => keyHash(context, past.properties, path),
});

/** The first of these that ends a wait: a message's always, others where what happened since the enrollment counts. */
export function firstMet(
  node: WaitNode,
  past: readonly PastSignal[],
  { id, key }: Pick<ActiveEnrollment, 'id' | 'key'>,
  context: Pick<Context, 'addresses' | 'cause'>,
): Answers['happened'] {
  for (const one of past) {
    if (one.enrollment_id !== undefined && one.enrollment_id !== id) continue;
    const contactSignal = contactSignalOf(one, context);
    const met = node.for.find(
      ({ on }) => on && (on.type === 'message' || node.count_from === 'enrollment') && matchesOccurrence(on, contactSignal, key),
    );
    if (met) return { branch: met.id, event_id: one.started_by.event_id ?? one.trigger_id };
  }
  return null;
}

const END_OF_TIME = '9999-12-31T23:59:59.999Z';

/** What a wait waits for, where it has happened since the enrollment began. */
export async function happenedSince(
  node: WaitNode,
  { enrollment, contact }: { readonly enrollment: ActiveEnrollment; readonly contact: FoundContact },
  context: Context,
): Promise<Answers['happened']> {
  const past = context.ports.journeys.past;
  const { account } = context.cause;
  const messages = node.for.flatMap(({ on }) => (on?.type === 'message' ? [on.node] : []));
  const reports = await Promise.all(
    [...new Set(messages)].map((sent) =>
      past.message(journeyMessageId(enrollment.id, sent, ownField(enrollment.visits, sent) ?? 1), enrollment.id, sent),
    ),
  );
  const members = { id: contact.root.id, members: contact.unified.members.map(({ id }) => id) };
  // Another node may have recorded it, whose clock is ahead.
  const range = { from: enrollment.started_at, to: END_OF_TIME };
  const others = node.count_from === 'enrollment' ? await past.recent(account, members, wantedByWait(node), range) : [];
  const all = [...reports.flatMap((one) => one ?? []), ...others].sort(inOrderOfRecord);
  return firstMet(node, all, enrollment, context);
}
