/** Delivery status notifications (RFC 3464), and what they mean for a message and its address. */
import { setOwnField } from '../../domain/kernel/own-fields.js';
import type { ReceiptKind } from '../../domain/messages/receipt.js';
import { boundedRecipients } from '../runtime/incoming.js';

/** Characters of a field that are read: the expressions below are not made for longer ones. */
const MAX_FIELD = 2_000;

/** Header fields of one block of a report, by their names in lower case. Of a field that comes twice the first one. */
export type FieldsOfReport = Readonly<Record<string, string>>;

/** What a mail reports about one recipient; its address as the report names it, or null. */
export interface MailResult {
  readonly kind: ReceiptKind;
  readonly reason?: 'hard_bounce' | 'carrier_rejected';
  readonly raw_status: string;
  readonly code: string | null;
  readonly recipient: string | null;
}

/** The blocks of a report: that of the message first, then one for each recipient. Folded lines are joined. */
export function reportFields(text: string): FieldsOfReport[] {
  return text
    .replace(/\r\n?/g, '\n')
    .split(/\n[ \t]*\n/)
    .map((block) => {
      const fields: Record<string, string> = Object.create(null);
      for (const line of block.replace(/\n[ \t]+/g, ' ').split('\n')) {
        const colon = line.indexOf(':');
        const name = line.slice(0, colon).trim().toLowerCase();
        if (colon > 0 && !Object.hasOwn(fields, name)) setOwnField(fields, name, line.slice(colon + 1, colon + 1 + MAX_FIELD).trim());
      }
      return fields;
    })
    .filter((fields) => Object.keys(fields).length > 0);
}

/**
 * Failures of class 5 after which the address may live: a full mailbox, a system or network that gave up, a content or a policy that
 * refused this message (RFC 3463).
 */
const REFUSED_ONLY_THIS = /^5\.(2\.[23]|3\.\d+|4\.[67]|5\.\d+|6\.\d+|7\.\d+)$/;
const STATUS = /\b([245]\.\d{1,3}\.\d{1,3})\b/;

/** The results of a report, one for each recipient that it is about, as many as a message can have. `cut`: how many more there are. */
export function bounceOf(blocks: readonly FieldsOfReport[]): { readonly receipts: readonly MailResult[]; readonly cut: number } {
  const results = blocks.flatMap((fields) => resultOf(fields) ?? []);
  const { kept, cut } = boundedRecipients(results, ({ kind, code, recipient }) => JSON.stringify([kind, code, recipient?.toLowerCase()]));
  return { receipts: kept, cut };
}

function resultOf(fields: FieldsOfReport): MailResult | null {
  const action = (/^[a-z]+/i.exec(fields.action ?? '')?.[0] ?? '').toLowerCase();
  const code = STATUS.exec(fields.status ?? '')?.[1] ?? STATUS.exec(fields['diagnostic-code'] ?? '')?.[1] ?? null;
  const about = { raw_status: action, code, recipient: addressOf(fields['original-recipient']) ?? addressOf(fields['final-recipient']) };
  switch (action) {
    case 'failed':
      return { kind: 'bounced', reason: isHard(code) ? 'hard_bounce' : 'carrier_rejected', ...about };
    case 'delayed':
      return { kind: 'deferred', ...about };
    case 'delivered':
      return { kind: 'delivered', ...about };
    // Handed on to a system that reports nothing, or to several addresses.
    default:
      return null;
  }
}

/** Whether the address takes no mail at all: class 5, but for those about one message. */
const isHard = (code: string | null): boolean => code?.startsWith('5.') === true && !REFUSED_ONLY_THIS.test(code);

/** `rfc822; ada@example.com` */
const addressOf = (field: string | undefined): string | null =>
  /^\s*(?:rfc822|utf-8)\s*;\s*<?([^\s<>]+@[^\s<>]+?)>?\s*$/i.exec(field ?? '')?.[1] ?? null;
