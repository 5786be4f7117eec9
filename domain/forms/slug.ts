/** The claim of a slug by a form. A slug names one form of the whole service. */
import type { Aggregate } from '../kernel/aggregate.js';
import { DomainError } from '../kernel/errors.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';

/** A claim that no form uses after this time was left by a run that broke off. Longer than any request takes. */
export const STALE_CLAIM_MS = 600_000;

// Events

const about = { slug: text, form_id: text, at: time };
export const FormSlugClaimed = eventType('FormSlugClaimed', record(about));
export const FormSlugReleased = eventType('FormSlugReleased', record(about));

export const formSlugEvents = [FormSlugClaimed, FormSlugReleased] as const;
export type FormSlugEvent = EventOf<(typeof formSlugEvents)[number]>;

// State

export type FormSlug = { readonly status: 'free' } | { readonly status: 'claimed'; readonly form_id: string; readonly claimed_at: string };

export function evolve(slug: FormSlug, { type, data }: FormSlugEvent): FormSlug {
  switch (type) {
    case 'FormSlugClaimed':
      return { status: 'claimed', form_id: data.form_id, claimed_at: data.at };
    case 'FormSlugReleased':
      return slug.status === 'claimed' && slug.form_id === data.form_id ? { status: 'free' } : slug;
    default:
      return type satisfies never;
  }
}

// Commands

export type FormSlugCommand =
  /** `unused`: the form that no longer uses the slug, or never has. */
  { type: 'Claim'; slug: string; form_id: string; unused?: string; now: string } | { type: 'Release'; slug: string; form_id: string; now: string };

/** Throws `conflict` if another form has the slug. */
export function decide(command: FormSlugCommand, claim: FormSlug): readonly FormSlugEvent[] {
  const { slug, form_id, now: at } = command;
  const isOwn = claim.status === 'claimed' && claim.form_id === form_id;
  switch (command.type) {
    case 'Claim': {
      if (isOwn) return [];
      if (claim.status === 'claimed' && !isStale(claim, command)) throw slugTaken(slug);
      return [{ type: 'FormSlugClaimed', data: { slug, form_id, at } }];
    }
    case 'Release':
      return isOwn ? [{ type: 'FormSlugReleased', data: { slug, form_id, at } }] : [];
    default:
      return command satisfies never;
  }
}

const isStale = (claim: { readonly form_id: string; readonly claimed_at: string }, { unused, now }: { unused?: string; now: string }): boolean =>
  claim.form_id === unused && Date.parse(now) - Date.parse(claim.claimed_at) > STALE_CLAIM_MS;

const slugTaken = (slug: string): DomainError =>
  new DomainError('conflict', `The slug '${slug}' is taken. Choose another one.`, {
    errors: [{ field: 'slug', code: 'taken', message: 'It is taken.' }],
  });

// Stream

export const formSlugStream = (slug: string): string => `formSlug-${slug}`;

export const formSlug: Aggregate<FormSlug, FormSlugCommand, FormSlugEvent> = {
  stream: formSlugStream,
  events: formSlugEvents,
  initial: { status: 'free' },
  evolve,
  decide,
};
