import { ERASED } from '../../domain/kernel/erased.js';
import type { ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { hashId } from '../../log/runtime/ids.js';
import type { PageRange } from '../runtime/paging.js';
import { type ActivityDoc, activity, ENTRIES, KEPT_DAYS } from './projection.js';
import type { ValueChanges } from './values.js';

/** An entry with the names opened. */
export interface ActivityEntry {
  readonly id: string;
  readonly at: string;
  readonly actor: { readonly kind: ActivityDoc['actor_kind']; readonly id: string; readonly name: string | null };
  readonly action: string;
  readonly resource: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly changes: ValueChanges;
  readonly count: number;
  readonly ip: string | null;
  readonly user_agent: string | null;
  readonly request_id: string | null;
}

export interface ActivityFilter {
  readonly actor_id?: string;
  readonly action?: string;
  readonly resource_kind?: string;
  readonly resource_id?: string;
}

const DAY_MS = 86_400_000;

export type ActivityQueries = ReturnType<typeof activityQueries>;

/** Queries over the activity of an account. Opens names, and the origin of what users did. */
export function activityQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<ActivityDoc>(activity, ENTRIES);
  return {
    /** Documents in the order of `sort`, without those that are too old at `now` (milliseconds since 1970). */
    page(account: string, filter: ActivityFilter, { after, descending, limit }: PageRange, now: number): Promise<ActivityDoc[]> {
      const oldest = new Date(now - KEPT_DAYS * DAY_MS).toISOString();
      const bounds = descending ? { gt: oldest, ...(after !== null && { lt: after }) } : { gt: after !== null && after > oldest ? after : oldest };
      return docs.find({ where: { account, ...filter }, range: { field: 'sort', ...bounds }, order: { field: 'sort', descending }, limit });
    },

    async show(rows: readonly ActivityDoc[]): Promise<ActivityEntry[]> {
      const boxes = rows.flatMap(({ actor_boxes, resource_boxes, origin }) => [
        ...actor_boxes,
        ...resource_boxes,
        ...(origin === null ? [] : [origin]),
      ]);
      const opened = (await log.openBoxes(boxes)).values();
      const next = (count: number) => Array.from({ length: count }, () => opened.next().value ?? null);
      return rows.map((row) => {
        const [ofActor, ofResource] = [next(row.actor_boxes.length), next(row.resource_boxes.length)];
        const origin = row.origin === null ? null : (next(1)[0] ?? { ip: ERASED, user_agent: ERASED });
        const { id, at, action, changes, count, request_id } = row;
        return {
          id: hashId('act', id),
          at,
          actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_kind === 'operator' ? 'Operator' : (row.actor_name ?? nameIn(ofActor)) },
          action,
          resource: { kind: row.resource_kind, id: row.resource_id, name: row.resource_name ?? nameIn(ofResource) },
          changes,
          count,
          ip: textOf(origin?.ip),
          user_agent: textOf(origin?.user_agent),
          request_id,
        };
      });
    },
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

/** Of a user: the name, or else the email; of an endpoint: its description, or else its URL. The last box has the latest of them. */
function nameIn(boxes: readonly (Readonly<Record<string, unknown>> | null)[]): string | null {
  if (boxes.length === 0) return null;
  if (boxes.every((box) => box === null)) return ERASED;
  const fields = Object.assign({}, ...boxes) as Readonly<Record<string, unknown>>;
  return textOf(fields.name) ?? textOf(fields.description) ?? textOf(fields.email) ?? textOf(fields.url);
}
