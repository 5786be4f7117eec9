/** Why an address must not be messaged, what that stops, how it came about, and who can lift it. */
import { named, oneOf } from '../kernel/schema.js';
import type { StatusReason } from '../messages/status.js';

interface ReasonRule {
  /** Status reason of the messages that it refuses. */
  readonly status: StatusReason;
  /** Whether the person opted out, as opposed to a fact about the address. */
  readonly optOut: boolean;
}

/** The reasons in order of precedence. */
export const suppressionReasons = {
  erased: { status: 'erased', optOut: false },
  legal: { status: 'legal', optOut: false },
  complained: { status: 'complaint', optOut: false },
  stop_keyword: { status: 'stop_keyword', optOut: true },
  unsubscribed: { status: 'unsubscribed', optOut: true },
  bounced: { status: 'hard_bounce', optOut: false },
  soft_bounces: { status: 'soft_bounces', optOut: false },
  manual: { status: 'manual', optOut: false },
} as const satisfies Readonly<Record<string, ReasonRule>>;

export type SuppressionReason = keyof typeof suppressionReasons;
export const suppressionReasonNames = Object.keys(suppressionReasons) as SuppressionReason[];
export const suppressionReasonSchema = named('SuppressionReason', oneOf(...suppressionReasonNames));

/**
 * What a reason stops, the widest scope first: all messages, or those of the category `marketing` only. Whether marketing is
 * allowed without a suppression is a matter of consent (domain/consent).
 */
export const suppressionScopes = ['all', 'marketing'] as const;
export type SuppressionScope = (typeof suppressionScopes)[number];
export const suppressionScopeSchema = named('SuppressionScope', oneOf(...suppressionScopes));

export const widestScope = (a: SuppressionScope, b: SuppressionScope): SuppressionScope => (a === 'all' ? a : b);

/** Whether messages of a category are stopped. */
export const scopeStops = (scope: SuppressionScope, category: string): boolean => scope === 'all' || category !== 'transactional';

/** How a suppression came about, and its scope unless the caller names one: who unsubscribes by a link or a page means marketing. */
export const suppressionMethods = {
  import: 'all',
  request: 'all',
  one_click: 'marketing',
  page: 'marketing',
  keyword: 'all',
  feedback: 'all',
  carrier: 'all',
  erasure: 'all',
} as const satisfies Readonly<Record<string, SuppressionScope>>;
export type SuppressionMethod = keyof typeof suppressionMethods;
export const suppressionMethodNames = Object.keys(suppressionMethods) as SuppressionMethod[];
export const suppressionMethodSchema = named('SuppressionMethod', oneOf(...suppressionMethodNames));

/** One reason with its scope, and how it came about; null where the oldest events do not contain it. */
interface ReasonWithScope {
  readonly reason: SuppressionReason;
  readonly scope: SuppressionScope;
  readonly via: SuppressionMethod | null;
}

/** The person's own opt-out from marketing, by a link or a page. */
const isOwnOptOut = ({ reason, scope, via }: ReasonWithScope): boolean =>
  reason === 'unsubscribed' && scope === 'marketing' && (via === 'page' || via === 'one_click');

/**
 * What each means of lifting can lift: the account by a request; the person by an opt-in keyword, on a public page, or by a confirmed double
 * opt-in; the operator by a review of bounces.
 */
export const liftedBy = {
  request: () => true,
  keyword: ({ reason }: ReasonWithScope) => reason === 'stop_keyword',
  page: isOwnOptOut,
  opt_in: isOwnOptOut,
  review: ({ reason, via }) => reason === 'bounced' && via === 'feedback',
} as const satisfies Readonly<Record<string, (cause: ReasonWithScope) => boolean>>;
