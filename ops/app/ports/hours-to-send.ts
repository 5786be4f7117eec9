import type { ChannelName } from '../../../domain/kernel/channels.js';
import type { UtcOffsetAt } from '../../../domain/kernel/clocks.js';
import type { ReadModels } from '../../../domain/kernel/ports.js';
import { channelInForce, channelReason, sendHoursOf } from '../../../domain/scores/score-engagement.js';
import { loadEngagementModel } from '../../../log/aggregates/scores/load-score-model.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { reachedQueries } from '../../../projections/scores/reached.js';

interface HoursQuery {
  readonly members: readonly string[];
  readonly addressKeys: readonly string[];
  readonly offsetAt: UtcOffsetAt;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The share of each local hour by which messages to a contact are timed, by the model in force. Messages are read where the contact's own count. */
export function hoursToSendReader({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const reached = reachedQueries({ log, views });
  return async (account: string, channel: ChannelName) => {
    const model = channelInForce((await loadEngagementModel(log, account)).model, channel);
    return async ({ members, addressKeys, offsetAt, now }: HoursQuery): Promise<readonly number[] | null> => {
      const isOwn = channelReason(model, 'best_hour', now) === null;
      const messages = isOwn ? (await reached.ofContact({ account, members, addressKeys, at: now })).get(channel) : undefined;
      return sendHoursOf(model, messages ?? [], offsetAt, now);
    };
  };
}
