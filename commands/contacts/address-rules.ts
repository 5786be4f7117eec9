import { parseAddress } from '../../formats/contacts/parse-address.js';
import type { ValidationRule } from '../runtime/rules.js';

const addressRule =
  (kind: 'email' | 'phone'): ValidationRule<string> =>
  (text) => {
    const parsed = parseAddress(kind, text);
    return typeof parsed === 'string' ? [] : [{ ...parsed, field: '' }];
  };

/** The rules of texts that have to be an address of one kind. */
export const emailRule = addressRule('email');
export const phoneRule = addressRule('phone');
