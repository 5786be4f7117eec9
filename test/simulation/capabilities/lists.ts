import { ERASED } from '../../../domain/kernel/erased.js';
import type { MembershipEvent } from '../../../domain/lists/membership.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { isPlain, streamsOf } from '../history.js';
import { ask, askAll, bodyOf, EMAILS, knownContacts, nameOf, pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';

const MINUTE_MS = 60_000;

/** Of contacts that are put back. */
const MISTAKE = 'removed by mistake: ';
const CONFIRM = /\/v1\/public\/lists\/confirm\/[\w.~-]+/;

/** One list with single and one with double opt-in: contacts are added, confirm by the link of their mail, and leave. */
export const lists: Capability = {
  name: 'lists',
  begin(run) {
    const random = run.world.random('lists');
    const ids: string[] = [];
    const doubles: string[] = [];
    const proven = new Set<string>();
    let nth = 0;
    for (const opt_in of ['single', 'double'])
      run.caller.send('POST', '/v1/lists', { name: `News, ${opt_in}`, opt_in }, `list-${opt_in}`).then((exchange) => {
        if (exchange.response?.status !== 201) return;
        ids.push(bodyOf(exchange).id);
        if (opt_in === 'double') doubles.push(bodyOf(exchange).id);
      });
    return {
      actions: [
        {
          name: 'add to a list',
          weight: 3,
          act: async () => {
            const [list, contact] = [pickOrNull(random, ids), pickOrNull(random, knownContacts(run))];
            if (!list) return;
            const body = contact && random.chance(0.5) ? { contact_ids: [contact] } : { emails: [random.pick(EMAILS)] };
            await run.caller.send('POST', `/v1/lists/${list}/contacts`, { ...body, source: nameOf(run) }, `members-${++nth}`);
          },
        },
        {
          name: 'add to a list who has confirmed elsewhere',
          weight: 0.6,
          act: async () => {
            const list = pickOrNull(random, ids);
            if (!list) return;
            const source = nameOf(run);
            proven.add(source);
            const body = { emails: [random.pick(EMAILS)], source, confirmed: true, proof: { text: source } };
            await run.caller.send('POST', `/v1/lists/${list}/contacts`, body, `members-${++nth}`);
          },
        },
        {
          name: 'send a confirmation again',
          weight: 0.5,
          act: () =>
            run.caller.hold(async () => {
              const [list, contact] = [pickOrNull(random, doubles), pickOrNull(random, knownContacts(run))];
              if (!list || !contact) return;
              const added = { contact_ids: [contact], source: nameOf(run) };
              await run.caller.send('POST', `/v1/lists/${list}/contacts`, added, `members-${++nth}`);
              for (let i = random.integer(1, 6); i > 0; i--) {
                await run.world.sleep(random.duration(12 * MINUTE_MS), 'lists');
                await run.caller.send('POST', `/v1/lists/${list}/contacts/${contact}/resend-confirmation`, {}, `members-${++nth}`);
              }
            }),
        },
        {
          name: 'confirm a subscription',
          weight: 2,
          act: async () => {
            const link = pickOrNull(random, confirmationLinks(run));
            if (link) await run.caller.send('POST', link, {});
          },
        },
        {
          name: 'put back on a list',
          weight: 0.5,
          act: async () => {
            const [list, contact] = [pickOrNull(random, ids), pickOrNull(random, knownContacts(run))];
            const body = { reason: `${MISTAKE}${nameOf(run)}`, proof: nameOf(run) };
            if (list && contact) await run.caller.send('POST', `/v1/lists/${list}/contacts/${contact}/resubscribe`, body, `members-${++nth}`);
          },
        },
        {
          name: 'remove from a list',
          weight: 1,
          act: async () => {
            const [list, contact] = [pickOrNull(random, ids), pickOrNull(random, knownContacts(run))];
            if (list && contact) await run.caller.send('DELETE', `/v1/lists/${list}/contacts/${contact}`);
          },
        },
      ],
      check: async (final) => [
        ...(await membersAgree(final, ids)),
        ...(await subscriptionsAreLegal(final, { ids, doubles, proven })),
        ...(await putBackHasAReason(final)),
      ],
    };
  },
};

const confirmationLinks = ({ outside }: Run): string[] =>
  outside.live.flatMap(({ message }) => (message.channel === 'email' ? (CONFIRM.exec(JSON.stringify(message.content))?.[0] ?? []) : []));

const statusOf = {
  SubscriptionRequested: 'pending',
  ListSubscribed: 'subscribed',
  ListUnsubscribed: 'unsubscribed',
  ListResubscribed: 'subscribed',
  ListCleaned: 'cleaned',
  ConfirmationSent: null,
} as const satisfies Record<MembershipEvent['type'], string | null>;

/** The counts of a list are those of its members, and each member that was never merged has the status of its last event. */
async function membersAgree(final: Final, ids: readonly string[]): Promise<string[]> {
  const { run } = final;
  const problems: string[] = [];
  for (const id of ids) {
    const members: { contact_id: string; status: string }[] = await askAll(run, `/v1/lists/${id}/contacts`);
    const { counts } = (await ask(run, `/v1/lists/${id}`)).body as { counts: Record<string, number> };
    for (const [status, count] of Object.entries(counts)) {
      const listed = members.filter((member) => member.status === status).length;
      if (listed !== count) problems.push(`the list ${id} counts ${count} ${status} members and lists ${listed}`);
    }
    const shown = new Map(members.map(({ contact_id, status }) => [contact_id, status]));
    for (const [contact, events] of streamsOf(final, 'membership-')) {
      if (!isPlain(final, contact)) continue;
      const own = membershipEvents(events, id).flatMap(({ event }) => statusOf[event.type] ?? []);
      if (shown.get(contact) !== own.at(-1)) problems.push(`${contact} is ${shown.get(contact)} on the list ${id}, by its events ${own.at(-1)}`);
    }
  }
  return problems;
}

const membershipEvents = (events: readonly LogEvent[], list: string): readonly LogEvent<MembershipEvent>[] =>
  (events as readonly LogEvent<MembershipEvent>[]).filter(({ event }) => event.data.list_id === list);

/** Who has left is subscribed again only by an own act, and a link confirms only what was requested before. */
async function subscriptionsAreLegal(final: Final, { ids, doubles, proven }: Lists): Promise<string[]> {
  const problems: string[] = [];
  for (const [contact, events] of streamsOf(final, 'membership-')) {
    const opened = await final.run.log.open(events);
    for (const id of ids) {
      const own = membershipEvents(opened, id);
      const unproven = doubles.includes(id) ? own.flatMap(({ event }) => unprovenProblem(event, proven) ?? []) : [];
      for (const problem of [...illegalSubscriptions(own), ...resendsAreBounded(own), ...unproven])
        problems.push(`${contact} on the list ${id}: ${problem}`);
    }
  }
  return problems;
}

interface Lists {
  readonly ids: readonly string[];
  /** Those with double opt-in. */
  readonly doubles: readonly string[];
  /** The sources of requests with a proof that people have confirmed elsewhere. */
  readonly proven: ReadonlySet<string>;
}

/** The account itself subscribes nobody to a list with double opt-in but by a proof. Imports have no source of their own. */
function unprovenProblem({ type, data }: MembershipEvent, proven: ReadonlySet<string>): string | null {
  if (type !== 'ListSubscribed' || data.by !== 'account' || data.request_id !== null) return null;
  const { source } = data;
  return source === ERASED || source.startsWith('import') || proven.has(source) ? null : `subscribed by '${source}' without a confirmation`;
}

const RESENDS = 3;
const RESENT_EVERY_MS = 600_000;

/** The mail that asks for a confirmation is sent again three times at most, ten minutes apart. */
function resendsAreBounded(events: readonly LogEvent<MembershipEvent>[]): string[] {
  const problems: string[] = [];
  let times: number[] = [];
  for (const { event } of events) {
    if (event.type !== 'SubscriptionRequested') continue;
    if (!event.data.resent) {
      times = [];
      continue;
    }
    const [last, now] = [times.at(-1), Date.parse(event.data.at)];
    if (last !== undefined && now - last < RESENT_EVERY_MS) problems.push(`a confirmation was sent again ${now - last} ms after the last time`);
    times.push(now);
    if (times.length > RESENDS) problems.push(`a confirmation was sent again ${times.length} times`);
  }
  return problems;
}

function illegalSubscriptions(events: readonly LogEvent<MembershipEvent>[]): string[] {
  const problems: string[] = [];
  const requests = new Set<string>();
  let status: string | null = null;
  for (const { event } of events) {
    const hasLeft = status === 'unsubscribed' || status === 'cleaned';
    if (event.type === 'SubscriptionRequested') requests.add(event.data.request_id);
    if (hasLeft && isByAccount(event)) problems.push(`${event.type} although the contact had left`);
    if (event.type === 'ListSubscribed' && event.data.request_id !== null && !requests.has(event.data.request_id))
      problems.push(`${event.data.request_id} was confirmed and never requested`);
    status = statusOf[event.type] ?? status;
  }
  return problems;
}

/** On the preference page a person may ask for a list with double opt-in again. Of an erased person nobody knows where it was asked. */
const isByAccount = (event: MembershipEvent): boolean =>
  (event.type === 'SubscriptionRequested' && event.data.source !== 'preferences' && event.data.source !== ERASED) ||
  (event.type === 'ListSubscribed' && event.data.by === 'account');

/** Whoever the account has put back has the reason and the proof on record, unless the person was erased since. */
async function putBackHasAReason({ run, byStream }: Final): Promise<string[]> {
  const problems: string[] = [];
  for (const [stream, events] of byStream) {
    const back = stream.startsWith('membership-') ? events.filter(({ event }) => event.type === 'ListResubscribed') : [];
    for (const { event } of await run.log.open(back)) {
      const { reason, proof } = event.data as { reason: string; proof: string };
      if (reason !== ERASED && !(reason.startsWith(MISTAKE) && proof !== ''))
        problems.push(`${stream} has a contact put back because of '${reason}', with the proof '${proof}'`);
    }
  }
  return problems;
}
