import { type ContactScoreEvent, contactScoresStream, type RecordedScores } from '../../domain/scores/contact-scores.js';
import { type EngagementModel, engagementModelStream } from '../../domain/scores/engagement-fitted.js';
import { scoreChanges } from '../../domain/scores/score-changes.js';
import { type BuyerHistory, dayOfTime } from '../../domain/scores/score-contact.js';
import { engagementChanges } from '../../domain/scores/score-engagement.js';
import { type PurchaseSource, type ScoreModel, scoreModelStream } from '../../domain/scores/score-model.js';
import { loadRecordedScores } from '../../log/aggregates/scores/load-recorded-scores.js';
import { hasShownEngagement, loadEngagementModel, loadScoreModel } from '../../log/aggregates/scores/load-score-model.js';
import type { JobKind, JobStep, NotBefore, StepResult } from '../jobs/kind.js';
import { toExpected, tryAppend } from '../runtime/append.js';
import type { Context, PartAppends } from '../runtime/command.js';
import type { ScoreReads } from './ports.js';

/** Stored names. */
export const SCORE_FIT = 'score_fit';
export const CONTACT_SCORING = 'contact_scoring';

/** Where the scoring of contacts begins. */
const FROM_THE_FIRST = '"';

const common = { lane: 'scores', priority: 2, cancelable: true, keepMs: 0 } as const;

/** Fits the models of an account and tests them, then scores all buyers and contacts with messages by them. A fit is in force by its event alone. */
export const scoreFit: JobKind = {
  kind: SCORE_FIT,
  ...common,

  async work(context, step) {
    if (!(await context.ports.scores.reads.upToDate(step.accepted))) return 'waiting';
    return step.from === null ? fitModels(context, step) : scoreInTime(context, step.from, CHANGES_AFTER_FIT);
  },
};

/** Contacts a second whose scores change in a night: those that enter a segment by it start journeys. */
const CHANGES_AT_NIGHT = 100;
/** The same after a fit, after which nearly all have changed. More would hold up the read models, and so the requests that wait for them. */
const CHANGES_AFTER_FIT = 400;
const SEPARATOR = ' ';

/** Scores all buyers and contacts with messages by the models in force: chances fall as time passes. */
export const contactScoring: JobKind = {
  kind: CONTACT_SCORING,
  ...common,

  async work(context, step) {
    if (!(await context.ports.scores.reads.upToDate(step.accepted))) return 'waiting';
    return scoreInTime(context, step.from ?? FROM_THE_FIRST, CHANGES_AT_NIGHT);
  },
};

/**
 * Scores a page, if it is time for it. `next` has the time, too, from which on the changes so far keep to their rate: so they do after
 * a crash as well.
 */
async function scoreInTime(context: Context, place: string, changesPerSecond: number): Promise<StepResult | NotBefore> {
  const [from = FROM_THE_FIRST, free = context.now] = place.split(SEPARATOR);
  const now = Date.parse(context.now);
  if (Date.parse(free) > now) return { not_before: Date.parse(free) };
  const result = await scorePage(context, from);
  if (typeof result.next !== 'string') return result;
  const ms = Math.max(now, Date.parse(free)) + ((result.counts.changed ?? 0) * 1_000) / changesPerSecond;
  return { ...result, next: `${result.next}${SEPARATOR}${new Date(ms).toISOString()}` };
}

async function fitModels(context: Context, { job_id }: JobStep): Promise<StepResult> {
  const { account } = context.cause;
  const { model, revision } = await loadScoreModel(context.log, account);
  if (model?.job_id === job_id) return fitted(model);
  const engagement = await loadEngagementModel(context.log, account);
  const reads = context.ports.scores.reads;
  const { purchase, churn_days, timezone } = await reads.settings(account);
  const now = Date.parse(context.now);
  const buyers = await allBuyers(context, purchase);
  const messages = { now, channels: await reads.reached(account, timezone, now, context.yieldToEventLoop) };
  const found = await context.ports.scores.fit({ purchases: { buyers, purchase, churn_days, today: dayOfTime(now) }, messages });
  // The fit is done with its last event, so a repetition makes no second model of either.
  if (engagement.model?.job_id !== job_id) {
    const data: EngagementModel = { channels: found.channels, job_id, model_version: engagement.revision + 2, at: context.now };
    await tryAppend(context, engagementModelStream(account), engagement.revision, [{ type: 'EngagementModelFitted', data }]);
  }
  const data: ScoreModel = { ...found.purchases, job_id, model_version: revision + 2, at: context.now };
  await tryAppend(context, scoreModelStream(account), revision, [{ type: 'ScoreModelFitted', data }]);
  return fitted(data);
}

