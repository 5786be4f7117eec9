import type { CustomFields } from '../../domain/contacts/custom-field.js';
import { loadCustomFields } from '../../log/aggregates/contacts/load-custom-fields.js';
import type { Context } from '../runtime/command.js';

/** The custom fields of the caller's account. */
export const loadOwnCustomFields = ({ log, cause }: Pick<Context, 'log' | 'cause'>): Promise<CustomFields> => loadCustomFields(log, cause.account);
