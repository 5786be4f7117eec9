import type { FitTask, FittedModels, ScorePorts, ScoreReads } from '../../../commands/scores/ports.js';
import type { Settings } from '../../../domain/accounts/settings.js';
import type { Clock, Position, ReadModels, ViewSpec } from '../../../domain/kernel/ports.js';
import { churnDaysOf } from '../../../domain/scores/scores.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { keepScores } from '../../../processes/scores/keep-scores.js';
import { contacts } from '../../../projections/contacts/projection.js';
import { customEvents } from '../../../projections/events/projection.js';
import { messages } from '../../../projections/messages/projection.js';
import { haveReached } from '../../../projections/runtime/reached.js';
import { buyerQueries } from '../../../projections/scores/buyers.js';
import { reachedQueries } from '../../../projections/scores/reached.js';
import { createFit } from '../threads/fit.js';
import { hoursToSendReader } from './hours-to-send.js';
import { scoreThresholds } from './score-thresholds.js';

const CATCH_UP_MS = 2_000;

interface Parts {
  readonly log: EventLog;
  readonly views: ReadModels;
  readonly settings: (account: string) => Promise<{ readonly settings: Settings } | null>;
}

/** What commands about scores read. */
export function createScoreReads({ log, views, settings }: Parts): ScoreReads {
  const buyers = buyerQueries({ log, views });
  const reached = reachedQueries({ log, views });
  return {
    upToDate: upToDate(views, [messages]),
    settings: async (account) => {
      const known = await settings(account);
      if (!known) throw new Error(`there is no account ${account}`);
      const { purchase, churn_window, timezone } = known.settings;
      return { purchase, timezone, churn_days: churnDaysOf(churn_window) };
    },
    page: buyers.page,
    purchasesOf: buyers.purchasesOf,
    reached: reached.ofAccount,
    reachedPage: reached.page,
    thresholds: (account) => scoreThresholds(views, account),
  };
}

const upToDate =
  (views: ReadModels, further: readonly ViewSpec[] = []) =>
  (position: Position): Promise<boolean> =>
    haveReached(views, [customEvents, contacts, ...further], position, CATCH_UP_MS);

/** Fits the models of an account. */
export type FitAccount = (task: FitTask) => Promise<FittedModels>;

/** The ports of the commands of scores. */
export const scorePorts = (parts: Parts & { readonly clock: Pick<Clock, 'timer'>; readonly fit: FitAccount | undefined }): ScorePorts => ({
  reads: createScoreReads(parts),
  fit: parts.fit ?? createFit(parts.clock),
  hoursToSend: hoursToSendReader(parts),
});

export const scoreProcess = (engine: { readonly views: ReadModels }) => keepScores({ upToDate: upToDate(engine.views) });
