import { INBOX } from '../../../carriers/inbox/inbox.js';
import type { ReceiptEvent } from '../../../domain/messages/receipt.js';
import type { InboundTextEvent } from '../../../domain/suppressions/inbound-text.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import type { Response } from '../world/http.js';
import { MAIL_CARRIER } from '../world/mail.js';
import type { RecordedDispatch } from '../world/outside.js';
import type { Random } from '../world/random.js';
import { keyOf, signedRequest, VONAGE, type VonageReport, vonageReport } from '../world/vonage.js';

const FORGED = 'forged_';
const HOUR_MS = 3_600_000;

/** Two carriers for phones: who is tried next, what they report, and what others report in their name. */
export const carriers: Capability = {
  name: 'carriers',
  begin(run) {
    const random = run.world.random('carriers');
    const forged: (Response | null)[] = [];
    let nth = 0;
    return {
      actions: [
        {
          name: 'forge a report',
          weight: 0.7,
          act: async () => {
            const target = pickOrNull(random, run.outside.dispatches.filter(isByVonage));
            if (!target) return;
            const report = vonageReport(
              target.message,
              random.pick(['delivered', 'read', 'undelivered', 'replied']),
              new Date(target.at).toISOString(),
            );
            forged.push(await forge(run, random, { ...report, message_uuid: `${FORGED}${++nth}` }));
          },
        },
      ],
      check: (final) => [
        ...forgeriesAreRefused(forged, final),
        ...oneCarrierForEachMessage(run),
        ...unknownOutcomesStay(run),
        ...receiptsCountOnce(final),
        ...textsLandOnce(final),
      ],
    };
  },
};

const isByVonage = ({ carrier }: RecordedDispatch): boolean => carrier === VONAGE;

/** By another secret, without a signature, over another body, or long ago. */
function forge({ nodes, world }: Run, random: Random, report: VonageReport): Promise<Response | null> {
  const right = signedRequest(report, world.now);
  const wrong = random.pick([
    signedRequest(report, world.now, keyOf('a-secret-that-somebody-has-guessed')),
    { ...right, headers: {} },
    { ...right, body: { ...report, timestamp: new Date(world.now).toISOString(), changed: 'yes' } },
    signedRequest(report, world.now - HOUR_MS),
  ]);
  return random.pick(nodes).request(wrong);
}

/** None is taken, and none is on record. */
function forgeriesAreRefused(forged: readonly (Response | null)[], { events }: Final): string[] {
  const taken = forged.filter((response) => response && response.status < 400).length;
  const recorded = events.filter(({ event }) => JSON.stringify(event.data).includes(FORGED));
  return [
    ...(taken > 0 ? [`${taken} forged reports were taken`] : []),
    ...recorded.map(({ event, stream }) => `a forged report is on record as ${event.type} in ${stream}`),
  ];
}

function byMessage({ outside }: Run): ReadonlyMap<string, readonly RecordedDispatch[]> {
  const all = new Map<string, RecordedDispatch[]>();
  for (const dispatch of outside.dispatches) all.set(dispatch.message.message_id, [...(all.get(dispatch.message.message_id) ?? []), dispatch]);
  return all;
}

/** A message fails over to another carrier, and never arrives by two. */
const oneCarrierForEachMessage = (run: Run): string[] =>
  [...byMessage(run)].flatMap(([id, times]) => {
    const by = new Set(times.filter(({ outcome }) => outcome === 'accepted').map(({ carrier }) => carrier));
    return by.size > 1 ? [`${id} was accepted by ${[...by].join(' and ')}`] : [];
  });

/** After a call without an answer only the same carrier is called. */
const unknownOutcomesStay = (run: Run): string[] =>
  [...byMessage(run)].flatMap(([id, times]) =>
    times.flatMap((next, i) => {
      const before = times[i - 1];
      const moved = before && !before.answered && before.carrier !== next.carrier;
      return moved ? [`${id} was handed to ${next.carrier} although the outcome at ${before.carrier} is unknown`] : [];
    }),
  );

/** A receipt that comes twice counts once, and its carrier is the one that had the message. */
function receiptsCountOnce(final: Final): string[] {
  const dispatches = byMessage(final.run);
  return [...streamsOf(final, 'message-')].flatMap(([id, events]) => {
    const receipts = (events as readonly LogEvent<ReceiptEvent>[]).flatMap(({ event }) => ('receipt_key' in event.data ? [event.data] : []));
    const keys = new Set(receipts.map(({ receipt_key }) => receipt_key));
    const isForeign = (carrier: string) => !dispatches.get(id)?.some((one) => one.carrier === carrier && one.outcome === 'accepted');
    // The inbox is no outside carrier, and mail is brought by another one than that of its message.
    const foreign = receipts.filter(({ carrier }) => carrier !== INBOX && carrier !== MAIL_CARRIER && isForeign(carrier));
    return [
      ...(keys.size < receipts.length ? [`${id} has a receipt twice`] : []),
      ...foreign.map(({ carrier, raw_status }) => `${id} is ${raw_status} by ${carrier}, which has not accepted it`),
    ];
  });
}

/** Each text that Vonage reported is on record once and followed once, and its sender gets no more. */
function textsLandOnce(final: Final): string[] {
  const received = new Map<string, number>();
  const problems: string[] = [];
  for (const [id, events] of streamsOf(final, 'inbound-') as ReadonlyMap<string, readonly LogEvent<InboundTextEvent>[]>) {
    const [first, ...later] = events.map(({ event }) => event);
    if (first?.type !== 'InboundTextReceived' || first.data.carrier !== VONAGE) continue;
    const { carrier_message_id: given, from_key: key, kind } = first.data;
    received.set(given, (received.get(given) ?? 0) + 1);
    if (kind !== 'stop' || later.length !== 1) problems.push(`the text ${id} (${kind}) was followed ${later.length} times`);
    if (!isSuppressed(final, key)) problems.push(`the STOP ${id} has suppressed nobody`);
  }
  for (const id of final.run.outside.texts.keys())
    if (received.get(id) !== 1) problems.push(`the text ${id} was reported and is on record ${received.get(id) ?? 0} times`);
  return problems;
}

const isSuppressed = ({ byStream }: Final, key: string): boolean =>
  (byStream.get(`suppression-${key}`) ?? []).some(({ event }) => (event.data as { reason?: string }).reason === 'stop_keyword');
