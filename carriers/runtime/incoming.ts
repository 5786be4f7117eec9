/** What the providers report to us: a raw request, and what is found in it. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { utcClocks } from '../../domain/kernel/clocks.js';
import { ownField, setOwnField } from '../../domain/kernel/own-fields.js';
import { beginOf, readTime } from '../../domain/kernel/written-times.js';
import { MAX_RECIPIENTS } from '../../domain/messages/accepted-fields.js';
import type { BounceClass } from '../../domain/messages/bounces/meanings.js';
import type { ReceiptKind } from '../../domain/messages/receipt.js';
import type { CarrierListing } from '../../domain/messages/send-result.js';
import type { StatusReason } from '../../domain/messages/status.js';
import type { CutReport, IncomingReceipt, IncomingReport, UnreadableElement } from '../../domain/webhooks/incoming.js';

export type { IncomingEmail, IncomingFile, IncomingReceipt, IncomingReport, UnreadableElement } from '../../domain/webhooks/incoming.js';

/** A request of a provider, as it arrived. */
export interface RawRequest {
  readonly method: 'GET' | 'POST';
  /** Path and query as they were sent. */
  readonly target: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** The meaning of one of a carrier's statuses. Null: it is no result. */
export interface StatusMeaning {
  readonly kind: ReceiptKind;
  readonly reason?: StatusReason;
  readonly bounce_class?: BounceClass;
  readonly listed_as?: CarrierListing;
}

/** A status that the table of its carrier does not have. */
export const unknownStatus = (status: string): IncomingReport => ({ kind: 'none', what: shortText(status), unknown_code: shortText(status) });

/** The reason of a bounce of a class, as messages have it. */
export function reasonOf(found: BounceClass): {
  readonly reason: 'hard_bounce' | 'blocked' | 'carrier_rejected';
  readonly bounce_class: BounceClass;
} {
  const reason = found === 'hard' ? 'hard_bounce' : found === 'blocked' ? 'blocked' : 'carrier_rejected';
  return { reason, bounce_class: found };
}

/** A receipt as it is passed on. One of a step before the result is of use only where it names our message. */
export const receiptOrStep = (incoming: IncomingReceipt): IncomingReport =>
  incoming.receipt.kind === 'accepted' && incoming.message_id === null ? { kind: 'none', what: incoming.receipt.raw_status } : incoming;

/** Whether two texts are equal, in a time that does not depend on where they differ. */
export const equalSecrets = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));
const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

export const requestHeaderOf = ({ headers }: Pick<RawRequest, 'headers'>, name: string): string => {
  const value = ownField(headers, name);
  return Array.isArray(value) ? (value[0] ?? '') : (value ?? '');
};

/** Whether a request shows this user name and password by Basic authentication. */
export function showsPassword(
  request: Pick<RawRequest, 'headers'>,
  { user, password }: { readonly user: string; readonly password: string },
): boolean {
  const given = /^Basic\s+([A-Za-z0-9+/=]+)$/i.exec(requestHeaderOf(request, 'authorization'))?.[1];
  return equalSecrets(Buffer.from(given ?? '', 'base64').toString('utf8'), `${user}:${password}`) && given !== undefined;
}

/** The proof of carriers that show a user name and a password of ours; nothing proves it until both are set. */
export const passwordProof = {
  byHead: (head: Pick<RawRequest, 'headers'>, { webhook_user: user, webhook_password: password }: PasswordSettings): boolean =>
    user !== undefined && password !== undefined && showsPassword(head, { user, password }),
} as const;
interface PasswordSettings {
  readonly webhook_user?: string;
  readonly webhook_password?: string;
}

/** The query without its question mark; empty where there is none. */
export const queryOf = (target: string): string => {
  const start = target.indexOf('?');
  return start < 0 ? '' : (target.slice(start + 1).split('#', 1)[0] ?? '');
};

// Reading fields of unknown objects

export type ReportFields = Readonly<Record<string, unknown>>;
export const isFields = (value: unknown): value is ReportFields => typeof value === 'object' && value !== null && !Array.isArray(value);
export const reportFieldsOf = (value: unknown): ReportFields => (isFields(value) ? value : {});
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
/** A text that is not empty, or a number as a text; otherwise null. */
export const reportTextOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : typeof value === 'number' && Number.isFinite(value) ? String(value) : null;
/** Null unless it is a time. One that begins with the year is read as everywhere, in UTC if it has no zone; carriers have other forms, too. */
export function reportTimeOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const time = /^\s*\d{4}-/.test(value) ? readTime(value, utcClocks) : null;
  const ms = time ? beginOf(time, utcClocks) : /^\s*\d{4}-/.test(value) ? Number.NaN : Date.parse(value);
  return isInstant(ms) ? new Date(ms).toISOString() : null;
}
/** A time in whole seconds since 1970. */
export function secondsOf(value: unknown): string | null {
  const ms = typeof value === 'number' || (typeof value === 'string' && /^\d{1,12}$/.test(value)) ? Number(value) * 1_000 : Number.NaN;
  return isInstant(ms) ? new Date(ms).toISOString() : null;
}
const LATEST_MS = Date.UTC(9_999, 0);
const isInstant = (ms: number): boolean => Number.isFinite(ms) && ms >= 0 && ms < LATEST_MS;

const OUR_ID = /^msg_[0-9A-HJKMNP-TV-Z]{26}$/;
/** Our id of a message, if the value is one. */
export const ourId = (value: unknown): string | null => (typeof value === 'string' && OUR_ID.test(value) ? value : null);

/** Characters that are kept of what a carrier sent. */
const KEPT_RAW = 32_768;
export const rawText = (element: unknown): string => (JSON.stringify(element) ?? '').slice(0, KEPT_RAW);

/** A status or a code as it is recorded: short, and never empty. */
export const shortText = (value: string): string => value.slice(0, 100) || 'unknown';

/**
 * What a report says of its recipients: equal ones once, and no more than a message can have. `cut`: how many others were left out; what
 * a report says so often is no report on a message of ours.
 */
export function boundedRecipients<T>(all: Iterable<T>, keyOf: (one: T) => string): { readonly kept: readonly T[]; readonly cut: number } {
  const kept = new Map<string, T>();
  const others = new Set<string>();
  for (const one of all) {
    const key = keyOf(one);
    if (kept.has(key)) continue;
    if (kept.size < MAX_RECIPIENTS) kept.set(key, one);
    else others.add(key);
  }
  return { kept: [...kept.values()], cut: others.size };
}

/** Reads each element by itself: one that fails is unreadable, and the others are kept. */
export function readEach(elements: readonly unknown[], read: (element: unknown) => IncomingReport | readonly IncomingReport[]): IncomingReport[] {
  return elements.flatMap((element) => {
    try {
      return read(element);
    } catch (error) {
      return unreadable(error instanceof Error ? error.message : 'unknown');
    }
  });
}
export const cutReport = (recipients: number): CutReport[] => (recipients > 0 ? [{ kind: 'cut', recipients }] : []);
export const unreadable = (problem: string): UnreadableElement => ({ kind: 'unreadable', problem });

/** The fields of a form; of a name that comes twice the last one. */
export function formFields(text: string): Record<string, string> {
  const fields: Record<string, string> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) setOwnField(fields, name, value);
  return fields;
}
/** Undefined where the bytes are no JSON. */
export function parsedJsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
