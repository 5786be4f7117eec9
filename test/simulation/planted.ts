import type { Doc, Docs, Find, Lease, Leases, ViewSpec } from '../../domain/kernel/ports.js';
import {
  aMinuteLater,
  asNamed,
  asUnchecked,
  isByForm,
  tooEarly,
  withDelay,
  withOtherMessage,
  withoutContact,
  withoutDuration,
  withoutExits,
  withoutGate,
  withoutTimer,
} from './planted-data.js';
import { appends, created, over, reads, rewritten, sometimes, writers } from './planting.js';
import { LIMITS, type Plant } from './world/stores.js';

/** A defect, and the text by which an invariant reports it. */
export interface Defect {
  readonly plant: Plant;
  readonly finding: RegExp;
}

/** The size of runs that search for a defect: small, so that many seeds are tried. */
export const PLANTED_SIZE = { commands: 80, hours: 1, restHours: 2, maxSteps: 100_000 } as const;

/** Defects that the invariants find. Each is put in by wrapping a port. */
export const defects: Readonly<Record<string, Defect>> = {
  'an append that is acknowledged and not made': {
    finding: /is not on record/,
    plant: appends('message-', async ({ inner, world, append }) => (sometimes(world, 0.02) ? created(inner, append) : inner.append(...append))),
  },
  'an append that is acknowledged first and made later': {
    finding: /is not on record|has no attempt|was canceled and handed over|after (new|canceled|expired)|was handed over/,
    plant: appends('message-', async ({ inner, world, append }) => {
      if (!sometimes(world, 0.05)) return inner.append(...append);
      world.after(20_000, 'planted', () => void inner.append(...append).catch(() => {}));
      return created(inner, append);
    }),
  },
  'an append that does not compare the revision': {
    finding: /MessageQueued after|belongs to two contacts|has several answers|after (sent|delivered|canceled|failed)/,
    plant: appends('', async ({ inner, append: [stream, expected, events] }) => {
      const there = await inner.read(stream, { backwards: true, limit: 1 });
      const last = there === 'not-found' ? undefined : there[0]?.revision;
      const known = there !== 'not-found' && events.some(({ id }) => there.some((stored) => stored.id === id));
      return inner.append(stream, known ? expected : (last ?? 'no-stream'), events);
    }),
  },
  'a checkpoint that is saved without its documents': {
    finding: /was not delivered|differs from its rebuild|counts|is listed/,
    plant: {
      views: (inner, world) =>
        writers(inner, (writer) =>
          over(writer, { commit: (from, to, ops) => writer.commit(from, to, ops.length > 0 && sometimes(world, 0.01) ? [] : ops) }),
        ),
    },
  },
  'a commit that does not compare the checkpoint': {
    finding: /differs from its rebuild/,
    plant: {
      views: (inner) => writers(inner, (writer) => over(writer, { commit: async (_, to, ops) => writer.commit(await writer.checkpoint(), to, ops) })),
    },
  },
  'a commit that leaves out its last document': {
    finding: /differs from its rebuild|counts|in the list and|not listed/,
    plant: {
      views: (inner, world) =>
        writers(inner, (writer) =>
          over(writer, { commit: (from, to, ops) => writer.commit(from, to, ops.length > 1 && sometimes(world, 0.02) ? ops.slice(0, -1) : ops) }),
        ),
    },
  },
  'a subscription that is there again after a lost event': {
    finding: /differs from its rebuild|still has|was not delivered/,
    plant: {
      events: (inner) => {
        let isFirst = true;
        return over(inner, {
          subscribe: (after, ...options) => {
            const from = isFirst || after === 'start' ? after : String(Number(after) + 1).padStart(after.length, '0');
            isFirst = false;
            return inner.subscribe(from, ...options);
          },
        });
      },
    },
  },
  'a lease that everybody gets': {
    finding: /still has|was handed over \d+ times|differs from its rebuild/,
    plant: {
      leases: (inner: Leases) =>
        over(inner, {
          acquire: async (name, ttlMs): Promise<Lease | null> =>
            (await inner.acquire(name, ttlMs)) ?? { epoch: 1, unclean: false, renew: async () => true, release: async () => {} },
        }),
    },
  },
  'a hand-over without its second gate': {
    finding: /handed over although its address was suppressed/,
    plant: { events: (inner, _, actor) => (actor.endsWith('/processes') ? reads(inner, 'suppression-', async () => 'not-found') : inner) },
  },
  'an unknown outcome that counts as accepted': {
    finding: /is sent although the carrier|does not know what became of its last dispatch/,
    plant: {
      carrier: (inner) =>
        over(inner, { send: (...args) => inner.send(...args).catch(() => ({ outcome: 'accepted', carrier_message_id: 'none' }) as const) }),
    },
  },
  'an unknown outcome that is not repeated': {
    finding: /does not know what became of its last dispatch/,
    plant: {
      carrier: (inner) =>
        over(inner, {
          send: (...args) =>
            inner.send(...args).catch(() => ({ outcome: 'permanent_error', reason: 'carrier_rejected', code: null, error: 'no answer' }) as const),
        }),
    },
  },
  'a call without an answer that counts as not made': {
    finding: /although the outcome at|was accepted by/,
    plant: {
      carrier: (inner) =>
        over(inner, { send: (...args) => inner.send(...args).catch(() => ({ outcome: 'transient_error', code: 'busy', error: 'busy' }) as const) }),
    },
  },
  'a delay of webhooks that counts from the start of the attempt': {
    finding: /was repeated \d+ ms after/,
    plant: rewritten('delivery-', withoutDuration),
  },
  'a retry of a webhook that is due too late': {
    finding: /attempt \d of \w+ was \d+ s late/,
    plant: rewritten('delivery-', withDelay),
  },
  'a message that goes out before its time': {
    finding: /was handed over \d+ ms before its time/,
    plant: rewritten('message-', tooEarly),
  },
  'a claim of an address that is not compared': {
    finding: /belongs to two contacts|finds .*,/,
    plant: appends('contactKey-', ({ inner, append }) => inner.append(...append).catch(() => created(inner, append))),
  },
  'an idempotency key that is forgotten': {
    finding: /has several answers|succeeded for \d+ different requests/,
    plant: {
      events: (inner) =>
        over(
          reads(inner, 'intent-', async () => 'not-found'),
          {
            append: (...append) => (append[0].startsWith('intent-') ? created(inner, append) : inner.append(...append)),
          },
        ),
    },
  },
  'an erasure that keeps the keys': {
    finding: /still opens although/,
    plant: { keys: (inner) => over(inner, { destroy: async () => {} }) },
  },
  'a slot of a recipient that is not stored': {
    finding: /without a slot of its recipient/,
    plant: appends('frequency-', ({ inner, append }) => created(inner, append)),
  },
  'a window of a rate limit that forgets at its border': {
    finding: /were accepted within/,
    plant: {
      limits: (inner, world) => ({
        consume: (group, caller) => inner.consume(group, `${caller} ${Math.floor(world.elapsed / (1_000 * LIMITS[group].windowSeconds))}`),
        refund: (group, caller) => inner.refund(group, caller),
      }),
    },
  },
  'a rate limit that each node counts for itself': {
    finding: /were accepted within/,
    plant: {
      limits: (inner, _, actor) => ({
        consume: (group, caller) => inner.consume(group, `${caller} ${actor}`),
        refund: (group, caller) => inner.refund(group, caller),
      }),
    },
  },
  'a canceled job that goes on with its next chunk': {
    finding: /was canceled and went on|has done all and ends as canceled/,
    plant: {
      events: (inner, _, actor) =>
        actor.endsWith('/processes')
          ? reads(inner, 'job-', async (...args) => {
              const stored = await inner.read(...args);
              const accepted = stored === 'not-found' ? undefined : stored.find(({ type }) => type === 'JobAccepted');
              if (stored === 'not-found' || !accepted) return stored;
              return stored.map((one) => (one.type === 'JobCancelRequested' ? { ...accepted, revision: one.revision, position: one.position } : one));
            })
          : inner,
    },
  },
  'a message of a campaign whose id does not come from its contact': {
    finding: /the id of nobody in its audience/,
    plant: rewritten('bulk-', withoutContact),
  },
  'a membership of a segment whose timer is lost': {
    finding: /by its rules, recorded|unlike by its rules/,
    plant: {
      views: (inner, world) =>
        writers(inner, (writer) =>
          over(writer, { commit: (from, to, ops) => writer.commit(from, to, sometimes(world, 0.3) ? ops.map(withoutTimer) : ops) }),
        ),
    },
  },
  'a consent of a form that is not stored': {
    finding: /has .* proofs of its consent/,
    plant: appends('consent-', async ({ inner, world, append }) =>
      append[2].some(isByForm) && sometimes(world, 0.3) ? created(inner, append) : inner.append(...append),
    ),
  },
  'a contact by a form that is not known to be unconfirmed': {
    finding: /although nobody has confirmed/,
    plant: rewritten('contact-', asNamed),
  },
  'a submission of a form that is answered and not stored': {
    finding: /the submission .* was answered and is not on record/,
    plant: appends('formSubmission-', async ({ inner, world, append }) => (sometimes(world, 0.2) ? created(inner, append) : inner.append(...append))),
  },
  'a stream of an inbox that leaves out its last message': {
    finding: /a stream of .* has lost/,
    plant: {
      views: (inner) =>
        over(inner, {
          docs: <D extends Doc>(spec: ViewSpec, collection: string): Docs<D> => {
            const docs = inner.docs<D>(spec, collection);
            const isStream = ({ range }: Find): boolean => range?.field === 'stored' || range?.field === 'changed';
            return over(docs, { find: async (what) => (isStream(what) ? (await docs.find(what)).slice(0, -1) : docs.find(what)) });
          },
        }),
    },
  },
  'an action in an inbox that is answered and not stored': {
    finding: /was answered and is not on record/,
    plant: appends('inbox-', ({ inner, append }) => (append[1] === 'no-stream' ? inner.append(...append) : created(inner, append))),
  },
  'a device that is gone and whose subscription goes on': {
    finding: /is gone, whose subscription has not ended/,
    plant: appends('push-', ({ inner, append }) =>
      append[2].some(({ type }) => type === 'PushSubscriptionEnded') ? created(inner, append) : inner.append(...append),
    ),
  },
  'a device that keeps a contact which it has only made': {
    finding: /reached .*, whose contact nothing proves/,
    plant: rewritten('push-', asUnchecked),
  },
  'a suppression that is answered and not stored': {
    finding: /is not on record/,
    plant: appends('suppression-', async ({ inner, world, append }) => (sometimes(world, 0.2) ? created(inner, append) : inner.append(...append))),
  },
  'a timer of a journey that is set a minute late': {
    finding: /sets the timer of/,
    plant: rewritten('enrollment-', aMinuteLater),
  },
  'an exit of a journey that is forgotten': {
    finding: /goes on by .* after login|is completed|leaves by/,
    plant: {
      views: (inner) => writers(inner, (writer) => over(writer, { commit: (from, to, ops) => writer.commit(from, to, ops.map(withoutExits)) })),
    },
  },
  'a message of a journey that belongs to no visit': {
    finding: /sends msg_\w+ from/,
    plant: rewritten('enrollment-', withOtherMessage),
  },
  'a score that is recorded although its model refuses it': {
    finding: /by the model \d+, which says/,
    plant: {
      events: (inner, _, actor) =>
        actor.endsWith('/processes')
          ? reads(inner, 'scoreModel-', async (...args) => {
              const stored = await inner.read(...args);
              return stored === 'not-found' ? stored : stored.map(withoutGate);
            })
          : inner,
    },
  },
};
