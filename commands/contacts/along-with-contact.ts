/** What a call says of its contact besides fields: consents and lists. */
import {
  type ConsentEvent,
  type Consents,
  consent,
  consentAt,
  consentChannels,
  consentStatuses,
  consentStream,
  effectiveConsent,
  evolve,
  lawfulBases,
  MARKETING_PURPOSE,
  noConsents,
  noProof,
  PURPOSE_PATTERN,
  proofSchema,
} from '../../domain/consent/consent.js';
import { boundedText, list, nullable, oneOf, optional, partial, record, type Static, text, time } from '../../domain/kernel/schema.js';
import type { ListDetails } from '../../domain/lists/list.js';
import { type FoundContact, findContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { loadConsents } from '../../log/aggregates/load-consents.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import { confirmContacts } from '../consent/confirm-contact.js';
import { addContactToList } from '../lists/add-to-list.js';
import { toExpected } from '../runtime/append.js';
import type { Context } from '../runtime/command.js';
import { requireMode } from '../runtime/contact-modes.js';
import { optOutOwnAddresses } from './own-addresses.js';
import type { ContactRow } from './row-identity.js';

const consentStatement = record({
  channel: oneOf(...consentChannels),
  purpose: boundedText(PURPOSE_PATTERN),
  status: oneOf(...consentStatuses),
  lawful_basis: optional(oneOf(...lawfulBases)),
  source: optional(text),
  proof: optional(partial(proofSchema)),
  occurred_at: optional(time),
});
type ConsentStatement = Static<typeof consentStatement>;

/** `confirmed`: the proof that the person has confirmed elsewhere, for lists with double opt-in. */
export const alongWithContact = record({
  consents: list(consentStatement),
  list_ids: list(text),
  confirmed: optional(proofSchema),
  /** Base URL of links in mails, from the request; null for the configured one. */
  base_url: nullable(text),
});
export type AlongWithContact = Static<typeof alongWithContact>;

/** The same on every run under an idempotency key. */
const causeOf = ({ cause }: Context) =>
  ({ kind: 'request', id: cause.key === undefined ? cause.invocation : hashId('req', cause.account, 'consents', cause.key) }) as const;

function commandOf(
  context: Context,
  contact_id: string,
  { proof, occurred_at, lawful_basis = 'consent', source = 'api', ...statement }: ConsentStatement,
) {
  const { now } = context;
  const at = occurred_at === undefined ? now : new Date(occurred_at).toISOString();
  const entry = { ...statement, lawful_basis, source, proof: { ...noProof, ...proof }, cause: causeOf(context), occurred_at: at };
  return { type: 'Record', contact_id, ...entry, now } as const;
}

/** The consents of a contact that is being created: appended together with it, so that what its creation starts finds them. */
export function consentsOfNew(context: Context, contact_id: string, statements: readonly ConsentStatement[]): EventAppend[] {
  let known: Consents = noConsents;
  const events: ConsentEvent[] = [];
  for (const statement of statements) {
    const decided = consent.decide(commandOf(context, contact_id, statement), known);
    for (const event of decided) known = evolve(known, event);
    events.push(...decided);
  }
  return events.length === 0 ? [] : [{ stream: consentStream(contact_id), expected: 'no-stream', events }];
}

/** Whether a statement changes anything of a contact that exists: it grants nothing that was withdrawn, since a call may be repeated every night. */
function changes({ status, channel, purpose }: ConsentStatement, known: Consents): boolean {
  const entry = consentAt(known, channel, purpose)?.value;
  if (status === 'withdrawn') return entry?.status !== 'withdrawn';
  if (status === 'pending') return entry === undefined;
  const all = channel === 'all' ? consentChannels : [channel];
  if (all.some((one) => consentAt(known, one, purpose)?.value.status === 'withdrawn')) return false;
  return entry?.status !== 'granted' || entry.cause.kind === 'form';
}

const grantsMarketing = ({ status, purpose }: ConsentStatement): boolean => status === 'granted' && purpose === MARKETING_PURPOSE;
const idsOf = ({ unified }: FoundContact): string[] => unified.members.map(({ id }) => id);

async function recordConsents(context: Context, { named, unified }: FoundContact, statements: readonly ConsentStatement[]): Promise<void> {
  const stream = consentStream(named.id);
  await context.attempt(
    async () => ({ own: await loadAggregate(context.log, consent, stream, { sealed: true }), known: await loadConsents(context.log, unified) }),
    ({ own, known }) => {
      const events = statements
        .filter((statement) => changes(statement, known))
        .flatMap((statement) => consent.decide({ ...commandOf(context, named.id, statement), oncePerCause: true }, own.state));
      return { appends: events.length === 0 ? [] : [{ stream, expected: toExpected(own.revision), events }], result: undefined };
    },
  );
}

/**
 * Records the consents of a contact that exists already (`isNew`: they were recorded with it), and adds it to lists. `about`: the contact that
 * the call has updated.
 */
export async function applyAlong(
  context: Context,
  about: string,
  { consents, confirmed, base_url }: AlongWithContact,
  { lists, isNew }: { readonly lists: readonly ListDetails[]; readonly isNew: boolean },
): Promise<void> {
  const found = await findContact(context.log, context.cause.account, about);
  await requireMode(context, found);
  if (!isNew && consents.length > 0) await recordConsents(context, found, consents);
  const known = consents.some(grantsMarketing) ? await loadConsents(context.log, found.unified) : noConsents;
  const isGranted = consents.some((one) => grantsMarketing(one) && effectiveConsent(known, one.channel, one.purpose)?.value.status === 'granted');
  if (isGranted) await confirmContacts(context, idsOf(found), { confirmed: { by: 'consent', of: null }, source: 'api' });
  const added = {
    ...({ by: 'account', source: 'api', base_url } as const),
    ...(confirmed && { confirmed: { proof: confirmed, cause: causeOf(context) } }),
  };
  // One stream has all memberships, so each has an invocation of its own.
  for (const [i, one] of lists.entries()) await addContactToList(context.contextOfPart(`${context.cause.invocation}/list/${i}`), one, found, added);
}

/**
 * What a call says besides fields, of a contact that its phone alone has matched: the contact joins no list and grants nothing. An opt-out
 * from marketing holds for the row's own addresses. Returns the names of what is not applied.
 */
export async function applyAlongToOwnAddress(context: Context, { patch }: ContactRow, { consents, list_ids }: AlongWithContact): Promise<string[]> {
  const refused = consents.filter(({ status, purpose }) => status === 'withdrawn' && purpose === MARKETING_PURPOSE);
  for (const { channel, occurred_at } of refused) await optOutOwnAddresses(context, patch, { channel, source: 'api', via: 'request', occurred_at });
  return [...(list_ids.length > 0 ? ['lists'] : []), ...(refused.length < consents.length ? ['consents'] : [])];
}
