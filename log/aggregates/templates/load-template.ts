import { notFound } from '../../../domain/kernel/errors.js';
import { arithmeticOf } from '../../../domain/templates/arithmetic.js';
import { partialStream, type StoredPartial, templatePartial } from '../../../domain/templates/partial.js';
import { evolve, type TemplateDetails, type TemplateEvent, template, templateStream, toTemplateDetails } from '../../../domain/templates/template.js';
import type { EventLog } from '../../runtime/event-log.js';
import { findOwn, loadAggregate, ownOf, type ReadBound } from '../load-aggregate.js';

interface LoadTemplate {
  /** The content of this version, instead of the latest one. */
  readonly version?: number | undefined;
  /** As it was then, where no version is given. */
  readonly until?: ReadBound | undefined;
  readonly includeDeleted?: boolean;
}

/** A template of an account. Throws `not_found` if there is none, if it is deleted, or if it has no such version. */
export async function loadTemplate(log: EventLog, account: string, id: string, options: LoadTemplate = {}): Promise<TemplateDetails> {
  const found = await findTemplate(log, account, id, options);
  if (!found) throw notFound('template', id);
  return found;
}

/** The same, or null. */
export async function findTemplate(
  log: EventLog,
  account: string,
  id: string,
  { version, until, includeDeleted = false }: LoadTemplate = {},
): Promise<TemplateDetails | null> {
  const found = await findOwn(log, template, account, id, { until: version === undefined ? until : undefined, includeDeleted });
  if (!found) return null;
  const latest = calculating(toTemplateDetails(found.state));
  if (version === undefined || version === latest.version) return latest;
  if (version < 1 || version > latest.version) return null;
  const [stored] = (await log.read<TemplateEvent>(templateStream(id), { from: version - 1, limit: 1 })) ?? [];
  const old = stored ? evolve(version === 1 ? template.initial : { ...latest, status: 'active' }, stored.event) : null;
  return old && { ...calculating(toTemplateDetails(old)), created_at: latest.created_at };
}

/** A version that does not say how it calculates is from before there were decimals. */
const calculating = (details: TemplateDetails): TemplateDetails => ({
  ...details,
  content: { ...details.content, arithmetic: arithmeticOf(details.content) },
});

/** A partial of an account, as it was then where `until` is given; or null. */
export async function findPartial(log: EventLog, account: string, key: string, until?: ReadBound): Promise<StoredPartial | null> {
  const found = ownOf(await loadAggregate(log, templatePartial, partialStream(account, key), { until }), account);
  if (found?.state.status !== 'stored') return null;
  const { status: _, ...stored } = found.state;
  return stored;
}
