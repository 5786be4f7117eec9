import { MARK } from './free-texts.js';

export const EMAIL = 'ada.marked@example.com';
const PHONE = '+14155550177';
const named = (name: string): string => `${MARK} <${name}@example.com>`;

/** A valid body about one person, who is erased. `keep`: fields that get no marker but where the body says so. */
export interface Given {
  readonly body: object;
  readonly keep?: readonly string[];
}

const mail = {
  to: `${MARK} <${EMAIL}>`,
  from: named('hello'),
  reply_to: named('replies'),
  cc: [named('cc')],
  bcc: [named('bcc')],
  headers: { [`X-${MARK}`]: MARK },
  channel: 'email',
  message: 'Hello',
  attachments: [{ filename: 'a.pdf', content: MARK }],
};
/** Mailboxes, names of headers and Base64 have a form of their own; ids are those of the service. */
const mailKeeps = (at = '', ...more: readonly string[]): string[] =>
  ['to', 'from', 'reply_to', 'cc', 'bcc', 'headers', 'attachments[0].content', 'contact_id', 'template_id', 'push', 'whatsapp_template', ...more].map(
    (name) => `${at}${name}`,
  );

const ofWhatsapp = {
  to: PHONE,
  channel: 'whatsapp',
  message: 'Hello',
  whatsapp_template: { content_sid: `HX${'0'.repeat(32)}`, name: 'greeting', language: 'en', variables: { 1: MARK } },
};

const custom_fields = { note: MARK };
const contact = { contact: { email: EMAIL }, event: 'seen' };
const ofContact = ['email', 'phone', 'other_emails', 'other_phones', 'locale', 'timezone', 'custom_fields'] as const;
const consent = { channel: 'email', purpose: 'marketing', status: 'granted' };

const imported: readonly Given[] = [
  {
    body: { contacts: [{ email: EMAIL, custom_fields }], consent, confirmed: true },
    keep: [
      'list_ids',
      'confirmed',
      'mapping',
      'ignore_columns',
      'delimiter',
      'encoding',
      'date_format',
      'country',
      'file',
      ...ofContact.map((name) => `contacts[0].${name}`),
    ],
  },
];

/** By operation: bodies that together have all its texts. Whatever refuses a marker has to be named in `keep`. The body of an operation without an entry is its recorded example. */
export const markedBodies: Readonly<Record<string, readonly Given[]>> = {
  sendMessage: [
    { body: mail, keep: mailKeeps() },
    { body: ofWhatsapp, keep: mailKeeps('', 'media_urls', 'attachments') },
  ],
  sendMessages: [
    { body: { messages: [mail] }, keep: ['defaults', ...mailKeeps('messages[0].')] },
    { body: { messages: [{ to: EMAIL }], defaults: { ...mail, to: undefined } }, keep: ['messages', ...mailKeeps('defaults.')] },
  ],
  upsertContact: [{ body: { email: EMAIL, phone: PHONE, custom_fields, confirmed: true }, keep: [...ofContact, 'list_ids', 'confirmed'] }],
  updateContact: [{ body: { custom_fields }, keep: ofContact }],
  importContacts: imported,
  previewContactImport: imported,
  // What a filter looks for is sealed under the key of its job; tags are labels, which are not encrypted.
  exportContacts: [
    {
      body: { filter: { email: EMAIL } },
      keep: ['filter.email', 'filter.phone', 'filter.tag', 'filter.list_id', 'filter.segment_id', 'filter.custom_fields'],
    },
  ],
  bulkChangeContacts: [{ body: { action: 'tag', tags: ['vip'], ids: ['con_0'] }, keep: ['filter', 'ids', 'tags', 'list_id'] }],
  recordEvent: [{ body: contact, keep: ['contact'] }],
  enrollContact: [{ body: { contact: { email: EMAIL } }, keep: ['contact', 'contact_id'] }],
  recordEvents: [{ body: { events: [contact] }, keep: ['events[0].contact'] }],
  addMembers: [{ body: { emails: [EMAIL], confirmed: true }, keep: ['contact_ids', 'emails', 'phones', 'confirmed'] }],
  importSuppressions: [
    { body: { entries: [{ email: EMAIL }] }, keep: ['emails', 'phones', 'entries[0].email', 'entries[0].phone', 'entries[0].domain'] },
    { body: { emails: [EMAIL], reason: 'legal' }, keep: ['entries', 'emails', 'phones'] },
  ],
  suppressAddress: [{ body: { email: EMAIL }, keep: ['email', 'phone'] }],
  submitForm: [{ body: { fields: { email: EMAIL, note: MARK } }, keep: ['fields.email', 'token'] }],
  simulateInboundMessage: [{ body: { from: PHONE, text: 'Hello' }, keep: ['from'] }],
};

/** A file of an import: a marker in each column that takes texts, and in the name of one. */
export const CONTACTS_CSV = ['email,first_name,last_name,tags,note,extra', `${EMAIL},${MARK},${MARK},,${MARK},${MARK}`].join('\n');
export const SUPPRESSIONS_CSV = ['email,reason,source', `${EMAIL},manual,${MARK}`].join('\n');
