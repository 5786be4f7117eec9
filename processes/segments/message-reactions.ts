/** How claims and suppressions of addresses and events of messages change the documents of contacts. */

import { messageIdOf } from '../../domain/messages/message.js';
import type { SegmentCatalog } from '../../domain/segments/live/catalog.js';
import { changeAddresses, type InputChange, keepEvent } from '../../domain/segments/live/changes.js';
import type { OwnInputs } from '../../domain/segments/live/inputs.js';
import { addressSlots } from '../../domain/segments/reachability.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { Intention, Reads } from '../runtime/process-manager.js';
import {
  type AddressInput,
  type AddressNote,
  addressKeyOf,
  addressNoteId,
  type CountedMessageNote,
  countedMessageNoteId,
  isAcceptance,
  type MessageInput,
  noteAddress,
  noteMessage,
  type ReportedEvents,
  reportedBy,
} from './address-notes.js';
import type { FindNote } from './catalogs.js';
import { foundBy, type LiveDocs, recordedMs, SegmentContactChange } from './contact-change.js';
import { type LiveTodo, liveTodoId } from './live-todo.js';

export type OutsideInput = AddressInput | MessageInput;

const isMessage = (stored: LogEvent<OutsideInput>): stored is LogEvent<MessageInput> => stored.stream.startsWith('message-');

/** Further notes and documents, in the order in which they are found. */
export function outsideReads(stored: LogEvent<OutsideInput>, docs: LiveDocs, catalog: SegmentCatalog): Reads {
  if (isMessage(stored) && !catalog.takesMessages) return {};
  const { notes, contacts } = isMessage(stored) ? ofMessage(stored, docs.note) : ofAddress(addressKeyOf(stored as LogEvent<AddressInput>), docs.note);
  return { notes, todos: [...contacts, ...foundBy(contacts, docs, false)].map(liveTodoId) };
}

const ofAddress = (key: string, note: FindNote) => ({
  notes: [addressNoteId(key)],
  contacts: note<AddressNote>(addressNoteId(key))?.contacts ?? [],
});

function ofMessage({ event, stream }: LogEvent<MessageInput>, note: FindNote): { readonly notes: string[]; readonly contacts: readonly string[] } {
  const id = countedMessageNoteId(messageIdOf(stream));
  const accepted = note<CountedMessageNote>(id)?.accepted;
  const to_key = accepted?.to_key ?? (isAcceptance(event) ? event.data.to_key : undefined);
  const contact = accepted ? accepted.contact : isAcceptance(event) ? (event.data.contact_id ?? null) : null;
  if (contact !== null) return { notes: [id], contacts: [contact] };
  if (to_key === undefined) return { notes: [id], contacts: [] };
  const { notes, contacts } = ofAddress(to_key, note);
  return { notes: [id, ...notes], contacts };
}

/** Histories that are filled, where the event is applied again. */
export type FilledHistories = ReadonlySet<string> | undefined;

/** What the event changes of addresses and messages. */
export function outsideNotes(stored: LogEvent<OutsideInput>, find: FindNote, catalog: SegmentCatalog, only: FilledHistories): readonly Intention[] {
  if (!isMessage(stored)) return noteAddress(stored as LogEvent<AddressInput>, find);
  return catalog.takesMessages ? noteMessage(stored, { find, catalog, now: recordedMs(stored), ...(only && { only }) }) : [];
}

/** The changed documents. Notes are as the event has left them. */
export function applyOutside(stored: LogEvent<OutsideInput>, docs: LiveDocs, catalog: SegmentCatalog, only: FilledHistories): LiveTodo[] {
  const change = new SegmentContactChange(stored, docs, catalog);
  if (!isMessage(stored)) return copyAddress(change, addressKeyOf(stored as LogEvent<AddressInput>), docs, 'attribute', only);
  const reported = catalog.takesMessages ? reportedBy(stored, docs.note) : null;
  if (!reported) return [];
  if (reported.contact === null) return copyAddress(change, reported.to_key, docs, 'event', only);
  const { contact, wereWaiting } = reported;
  const filled = wereWaiting ? undefined : only;
  if (only) return change.again(contact, (own, now) => kept(own, reported, catalog, now, filled).own);
  return change.inputs(contact, 'event', (own) => kept(own, reported, catalog, recordedMs(stored), filled));
}

function kept(
  before: OwnInputs,
  { events: contactSignals }: ReportedEvents,
  catalog: SegmentCatalog,
  now: number,
  only: FilledHistories,
): InputChange {
  const inputs: string[] = [];
  let own = before;
  for (const contactSignal of contactSignals) {
    const change = keepEvent(catalog, own, contactSignal, now, only);
    own = change.own;
    inputs.push(...change.inputs);
  }
  return { own, inputs, fields: [] };
}

/** Contacts that have the address know of it what is known. */
function copyAddress(change: SegmentContactChange, key: string, docs: LiveDocs, cause: 'attribute' | 'event', only: FilledHistories): LiveTodo[] {
  const note = docs.note<AddressNote>(addressNoteId(key));
  for (const contact of note?.contacts ?? []) {
    const copy = (own: OwnInputs): InputChange => {
      const kind = addressSlots.find((one) => own.addresses?.[one]?.key === key);
      return kind ? changeAddresses(own, { [kind]: key }, () => note) : { own, inputs: [], fields: [] };
    };
    if (only) change.again(contact, (own) => copy(own).own);
    else change.inputs(contact, cause, copy);
  }
  return change.all();
}