/** The histories of all buyers, each once, page by page, so that other work of this thread goes on. */
async function allBuyers(context: Context, purchase: PurchaseSource): Promise<BuyerHistory[]> {
  const buyers = new Map<string, BuyerHistory>();
  for (let after: string | null = null; ; ) {
    const page: Awaited<ReturnType<ScoreReads['page']>> = await context.ports.scores.reads.page(context.cause.account, purchase, after);
    for (const { contact_id, history } of page.buyers) buyers.set(contact_id, history);
    if (page.next === null) return [...buyers.values()];
    after = page.next;
    await context.yieldToEventLoop();
  }
}

const fitted = ({ buyers, scores }: ScoreModel): StepResult => {
  const shown = Object.values(scores).filter(({ null_reason }) => null_reason === null).length;
  return { done: 0, counts: { buyers, scores_shown: shown }, errors: [], next: FROM_THE_FIRST };
};

/** Buyers first, then contacts by their messages: the places of those begin with this. */
const OF_MESSAGES = '@';

async function scorePage(context: Context, from: string): Promise<StepResult> {
  if (from.startsWith(OF_MESSAGES)) return scoreReached(context, from.slice(OF_MESSAGES.length));
  const result = await scoreBuyersOfPage(context, from);
  if (result.next !== null) return result;
  return { ...result, next: (await hasShownEngagement(context.log, context.cause.account)) ? OF_MESSAGES : null };
}

async function scoreBuyersOfPage(context: Context, from: string): Promise<StepResult> {
  const { account } = context.cause;
  const reads = context.ports.scores.reads;
  const { model } = await loadScoreModel(context.log, account);
  if (!model) return { done: 0, counts: { scored: 0, changed: 0 }, errors: [], next: null };
  const [page, thresholds] = await Promise.all([
    reads.page(account, model.purchase, from === FROM_THE_FIRST ? null : from),
    reads.thresholds(account),
  ]);
  const changed = await recordChanges(context, page.buyers, ({ contact_id, history }, recorded) =>
    scoreChanges(contact_id, model, { history, recorded, thresholds }, context.now),
  );
  return { done: page.buyers.length, counts: { scored: page.buyers.length, changed }, errors: [], next: page.next };
}

/** Scores a page of contacts by the messages that reached them. */
async function scoreReached(context: Context, from: string): Promise<StepResult> {
  const { account } = context.cause;
  const reads = context.ports.scores.reads;
  const { model } = await loadEngagementModel(context.log, account);
  if (!model) return { done: 0, counts: { contacts: 0, changed: 0 }, errors: [], next: null };
  const [page, thresholds] = await Promise.all([
    reads.reachedPage(account, from === '' ? null : from, Date.parse(context.now)),
    reads.thresholds(account),
  ]);
  const changed = await recordChanges(context, page.contacts, ({ contact_id, reached }, recorded) =>
    engagementChanges(contact_id, model, { reached, recorded, thresholds }, context.now),
  );
  const next = page.next === null ? null : `${OF_MESSAGES}${page.next}`;
  return { done: page.contacts.length, counts: { contacts: page.contacts.length, changed }, errors: [], next };
}

/** Records what has changed, and returns for how many contacts. */
async function recordChanges<C extends { readonly contact_id: string }>(
  context: Context,
  contacts: readonly C[],
  changesOf: (contact: C, recorded: RecordedScores) => ContactScoreEvent[],
): Promise<number> {
  const parts = await Promise.all(
    contacts.map(async (contact): Promise<PartAppends> => {
      const { scores: recorded, revision } = await loadRecordedScores(context.log, contact.contact_id);
      const events = changesOf(contact, recorded);
      return { appends: events.length > 0 ? [{ stream: contactScoresStream(contact.contact_id), expected: toExpected(revision), events }] : [] };
    }),
  );
  const changed = parts.filter(({ appends }) => appends.length > 0);
  // A contact that was scored meanwhile is left as it is.
  if (changed.length > 0) await context.appendParts(changed);
  return changed.length;
}
