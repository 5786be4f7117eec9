/** Why a contact has its score: what goes in, and how it compares with the median buyer of the account. */
import { type Purchase, summarize } from './purchase-history.js';
import { type Buyer, probabilityAlive, probabilityOfPurchase } from './purchase-model.js';
import { dayOfTime, MODEL, type ModelInForce } from './score-contact.js';

export interface Driver {
  readonly factor: 'recency' | 'frequency' | 'age';
  /** Whether further purchases are more or less likely because of it than with the median buyer's. */
  readonly direction: 'raises' | 'lowers' | 'neutral';
  readonly text: string;
}

export interface ScoreInputs {
  readonly x: number;
  readonly t_x_days: number;
  readonly age_days: number;
  readonly mean_order_value: number | null;
}

export interface ContactFigures {
  readonly inputs: ScoreInputs;
  readonly p_alive: number | null;
  /** By falling influence. */
  readonly drivers: readonly Driver[];
  /** Sum of the amounts of all purchases that have one. */
  readonly historic_value: number;
}

/** Null without a purchase. */
export function figuresOfContact(model: ModelInForce | null, purchases: readonly Purchase[], now: number): ContactFigures | null {
  const summary = summarize(purchases, dayOfTime(now));
  if (!summary) return null;
  const { x, t_x, T, value, repeatValue } = summary;
  const mean = x > 0 ? (repeatValue === null ? null : repeatValue / x) : value > 0 ? value : null;
  const inputs = { x, t_x_days: t_x, age_days: T, mean_order_value: mean };
  const parameters = model?.parameters ?? null;
  if (!model || !parameters) return { inputs, p_alive: null, drivers: [], historic_value: value };
  return { inputs, p_alive: probabilityAlive(MODEL, parameters, summary), drivers: driversOf(model, summary), historic_value: value };
}

const NOTICEABLE = 0.005;

function driversOf(model: ModelInForce, { x, t_x, T }: Buyer): Driver[] {
  const { typical, parameters, churn_days } = model;
  if (!parameters) return [];
  const recency = T - t_x;
  const chance = (buyer: Buyer): number => probabilityOfPurchase(MODEL, parameters, buyer, churn_days);
  const own = chance({ x, t_x, T });
  const others = [
    {
      factor: 'recency' as const,
      by: own - chance({ x, t_x: x === 0 ? 0 : Math.max(0, T - typical.recency), T: x === 0 ? typical.recency : T }),
      text: `Last purchase ${days(recency)} ago; the median buyer's is ${days(typical.recency)} ago.`,
    },
    {
      factor: 'frequency' as const,
      by: own - chance({ x: typical.x, t_x: typical.x === 0 ? 0 : t_x, T }),
      text: `${x} repeat ${x === 1 ? 'purchase' : 'purchases'}; the median buyer has ${typical.x}.`,
    },
    {
      factor: 'age' as const,
      by: own - chance({ x, t_x: x === 0 ? 0 : Math.max(0, typical.T - recency), T: Math.max(typical.T, x === 0 ? 0 : recency) }),
      text: `First purchase ${days(T)} ago; the median buyer's was ${days(typical.T)} ago.`,
    },
  ];
  return others
    .sort((a, b) => Math.abs(b.by) - Math.abs(a.by))
    .map(({ factor, by, text }) => ({ factor, direction: Math.abs(by) < NOTICEABLE ? 'neutral' : by > 0 ? 'raises' : 'lowers', text }));
}

const days = (n: number): string => (n === 1 ? '1 day' : `${n} days`);
