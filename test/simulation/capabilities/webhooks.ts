import type { SealedMessageEvent } from '../../../domain/messages/message.js';
import { ERASED_CODE } from '../../../domain/webhooks/delivery.js';
import { deliveriesOf, type StatusDelivery, type Subscription, subscriptionOf } from '../../../domain/webhooks/delivery-rules.js';
import { ATTEMPT_TIMEOUT_MS, DELIVERY_RETRY_DELAYS_MS } from '../../../domain/webhooks/limits.js';
import { deliveryIds } from '../../../log/aggregates/webhooks/deliveries.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Capability, Final } from '../capability.js';
import { streamsOf } from '../history.js';
import { latenessOf } from '../lateness.js';
import type { Run } from '../run.js';
import type { RecordedAttempt } from '../world/outside.js';

/** No commands of its own: every status of a message with a webhook is delivered, on schedule, and nothing else is. */
export const webhooks: Capability = {
  name: 'webhooks',
  begin: (run) => ({
    actions: [],
    check(final) {
      const expected = expectedDeliveries(final);
      const attempts = byDelivery(run.outside.attempts.filter(({ headers }) => headers['webhook-id'] === undefined));
      const erased = erasedDeliveries(final);
      const unexpected = [...attempts.keys()].filter((id) => !expected.has(id)).map((id) => `the delivery ${id} was made for nothing`);
      return [
        ...unexpected,
        ...[...expected.values()]
          .filter(({ delivery_id }) => !erased.has(delivery_id))
          .flatMap((delivery) => problemsOf(delivery, attempts.get(delivery.delivery_id) ?? [], run)),
      ];
    },
  }),
};

/** How much earlier than by the schedule an attempt may seem, in milliseconds. */
const toleranceOf = (run: Run): number => CLOCKS_MS + (run.disturbances.some(({ kind }) => kind === 'clock jump') ? 2 * run.rates.clockJumpMs : 0);

/** Deliveries that ended because their URL is erased: they are checked no further. */
const erasedDeliveries = (final: Final): ReadonlySet<string> =>
  new Set(
    [...streamsOf(final, 'delivery-')]
      .filter(([, events]) => events.some(({ event }) => (event.data as { error?: { code: string } | null }).error?.code === ERASED_CODE))
      .map(([id]) => id),
  );

/** A delivery that must be made. */
export type Expected<D> = D & {
  /** When the event that it reports was recorded, in milliseconds since 1970. */
  readonly since: number;
};

function expectedDeliveries({ byStream }: Final): ReadonlyMap<string, Expected<StatusDelivery>> {
  const deliveries = new Map<string, Expected<StatusDelivery>>();
  for (const [stream, events] of byStream) {
    if (!stream.startsWith('message-')) continue;
    let subscription: Subscription | undefined;
    for (const stored of events as readonly LogEvent<SealedMessageEvent>[]) {
      subscription ??= subscriptionOf(stored) ?? undefined;
      const { status: delivery } = deliveriesOf(stored, { subscription, endpoints: undefined }, deliveryIds);
      if (delivery) deliveries.set(delivery.delivery_id, { ...delivery, since: recordedAt(stored) });
    }
  }
  return deliveries;
}

export const recordedAt = ({ meta }: LogEvent): number => Date.parse(meta.occurredAt);

export function byDelivery(attempts: readonly RecordedAttempt[]): ReadonlyMap<string, readonly RecordedAttempt[]> {
  const all = new Map<string, RecordedAttempt[]>();
  for (const attempt of attempts) {
    const id = attempt.headers['X-Service-Delivery'] ?? '';
    all.set(id, [...(all.get(id) ?? []), attempt]);
  }
  return all;
}

const numberOf = ({ headers }: RecordedAttempt): number => Number(headers['X-Service-Attempt']);
const isSuccess = ({ status }: RecordedAttempt): boolean => typeof status === 'number' && status >= 200 && status < 300;

/** An attempt may reach its receiver several times, because its outcome was not recorded. Attempts follow each other on schedule. */
export function problemsOf(
  { delivery_id: id, event, since }: Expected<Pick<StatusDelivery, 'delivery_id' | 'event'>>,
  attempts: readonly RecordedAttempt[],
  run: Run,
): string[] {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) return [`${event} was not delivered (${id})`];
  const problems: string[] = latenessProblems(id, first, since, run);
  const made = Math.max(...attempts.map(numberOf));
  if (!isSuccess(last) && made < DELIVERY_RETRY_DELAYS_MS.length + 1) problems.push(`${id} was given up after attempt ${made}`);
  for (let number = 2; number <= made; number++) {
    const before = attempts.filter((attempt) => numberOf(attempt) === number - 1).at(-1);
    const next = attempts.find((attempt) => numberOf(attempt) === number);
    if (!before || !next) problems.push(`${id} has no attempt ${before ? number : number - 1}`);
    else problems.push(...scheduleProblems(id, before, next, run));
  }
  return problems;
}

/** One attempt and the next one: not before its delay, and not long after it. */
function scheduleProblems(id: string, before: RecordedAttempt, next: RecordedAttempt, run: Run): string[] {
  const number = numberOf(before);
  const due = endOf(before) + (DELIVERY_RETRY_DELAYS_MS[number - 1] as number);
  if (next.at < due - toleranceOf(run)) return [`${id} was repeated ${Math.round(next.at - endOf(before))} ms after attempt ${number}`];
  return latenessProblems(id, next, due, run);
}

function latenessProblems(id: string, attempt: RecordedAttempt, due: number, run: Run): string[] {
  const late = latenessOf(run, due, attempt.at);
  return late === null ? [] : [`attempt ${numberOf(attempt)} of ${id} was ${late} s late`];
}

/** An attempt without an answer ends with its timeout. */
const endOf = ({ at, status }: RecordedAttempt): number => (status === 'no answer' ? at + ATTEMPT_TIMEOUT_MS : at);
/** Of the travel of a request, and of the milliseconds that clocks round to. Clocks that are wrong add their error. */
const CLOCKS_MS = 500;
