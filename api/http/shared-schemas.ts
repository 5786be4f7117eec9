import { annotate, boundedText, count, flag, list, named, optional, record, text } from '../../domain/kernel/schema.js';
import { MAX_LISTED_PROBLEMS } from './errors.js';

/** The actor of a change: a user, an API key, a contact or the service itself. */
export const actorSchema = named('Actor', record({ kind: text, id: boundedText({}) }));

/** Further fields of a problem, by its code. */
export const problemDetails = { allowed: optional(list(text)), limit: optional(count), received: optional(count) };

/** True if an answer has more problems than it lists. */
export const truncated = annotate(flag, { description: `True if there are more than the ${MAX_LISTED_PROBLEMS} problems that are listed.` });

/** What is wrong with one item of a list; `index` counts from 0. */
export const itemError = named('ItemError', record({ index: count, field: boundedText({}), code: text, message: text, ...problemDetails }));

/** The problems of items in an answer that is not an error. */
export const itemErrors = { errors: list(itemError), errors_truncated: optional(truncated) };
