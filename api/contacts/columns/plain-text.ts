import { bareText } from '../../../formats/contacts/bare-text.js';

/** A name or value without case, accents and marks: `E-Mail-Adresse` is `e_mail_adresse`, `Désinscrit` is `desinscrit`. */
export const plainText = (text: string): string =>
  bareText(text)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
