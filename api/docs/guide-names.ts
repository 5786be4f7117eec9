/** The guides in reading order. The texts are in `docs/`, by name. */
export const guides = {
  'first-message': { title: 'First message', about: 'A key, a message, its status and its events.' },
  sandbox: { title: 'Sandbox recipients', about: 'Addresses that bounce, answer or stay silent, and test keys.' },
  statuses: { title: 'Statuses and reasons', about: 'What can become of a message, as a picture and as tables.' },
  'sending-email': { title: 'Sending email', about: 'Senders, domains and their records, and unsubscribing by a click or a mail.' },
  webhooks: { title: 'Webhooks', about: 'Payloads, retries, order and endpoints of an account.' },
  'verifying-webhooks': { title: 'Verifying webhooks', about: 'Signatures, with code in six languages.' },
  errors: { title: 'Errors', about: 'One shape, stable codes, and all problems at once.' },
  idempotency: { title: 'Repeating requests', about: 'Idempotency keys, and what is safe without one.' },
  'signing-in': { title: 'Signing in', about: 'Sessions of browsers, the second factor, forgotten passwords and invitations.' },
  'rate-limits': { title: 'Rate limits', about: 'Groups, windows, header fields and how to wait.' },
  consent: { title: 'Consent and suppression', about: 'Who may be written to, and why somebody is not.' },
  importing: { title: 'Importing contacts', about: 'CSV and JSON, dry runs, reverting and exports.' },
  moving: { title: 'Moving from another service', about: 'Suppressions first, then contacts, then history.' },
  erasure: { title: 'Erasing a person', about: 'What an erasure destroys, and what remains.' },
  segments: { title: 'Segments', about: 'Live rules over contacts and their events.' },
  templates: { title: 'Templates', about: 'Contents with places for what differs, and their preview.' },
  campaigns: { title: 'Campaigns', about: 'One message to an audience, with numbers.' },
  journeys: { title: 'Journeys', about: 'Sequences that react to what contacts do.' },
  forms: { title: 'Forms', about: 'A page or an embedded form, with the proof of consent.' },
  inbox: { title: 'The inbox', about: 'In-app messages in a page, live, with one script tag.' },
  push: { title: 'Push messages', about: 'Devices and browsers, and what became of a message on each.' },
} as const;

export type GuideName = keyof typeof guides;
