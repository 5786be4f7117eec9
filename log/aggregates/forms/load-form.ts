import { evolve, type FormDetails, type FormEvent, form, formStream, toFormDetails } from '../../../domain/forms/form.js';
import { formSlug, formSlugStream } from '../../../domain/forms/slug.js';
import { notFound } from '../../../domain/kernel/errors.js';
import type { EventLog } from '../../runtime/event-log.js';
import { isOwn, loadAggregate } from '../load-aggregate.js';

interface LoadForm {
  /** The definition of this version, instead of the latest one. */
  readonly version?: number | undefined;
  readonly includeDeleted?: boolean;
}

/** A form of an account. Throws `not_found` if there is none, if it is deleted, or if it has no such version. */
export async function loadForm(log: EventLog, account: string, id: string, options: LoadForm = {}): Promise<FormDetails> {
  const found = await findForm(log, id, options);
  if (!isOwn(found, account)) throw notFound(form.resource, id);
  return found.form;
}

/** A form of any account, or null. */
export async function findForm(
  log: EventLog,
  id: string,
  { version, includeDeleted = false }: LoadForm = {},
): Promise<{ readonly form: FormDetails; readonly account: string } | null> {
  const { state, account } = await loadAggregate(log, form, formStream(id));
  if (account === null || state.status === 'new' || (state.status === 'deleted' && !includeDeleted)) return null;
  const latest = toFormDetails(state);
  if (version === undefined || version === latest.version) return { form: latest, account };
  if (version < 1 || version > latest.version) return null;
  const [stored] = (await log.read<FormEvent>(formStream(id), { from: version - 1, limit: 1 })) ?? [];
  if (!stored) return null;
  const old = evolve(version === 1 ? form.initial : { ...latest, status: 'active' }, stored.event);
  return { form: { ...toFormDetails(old), created_at: latest.created_at }, account };
}

/** The id of the form that has a slug, or null. */
export async function findFormOfSlug(log: EventLog, slug: string): Promise<string | null> {
  const { state } = await loadAggregate(log, formSlug, formSlugStream(slug));
  return state.status === 'claimed' ? state.form_id : null;
}

/** The form whose page is at a slug. Throws `not_found` if there is none that is live. */
export async function loadFormOfSlug(log: EventLog, slug: string): Promise<{ readonly form: FormDetails; readonly account: string }> {
  const id = await findFormOfSlug(log, slug);
  const found = id === null ? null : await findForm(log, id);
  if (!found || found.form.definition.slug !== slug || found.form.definition.status !== 'live') throw notFound('form', slug);
  return found;
}
