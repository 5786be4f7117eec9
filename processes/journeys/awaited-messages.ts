/** Which messages waits wait for, as notes of the list: they follow from events and notes alone. */
import type { SealedEnrollmentEvent } from '../../domain/journeys/enrollment.js';
import type { Doc } from '../../domain/kernel/ports.js';
import type { Intention } from '../runtime/process-manager.js';
import type { VersionNote } from './listening.js';

/** A message for which a wait of its enrollment waits. */
export interface AwaitedMessageNote extends Doc {
  readonly enrollment_id: string;
  readonly journey_id: string;
  readonly contact_id: string;
  /** The versions of the journey that have such a wait. */
  readonly versions: readonly number[];
  /** That sent it. */
  readonly node: string;
}
/** The messages of an enrollment, until it ends. */
export interface AwaitedNote extends Doc {
  readonly messages: readonly { readonly id: string; readonly node: string; readonly versions: readonly number[] }[];
}

export const awaitedMessageNoteId = (message: string): string => `message/${message}`;
export const awaitedNoteId = (enrollment: string): string => `awaited/${enrollment}`;

/** Events that change these notes. */
export const concernsMessages = (type: string): boolean =>
  type === 'EnrollmentSendRequested' || type === 'EnrollmentMoved' || type === 'EnrollmentExited';

export const waitsForMessage = ({ waits }: VersionNote, sent: string): boolean =>
  Object.values(waits).some(({ on }) => on.some((one) => one.on.type === 'message' && one.on.node === sent));

/** Notes that such an event reads, and what it reads after those. */
export function awaitedReads({ type, data }: { readonly type: string; readonly data: object }): string[] {
  if (!concernsMessages(type)) return [];
  const { enrollment_id, message_id } = data as { readonly enrollment_id: string; readonly message_id?: string };
  return [awaitedNoteId(enrollment_id), ...(message_id === undefined ? [] : [awaitedMessageNoteId(message_id)])];
}
export const furtherAwaited = (type: string, known: AwaitedNote | undefined): string[] =>
  type === 'EnrollmentMoved' || type === 'EnrollmentExited' ? (known?.messages ?? []).map(({ id }) => awaitedMessageNoteId(id)) : [];

/** `versions`: of the journey, each with its note. */
export function awaitedIntentions(
  event: SealedEnrollmentEvent,
  known: AwaitedNote | undefined,
  versions: readonly (readonly [version: number, note: VersionNote])[],
): Intention[] {
  const { enrollment_id, journey_id } = event.data;
  const messages = known?.messages ?? [];
  const noteOf = ({ id, node, versions: of }: AwaitedNote['messages'][number], contact_id: string): AwaitedMessageNote => ({
    ...{ id: awaitedMessageNoteId(id), enrollment_id, journey_id, contact_id, versions: of, node },
  });
  switch (event.type) {
    case 'EnrollmentSendRequested': {
      const { message_id: id, node_id: node, contact_id } = event.data;
      const listening = versions.flatMap(([version, note]) => (waitsForMessage(note, node) ? [version] : []));
      if (listening.length === 0) return [];
      const message = { id, node, versions: listening };
      const awaited: AwaitedNote = { id: awaitedNoteId(enrollment_id), messages: [...messages, message] };
      return [awaited, noteOf(message, contact_id)].map((note) => ({ do: 'store-note', note }));
    }
    case 'EnrollmentMoved': {
      const { into } = event.data;
      return messages.map((message) => ({ do: 'store-note', note: noteOf(message, into) }));
    }
    case 'EnrollmentExited':
      if (messages.length === 0) return [];
      return [awaitedNoteId(enrollment_id), ...messages.map(({ id }) => awaitedMessageNoteId(id))].map((id) => ({ do: 'delete-note', id }));
    default:
      return [];
  }
}
