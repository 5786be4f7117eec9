import type { Schedule } from '../../domain/campaigns/definition.js';
import { earliestAnywhere } from '../../domain/campaigns/send-time.js';
import { type FieldProblem, invalid } from '../../domain/kernel/errors.js';
import { utcOffsetsOf } from '../../formats/messages/utc-offsets.js';
import { SEND_TIME_GRACE_MS } from '../messages/message-problems.js';
import type { Context } from '../runtime/command.js';

const DAY_MS = 86_400_000;

/** When a campaign starts that is to be sent at `send_at`: in the zones of contacts where the local time comes first. */
export async function startTime(schedule: Schedule & { readonly send_at: string }, context: Context): Promise<string> {
  const { send_at, timezone, use_contact_timezone } = schedule;
  if (!use_contact_timezone) return send_at;
  const zone = utcOffsetsOf(timezone ?? (await context.ports.messages.marketingRules(context.cause.account))?.timezone ?? 'UTC') ?? (() => 0);
  return new Date(earliestAnywhere(Date.parse(send_at), zone)).toISOString();
}

/** Throws `validation_error` where the time to send has passed, of local times in all zones. */
export function requireAhead({ send_at, use_contact_timezone = false }: Schedule & { readonly send_at: string }, field: string, now: string): void {
  const last = Date.parse(send_at) + (use_contact_timezone ? DAY_MS : 0);
  if (last + SEND_TIME_GRACE_MS < Date.parse(now)) throw invalid([{ ...past, field }]);
}

const past: Omit<FieldProblem, 'field'> = {
  code: 'in_the_past',
  message: 'This time has passed. Give a later one, or start the campaign now with POST /v1/campaigns/:id/send.',
};
