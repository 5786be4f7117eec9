import { type EngagementModel, type EngagementModelFittedEvent, engagementModelStream } from '../../../domain/scores/engagement-fitted.js';
import { showsEngagement } from '../../../domain/scores/score-engagement.js';
import { type ScoreModel, type ScoreModelFittedEvent, scoreModelStream } from '../../../domain/scores/score-model.js';
import type { EventLog } from '../../runtime/event-log.js';

export interface LoadedModel<M> {
  /** The last fit; null before the first one. */
  readonly model: M | null;
  /** -1 before the first one. */
  readonly revision: number;
}
export type LoadedScoreModel = LoadedModel<ScoreModel>;

/** Fits are made weekly. */
const PAGE = 20;

/** The model of an account's purchases that is in force, or was at `until` (RFC 3339). */
export const loadScoreModel = (log: EventLog, account: string, until?: string): Promise<LoadedScoreModel> =>
  loadModel<ScoreModelFittedEvent>(log, scoreModelStream(account), until);

/** The models of an account's messages that are in force, or were at `until` (RFC 3339). */
export const loadEngagementModel = (log: EventLog, account: string, until?: string): Promise<LoadedModel<EngagementModel>> =>
  loadModel<EngagementModelFittedEvent>(log, engagementModelStream(account), until);

/** Whether one of an account's last models of messages showed engagement: then contacts may have it on record. */
export async function hasShownEngagement(log: EventLog, account: string): Promise<boolean> {
  const last = (await log.read<EngagementModelFittedEvent>(engagementModelStream(account), { backwards: true, limit: PAGE })) ?? [];
  return last.some(({ event }) => showsEngagement(event.data));
}

async function loadModel<E extends ScoreModelFittedEvent | EngagementModelFittedEvent>(
  log: EventLog,
  stream: string,
  until: string | undefined,
): Promise<LoadedModel<E['data']>> {
  if (until === undefined) {
    const [last] = (await log.read<E>(stream, { backwards: true, limit: 1 })) ?? [];
    return { model: last?.event.data ?? null, revision: last?.revision ?? -1 };
  }
  for (let from: number | undefined; ; ) {
    const page = (await log.read<E>(stream, { backwards: true, limit: PAGE, ...(from !== undefined && { from }) })) ?? [];
    const found = page.find(({ event }) => event.data.at <= until);
    if (found) return { model: found.event.data, revision: found.revision };
    const oldest = page.at(-1);
    if (!oldest || oldest.revision === 0) return { model: null, revision: -1 };
    from = oldest.revision - 1;
  }
}
