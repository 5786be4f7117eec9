import { record, text } from '../../domain/kernel/schema.js';
import type { Chart } from '../../formats/scores/chart.js';
import { readAccountScore } from '../../projections/scores/read-scores.js';
import type { AccountScore } from '../../projections/scores/score-view.js';
import { type AnyRoute, type HttpResponse, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { distributionChart } from './distribution-chart.js';
import { reliabilityChart } from './reliability-chart.js';

const common = { tag: 'scores', limit: 'general', method: 'GET', access: 'read', params: record({ name: text }), errors: ['not_found'] } as const;
/** The picture has no script; browsers that open it by itself load nothing from elsewhere. */
const HEADERS = {
  'Content-Type': 'image/svg+xml; charset=utf-8',
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'Cache-Control': 'no-store',
};
const picture = { streams: ['image/svg+xml'], responses: { 200: { description: 'The picture.' } } } as const;

/** An SVG of a chart. */
export type DrawChart = (chart: Chart) => Promise<string>;

/** Pictures of what the last fit has found. */
export function pictureRoutes({ log, clock }: Services, drawChart: DrawChart): AnyRoute[] {
  const draw: Draw = async (account, name, chartOf) => ({
    status: 200,
    headers: HEADERS,
    body: Buffer.from(await drawChart(chartOf(await readAccountScore(log, account, name, clock.now())))),
  });
  return [drawScoreReliabilityRoute(draw), drawScoreDistributionRoute(draw)];
}

/** Answers with the picture of a score of an account. */
type Draw = (account: string, name: string, chartOf: (score: AccountScore) => Chart) => Promise<HttpResponse>;

const drawScoreReliabilityRoute = (draw: Draw) =>
  route({
    ...common,
    ...picture,
    path: '/v1/scores/:name/reliability.svg',
    operationId: 'drawScoreReliability',
    summary: 'Draw the reliability of a score',
    description:
      'A picture of the back-test: how often something was predicted, and how often it happened, in ten groups with ranges of 95 %. Light or dark as its reader prefers.',
    handle: ({ caller, params: { name } }) => draw(caller.account, name, reliabilityOf),
  });

const drawScoreDistributionRoute = (draw: Draw) =>
  route({
    ...common,
    ...picture,
    path: '/v1/scores/:name/distribution.svg',
    operationId: 'drawScoreDistribution',
    summary: 'Draw the distribution of a score',
    description: 'A picture of how many contacts have which value, with the bounds of the bands. Light or dark as its reader prefers.',
    handle: ({ caller, params: { name } }) => draw(caller.account, name, distributionOf),
  });

const titleOf = ({ name }: AccountScore): string => name.replaceAll('_', ' ');
const reasonOf = ({ null_reason }: AccountScore): string => `Nothing to show: ${(null_reason ?? 'no_values').replaceAll('_', ' ')}`;

function reliabilityOf(score: AccountScore): Chart {
  const { name, null_reason, figures } = score;
  const quality = figures?.quality ?? null;
  const days = quality?.days ?? 0;
  const areas = quality ? `AUC ${fixed(quality.auc, 3)} (recency ${fixed(quality.auc_recency, 3)})` : '';
  const errors = quality ? `Brier ${fixed(quality.brier, 4)} (recency ${fixed(quality.brier_recency, 4)})` : '';
  return reliabilityChart({
    title: `${titleOf(score)}: predicted and observed`,
    subtitle: quality ? `${areas} · ${errors} · ${quality.n.toLocaleString('en')} contacts, ${days} days to ${quality.backtest_end}` : '',
    note: null_reason === null ? '' : `The score is not shown: ${null_reason.replaceAll('_', ' ')}`,
    of: name.startsWith('engagement') ? 'an engagement with the next message' : `a purchase within ${days} days`,
    bins: figures?.reliability ?? [],
    observed: quality?.observed ?? 0,
    reason: reasonOf(score),
  });
}

const fixed = (value: number | null, digits: number): string => value?.toFixed(digits) ?? 'none';

function distributionOf(score: AccountScore): Chart {
  const { name, model, figures } = score;
  const { with_value = 0, bounds = null, percentiles = [] } = figures ?? {};
  const without = Object.values(figures?.without ?? {}).reduce((sum, count) => sum + count, 0);
  return distributionChart({
    title: `${titleOf(score)}: distribution`,
    subtitle: `${with_value.toLocaleString('en')} contacts with a value, ${without.toLocaleString('en')} without · ${model?.at.slice(0, 10) ?? ''}`,
    unit: unitOf(name),
    percentiles,
    bounds,
    reason: reasonOf(score),
  });
}

function unitOf(name: AccountScore['name']): string {
  if (name.includes('clv')) return 'Amount in the currency of the account';
  if (name === 'expected_orders_365d') return 'Orders';
  return name === 'expected_next_order_at' ? 'Days from the fit' : 'Probability';
}
