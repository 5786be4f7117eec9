import type { Position, ReadModels } from '../../../domain/kernel/ports.js';
import type { EventLog } from '../../../log/runtime/event-log.js';
import { forms } from '../../../projections/forms/projection.js';
import { formQueries, type SubmissionView } from '../../../projections/forms/queries.js';

const PAGE = 500;
const CATCH_UP_MS = 2_000;
/** Sorts after every suffix of a time. */
const AFTER_TIME = '~';

interface ExportRange {
  readonly after: string | null;
  readonly since: Position;
  readonly created_after?: string;
  readonly created_before?: string;
}

/** Pages of submissions, oldest first, without those of erased contacts. Null if the read model has not reached `since` within two seconds. */
export const submissionPageLoader =
  ({ log, views }: { readonly log: EventLog; readonly views: ReadModels }) =>
  async (
    form_id: string,
    { after, since, created_after, created_before }: ExportRange,
  ): Promise<{ readonly submissions: readonly SubmissionView[]; readonly next: string | null } | null> => {
    if (!(await views.waitUntilReached(forms, since, CATCH_UP_MS))) return null;
    const queries = formQueries({ log, views });
    const start = after ?? (created_after === undefined ? null : created_after + AFTER_TIME);
    const found = await queries.submissions(form_id, {}, { after: start, descending: false, limit: PAGE });
    const within = found.filter(({ submitted_at }) => created_before === undefined || submitted_at < created_before);
    const submissions = (await queries.show(within)).filter(({ erased }) => !erased);
    const full = found.length === PAGE && within.length === PAGE;
    return { submissions, next: full ? (found.at(-1)?.sort ?? null) : null };
  };
