import type { Clock } from '../../domain/kernel/clock.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { MessageQueries } from './queries.js';

/** Without a bounce for so long a message has arrived, where its carrier reports nothing more. */
const AT_REST_MS = 86_400_000;
/** Messages to an address that are looked at, the latest first. */
const MAX_LOOKED_AT = 200;

interface LastDeliveryParts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * When the last email to an address arrived, before a time: its delivery, or its dispatch where a day passed without a bounce. Null where
 * none of the latest two hundred did. RFC 3339, in UTC.
 */
export function lastDelivery({ log, views, clock }: LastDeliveryParts) {
  return async (account: string, to_key: string, before: string): Promise<string | null> => {
    const history = new MessageQueries(views, log);
    const docs = await history.page(account, { where: { to_key }, after: null, descending: true, take: MAX_LOOKED_AT });
    const rested = new Date(clock.now() - AT_REST_MS).toISOString();
    const arrived = docs
      .filter(({ channel, test }) => channel === 'email' && test !== true)
      .map(({ status, delivered_at, sent_at }) =>
        status === 'delivered' ? (delivered_at ?? sent_at) : status === 'sent' && (sent_at ?? '~') <= rested ? sent_at : null,
      )
      .filter((at): at is string => at !== null && at < before);
    return arrived.reduce<string | null>((last, at) => (last === null || at > last ? at : last), null);
  };
}
