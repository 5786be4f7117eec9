/** A part that templates of an account have in common, such as a footer. Templates include it by its key. */

import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { boundedText, count, record, text, time } from '../kernel/schema.js';
import { keyPattern } from '../kernel/text-patterns.js';

/** The form of a key. */
export const PARTIAL_KEY = keyPattern('_', '-');

// Events

/** Has the whole source. */
export const TemplatePartialStored = eventType('TemplatePartialStored', record({ key: text, version: count, source: boundedText({}), at: time }));
export const TemplatePartialDeleted = eventType('TemplatePartialDeleted', record({ key: text, version: count, at: time }));

export const partialEvents = [TemplatePartialStored, TemplatePartialDeleted] as const;
export type PartialEvent = EventOf<(typeof partialEvents)[number]>;

// State

/** `version` is the number of its events: it goes on when a deleted partial is stored again. */
export type TemplatePartial =
  | { readonly status: 'new' }
  | { readonly status: 'stored'; readonly key: string; readonly version: number; readonly source: string; readonly updated_at: string }
  | { readonly status: 'deleted'; readonly key: string; readonly version: number };
export type StoredPartial = Omit<Extract<TemplatePartial, { status: 'stored' }>, 'status'>;

export function evolve(_: TemplatePartial, event: PartialEvent): TemplatePartial {
  switch (event.type) {
    case 'TemplatePartialStored': {
      const { key, version, source, at } = event.data;
      return { status: 'stored', key, version, source, updated_at: at };
    }
    case 'TemplatePartialDeleted':
      return { status: 'deleted', key: event.data.key, version: event.data.version };
    default:
      return event satisfies never;
  }
}

// Commands

export type PartialCommand = { type: 'Store'; key: string; source: string; now: string } | { type: 'Delete'; key: string; now: string };

/** Storing the same source again, or deleting what is not there, changes nothing. */
export function decide(command: PartialCommand, partial: TemplatePartial): readonly PartialEvent[] {
  const { key, now: at } = command;
  const version = partial.status === 'new' ? 1 : partial.version + 1;
  switch (command.type) {
    case 'Store':
      if (partial.status === 'stored' && partial.source === command.source) return [];
      return [{ type: 'TemplatePartialStored', data: { key, version, source: command.source, at } }];
    case 'Delete':
      return partial.status === 'stored' ? [{ type: 'TemplatePartialDeleted', data: { key, version, at } }] : [];
    default:
      return command satisfies never;
  }
}

// Stream

export const partialStream = (account: string, key: string): string => `templatePartial-${account}/${key}`;

export const templatePartial: Aggregate<TemplatePartial, PartialCommand, PartialEvent, readonly [account: string, key: string]> = {
  stream: partialStream,
  events: partialEvents,
  snapshots: { name: 'templatePartial', version: 1 },
  initial: { status: 'new' },
  evolve,
  decide,
};
