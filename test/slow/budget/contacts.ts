import type { Installation } from './installation.js';

/** What each scenario has a thousand of. */
export const COUNT = 1_000;

export const emailOf = (nth: number): string => `reader${nth}@example.com`;
const contactOf = (nth: number) => ({ email: emailOf(nth), first_name: `Ada ${nth}`, tags: [`group-${nth % 10}`] });

/** A thousand contacts by an import, until all read models have them. */
export async function importContacts(installation: Installation, more: object = {}): Promise<void> {
  const contacts = Array.from({ length: COUNT }, (_, nth) => contactOf(nth));
  await installation.ask('POST', '/v1/contacts/import', { contacts, ...more });
  await installation.untilRecorded('JobFinished', 1);
}
