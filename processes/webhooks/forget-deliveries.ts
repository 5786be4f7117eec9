import { forgetDeliveries } from '../../commands/webhooks/forget-deliveries.js';
import type { Checkpoint } from '../../domain/kernel/ports.js';
import type { SealedDeliveryEvent } from '../../domain/webhooks/delivery.js';
import type { SealedForgottenDeliveriesEvent } from '../../domain/webhooks/forgotten-deliveries.js';
import { hashId } from '../../log/runtime/ids.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import type { OldDeliveries } from '../../projections/webhooks/old-deliveries.js';
import { type Intention, type PerformContext, type ProcessManager, performEach, type ReactionMemory, type Todo } from '../runtime/process-manager.js';

/** The next look at the deliveries of an account. */
export interface ForgetTodo extends Todo {
  readonly correlation: string;
  /** The last day on which a delivery ended: `2026-01-15`. */
  readonly active_on: string;
}

export interface ForgetDeliveriesParts {
  /** How long the documents of deliveries are kept after the last attempt, in milliseconds. */
  readonly keptMs: number;
  /** The account's deliveries without an attempt since `before`; null where the read model has not reached `after`. */
  readonly find: (account: string, before: string, after: Checkpoint) => Promise<OldDeliveries | null>;
}

const HOUR_MS = 3_600_000;
/** At least so often, so that a changed setting applies after this time. */
const LONGEST_MS = 86_400_000;
/** Batches of one turn. */
const BATCHES = 20;

type EndEvent = Extract<SealedDeliveryEvent, { type: 'DeliverySucceeded' | 'DeliveryFailed' | 'DeliveryStopped' }>;
type HandledEvent = EndEvent | SealedForgottenDeliveriesEvent;

const idOf = (account: string): string => `deliveries/${account}`;
const dayOf = (time: string | number): string => new Date(time).toISOString().slice(0, 10);

/** Removes deliveries from the read model some time after their last attempt, by an event that names them. */
export function forgetOldDeliveries(parts: ForgetDeliveriesParts): ProcessManager<HandledEvent, ForgetTodo> {
  return {
    name: 'webhooks/forget-deliveries',
    version: 1,
    handles: ['DeliverySucceeded', 'DeliveryFailed', 'DeliveryStopped', 'DeliveriesForgotten'],
    reads: ({ meta }) => ({ todos: [idOf(meta.account)] }),
    react,
    concurrency: { lane: 1, total: 4 },
    perform: performEach((todo, performing) => forget(todo, parts, performing)),
  };
}

function react({ event, meta }: LogEvent<HandledEvent>, memory: ReactionMemory<ForgetTodo>): readonly Intention[] {
  const { account, $correlationId: correlation, occurredAt } = meta;
  const todo = memory.todo(idOf(account));
  if (event.type === 'DeliveriesForgotten') {
    if (!todo) return [{ do: 'ignore', reason: 'nothing_to_forget' }];
    const { next_at, at } = event.data;
    if (next_at !== null) return [{ do: 'schedule', todo: { ...todo, due_at: Date.parse(next_at) } }];
    // A delivery may have ended while the read model was searched.
    if (todo.active_on < dayOf(Date.parse(at) - HOUR_MS)) return [{ do: 'cancel', id: todo.id }];
    return [{ do: 'schedule', todo: { ...todo, due_at: Date.parse(at) + LONGEST_MS } }];
  }
  const active_on = dayOf(occurredAt);
  if (todo && todo.active_on >= active_on) return [{ do: 'ignore', reason: 'known' }];
  const first = { id: idOf(account), due_at: Date.parse(occurredAt) + HOUR_MS, account, priority: 2, lane: 'deliveries', correlation } as const;
  return [{ do: 'schedule', todo: { ...(todo ?? first), active_on } }];
}

/** Each batch is recorded before the next one is searched for, so that it is not found again. */
async function forget(todo: ForgetTodo, { keptMs, find }: ForgetDeliveriesParts, performing: PerformContext): Promise<Checkpoint> {
  const { account, correlation, due_at } = todo;
  const { clock, signal, execute } = performing;
  let reached: Checkpoint = 'start';
  for (let nth = 0; nth < BATCHES && !signal.aborted; nth++) {
    const now = clock.now();
    const found = await find(account, new Date(now - keptMs).toISOString(), reached);
    if (!found) break;
    const { deliveries, endpoint_deliveries, more } = found;
    const next_at = more ? new Date(now).toISOString() : nextAt(found, keptMs, now);
    const batch_id = hashId('evt', 'forgotten', account, due_at, nth);
    const about = `${account}/${due_at}/${nth}`;
    const { position } = await execute(forgetDeliveries, { batch_id, deliveries, endpoint_deliveries, next_at }, { account, correlation, about });
    if (position !== 'start') reached = position;
    if (!more) break;
  }
  return reached;
}

/** When the next one is old enough: not within the hour, and not later than tomorrow. */
function nextAt({ deliveries, endpoint_deliveries, oldest }: OldDeliveries, keptMs: number, now: number): string | null {
  if (oldest === null && deliveries.length + endpoint_deliveries.length === 0) return null;
  const due = oldest === null ? now : Date.parse(oldest) + keptMs;
  return new Date(Math.min(now + LONGEST_MS, Math.max(now + HOUR_MS, due))).toISOString();
}
