/** What really happened to a contact, as a simulation of a journey reads it. */

import type { ContactSignal } from './contact-signal.js';
import type { JourneyDefinition } from './definition.js';
import type { WaitNode } from './nodes/wait.js';
import type { Occurrence, Trigger } from './triggers.js';

/** Something that happened. Its properties are open. */
export interface PastSignal extends Omit<ContactSignal, 'meets' | 'keyAt'> {
  /** When it was recorded (RFC 3339): the order of what happened. */
  readonly at: string;
  /** Of a custom event. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of a start by a request: the hash of its key. */
  readonly key?: string | null;
  /** The enrollment that it began. */
  readonly began?: string;
}

/** The order in which it was recorded. */
export const inOrderOfRecord = (a: Pick<PastSignal, 'at'>, b: Pick<PastSignal, 'at'>): number => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0);

/** A contact with all that are merged into it, the root first. */
export interface PastContact {
  readonly id: string;
  readonly members: readonly string[];
}

/** From and to, inclusive (RFC 3339). */
export interface PastRange {
  readonly from: string;
  readonly to: string;
}

/** What is looked for. */
export interface PastQuery {
  /** Names of custom events. */
  readonly events: ReadonlySet<string>;
  readonly segments: ReadonlySet<string>;
  readonly lists: ReadonlySet<string>;
  /** 'any': every form. */
  readonly forms: ReadonlySet<string> | 'any';
  readonly created: boolean;
}

/** What starts a journey. */
export const wantedByTrigger = ({ nodes, start }: JourneyDefinition): PastQuery => {
  const trigger = nodes.find(({ id }) => id === start);
  return wanted(trigger?.kind === 'trigger' ? [trigger.on] : []);
};

const awaitedBy = (node: WaitNode): Occurrence[] => node.for.flatMap(({ on }) => (on ? [on] : []));

/** What a wait waits for. */
export const wantedByWait = (node: WaitNode): PastQuery => wanted(awaitedBy(node));

/** What a journey reacts to. */
export function wantedBy({ nodes, settings }: JourneyDefinition): PastQuery {
  const waits = nodes.flatMap((node) => (node.kind === 'wait' ? awaitedBy(node) : []));
  const triggers = nodes.flatMap((node) => (node.kind === 'trigger' ? [node.on] : []));
  return wanted([...triggers, ...waits, ...settings.exit_when, ...(settings.goal ? [settings.goal] : [])]);
}

function wanted(parts: readonly (Trigger | Occurrence)[]): PastQuery {
  const forms = parts.filter((part) => part.type === 'form_submitted');
  return {
    events: new Set(parts.flatMap((part) => (part.type === 'event' ? [part.event] : []))),
    segments: new Set(parts.flatMap((part) => (part.type === 'segment_entered' || part.type === 'segment_left' ? [part.segment_id] : []))),
    lists: new Set(parts.flatMap((part) => (part.type === 'list_added' ? [part.list_id] : []))),
    forms: forms.some(({ form_id }) => form_id === undefined) ? 'any' : new Set(forms.flatMap(({ form_id }) => form_id ?? [])),
    created: parts.some(({ type }) => type === 'contact_created'),
  };
}
