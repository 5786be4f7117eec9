import { named, record, text, textOf } from '../../domain/kernel/schema.js';

/** Who made a change: a user, an API key, a contact or the service itself. */
export const actorSchema = named('Actor', record({ kind: text, id: textOf({}) }));
