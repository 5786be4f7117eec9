/**
 * The mails about messages of an account that are kept since nobody could claim them. Anybody can mail a bounce address, so there are
 * bounds: one of a message and day, and this many of an account.
 */
import type { Aggregate } from '../kernel/aggregate.js';
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';
import { KEPT_FOR_MS } from './kept-report.js';

/** Mails of an account that are kept at the same time. */
export const MAX_KEPT_MAILS = 1_000;

// Events

/** A mail takes one of the places, until it is released or `until` is over. */
export const KeptMailCounted = eventType('KeptMailCounted', record({ report_id: text, at: time, until: time }));
/** The mail is claimed or dropped. */
export const KeptMailReleased = eventType('KeptMailReleased', record({ report_id: text, at: time }));

export const keptMailEvents = [KeptMailCounted, KeptMailReleased] as const;
export type KeptMailEvent = EventOf<(typeof keptMailEvents)[number]>;

// State

/** The mails that have a place, the oldest first. Only those whose time is over may be more than the maximum. */
export type KeptMails = readonly { readonly report_id: string; readonly until: string }[];

export function evolve(mails: KeptMails, event: KeptMailEvent): KeptMails {
  const others = mails.filter(({ report_id }) => report_id !== event.data.report_id);
  switch (event.type) {
    case 'KeptMailCounted': {
      const { report_id, at, until } = event.data;
      return [...others.filter((mail) => mail.until > at), { report_id, until }];
    }
    case 'KeptMailReleased':
      return others;
    default:
      return event satisfies never;
  }
}

// Commands

export type KeptMailsCommand =
  | { readonly type: 'Count'; readonly report_id: string; readonly now: string }
  | { readonly type: 'Release'; readonly report_id: string; readonly now: string };

/** A repeat of either command produces no event, nor does a mail for which there is no place: see `hasPlace`. */
export function decide({ type, report_id, now: at }: KeptMailsCommand, mails: KeptMails): readonly KeptMailEvent[] {
  const isCounted = mails.some((mail) => mail.report_id === report_id);
  switch (type) {
    case 'Count': {
      if (isCounted || !hasPlace(mails, report_id, at)) return [];
      return [{ type: 'KeptMailCounted', data: { report_id, at, until: new Date(Date.parse(at) + KEPT_FOR_MS).toISOString() } }];
    }
    case 'Release':
      return isCounted ? [{ type: 'KeptMailReleased', data: { report_id, at } }] : [];
    default:
      return type satisfies never;
  }
}

/** Whether a mail is counted, or can be. */
export const hasPlace = (mails: KeptMails, reportId: string, now: string): boolean =>
  mails.some(({ report_id }) => report_id === reportId) || mails.filter(({ until }) => until > now).length < MAX_KEPT_MAILS;

// Stream

export const keptMailsStream = (account: string): string => `keptMails-${account}`;

export const keptMails: Aggregate<KeptMails, KeptMailsCommand, KeptMailEvent> = {
  stream: keptMailsStream,
  events: keptMailEvents,
  snapshots: { name: 'keptMails', version: 1 },
  initial: [],
  evolve,
  decide,
};
