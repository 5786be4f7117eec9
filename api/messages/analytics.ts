import Type from 'typebox';
import { invalid } from '../../domain/kernel/errors.js';
import { annotate, list, named, nullable, oneOf, optional, record, text } from '../../domain/kernel/schema.js';
import { textPattern } from '../../domain/kernel/text-patterns.js';
import { dailyCounters } from '../../projections/messages/counter-queries.js';
import { addCounters, type Counters, counterNames, noCounters } from '../../projections/messages/counters.js';
import { messages } from '../../projections/messages/projection.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';

const DAY_MS = 86_400_000;
/** Days of one answer, and how many there are without `from`. */
const MAX_DAYS = 400;
const DEFAULT_DAYS = 30;

const day = (description: string) =>
  optional(
    Type.String({
      ...textPattern(
        '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])(T\\d{2}:\\d{2}(:\\d{2}(\\.\\d+)?)?(Z|[+-]\\d{2}:\\d{2}))?$',
        'Use a date, for example 2026-01-15, or a time such as 2026-01-15T10:30:00Z.',
      ),
      maxLength: 40,
      description,
    }),
  );
const intervalSchema = named('AnalyticsInterval', oneOf('day', 'week', 'month'));
const groupSchema = named('AnalyticsGroup', oneOf('none', 'channel', 'campaign'));
const count = Type.Integer({ minimum: 0 });
/** What waits is no event of a day. */
const shownNames = counterNames.filter((name) => name !== 'queued');
type ShownCounters = Record<Exclude<(typeof counterNames)[number], 'queued'>, typeof count>;

const point = named(
  'AnalyticsPoint',
  record({
    period: annotate(text, { description: 'First day of the period.' }),
    group: annotate(nullable(text), { description: 'A channel, or the id of a campaign; null without grouping, and for messages of no campaign.' }),
    ...(Object.fromEntries(shownNames.map((name) => [name, count])) as ShownCounters),
  }),
);

const series = named('Analytics', record({ from: text, to: text, interval: intervalSchema, group_by: groupSchema, data: list(point) }));

/** `/v1/analytics`: what happened to messages, by day, from counters. */
export function analyticsRoute({ views, clock }: Services): AnyRoute {
  return route({
    method: 'GET',
    path: '/v1/analytics',
    operationId: 'getAnalytics',
    summary: 'Read the numbers of messages over time',
    description:
      'Days are those of UTC on which something happened: a click counts for the day of the click. What corrects it later changes no past day. ' +
      'Messages of test keys are left out. Periods without events are left out.',
    tag: 'messages',
    access: 'read',
    limit: 'general',
    query: record({
      from: day('First day, such as 2026-01-01, or a time on it. Default: 29 days before the last one.'),
      to: day('Last day, included, or a time on it. Default: today.'),
      interval: optional(annotate(intervalSchema, { default: 'day' })),
      group_by: optional(annotate(groupSchema, { default: 'none' })),
    }),
    responses: { 200: { description: 'The periods in order.', schema: series } },
    errors: ['validation_error'],
    async handle({ caller, query, consistent }) {
      const { interval = 'day', group_by = 'none' } = query;
      const { from, to } = readRange(query, clock.now());
      await consistent(messages.name);
      const sums = new Map<string, { readonly period: string; readonly group: string | null; readonly counts: Counters }>();
      for await (const { day: of, channel, campaign_id, counts } of dailyCounters(views, caller.account, from, to)) {
        const period = periodOf(of, interval);
        const group = group_by === 'channel' ? channel : group_by === 'campaign' ? campaign_id : null;
        const key = `${period}/${group ?? ''}`;
        sums.set(key, { period, group, counts: addCounters(sums.get(key)?.counts ?? noCounters, counts) });
      }
      const data = [...sums]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(
          ([
            ,
            {
              period,
              group,
              counts: { queued: _, ...shown },
            },
          ]) => ({ period, group, ...shown }),
        );
      return { status: 200, body: { from, to, interval, group_by, data } };
    },
  });
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Days of UTC. Throws `validation_error` for days that do not exist and for ranges that are empty or too long. */
function readRange(given: { readonly from?: string; readonly to?: string }, now: number): { readonly from: string; readonly to: string } {
  const bad = (['from', 'to'] as const).filter((field) => given[field] !== undefined && !exists(given[field]));
  if (bad.length > 0) throw invalid(bad.map((field) => ({ field, code: 'invalid_date', message: 'There is no such day.' })));
  const to = dayOf(given.to === undefined ? now : Date.parse(given.to));
  const from = dayOf(given.from === undefined ? Date.parse(to) - (DEFAULT_DAYS - 1) * DAY_MS : Date.parse(given.from));
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1 || days > MAX_DAYS) throw invalid([{ field: 'from', code: 'invalid_range', message: `Give a range of 1 to ${MAX_DAYS} days.` }]);
  return { from, to };
}

/** `Date.parse` takes 30 February for a day of March. */
const exists = (time: string): boolean => !Number.isNaN(Date.parse(time)) && dayOf(Date.parse(time.slice(0, 10))) === time.slice(0, 10);

/** Weeks begin on Monday. */
function periodOf(of: string, interval: 'day' | 'week' | 'month'): string {
  if (interval === 'month') return `${of.slice(0, 7)}-01`;
  if (interval === 'day') return of;
  const ms = Date.parse(of);
  return dayOf(ms - ((new Date(ms).getUTCDay() + 6) % 7) * DAY_MS);
}
