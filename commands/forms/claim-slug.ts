import { formSlug, formSlugStream } from '../../domain/forms/slug.js';
import { findForm, findFormOfSlug } from '../../log/aggregates/forms/load-form.js';
import type { Context } from '../runtime/command.js';

/**
 * Claims a slug before a form takes it. A claim that its form does not use, because a run broke off, can be taken over later. Throws
 * `conflict` if another form has the slug.
 */
export async function claimSlug(context: Context, slug: string, form_id: string): Promise<void> {
  const holder = await findFormOfSlug(context.log, slug);
  const held = holder === null ? null : await findForm(context.log, holder);
  const unused = holder !== null && held?.form.definition.slug !== slug ? { unused: holder } : {};
  await context.decide(formSlug, formSlugStream(slug), { type: 'Claim', slug, form_id, ...unused, now: context.now });
}

/** Lets other forms take a slug. */
export async function releaseSlug(context: Context, slug: string, form_id: string): Promise<void> {
  await context.decide(formSlug, formSlugStream(slug), { type: 'Release', slug, form_id, now: context.now });
}
