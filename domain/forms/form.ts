/** A lead form. Each change makes a version; a version never changes, so that a consent names the text that was shown. */
import type { OwnedAggregate } from '../kernel/aggregate.js';
import { DomainError, notFound } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { count, record, text, time } from '../kernel/schema.js';
import { type FormDefinition, formDefinition } from './definition.js';

// Events

export const FormCreated = eventType('FormCreated', record({ form_id: text, definition: formDefinition, at: time }));
/** Has the whole definition of the new version. */
export const FormChanged = eventType('FormChanged', record({ form_id: text, version: count, definition: formDefinition, at: time }));
/** Its submissions stay. */
export const FormDeleted = eventType('FormDeleted', record({ form_id: text, at: time }));

export const formEvents = [FormCreated, FormChanged, FormDeleted] as const;
export type FormEvent = EventOf<(typeof formEvents)[number]>;

// State

/** A form as the API shows it. The event of version n has the revision n - 1. */
export interface FormDetails {
  readonly id: string;
  readonly definition: FormDefinition;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}
export type Form = { readonly status: 'new' } | (FormDetails & { readonly status: 'active' }) | (FormDetails & { readonly status: 'deleted' });

export function evolve(form: Form, event: FormEvent): Form {
  if (event.type === 'FormCreated') {
    const { form_id: id, definition, at } = event.data;
    return { status: 'active', id, definition, version: 1, created_at: at, updated_at: at };
  }
  if (form.status === 'new') return form;
  switch (event.type) {
    case 'FormChanged': {
      const { version, definition, at } = event.data;
      return { ...form, version, definition, updated_at: at };
    }
    case 'FormDeleted':
      return { ...form, status: 'deleted', updated_at: event.data.at };
    default:
      return event satisfies never;
  }
}

/** Throws if the form was never created. */
export function toFormDetails(state: Form): FormDetails {
  if (state.status === 'new') throw new Error('The form was never created.');
  const { status: _, ...details } = state;
  return details;
}

// Commands

export type FormCommand =
  | { type: 'Create'; form_id: string; definition: FormDefinition; now: string }
  /** `based_on`: the version to which the change was applied. It conflicts with every other version. */
  | { type: 'Change'; form_id: string; definition: FormDefinition; based_on: number; now: string }
  | { type: 'Delete'; form_id: string; now: string };

/** Throws `version_conflict`, and `not_found` also if the form is deleted. */
export function decide(command: FormCommand, form: Form): readonly FormEvent[] {
  const { form_id, now: at } = command;
  if (command.type === 'Create') return form.status === 'new' ? [{ type: 'FormCreated', data: { form_id, definition: command.definition, at } }] : [];
  if (form.status === 'new') throw notFound('form', form_id);
  switch (command.type) {
    case 'Change': {
      if (form.status === 'deleted') throw notFound('form', form_id);
      const { definition, based_on } = command;
      if (JSON.stringify(definition) === JSON.stringify(form.definition)) return [];
      if (based_on !== form.version) throw versionConflict(based_on, form.version);
      return [{ type: 'FormChanged', data: { form_id, version: form.version + 1, definition, at } }];
    }
    case 'Delete':
      return form.status === 'deleted' ? [] : [{ type: 'FormDeleted', data: { form_id, at } }];
    default:
      return command satisfies never;
  }
}

export const versionConflict = (expected: number, actual: number): DomainError =>
  new DomainError('version_conflict', `The form is at version ${actual}, not ${expected}. Read it again, then change it.`, { expected, actual });

// Stream

export const formStream = (id: string): string => `form-${id}`;

export const form: OwnedAggregate<Form, FormCommand, FormEvent> = {
  resource: 'form',
  stream: formStream,
  events: formEvents,
  snapshots: { name: 'form', version: 1 },
  initial: { status: 'new' },
  evolve,
  decide,
};
