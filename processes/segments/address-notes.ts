/**
 * What is known of addresses and messages, whoever has them: notes, because contacts take addresses and give them up, and the events
 * of a message name its contact only at acceptance. They change before the documents of contacts, which copy what concerns them.
 */
import type { ContactKeyEvent } from '../../domain/contacts/contact-key.js';
import type { Doc } from '../../domain/kernel/ports.js';
import { messageIdOf, type SealedMessageEvent } from '../../domain/messages/message.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import { type CountedEvent, keptIn, type PersonalFieldReader } from '../../domain/segments/live/changes.js';
import { messageSource } from '../../domain/segments/live/history-leaves.js';
import { type AddressInputs, noAddressInputs } from '../../domain/segments/live/inputs.js';
import { messageReportOf, type reportingEvents } from '../../domain/segments/message-reports.js';
import type { MessageAction } from '../../domain/segments/rule.js';
import type { SealedSuppressionEvent } from '../../domain/suppressions/suppression.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention } from '../runtime/process-manager.js';
import type { FindNote } from './catalogs.js';

export interface AddressNote extends Doc, AddressInputs {
  /** Contacts that have claimed the address, also those that have given it up since. */
  readonly contacts: readonly string[];
}

/** A message that rules may count: kept while an account has rules over messages. */
export interface CountedMessageNote extends Doc {
  /** Null while its acceptance is not read yet. */
  readonly accepted: MessageAcceptance | null;
  /** What was reported before its acceptance was read. */
  readonly waiting: readonly Report[];
}

interface MessageAcceptance {
  readonly contact: string | null;
  readonly to_key: string;
  /** Of the event from which it was learned. */
  readonly position: string;
  /** Of a test key: it counts for no rule. */
  readonly test?: true;
  /** What leaves ask for. */
  readonly about: Readonly<Record<'channel' | 'campaign_id' | 'journey_id' | 'node_id' | 'template_id', string | null>>;
}

interface Report {
  readonly action: MessageAction;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly machine: boolean;
}

type Acceptance = Extract<SealedMessageEvent, { type: 'MessageQueued' | 'MessageScheduled' }>;
type ReportingEvent = Extract<SealedMessageEvent, { type: (typeof reportingEvents)[number] }>;
export type MessageInput = Acceptance | ReportingEvent;
type SuppressionInput = Exclude<SealedSuppressionEvent, { type: 'SuppressionExcepted' }>;
export type AddressInput = ContactKeyEvent | SuppressionInput;

export const addressNoteId = (key: string): string => `address/${key}`;
export const countedMessageNoteId = (message: string): string => `message/${message}`;

export const isAcceptance = (event: MessageInput): event is Acceptance => event.type === 'MessageQueued' || event.type === 'MessageScheduled';

const CLAIMS = 'contactKey-';

/** The key of the address that an event is about. */
export const addressKeyOf = ({ event, stream }: LogEvent<AddressInput>): string =>
  'address_key' in event.data ? event.data.address_key : stream.slice(CLAIMS.length);

/** How a claim or a suppression changes what is known of its address. */
export function noteAddress(stored: LogEvent<AddressInput>, find: FindNote): Intention[] {
  const { event } = stored;
  const id = addressNoteId(addressKeyOf(stored));
  const known = find<AddressNote>(id) ?? newAddress(id);
  const note = addressAfter(known, event);
  return note === known ? [] : [{ do: 'store-note', note }];
}

const newAddress = (id: string): AddressNote => ({ id, contacts: [], ...noAddressInputs });

function addressAfter(note: AddressNote, { type, data }: AddressInput): AddressNote {
  switch (type) {
    case 'ContactKeyClaimed':
      return note.contacts.includes(data.contact_id) ? note : { ...note, contacts: [...note.contacts, data.contact_id] };
    case 'ContactKeyReleased':
      return note;
    case 'AddressSuppressed':
    case 'SuppressionBackdated':
    case 'SuppressionWidened': {
      const cause = `${data.channel}/${data.reason}`;
      return note.suppressed.includes(cause) ? note : { ...note, suppressed: [...note.suppressed, cause] };
    }
    case 'SuppressionLifted': {
      const lifted = new Set(data.reasons.map((reason) => `${data.channel}/${reason}`));
      return { ...note, suppressed: note.suppressed.filter((cause) => !lifted.has(cause)) };
    }
    default:
      return type satisfies never;
  }
}

