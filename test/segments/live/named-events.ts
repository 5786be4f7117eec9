/** Which events an explanation must name, found without the code of explanations. */
import type { PastCustomEvent } from '../../../domain/segments/history.js';
import type { LeafOf, Window } from '../../../domain/segments/rule.js';
import type { ExplainedRule } from '../../../projections/segments/explain.js';
import { meetsEach } from '../../simulation/capabilities/plain-conditions.js';

const SECONDS: Readonly<Record<string, number>> = { PT5S: 5, PT10S: 10, PT20S: 20, PT30S: 30, PT60S: 60, PT5M: 300 };
const ms = (duration: string): number => (SECONDS[duration] as number) * 1_000;

function lies(time: number, window: Window | undefined, now: number): boolean {
  if (time > now) return false;
  if (!window) return true;
  const text = new Date(time).toISOString();
  if ('since' in window) return text >= window.since;
  if ('between' in window) return text >= (window.between[0] as string) && text <= (window.between[1] as string);
  const ago = now - time;
  return 'last' in window ? ago < ms(window.last) : ago < ms(window.from) && ago >= ms(window.to);
}

/** The ids, sorted. */
export const expectedNames = ({ event, where, window }: LeafOf<'event'>, events: readonly PastCustomEvent[], now: number): readonly string[] =>
  events
    .filter((one) => one.name === event && lies(one.time, window, now) && meetsEach(one.properties, where))
    .map(({ id }) => id)
    .sort();

/** The leaves over events in an explanation, also those of segments that it refers to. */
export const explainedEvents = (node: ExplainedRule): readonly ExplainedRule[] => [
  ...(node.rule?.type === 'event' ? [node] : []),
  ...(node.rules ?? []).flatMap(explainedEvents),
];
