/** What is on record of scores, computed again from the purchases on record and the model that is named. */
import { type CustomEventEvent, customEventStream } from '../../../domain/events/custom-event.js';
import type { ContactScoreEvent, RecordedScores, ScoreChangedEvent } from '../../../domain/scores/contact-scores.js';
import { type BuyerHistory, bandOf, dayOfTime, scoreContact } from '../../../domain/scores/score-contact.js';
import type { ScoreModel, ScoreModelFittedEvent } from '../../../domain/scores/score-model.js';
import type { LogEvent } from '../../../log/runtime/log-event.js';
import type { Final } from '../capability.js';
import { isPlain, streamsOf } from '../history.js';
import { ask } from '../recipients.js';
import type { Run } from '../run.js';

/** Contacts whose scores are read. */
const READ = 3;
const SLACK_MS = 60_000;

/** A purchase of a contact as it is on record. */
interface Bought {
  readonly at: number;
  readonly day: number;
  readonly value: number | null;
  readonly currency: string | null;
}

export async function scoreProblems(final: Final): Promise<string[]> {
  const models = modelsOf(final);
  const model = models.at(-1);
  // A canceled fit leaves the rest to the next night.
  const isDone = model !== undefined && final.byStream.get(`job-${model.job_id}`)?.some(isCompleted) === true;
  const problems: string[] = [];
  let read = 0;
  for (const [contact, records] of streamsOf(final, 'score-') as ReadonlyMap<string, readonly LogEvent<ContactScoreEvent>[]>) {
    // The messages of a run are too few for a model of engagement.
    const changes = records.flatMap(({ event }) => (event.type === 'ScoreChanged' ? [event.data] : []));
    problems.push(...changes.flatMap(({ score }) => (score.startsWith('engagement_') ? [`${contact} has ${score} without a model`] : [])));
    problems.push(...changes.flatMap((change) => refusedProblems(models, change)));
    if (!isPlain(final, contact)) continue;
    const bought = await purchasesOf(final, contact);
    problems.push(...changes.flatMap((change) => replayProblems(models, change, bought, final.run)));
    if (model && isDone) problems.push(...latestProblems(model, contact, changes, bought, final.run));
    if (model && read++ < READ) problems.push(...(await shownProblems(final, model, contact)));
  }
  return problems;
}

const isCompleted = ({ event: { type, data } }: LogEvent): boolean => type === 'JobFinished' && (data as { status: string }).status === 'completed';

const modelsOf = ({ run, byStream }: Final): readonly ScoreModel[] =>
  ((byStream.get(`scoreModel-${run.accountId}`) ?? []) as readonly LogEvent<ScoreModelFittedEvent>[]).map(({ event }) => event.data);

/** No value of a score that the model refuses. */
function refusedProblems(models: readonly ScoreModel[], { contact_id, score, value, model_version }: ScoreChangedEvent['data']): string[] {
  const model = models.find((one) => one.model_version === model_version);
  const reason = model?.scores[score]?.null_reason;
  return value !== null && reason !== null ? [`${contact_id} has ${score} = ${value} by the model ${model_version}, which says ${reason}`] : [];
}

async function purchasesOf({ run, events }: Final, contact: string): Promise<readonly Bought[]> {
  const ids = events.flatMap(({ event: { type, data } }) => {
    const { contact_id, name, event_id } = data as CustomEventEvent['data'];
    return type === 'CustomEventRecorded' && contact_id === contact && name === 'purchase' ? [event_id] : [];
  });
  const stored = await Promise.all(ids.map((id) => run.log.read<CustomEventEvent>(customEventStream(id))));
  return stored.flatMap((found) => (found ?? []).map(({ event }) => boughtOf(event)));
}

function boughtOf({ data: { at, occurred_at, properties } }: CustomEventEvent): Bought {
  const { value, currency } = properties as { value?: number; currency?: string };
  return { at: Date.parse(at), day: dayOfTime(Date.parse(occurred_at)), value: value ?? null, currency: currency ?? null };
}

const historyOf = (bought: readonly Bought[]): BuyerHistory => ({
  purchases: bought.map(({ day, value }) => ({ day, value })),
  currencies: [...new Set(bought.flatMap(({ value, currency }) => (value === null ? [] : [currency])))],
});

/** The value on record is that of the model and of the purchases that were known then; what was recorded around then may be known or not. */
function replayProblems(models: readonly ScoreModel[], change: ScoreChangedEvent['data'], bought: readonly Bought[], run: Run): string[] {
  const { contact_id, score, value, band, model_version, at } = change;
  const model = models.find((one) => one.model_version === model_version);
  if (!model) return [`${contact_id} was scored by the model ${model_version}, which is not on record`];
  const now = Date.parse(at);
  const slack = SLACK_MS + 2 * run.rates.clockJumpMs;
  const [least, most] = [now - slack, now + slack].map((ms) => bought.filter((one) => one.at <= ms).length) as [number, number];
  const possible = Array.from({ length: most - least + 1 }, (_, i) => valueBy(model, score, bought.slice(0, least + i), now));
  const isRight = possible.includes(value) && bandOf(model, score as never, value) === band;
  return isRight ? [] : [`${contact_id} has ${score} = ${value} (${band}) at ${at}, by its purchases it is ${[...new Set(possible)].join(' or ')}`];
}

const valueBy = (model: ScoreModel, score: string, bought: readonly Bought[], now: number): number | null =>
  scoreContact(model, historyOf(bought), now).find(({ name }) => name === score)?.value ?? null;

/** At rest the last value of what does not change by time has the band of the model in force. */
function latestProblems(
  model: ScoreModel,
  contact: string,
  changes: readonly ScoreChangedEvent['data'][],
  bought: readonly Bought[],
  { world }: Run,
): string[] {
  const recorded: RecordedScores = Object.fromEntries(changes.map((change) => [change.score, change]));
  return scoreContact(model, historyOf(bought), world.now).flatMap(({ name, value }) => {
    const last = recorded[name];
    const [isNull, must] = [(last?.value ?? null) === null, value === null];
    if (name === 'expected_next_order_at') return [];
    if (isNull !== must) return [`${contact} has ${name} = ${last?.value ?? null} on record, and by the model in force it is ${value}`];
    const band = bandOf(model, name, value);
    return name === 'historic_clv' && (last?.band ?? null) !== band ? [`${contact} has ${name} in the band ${last?.band}, not ${band}`] : [];
  });
}

/** What the API shows of a contact has no value that the model in force refuses. */
async function shownProblems({ run }: Final, model: ScoreModel, contact: string): Promise<string[]> {
  const { status, body } = await ask(run, `/v1/contacts/${contact}/scores`);
  if (status !== 200) return [`the scores of ${contact} are answered with ${status}`];
  const shown = body.scores as readonly { readonly name: string; readonly value: unknown; readonly null_reason: string | null }[];
  return shown
    .filter(({ name, value }) => value !== null && typeof model.scores[name]?.null_reason === 'string')
    .map(({ name, value }) => `${contact} shows ${name} = ${value}, which the model in force refuses`);
}
