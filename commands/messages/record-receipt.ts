import { fold } from '../../domain/kernel/decider.js';
import { type Message, messageStream, type SealedMessage, type SealedMessageCommand, sealedMessage } from '../../domain/messages/message.js';
import type { Receipt } from '../../domain/messages/receipt.js';
import { matchKeyword } from '../../domain/suppressions/keywords.js';
import { loadOrigin } from '../../log/aggregates/messages/load-origin.js';
import { fingerprint } from '../../log/runtime/ids.js';
import { toExpected } from '../runtime/append.js';
import { type Context, type DecideResult, internalCommand, type PartAppends } from '../runtime/command.js';

export interface ReportedReceipt {
  readonly id: string;
  /** As the carrier reports it. `keyword` only if the carrier classifies answers itself; otherwise it is found in the text. */
  readonly receipt: Omit<Receipt, 'received_at' | 'receipt_key'>;
  /** What makes two reports the same one, for a carrier that does not give their time, or several of one. Default: their time. */
  readonly dedupe?: string;
}

/**
 * Records a receipt and updates the status of its message. A repeated receipt changes nothing. Throws `not_found` if the
 * message does not exist (yet).
 */
export const recordReceipt = internalCommand({
  name: 'RecordReceipt',

  async handle(reported: ReportedReceipt, context): Promise<{ id: string; status: Message['status'] }> {
    const { state } = await decideReceipt(await withLink(reported, context), context);
    return { id: reported.id, status: state.status };
  },
});

const decideReceipt = (reported: ReportedReceipt, context: Context): Promise<DecideResult<SealedMessage>> =>
  context.decide(sealedMessage, messageStream(reported.id), commandOf(reported, context.now), { cached: true, sealed: true });

/** A click on a link of a campaign names the link. */
async function withLink<R extends ReportedReceipt>(reported: R, context: Context): Promise<R> {
  const { id, receipt } = reported;
  if (receipt.kind !== 'clicked') return reported;
  const known = context.cachedState(sealedMessage, messageStream(id))?.state;
  const origin = known && known.status !== 'new' ? known.accepted : await loadOrigin(context.log, id);
  const link = await context.ports.messages.nameOfLink(context.cause.account, origin, receipt.url ?? null);
  return link === null ? reported : { ...reported, receipt: { ...receipt, link } };
}

function commandOf({ receipt: given, dedupe }: ReportedReceipt, now: string): SealedMessageCommand {
  const at = new Date(given.at).toISOString();
  const receipt_key = fingerprint([given.carrier, given.carrier_message_id, given.raw_status, dedupe ?? at]);
  const keyword = given.keyword === undefined ? (matchKeyword(given.text ?? '')?.kind ?? null) : given.keyword;
  return { type: 'RecordReceipt', receipt: { ...given, at, received_at: now, receipt_key, keyword } };
}

/** A receipt that is recorded together with those of other messages. */
export interface ReceiptPart extends ReportedReceipt {
  /** The causation id of its events. */
  readonly invocation: string;
}

/**
 * Records receipts, at most one of each message, with one call of the log for all messages whose state this process has cached.
 * Resolves for each with whether it was new, or with its error.
 */
export const recordReceipts = internalCommand({
  name: 'RecordReceipts',

  async handle({ receipts: given }: { readonly receipts: readonly ReceiptPart[] }, context): Promise<readonly (boolean | Error)[]> {
    const receipts = await Promise.all(given.map((reported) => withLink(reported, context)));
    const results: (boolean | Error | undefined)[] = [];
    const together: { readonly nth: number; readonly part: PartAppends; readonly stream: string; readonly recent: RecentMessage }[] = [];
    for (const [nth, reported] of receipts.entries()) {
      const stream = messageStream(reported.id);
      const known = context.cachedState(sealedMessage, stream);
      if (!known) continue;
      const events = sealedMessage.decide(commandOf(reported, context.now), known.state);
      if (events.length === 0) results[nth] = false;
      else {
        const part = { invocation: reported.invocation, appends: [{ stream, expected: toExpected(known.revision), events }] };
        together.push({
          nth,
          part,
          stream,
          recent: {
            state: fold(sealedMessage, events, known.state),
            revision: known.revision + events.length,
            ...(known.sealed && { sealed: true }),
          },
        });
      }
    }
    const made = await context.appendParts(together.map(({ part }) => part));
    for (const [i, { nth, stream, recent }] of together.entries()) {
      if (!made[i]) continue;
      context.cacheState(sealedMessage, stream, recent);
      results[nth] = true;
    }
    // The others are loaded: nothing is cached of them, or it is out of date.
    return Promise.all(receipts.map((reported, nth) => results[nth] ?? recordAlone(reported, context)));
  },
});

type RecentMessage = Pick<DecideResult<SealedMessage>, 'state' | 'revision'> & { readonly sealed?: true };

const recordAlone = ({ invocation, ...reported }: ReceiptPart, context: Context): Promise<boolean | Error> =>
  decideReceipt(reported, context.contextOfPart(invocation)).then(
    ({ position }) => position !== null,
    (e: unknown) => (e instanceof Error ? e : new Error(String(e))),
  );
