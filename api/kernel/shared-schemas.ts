import { count, named, record, text, textOf } from '../../domain/kernel/schema.js';

/** The actor of a change: a user, an API key, a contact or the service itself. */
export const actorSchema = named('Actor', record({ kind: text, id: textOf({}) }));

/** The problems of one item of a list; `index` counts from 0. */
export const itemError = named('ItemError', record({ index: count, field: textOf({}), code: text, message: text }));
