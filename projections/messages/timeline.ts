import { ERASED } from '../../domain/kernel/erased.js';
import type { Copy } from '../../domain/messages/accepted-fields.js';
import { type GateName, gateNames, type Refusal } from '../../domain/messages/gate-decision.js';
import { type Message, type MessageEvent, message, messageStream } from '../../domain/messages/message.js';
import { softBounces, softBouncesStream } from '../../domain/suppressions/soft-bounces.js';
import { withMaskedLinks } from '../../formats/lists/confirmation-link.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { openRecipients } from '../../log/aggregates/messages/open-copies.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { eventsInBatch } from './batch-message.js';
import type { MessageDoc } from './message-doc.js';

/** Fields that the timeline leaves out: the message itself has them, or they are of use to the service alone. */
const OMITTED_FIELDS = new Set([
  'to_key',
  'to',
  'content',
  'content_ref',
  'copies',
  'left_out',
  'webhook_lane',
  'metadata',
  'receipt_key',
  'peer_key',
  'sender_key',
  'epoch',
  'at',
]);

/** The events of a message. One of a batch without events of its own starts with the event of its batch. */
export async function messageTimeline(doc: MessageDoc, log: EventLog) {
  const events = await eventsOf(doc, log);
  let state: Message = message.initial;
  return events.map(({ event, id, revision, meta }) => {
    state = message.evolve(state, event);
    const data = Object.fromEntries(Object.entries(event.data).filter(([field]) => !OMITTED_FIELDS.has(field)));
    return {
      id: hashId('evt', id),
      type: event.type,
      status: state.status,
      sequence: revision + 1,
      occurred_at: timeOf(event, meta.occurredAt),
      data: withMaskedLinks(data),
    };
  });
}

async function eventsOf(doc: MessageDoc, log: EventLog): Promise<LogEvent<MessageEvent>[]> {
  const own = await log.read<MessageEvent>(messageStream(doc.id));
  return own ?? (await eventsInBatch(doc, log));
}

const timeOf = ({ data }: MessageEvent, otherwise: string): string => ('at' in data ? data.at : otherwise);

interface Step {
  readonly step: string;
  readonly result: string;
  readonly details: Record<string, unknown>;
}

/** The steps of a message: the request, the gates at acceptance and at dispatch, the answers of the carrier. */
export async function explainMessage(doc: MessageDoc, log: EventLog) {
  const events = await eventsOf(doc, log);
  const copies = await nameCopies(doc.copies ?? [], log);
  const chain = events.flatMap((stored, i) =>
    [...stepsOf(stored, events[i + 1]?.event, doc), ...copySteps(stored.event, stored.revision, copies)].map((s) => ({
      step: s.step,
      occurred_at: timeOf(stored.event, stored.meta.occurredAt),
      event: hashId('evt', stored.id),
      result: s.result,
      details: s.details,
    })),
  );
  const explained = await Promise.all(
    chain.map(async (step) => ({ ...step, details: { ...step.details, ...(await softBouncesOf(step, doc, log)) } })),
  );
  return { message_id: doc.id, status: doc.status, status_reason: doc.status_reason, chain: explained };
}

/** The bounces that suppressed the address, and the limit that they reached, where that refused the message. */
async function softBouncesOf({ details }: Step, { to_key }: MessageDoc, log: EventLog): Promise<object> {
  if (details.reason !== 'soft_bounces') return {};
  const { reached } = (await loadAggregate(log, softBounces, softBouncesStream(to_key))).state;
  return reached === null ? {} : { soft_bounces: reached.bounces, soft_bounce_limit: reached.limit };
}

