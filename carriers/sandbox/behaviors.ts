import { hash } from 'node:crypto';
import { ownField } from '../../domain/kernel/own-fields.js';
import type { Receipt } from '../../domain/messages/receipt.js';
import type { StatusReason } from '../../domain/messages/status.js';

/** A future receipt. `after_ms` counts from the time at which the carrier accepted the message. */
export type ScriptedReceipt = Pick<Receipt, 'kind' | 'raw_status' | 'code'> & { readonly after_ms: number; readonly text?: string };

export interface Behavior {
  /** The recipients with this behavior. Messages to any other recipient are delivered. */
  readonly recipients: readonly string[];
  /** Set where the message is not even accepted. */
  readonly rejection?: { readonly reason: StatusReason; readonly code: string; readonly error: string };
  /** How many dispatches get a transient error before one is accepted. */
  readonly transient_errors?: number;
  /** The receipts after acceptance, in order of time. No raw status comes twice, so each receipt identifies the next one. */
  readonly receipts: readonly ScriptedReceipt[];
}

/** Long enough to be visible as a separate step, short enough for a demonstration. */
const SOON_MS = 150;
const LATER_MS = 300;
const CLICK_MS = 450;

const delivered = (after_ms: number): ScriptedReceipt => ({ after_ms, kind: 'delivered', raw_status: 'delivered', code: null });
const answered = (text: string): ScriptedReceipt => ({ after_ms: LATER_MS, kind: 'replied', raw_status: 'replied', code: null, text });

const OPENED: ScriptedReceipt = { after_ms: LATER_MS, kind: 'opened', raw_status: 'opened', code: null };

/** What the sandbox does with a message, by its recipient. The names are part of its message ids: lower-case letters only. */
export const behaviors = {
  delivered: { recipients: [], receipts: [delivered(SOON_MS)] },
  invalid: {
    recipients: ['+15005550001'],
    rejection: { reason: 'invalid_recipient', code: 'invalid_recipient', error: 'This number cannot exist.' },
    receipts: [],
  },
  undelivered: {
    recipients: ['+15005550002'],
    receipts: [{ after_ms: SOON_MS, kind: 'undelivered', raw_status: 'undelivered', code: 'unreachable' }],
  },
  slow: { recipients: ['+15005550003'], receipts: [delivered(5_000)] },
  silent: { recipients: ['+15005550004'], receipts: [] },
  flaky: { recipients: ['+15005550005'], transient_errors: 2, receipts: [delivered(SOON_MS)] },
  stop: { recipients: ['+15005550006'], receipts: [delivered(SOON_MS), answered('STOP')] },
  bounce: {
    recipients: ['bounce@sandbox.test'],
    receipts: [{ after_ms: SOON_MS, kind: 'bounced', raw_status: 'bounced', code: '5.1.1' }],
  },
  softbounce: {
    recipients: ['softbounce@sandbox.test'],
    receipts: [{ after_ms: SOON_MS, kind: 'deferred', raw_status: 'deferred', code: '4.2.2' }, delivered(LATER_MS)],
  },
  complaint: {
    recipients: ['complaint@sandbox.test'],
    receipts: [delivered(SOON_MS), { after_ms: LATER_MS, kind: 'complained', raw_status: 'complained', code: null }],
  },
  reply: { recipients: ['reply@sandbox.test'], receipts: [delivered(SOON_MS), answered('Thank you, I got it.')] },
  unsubscribe: {
    recipients: ['unsubscribe@sandbox.test'],
    receipts: [delivered(SOON_MS), { after_ms: LATER_MS, kind: 'unsubscribed', raw_status: 'unsubscribed', code: null }],
  },
  opens: { recipients: ['opens@sandbox.test'], receipts: [delivered(SOON_MS), OPENED] },
  clicks: {
    recipients: ['clicks@sandbox.test'],
    receipts: [delivered(SOON_MS), OPENED, { after_ms: CLICK_MS, kind: 'clicked', raw_status: 'clicked', code: null }],
  },
} as const satisfies Readonly<Record<string, Behavior>>;

export type BehaviorName = keyof typeof behaviors;
export const behaviorNames = Object.keys(behaviors) as BehaviorName[];

const byRecipient: ReadonlyMap<string, BehaviorName> = new Map(
  behaviorNames.flatMap((name) => behaviors[name].recipients.map((recipient) => [recipient, name] as const)),
);

/** Addresses that nobody reads but a developer: the domain is reserved for tests (RFC 2606). */
export const isSandboxAddress = (address: string): boolean => address.endsWith('@sandbox.test');

/** A label after a plus makes an address at `sandbox.test` another one of the same behavior: `bounce+1@sandbox.test`. */
const withoutLabel = (recipient: string): string => (isSandboxAddress(recipient) ? recipient.replace(/^([^+@]+)\+.*@/, '$1@') : recipient);

/** The behavior for a recipient. */
export const behaviorOf = (recipient: string): BehaviorName => byRecipient.get(withoutLabel(recipient)) ?? 'delivered';

/** The sandbox's id of a message, the same on every call. It contains the behavior, since receipts do not name the recipient. */
export const messageIdFor = (name: BehaviorName, messageId: string): string => `sbx_${name}_${hash('sha256', messageId).slice(0, 24)}`;

/** The receipts of a message by its sandbox id; empty for an id that is not the sandbox's. */
export function scriptOf(carrierMessageId: string): readonly ScriptedReceipt[] {
  const name = /^sbx_([a-z]+)_/.exec(carrierMessageId)?.[1];
  return ownField(behaviors, name ?? '')?.receipts ?? [];
}
