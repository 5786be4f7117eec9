import { queryOptions } from '@tanstack/react-query';
import { answer, api } from './client.ts';

/** Spans that the overview compares with the one before. */
export const periods = ['P1D', 'P7D', 'P30D'] as const;
export type Period = (typeof periods)[number];

export const isPeriod = (value: unknown): value is Period => (periods as readonly unknown[]).includes(value);

/** What is wrong, what was sent, and what is sent now. Changes of messages and of what may be wrong refresh it. */
export const overviewQuery = (period: Period) =>
  queryOptions({
    queryKey: ['message', 'list', 'overview', period],
    queryFn: ({ signal }) => answer(api.GET('/v1/overview', { params: { query: { period } }, signal })),
  });
