import type { CompletedErasure } from '../../../domain/contacts/erasure.js';
import { eventTypes } from '../../../log/event-types.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { ask, bodyOf, knownContacts, NAMES, pickOrNull, succeeded } from '../recipients.js';

const ERASE = /^\/v1\/contacts\/\w+\/erase$/;
const CHECKED = 3;

/** Erases contacts. What was sealed for them opens nowhere any more, and no store has a text of a person that is not sealed. */
export const erasure: Capability = {
  name: 'erasure',
  begin(run) {
    const random = run.world.random('erasure');
    let nth = 0;
    return {
      actions: [
        {
          name: 'erase a contact',
          weight: 0.6,
          act: async () => {
            const id = pickOrNull(random, knownContacts(run));
            if (id) await run.caller.send('POST', `/v1/contacts/${id}/erase`, {}, `erase-${++nth}`);
          },
        },
      ],
      check: async (final) => {
        const erased = erasuresOf(final);
        return [
          ...everyErasureEnds(final, erased),
          ...(await areGone(final, erased)),
          ...(await boxesStayShut(final, erased)),
          ...textsAreSealed(final),
          ...(await viewsHaveNoText(final)),
        ];
      },
    };
  },
};

type Erased = LogEvent<{ type: 'ErasureCompleted'; data: CompletedErasure }>;

const erasuresOf = ({ events }: Final): readonly Erased[] => events.filter(({ event }) => event.type === 'ErasureCompleted') as Erased[];

function everyErasureEnds({ run }: Final, erased: readonly Erased[]): string[] {
  const completed = new Set(erased.map(({ event }) => event.data.erasure_id));
  const answered = succeeded(run, 'POST', ERASE).map((exchange) => bodyOf(exchange).erasure_id as string);
  return answered.filter((id) => !completed.has(id)).map((id) => `the erasure ${id} was accepted and is not completed`);
}

async function areGone({ run }: Final, erased: readonly Erased[]): Promise<string[]> {
  const ids = [...new Set(erased.flatMap(({ event }) => event.data.contact_ids))].slice(0, CHECKED);
  const problems: string[] = [];
  for (const id of ids) {
    const { status } = await ask(run, `/v1/contacts/${id}`);
    if (status !== 410) problems.push(`the contact ${id} is erased, and reading it gives ${status}`);
  }
  return problems;
}

interface Box {
  readonly subject: string;
  readonly sealed: string;
  readonly at: LogEvent;
}

/** The request that led to an event. */
const causeOf = ({ meta }: LogEvent): string => meta.$correlationId;

/** What an event has sealed: each box with the subject under whose key it is. */
function boxesOf(at: LogEvent): Box[] {
  const { personal } = eventTypes.get(at.event.type);
  if (!personal) return [];
  const data = at.event.data as Record<string, unknown>;
  const holders = personal.each ? (data[personal.each] as Record<string, unknown>[]) : [data];
  return holders.flatMap((holder) =>
    typeof holder.sealed === 'string' ? [{ subject: String(holder[personal.subject]), sealed: holder.sealed, at }] : [],
  );
}

/**
 * Boxes of an erased contact never open. Those of its addresses do not where they are older than the request, or of the erasure
 * itself: what others record of an address while it is erased may have a new key.
 */
async function boxesStayShut({ run, events }: Final, erased: readonly Erased[]): Promise<string[]> {
  const contacts = new Set(erased.flatMap(({ event }) => event.data.contact_ids));
  const requests = new Map(events.flatMap((stored) => (stored.event.type === 'ErasureRequested' ? [[stored.stream, stored] as const] : [])));
  const addresses = new Map(erased.flatMap(({ event, stream }) => event.data.address_keys.map((key) => [key, requests.get(stream)] as const)));
  const isErased = ({ subject, at }: Box): boolean => {
    const request = addresses.get(subject);
    return contacts.has(subject) || (request !== undefined && (at.position < request.position || causeOf(at) === causeOf(request)));
  };
  const boxes = events.flatMap(boxesOf).filter(isErased);
  const opened = await run.log.openBoxes(boxes.map(({ sealed }) => sealed));
  return boxes.flatMap(({ subject, at }, i) =>
    opened[i] === null ? [] : [`${at.event.type} in ${at.stream} still opens although ${subject} is erased`],
  );
}

/** Names are in boxes only, whoever gave them and in whatever field: what is in the open, no erasure reaches. */
function textsAreSealed({ events }: Final): string[] {
  return events.flatMap(({ event, meta, stream }) =>
    (JSON.stringify([event, meta]).match(NAMES) ?? []).map((name) => `${event.type} in ${stream} has ${name} in the open`),
  );
}

/** The same for read models and to-do lists. */
async function viewsHaveNoText({ run }: Final): Promise<string[]> {
  const problems: string[] = [];
  for (const projection of run.projections) {
    for (const collection of Object.keys(projection.collections)) {
      const docs = await run.stores.views.views.docs(projection, collection).find({ where: {}, limit: Number.MAX_SAFE_INTEGER });
      const found = JSON.stringify(docs).match(NAMES) ?? [];
      problems.push(...found.map((name) => `${projection.name} has ${name} in ${collection} in the open`));
    }
  }
  return problems;
}
