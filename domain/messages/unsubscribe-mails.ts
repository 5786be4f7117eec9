/** The mails by which people, and mail programs in their name, unsubscribe: `List-Unsubscribe: <mailto:…?subject=unsubscribe>` (RFC 2369). */

/** Whether a subject asks for it. Nothing else stands in it: a question about unsubscribing is for a person to answer. */
export const isUnsubscribeSubject = (subject: string | null): boolean => /^\s*unsubscribe\s*$/i.test(subject ?? '');