function stepsOf({ event, meta, revision }: LogEvent<MessageEvent>, next: MessageEvent | undefined, doc: MessageDoc): Step[] {
  switch (event.type) {
    case 'MessageQueued':
    case 'MessageScheduled': {
      const { actor, $correlationId: request } = meta;
      const { campaign_id, journey_id, enrollment_id, node_id, batch_id } = doc;
      const asked = { step: 'asked', result: 'accepted', details: { actor, request, batch_id, campaign_id, journey_id, enrollment_id, node_id } };
      const waits =
        event.type === 'MessageScheduled' ? [{ step: 'scheduled', result: event.data.because, details: { send_at: event.data.send_at } }] : [];
      if (revision > 0) return waits;
      return [asked, ...(isRefusedAtAcceptance(next) ? [] : gateSteps(doc, 'acceptance')), ...waits];
    }
    case 'MessageSuppressed':
      return refusalSteps(event.data);
    case 'MessageDispatchStarted':
      return [
        ...gateSteps(doc, 'hand_over'),
        {
          step: 'hand_over',
          result: event.data.repeat ? 'repeated_after_unknown_outcome' : 'begun',
          details: { carrier: event.data.carrier, attempt: event.data.attempt },
        },
      ];
    case 'MessageSent':
      return [{ step: 'carrier', result: 'accepted', details: { carrier: event.data.carrier, carrier_message_id: event.data.carrier_message_id } }];
    case 'MessageDispatchDeferred':
      return [
        {
          step: 'carrier',
          result: event.data.waits?.reason ?? 'transient_error',
          details: { code: event.data.code, error: event.data.error, retry_at: event.data.retry_at },
        },
      ];
    case 'MessageFailed':
      return [{ step: 'carrier', result: 'failed', details: { reason: event.data.reason, code: event.data.code, error: event.data.error } }];
    case 'MessageReleased':
      return [{ step: 'scheduled', result: 'due', details: {} }];
    case 'MessageCanceled':
    case 'MessageExpired':
      return [{ step: 'end', result: event.type === 'MessageCanceled' ? 'canceled' : 'expired', details: { actor: meta.actor } }];
    case 'PushHandedOver':
      return event.data.devices.map(({ outcome, subscription_id, platform, carrier, code }) => ({
        step: 'device',
        result: outcome,
        details: { subscription_id, platform, carrier, code },
      }));
    case 'PushReported':
      return [{ step: 'device', result: event.data.report, details: { subscription_id: event.data.subscription_id } }];
    case 'MessageRepeated':
      return [{ step: 'end', result: 'repeated', details: { batch_id: event.data.batch_id } }];
    default: {
      const { raw_status, code, carrier } = event.data;
      const bounce = 'bounce_class' in event.data ? { bounce_class: event.data.bounce_class } : {};
      return [
        { step: 'receipt', result: event.type === 'ReceiptIgnored' ? 'ignored' : event.type, details: { carrier, raw_status, code, ...bounce } },
      ];
    }
  }
}

/** An event from before decisions were recorded does not contain them: then nothing is claimed of the gates at acceptance. */
const isRefusedAtAcceptance = (next: MessageEvent | undefined): boolean =>
  next?.type === 'MessageSuppressed' && next.data.decision?.at !== 'hand_over';

const gateSteps = ({ category }: MessageDoc, at: 'acceptance' | 'hand_over'): Step[] => {
  const asked = (gate: string) => gate === 'suppression' || category !== 'transactional';
  return gateNames.map((gate) => ({
    step: 'gate',
    result: asked(gate) ? 'passed' : 'not_asked',
    details: { gate, at, ...(!asked(gate) && { because: category }) },
  }));
};

/** As the event records it. An event from before decisions were recorded has only the reason. */
function refusalSteps({ reason, decision }: Extract<MessageEvent, { type: 'MessageSuppressed' }>['data']): Step[] {
  if (!decision) return [{ step: 'gate', result: 'refused', details: { gate: gateOf(reason), reason } }];
  const { gate, at, passed, refused_by } = decision;
  return [
    ...passed.map((name) => ({ step: 'gate', result: 'passed', details: { gate: name, at } })),
    { step: 'gate', result: 'refused', details: { gate, at, reason, refused_by } },
  ];
}

const gateOf = (reason: string): GateName => (reason === 'no_consent' ? 'consent' : reason === 'frequency_cap' ? 'frequency_cap' : 'suppression');

/** A copy with its address; `<erased>` where that is erased. */
interface NamedCopy {
  readonly kind: Copy['kind'];
  readonly key: string;
  readonly address: string;
}

async function nameCopies(copies: readonly Copy[], log: EventLog): Promise<NamedCopy[]> {
  const opened = await openRecipients(log, copies);
  return copies.map(({ kind, key }, i) => ({ kind, key, address: opened[i]?.address ?? ERASED }));
}

/** What an event says of copies: they were refused at acceptance, or at a dispatch. */
function copySteps(event: MessageEvent, revision: number, names: readonly NamedCopy[]) {
  const refused = (key: string, { reason, decision }: Refusal) =>
    names
      .filter((name) => name.key === key)
      .map(({ kind, address }) => ({
        step: 'gate',
        result: 'left_out',
        details: { copy: kind, address, gate: decision?.gate ?? 'suppression', at: decision?.at, reason, refused_by: decision?.refused_by },
      }));
  switch (event.type) {
    case 'MessageQueued':
    case 'MessageScheduled':
      return revision > 0 ? [] : (event.data.copies ?? []).flatMap(({ key, refused: refusal }) => (refusal ? refused(key, refusal) : []));
    case 'MessageDispatchStarted':
      return (event.data.left_out ?? []).flatMap(({ key, refused: refusal }) => refused(key, refusal));
    default:
      return [];
  }
}
