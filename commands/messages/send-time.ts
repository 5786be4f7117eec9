import type { FieldProblem } from '../../domain/kernel/errors.js';

/** A request may take a while to arrive, and clocks differ; what is later was meant for another time. */
export const SEND_TIME_GRACE_MS = 60_000;

/** A time to send that has passed. Such a request is no repeat of one that was accepted. */
export function sendTimeProblems({ send_at }: { readonly send_at?: string }, now: string): FieldProblem[] {
  if (send_at === undefined || Date.parse(send_at) + SEND_TIME_GRACE_MS >= Date.parse(now)) return [];
  return [{ field: 'send_at', code: 'in_the_past', message: `${send_at} has passed. Give a later time, or leave this field out to send now.` }];
}
