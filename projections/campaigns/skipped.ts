import { type ExpansionEvent, expansionStream, type Skip } from '../../domain/campaigns/expansion.js';
import type { EventLog } from '../../log/runtime/event-log.js';

/** A contact of the audience without a message. */
export interface SkippedRecipient extends Skip {
  readonly skipped_at: string;
  /** Its place among those of the campaign. */
  readonly cursor: string;
}

/** Steps that are read at once. */
const PARTS = 100;
const DIGITS = 10;
const cursorOf = (step: number, index: number): string => `${String(step).padStart(DIGITS, '0')}/${String(index).padStart(DIGITS, '0')}`;

interface Range {
  /** The place of the last one of the page before. */
  readonly after: string | null;
  readonly descending: boolean;
  readonly take: number;
}

/** Those whom a campaign has skipped so far, in the order of its steps. */
export async function skippedRecipients(log: EventLog, campaignId: string, { after, descending, take }: Range): Promise<SkippedRecipient[]> {
  const stream = expansionStream(campaignId);
  const found: SkippedRecipient[] = [];
  let from = after === null ? undefined : Number(after.slice(0, DIGITS));
  for (;;) {
    const parts = (await log.read<ExpansionEvent>(stream, { limit: PARTS, backwards: descending, ...(from !== undefined && { from }) })) ?? [];
    for (const { revision, event } of parts) {
      const { skips = [], at } = event.data;
      const rows = skips.map((one, i) => ({ ...one, skipped_at: at, cursor: cursorOf(revision, i) }));
      const isBeyond = ({ cursor }: SkippedRecipient): boolean => after === null || (descending ? cursor < after : cursor > after);
      found.push(...(descending ? rows.reverse() : rows).filter(isBeyond));
      if (found.length >= take) return found.slice(0, take);
    }
    const last = parts.at(-1)?.revision;
    if (last === undefined || parts.length < PARTS || (descending && last === 0)) return found;
    from = descending ? last - 1 : last + 1;
  }
}
