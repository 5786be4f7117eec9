/** The kinds of receipts that feedback can be. */
export type FeedbackMeaning = 'complained' | 'unsubscribed';

/**
 * What the types of a feedback report mean (RFC 5965, 7.3; RFC 6591 for authentication failures; RFC 6430 for `not-spam`; the older drafts
 * of RFC 5965 for opting out and DKIM). Null: it is about no complaint of a recipient. Further types are complaints.
 */
const feedbackTypes: ReadonlyMap<string, FeedbackMeaning | null> = new Map([
  ['abuse', 'complained'],
  ['fraud', 'complained'],
  ['other', 'complained'],
  ['opt-out', 'unsubscribed'],
  ['opt-out-list', 'unsubscribed'],
  ['not-spam', null],
  ['auth-failure', null],
  ['dkim', null],
  ['dmarc', null],
  ['spf', null],
  ['virus', null],
]);

/** What a type of feedback means for the address, or null. Without a type it means nothing. */
export function meaningOfFeedback(type: string): FeedbackMeaning | null {
  const name = type.trim().toLowerCase();
  if (name === '') return null;
  const known = feedbackTypes.get(name);
  return known === undefined ? 'complained' : known;
}
