/** The input of RecordConsent for a statement about marketing, without proof. */
export const marketingConsent = <Status extends 'granted' | 'withdrawn' | 'pending', Channel extends 'email' | 'sms' | 'all'>(
  contact_id: string,
  status: Status,
  channel: Channel,
) => ({
  contact_id,
  channel,
  purpose: 'marketing' as const,
  status,
  lawful_basis: 'consent' as const,
  source: 'spec',
  proof: {},
  cause: { kind: 'request' as const, id: 'req_SPEC' },
});