interface NoteContext {
  readonly find: FindNote;
  readonly catalog: SegmentCatalog;
  /** Milliseconds since 1970: when the event was recorded. */
  readonly now: number;
  /** Where the event is applied again: the histories that are filled. */
  readonly only?: ReadonlySet<string>;
}

/** How an event of a message changes what is known of it, and of its address where it names no contact. */
export function noteMessage(stored: LogEvent<MessageInput>, noting: NoteContext): Intention[] {
  const { event, position } = stored;
  const id = countedMessageNoteId(messageIdOf(stored.stream));
  const known = noting.find<CountedMessageNote>(id);
  if (isAcceptance(event)) {
    if (known?.accepted) return [];
    const note: CountedMessageNote = { id, accepted: acceptedOf(event, position), waiting: known?.waiting ?? [] };
    return [{ do: 'store-note', note }, ...noteReports(note, note.waiting, { ...noting, only: undefined })];
  }
  const report = plainReport(event);
  if (!report || !noting.catalog.historiesOf.has(messageSource(report.action))) return [];
  if (known?.accepted) return noteReports(known, [report], noting);
  // It was accepted before the rules were defined: what comes from the log names its contact.
  return [{ do: 'store-note', note: { id, accepted: null, waiting: [...(known?.waiting ?? []), report] } }];
}

const acceptedOf = ({ data }: Acceptance, position: string): MessageAcceptance => {
  const { contact_id = null, to_key, channel, campaign_id = null, journey_id = null, node_id = null, template_id = null, test } = data;
  return { contact: contact_id, to_key, position, ...(test && { test: true }), about: { channel, campaign_id, journey_id, node_id, template_id } };
};

function plainReport(event: ReportingEvent): Report | null {
  const report = messageReportOf(event);
  return report && { action: report.action, at: Date.parse(report.occurred_at), machine: report.machine };
}

function noteReports(
  { accepted }: CountedMessageNote,
  reports: readonly Report[],
  { find, catalog, now, only }: Partial<NoteContext> & NoteContext,
): Intention[] {
  if (!accepted || accepted.test || accepted.contact !== null || reports.length === 0) return [];
  const known = find<AddressNote>(addressNoteId(accepted.to_key)) ?? newAddress(addressNoteId(accepted.to_key));
  let { histories } = known;
  for (const report of reports) histories = keptIn(catalog, histories, countedEventOf(accepted, report), now, only).histories;
  return histories === known.histories ? [] : [{ do: 'store-note', note: { ...known, histories } }];
}

/** What an event reports of a message whose acceptance is known: to its contact, or to its address. */
export interface ReportedEvents {
  readonly contact: string | null;
  readonly to_key: string;
  readonly events: readonly CountedEvent[];
  /** They are live, although the event is applied again. */
  readonly wereWaiting: boolean;
}

/** Null where there is nothing to count. The note is as the event has left it. */
export function reportedBy({ event, position, stream }: LogEvent<MessageInput>, find: FindNote): ReportedEvents | null {
  const note = find<CountedMessageNote>(countedMessageNoteId(messageIdOf(stream)));
  const { accepted, waiting } = note ?? { accepted: null, waiting: [] };
  if (!accepted || accepted.test) return null;
  const { contact, to_key } = accepted;
  if (isAcceptance(event)) {
    if (accepted.position !== position || waiting.length === 0) return null;
    return { contact, to_key, events: waiting.map((report) => countedEventOf(accepted, report)), wereWaiting: true };
  }
  const report = plainReport(event);
  return report && { contact, to_key, events: [countedEventOf(accepted, report)], wereWaiting: false };
}

function countedEventOf({ about }: MessageAcceptance, { action, at, machine }: Report): CountedEvent {
  return { source: messageSource(action), at, properties: openly({ ...about, action, machine }) };
}

const openly = (fields: Readonly<Record<string, unknown>>): PersonalFieldReader => ({
  decide: (meets) => meets(fields),
  number: (numberIn) => numberIn(fields),
});
