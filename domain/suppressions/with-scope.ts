import { ownField } from '../kernel/own-fields.js';
import { type SuppressionMethod, suppressionMethods } from './reasons.js';

/** The method of events that do not name one. Other sources are named by callers and show no method. */
const methodOfSource: Readonly<Record<string, SuppressionMethod>> = {
  one_click: 'one_click',
  page: 'page',
  preferences: 'page',
  keyword: 'keyword',
  bounce: 'feedback',
  complaint: 'feedback',
  import: 'import',
  erasure: 'erasure',
};

interface LegacyCause {
  readonly source: string;
  readonly via?: SuppressionMethod;
}

/** Before version 2 a suppression had no scope: what came by a page or a link concerns marketing, everything else all messages. */
export function withScope(cause: LegacyCause): unknown {
  const via = cause.via ?? ownField(methodOfSource, cause.source) ?? null;
  return { ...cause, via, scope: via === null ? 'all' : suppressionMethods[via] };
}
