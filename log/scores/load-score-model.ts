import { type ScoreModel, type ScoreModelFittedEvent, scoreModelStream } from '../../domain/scores/score-model.js';
import type { EventLog } from '../event-log.js';

export interface LoadedScoreModel {
  /** The last fit; null before the first one. */
  readonly model: ScoreModel | null;
  /** -1 before the first one. */
  readonly revision: number;
}

/** Fits are made weekly. */
const PAGE = 20;

/** The model of an account that is in force, or was at `until` (RFC 3339). */
export async function loadScoreModel(log: EventLog, account: string, until?: string): Promise<LoadedScoreModel> {
  if (until === undefined) {
    const [last] = (await log.read<ScoreModelFittedEvent>(scoreModelStream(account), { backwards: true, limit: 1 })) ?? [];
    return { model: last?.event.data ?? null, revision: last?.revision ?? -1 };
  }
  for (let from: number | undefined; ; ) {
    const page =
      (await log.read<ScoreModelFittedEvent>(scoreModelStream(account), { backwards: true, limit: PAGE, ...(from !== undefined && { from }) })) ?? [];
    const found = page.find(({ event }) => event.data.at <= until);
    if (found) return { model: found.event.data, revision: found.revision };
    const oldest = page.at(-1);
    if (!oldest || oldest.revision === 0) return { model: null, revision: -1 };
    from = oldest.revision - 1;
  }
}
