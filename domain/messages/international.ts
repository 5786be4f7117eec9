/** Whether an address in normal form has letters such as ö before the @, so that its mail needs SMTPUTF8 (RFC 6531). */
export const isInternational = (address: string): boolean => /[^\0-\x7f]/.test(address);
