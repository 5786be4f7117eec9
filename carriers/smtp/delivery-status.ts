/** Delivery status notifications (RFC 3464, RFC 6533), and what they mean for a message and its address. */
import { setOwnField } from '../../domain/kernel/own-fields.js';
import type { BounceClass } from '../../domain/messages/bounces/meanings.js';
import { type RefusalReading, readRefusal, type SessionStage } from '../../domain/messages/bounces/read-reply.js';
import { type RecipientWords, recipientsIn, sessionStageIn, tellsDelay, withoutReturned } from '../../domain/messages/bounces/text-formats.js';
import type { ReceiptKind } from '../../domain/messages/receipt.js';
import { boundedRecipients, reasonOf } from '../runtime/incoming.js';

/** Characters of a field that are read: the expressions below are not made for longer ones. */
const MAX_FIELD = 2_000;

/** Header fields of one block of a report, by their names in lower case. Of a field that comes twice the first one. */
export type FieldsOfReport = Readonly<Record<string, string>>;

/** What a mail reports about one recipient; its address as the report names it, or null. */
export interface MailResult {
  readonly kind: ReceiptKind;
  readonly reason?: 'hard_bounce' | 'blocked' | 'carrier_rejected';
  /** Of a bounce. */
  readonly bounce_class?: BounceClass;
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

const STATUS = /(?<![\d.])([245]\.\d{1,3}\.\d{1,3})(?![\d.]*\d)/;

/**
 * The results of a report, one for each recipient that it is about, as many as a message can have. `text`: what the reporting system wrote
 * beside it for people, which explains what the report leaves open. `cut`: how many more recipients there are.
 */
export function bounceOf(blocks: readonly FieldsOfReport[], text = ''): { readonly receipts: readonly MailResult[]; readonly cut: number } {
  const own = withoutReturned(text);
  const explained = { text: own, byRecipient: new Map(recipientsIn(own).map((one): [string, RecipientWords] => [one.recipient, one])) };
  const results = blocks.flatMap((fields) => resultOf(fields, explained) ?? []);
  const { kept, cut } = boundedRecipients(results, ({ kind, code, recipient }) => JSON.stringify([kind, code, recipient?.toLowerCase()]));
  return { receipts: kept, cut };
}

interface Explanation {
  readonly text: string;
  readonly byRecipient: ReadonlyMap<string, RecipientWords>;
}

/** What mail systems call the actions of RFC 3464, 2.3.3. Others are read as failures where the status is one. */
const actions: ReadonlyMap<string, 'failed' | 'delayed' | 'delivered' | null> = new Map([
  ['failed', 'failed'],
  ['failure', 'failed'],
  ['fail', 'failed'],
  ['expired', 'failed'],
  ['undeliverable', 'failed'],
  ['delayed', 'delayed'],
  ['deferred', 'delayed'],
  ['delivered', 'delivered'],
  ['deliverable', 'delivered'],
  // Handed on to a system that reports nothing, or to several addresses.
  ['relayed', null],
  ['expanded', null],
]);

/** Whether a report names an action that is known, such as `relayed`. */
export const hasAction = (blocks: readonly FieldsOfReport[]): boolean => blocks.some(({ action }) => actions.has(actionNameOf(action)));
const actionNameOf = (action: string | undefined): string => (/^[a-z]+/i.exec(action ?? '')?.[0] ?? '').toLowerCase();

function resultOf(fields: FieldsOfReport, explained: Explanation): MailResult | null {
  const recipient = addressOf(fields['original-recipient']) ?? addressOf(fields['final-recipient']) ?? addressOf(fields['x-actual-recipient']);
  const named = actionNameOf(fields.action);
  const status = STATUS.exec(fields.status ?? '')?.[1] ?? null;
  const known = actions.get(named);
  const action = known === undefined ? actionOf(status, recipient) : known;
  if (action === null) return null;
  const reading = readingOf(fields, { status, recipient, isExpired: named === 'expired', explained });
  const about = { raw_status: named || action, code: reading.code, recipient };
  switch (action) {
    case 'failed':
      // Some call a delay a failure.
      return isDelay(reading, status, explained.text) ? { kind: 'deferred', ...about } : { kind: 'bounced', ...reasonOf(reading.class), ...about };
    case 'delayed':
      return { kind: 'deferred', ...about };
    case 'delivered':
      return { kind: 'delivered', ...about };
    default:
      return action satisfies never;
  }
}

/** The action of a block without one that is known. */
const actionOf = (status: string | null, recipient: string | null): 'failed' | 'delayed' | null =>
  recipient === null || status === null || status.startsWith('2') ? null : status.startsWith('4') ? 'delayed' : 'failed';

const isDelay = ({ class: found }: RefusalReading, status: string | null, text: string): boolean =>
  found !== 'hard' && status?.startsWith('5') !== true && tellsDelay(text);

interface ReadingContext {
  readonly status: string | null;
  readonly recipient: string | null;
  readonly isExpired: boolean;
  readonly explained: Explanation;
}

/** What the receiver said, or what the reporting system says of the recipient, or in its whole text. */
function readingOf(fields: FieldsOfReport, { status, recipient, isExpired, explained }: ReadingContext): RefusalReading {
  const { text } = explained;
  const said = [fields['diagnostic-code'], fields['x-original-diagnostic'], fields['x-supplementary-info'], fields['x-notes']]
    .filter(Boolean)
    .join(' ');
  const own = recipient === null ? undefined : explained.byRecipient.get(recipient.toLowerCase());
  // What a system says of itself has a type of its own, such as `X-Notes`.
  const isReply = said !== '' && !/^\s*x-/i.test(said);
  const stage = plainest(sessionStageIn(said), sessionStageIn(own?.words ?? ''), sessionStageIn(text));
  const first = readRefusal({ status, words: isExpired ? `${said} message expired` : said, stage, isReply });
  if (first.meaning !== null) return first;
  const others = [own?.words ?? '', explained.byRecipient.size > 1 ? '' : text];
  for (const words of others) {
    const next = words === '' ? first : readRefusal({ status: status ?? first.code, words: `${words} ${said}`, stage, isReply });
    if (next.meaning !== null) return next;
  }
  return first;
}

/** The first stage that is told, or else the one that follows from a name in the reply. */
const plainest = (...stages: readonly (SessionStage | null)[]): SessionStage | null =>
  stages.find((stage) => stage === 'address' || stage === 'content') ?? stages.find((stage) => stage !== null) ?? null;

/** `rfc822; ada@example.com`, also without the type of the address. */
const addressOf = (field: string | undefined): string | null =>
  /^\s*(?:(?:rfc-?822|utf-8|smtp|x-local|internet|local|unknown)\s*;\s*)*<?(?:rfc822:)?([^\s<>;]+@[^\s<>;]+?)>?\s*$/i.exec(field ?? '')?.[1] ?? null;
