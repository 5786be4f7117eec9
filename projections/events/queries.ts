import type { ReadModels } from '../../domain/kernel/ports.js';
import type { EventLog } from '../../log/runtime/event-log.js';
import { type CustomEventDoc, customEvents } from './projection.js';

/** A custom event with its properties opened. */
export interface CustomEventView extends Pick<CustomEventDoc, 'id' | 'contact_id' | 'event' | 'occurred_at' | 'accepted_at'> {
  /** Empty once the contact is erased. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Whether the key of the properties is destroyed. */
  readonly erased: boolean;
}

export interface CustomEventFilter {
  readonly account: string;
  /** The ids of one unified contact, or null for all contacts. */
  readonly contact_ids: readonly string[] | null;
  readonly event?: string | undefined;
  /** Exclusive bounds, RFC 3339 with milliseconds. */
  readonly occurred_after?: string | undefined;
  readonly occurred_before?: string | undefined;
  /** `sort` of the last row of the previous page. */
  readonly after: string | null;
  readonly descending: boolean;
  readonly limit: number;
}

export type CustomEventQueries = ReturnType<typeof customEventQueries>;

/** Queries over the custom events. */
export function customEventQueries({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) {
  const docs = views.docs<CustomEventDoc>(customEvents, 'events');

  return {
    /** Documents in the order of `sort`, properties sealed. */
    async page({ contact_ids, ...filter }: CustomEventFilter): Promise<CustomEventDoc[]> {
      const { account, event, occurred_after, occurred_before, after, descending, limit } = filter;
      // `sort` begins with the time, so bounds of time are bounds of `sort`. '~' sorts after every suffix of a time.
      const lower = [occurred_after && `${occurred_after}~`, !descending && after].filter(isText).sort().at(-1);
      const upper = [occurred_before, descending && after].filter(isText).sort().at(0);
      const walks = contact_ids === null ? [{}] : contact_ids.map((contact_id) => ({ contact_id }));
      const found = await Promise.all(
        walks.map((contact) =>
          docs.find({
            where: { account, ...contact, ...(event !== undefined && { event }) },
            range: { field: 'sort', ...(lower !== undefined && { gt: lower }), ...(upper !== undefined && { lt: upper }) },
            order: { field: 'sort', descending },
            limit,
          }),
        ),
      );
      const sign = descending ? -1 : 1;
      return found
        .flat()
        .sort((a, b) => (a.sort < b.sort ? -sign : sign))
        .slice(0, limit);
    },

    /** The names of all events of an account, at most so many, in order: one look at the index for each. */
    async names(account: string, most: number): Promise<string[]> {
      const found: string[] = [];
      for (let last = ''; found.length < most; ) {
        const [next] = await docs.find({ where: { account }, range: { field: 'event', gt: last }, order: { field: 'event' }, limit: 1 });
        if (!next) break;
        last = next.event;
        found.push(last);
      }
      return found;
    },

    /** Undefined if there is none in this account. */
    async find(account: string, id: string): Promise<CustomEventDoc | undefined> {
      const doc = await docs.get(id);
      return doc?.account === account ? doc : undefined;
    },

    async show(rows: readonly CustomEventDoc[]): Promise<CustomEventView[]> {
      const opened = await log.openBoxes(rows.map(({ sealed }) => sealed));
      return rows.map(({ id, contact_id, event, occurred_at, accepted_at }, i) => {
        const properties = opened[i]?.properties as Record<string, unknown> | undefined;
        return { id, contact_id, event, properties: properties ?? {}, occurred_at, accepted_at, erased: properties === undefined };
      });
    },
  };
}

const isText = (value: string | false | null | undefined): value is string => typeof value === 'string';
