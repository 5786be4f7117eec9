import type { Context } from '../runtime/command.js';

/** The user who acts; null for a key or the operator. */
export const userOf = ({ cause: { actor } }: Pick<Context, 'cause'>): string | null => (actor.kind === 'user' ? actor.id : null);
