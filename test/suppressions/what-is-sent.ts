import type { SettingsPatch } from '../../domain/accounts/settings.js';
import type { PersonalAddress, World } from './world-of-causes.js';

export const tableChannels = ['email', 'sms', 'whatsapp', 'rcs'] as const;
export type TableChannel = (typeof tableChannels)[number];

/** The categories that are sent. */
export type Sent = 'all' | 'transactional' | 'none';

export interface CauseRow {
  /** As the documentation prints it. */
  readonly cause: string;
  /** Settings of the account. */
  readonly settings?: SettingsPatch;
  readonly happens: (world: World) => Promise<unknown>;
  /** What is sent to the person afterward; all categories on the channels that are left out. */
  readonly sent: Partial<Readonly<Record<TableChannel, Sent>>>;
  /** For causes that allow more: what was refused before stays so. */
  readonly onlyAfterwards?: boolean;
}

const none = { email: 'none', sms: 'none', whatsapp: 'none', rcs: 'none' } as const;
const transactional = { email: 'transactional', sms: 'transactional', whatsapp: 'transactional', rcs: 'transactional' } as const;
const email: PersonalAddress = 'email';

/** What is sent to a person with an email address and a phone number after each cause. A spec runs it, and the guide docs/guides/consent.md prints it. */
export const whatIsSent: readonly CauseRow[] = [
  { cause: 'Nothing is recorded', happens: async () => {}, sent: {} },
  {
    cause: 'Nothing is recorded, and the account has the rule `opt_in` for email',
    settings: { marketing_consent: { email: 'opt_in' } },
    happens: async () => {},
    sent: { email: 'transactional' },
  },
  {
    cause: 'Unsubscribe link or one click in a marketing email',
    happens: (world) => world.unsubscribe('one_click'),
    sent: { email: 'transactional' },
  },
  { cause: 'Email switched off on the preference page', happens: (world) => world.unsubscribe('page'), sent: { email: 'transactional' } },
  {
    cause: 'Email switched off and on again on the preference page',
    happens: async (world) => {
      await world.unsubscribe('page');
      await world.switchOn();
    },
    sent: {},
  },
  { cause: 'Left a list, by the page or the API', happens: (world) => world.leaveList(), sent: {} },
  { cause: 'Added to a list with double opt-in, and not confirmed', happens: (world) => world.askToConfirm(), sent: {} },
  {
    cause: 'Confirmed a list with double opt-in, and the account has the rule `opt_in` for email',
    settings: { marketing_consent: { email: 'opt_in' } },
    happens: (world) => world.confirm(),
    sent: {},
    onlyAfterwards: true,
  },
  {
    cause: 'Unsubscribe link in a marketing email, then a list with double opt-in confirmed',
    happens: async (world) => {
      await world.unsubscribe('one_click');
      await world.confirm();
    },
    sent: {},
  },
  {
    cause: 'Email suppressed by the account with the scope `marketing`, then a list with double opt-in confirmed',
    happens: async (world) => {
      await world.suppress(email, { channel: 'email', reason: 'unsubscribed', scope: 'marketing' });
      await world.confirm();
    },
    sent: { email: 'transactional' },
  },
  { cause: '`STOP` as an SMS', happens: (world) => world.text('STOP'), sent: { sms: 'none' } },
  {
    cause: '`STOP`, then `START` as an SMS',
    happens: async (world) => {
      await world.text('STOP');
      await world.text('START');
    },
    sent: {},
  },
  {
    cause: 'The carrier refuses an SMS, because the person has opted out there',
    happens: (world) => world.refusedAsOptedOut(),
    sent: { sms: 'none' },
  },
  {
    cause: 'The carrier reports that it has the number as opted out, then `START` as an SMS',
    happens: async (world) => {
      await world.listed('sms', 'opted_out');
      await world.text('START');
    },
    sent: {},
  },
  {
    cause: 'The carrier reports that it has the email address as unsubscribed',
    happens: (world) => world.listed('email', 'opted_out'),
    sent: { email: 'none' },
  },
  {
    cause: 'The carrier reports that it has the email address as that of a complaint',
    happens: (world) => world.listed('email', 'complained'),
    sent: { email: 'none' },
  },
  { cause: 'Spam complaint about an email', happens: (world) => world.feedback('complained'), sent: { email: 'none' } },
  { cause: 'Hard bounce of an email', happens: (world) => world.feedback('bounced'), sent: { email: 'none' } },
  {
    cause: 'Email imported or suppressed by the account, whatever the reason',
    happens: (world) => world.suppress(email, {}),
    sent: { email: 'none' },
  },
  {
    cause: 'The same with the scope `marketing`',
    happens: (world) => world.suppress(email, { scope: 'marketing' }),
    sent: { email: 'transactional' },
  },
  {
    cause: 'Phone number suppressed on all channels',
    happens: (world) => world.suppress('phone', {}),
    sent: { ...none, email: 'all' },
  },
  {
    cause: 'Phone number suppressed on `whatsapp`',
    happens: (world) => world.suppress('phone', { channel: 'whatsapp' }),
    sent: { whatsapp: 'none' },
  },
  {
    cause: 'Unsubscribe link, then suppressed by the account',
    happens: async (world) => {
      await world.unsubscribe('one_click');
      await world.suppress(email, { channel: 'email', reason: 'unsubscribed' });
      await world.switchOn();
    },
    sent: { email: 'none' },
  },
  { cause: 'Marketing consent withdrawn for email', happens: (world) => world.consent('withdrawn', 'email'), sent: { email: 'transactional' } },
  { cause: 'Marketing consent withdrawn for all channels', happens: (world) => world.consent('withdrawn', 'all'), sent: transactional },
  {
    cause: 'Marketing consent set to `pending` by the account, for email',
    happens: (world) => world.consent('pending', 'email'),
    sent: { email: 'transactional' },
  },
  { cause: 'Contact erased', happens: (world) => world.erase(), sent: none },
];

/** As the guide prints it. */
export function whatIsSentTable(): string {
  const words = { all: 'all', transactional: 'transactional', none: '**nothing**' } as const;
  const header = ['Cause', 'Email', 'SMS', 'WhatsApp', 'RCS'];
  const rows = whatIsSent.map(({ cause, sent }) => [cause, ...tableChannels.map((channel) => words[sent[channel] ?? 'all'])]);
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
