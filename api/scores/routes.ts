import Type from 'typebox';
import { refitScores } from '../../commands/scores/refit-scores.js';
import { SCORE_FIT } from '../../commands/scores/score-kinds.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import { invalid } from '../../domain/kernel/errors.js';
import { optional, record, text } from '../../domain/kernel/schema.js';
import type { ScoreModel } from '../../domain/scores/score-model.js';
import { loadSettings } from '../../log/aggregates/load-settings.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { customEvents } from '../../projections/events/projection.js';
import { messages } from '../../projections/messages/projection.js';
import { readAccountScore, readAccountScores, readContactScores, type ScoreSource } from '../../projections/scores/read-scores.js';
import type { AccountScore } from '../../projections/scores/score-view.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { acceptedJob, jobResource } from '../jobs/schemas.js';
import { type DrawChart, pictureRoutes } from './pictures.js';
import { contactScores, scoreDistribution, scoreOverview } from './schemas.js';

const common = { tag: 'scores', limit: 'general' } as const;

/** Predictions about contacts, and how good they are. */
export function scoreRoutes(services: Services, { drawChart }: { readonly drawChart: DrawChart }): AnyRoute[] {
  return [
    getContactScoresRoute(services),
    listScoresRoute(services),
    getScoreDistributionRoute(services),
    refitScoresRoute,
    ...pictureRoutes(services, drawChart),
  ];
}

const getContactScoresRoute = ({ log, views, clock }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/contacts/:id/scores',
    operationId: 'getContactScores',
    summary: 'Read the scores of a contact',
    description:
      'Computed at this moment from the purchases and messages of the contact and the models in force, with what explains each. A score without a value says why. `as_of` shows what was known at an earlier time.',
    access: 'read',
    params: record({ id: text }),
    query: record({ as_of: optional(Type.String({ format: 'date-time', description: 'The scores as they were at this time.' })) }),
    responses: { 200: { description: 'Every score.', schema: contactScores } },
    errors: ['not_found', 'contact_erased', 'validation_error'],
    async handle({ params: { id }, query: { as_of }, caller, consistent }) {
      const now = clock.now();
      const at = as_of === undefined ? now : Date.parse(as_of);
      if (at > now) throw invalid([{ field: 'as_of', code: 'out_of_range', message: 'Use a time that is not in the future.' }]);
      await Promise.all([consistent(customEvents.name), consistent(messages.name)]);
      const asked = { account: caller.account, id, at: new Date(at).toISOString(), past: as_of !== undefined };
      return { status: 200, body: await readContactScores({ log, views }, await sourceOf(log, caller.account), asked) };
    },
  });

async function sourceOf(log: EventLog, account: string): Promise<ScoreSource> {
  return (await loadSettings(log, account)) ?? defaultSettings('', 'UTC');
}

const listScoresRoute = ({ log, clock }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/scores',
    operationId: 'listScores',
    summary: 'List the scores with their quality',
    description:
      'What the last fit has found: how good each score was on the held-out last days compared with the days since the last purchase, whether it is shown, how many buyers have a value and why the others have none.',
    access: 'read',
    responses: { 200: { description: 'Every score.', schema: scoreOverview } },
    async handle({ caller }) {
      const { model, scores } = await readAccountScores(log, caller.account, clock.now());
      return { status: 200, body: { model: model && modelOf(model), data: scores.map(scoreOfAccount) } };
    },
  });

const getScoreDistributionRoute = ({ log, clock }: Services) =>
  route({
    ...common,
    method: 'GET',
    path: '/v1/scores/:name/distribution',
    operationId: 'getScoreDistribution',
    summary: 'Read the distribution of a score',
    description: 'Over all buyers, or all contacts with messages of the channel, at the time of the last fit.',
    access: 'read',
    params: record({ name: text }),
    responses: { 200: { description: 'Percentiles and bands.', schema: scoreDistribution } },
    errors: ['not_found'],
    async handle({ caller, params: { name: asked } }) {
      const score = await readAccountScore(log, caller.account, asked, clock.now());
      const { name, null_reason, bounds, with_value, without } = scoreOfAccount(score);
      const { model, figures } = score;
      const percentiles = figures?.percentiles ?? [];
      const at = { model_version: model?.model_version ?? null, as_of: model?.at ?? null };
      return { status: 200, body: { name, ...at, null_reason, percentiles, bounds, with_value, without } };
    },
  });

const refitScoresRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/scores/refit',
  operationId: 'refitScores',
  summary: 'Fit the scores',
  description:
    'A job: fits the models to all purchases, tests them on the held-out last days, and scores all buyers. A new model is in force when all of it is done. It is also done every week.',
  access: 'write',
  responses: { 202: { description: 'The job.', schema: jobResource } },
  async handle({ execute }) {
    const { output } = await execute(refitScores, {});
    return { status: 202, body: acceptedJob(output, SCORE_FIT) };
  },
});

const modelOf = ({ model, model_version, at: fitted_at, ...fit }: ScoreModel) => {
  const { data_through, buyers, repeat_buyers, currency, order_factor, parameters, spend } = fit;
  return { model, model_version, fitted_at, data_through, buyers, repeat_buyers, currency, order_factor, parameters, spend };
};

function scoreOfAccount({ name, null_reason, horizon_days, figures }: AccountScore) {
  return {
    name,
    shown: null_reason === null,
    null_reason,
    horizon_days,
    quality: figures?.quality ?? null,
    reliability: figures?.reliability ?? [],
    baseline: figures?.baseline ?? null,
    bounds: figures?.bounds ?? null,
    with_value: figures?.with_value ?? 0,
    without: figures?.without ?? {},
  };
}
