/** What the events of a message say for rules. */
import { ownField } from '../kernel/own-fields.js';
import type { MessageAction } from './rule.js';

const actions: Readonly<Record<string, MessageAction>> = {
  MessageSent: 'sent',
  MessageDelivered: 'delivered',
  MessageOpened: 'opened',
  MessageClicked: 'clicked',
  MessageRead: 'read',
  MessageSeen: 'seen',
  MessageReplied: 'replied',
  MessageBounced: 'bounced',
  MessageFailed: 'failed',
  MessageUndelivered: 'failed',
  MessageComplained: 'complained',
};

/** The action that an event of a message reports; undefined if none. */
export const actionOf = (type: string): MessageAction | undefined => ownField(actions, type);

/** The code of an open or click that a program made. */
const isMachine = (code: string | null | undefined): boolean => code === 'machine_open' || code === 'machine_click';

export interface MessageReport {
  readonly action: MessageAction;
  /** RFC 3339. */
  readonly occurred_at: string;
  readonly received_at: string;
  /** A program opened or clicked it, not the person. */
  readonly machine: boolean;
}

/** What an event of a message reports; null if it reports nothing that rules ask for. */
export function messageReportOf({ type, data }: { readonly type: string; readonly data: unknown }): MessageReport | null {
  const action = actionOf(type);
  if (!action) return null;
  const { at, received_at = at, code } = data as { readonly at: string; readonly received_at?: string; readonly code?: string | null };
  // A carrier's clock may be ahead.
  return { action, occurred_at: at < received_at ? at : received_at, received_at, machine: isMachine(code) };
}

/** The events that `messageReportOf` reads and that the log knows. */
export const reportingEvents = [
  ...(['MessageSent', 'MessageDelivered', 'MessageOpened', 'MessageClicked', 'MessageRead', 'MessageReplied'] as const),
  ...(['MessageBounced', 'MessageFailed', 'MessageUndelivered', 'MessageComplained'] as const),
] as const;
