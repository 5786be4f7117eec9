import { refused } from '../../carriers/runtime/errors.js';
import { twilioErrors } from '../../carriers/twilio/codes.js';
import { recordConsent } from '../../commands/consent/record-consent.js';
import { eraseContact } from '../../commands/contacts/erase-contact.js';
import { upsertContact } from '../../commands/contacts/upsert-contact.js';
import { addToList } from '../../commands/lists/add-to-list.js';
import { confirmSubscription } from '../../commands/lists/confirm-subscription.js';
import { createList } from '../../commands/lists/create-list.js';
import { leaveList } from '../../commands/lists/leave-list.js';
import { recordReceipt } from '../../commands/messages/record-receipt.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { liftSuppression } from '../../commands/suppressions/lift-suppression.js';
import { receiveInbound } from '../../commands/suppressions/receive-inbound.js';
import { suppressAddress } from '../../commands/suppressions/suppress-address.js';
import { defaultSettings, mergeSettings, type SettingsPatch } from '../../domain/accounts/settings.js';
import { type MembershipEvent, membershipStream } from '../../domain/lists/membership.js';
import type { CarrierListing } from '../../domain/messages/send-result.js';
import type { SuppressionReason, SuppressionScope } from '../../domain/suppressions/reasons.js';
import type { SuppressionChannel } from '../../domain/suppressions/suppression.js';
import { eraseContacts } from '../../processes/contacts/erase-contacts.js';
import { confirmSubscriptions } from '../../processes/lists/confirm-subscriptions.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { followKeywords } from '../../processes/suppressions/follow-keywords.js';
import { suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { carrierThat } from '../carriers/carrier-that.js';
import { marketingConsent } from '../consent/marketing-consent.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

export type PersonalAddress = 'email' | 'phone';
const addresses = { email: 'ada@example.com', phone: '+14155550100' } as const;
const LATER_MS = 3_600_000;

export type World = Awaited<ReturnType<typeof worldOfCauses>>;

/** A contact with an email address and a phone number, messages to it, and what may happen to it. */
export async function worldOfCauses(patch: SettingsPatch = {}) {
  const handed = new Set<string>();
  /** Codes with which the carrier refuses texts. */
  const refusals = new Map([['Refused as of a person who has opted out', '21610']]);
  const carrier = carrierThat(({ message_id, content }) => {
    const refusal = refusals.get(content.message);
    if (refusal) return refused('The carrier', twilioErrors, 400, refusal);
    handed.add(message_id);
    return undefined;
  });
  const settings = mergeSettings(defaultSettings('Acme', 'UTC'), patch);
  const processes = [
    dispatchMessages({ routes: () => carrier }),
    suppressOnFeedback,
    followKeywords({ sender: async () => ({ name: 'Acme', contact: null }) }),
    confirmSubscriptions({ key: Buffer.alloc(32, 3), baseUrl: 'https://messages.example.com' }),
    eraseContacts({ erase: (subject) => app.vault.erase(subject) }),
  ];
  const app: TestApp = new TestApp(processes, { messages: { marketingRules: () => settings } });
  const contact = { email: addresses.email, phone: addresses.phone };
  const { contact_id } = (await app.execute(upsertContact, { contact, source: 'api' })).output;
  const email = { address: addresses.email, channel: 'email' } as const;
  const requestOf = (channel: 'email' | 'sms' | 'whatsapp' | 'rcs', category: 'marketing' | 'transactional', later: boolean) => ({
    to: channel === 'email' ? addresses.email : addresses.phone,
    channel,
    category,
    message: 'Hello',
    ...(channel === 'email' && { subject: 'Hello' }),
    ...(later && { send_at: new Date(app.clock.now() + LATER_MS).toISOString() }),
  });
  const list = async (opt_in: 'single' | 'double') => {
    const { id: list_id } = (await app.execute(createList, { name: 'News', description: null, opt_in })).output;
    await app.execute(addToList, { list_id, contact_ids: [contact_id], emails: [], phones: [], by: 'account', source: 'api', base_url: null });
    return list_id;
  };

  return {
    /** Accepts a message by itself and one in a bulk. They are due in an hour if `later`. Gives their ids. */
    async accept(channel: 'email' | 'sms' | 'whatsapp' | 'rcs', category: 'marketing' | 'transactional', { later }: { later: boolean }) {
      const request = requestOf(channel, category, later);
      const single = await app.execute(sendMessage, request);
      const bulk = await app.execute(sendBulk, { received: 1, items: [{ index: 0, request }], problems: [], atomic: false });
      return [single.output.id, ...bulk.output.messages.map(({ id }) => id)];
    },
    /** Lets the processes work until nothing is left. */
    finish: () => app.run(2 * LATER_MS),
    wasDispatched: (id: string) => handed.has(id),

    unsubscribe: (via: 'one_click' | 'page') => app.execute(suppressAddress, { ...email, reason: 'unsubscribed', source: via, via }),
    switchOn: () =>
      app.execute(liftSuppression, {
        address_key: app.vault.key(ACCOUNT, addresses.email),
        channel: 'email',
        by: 'page',
        because: 'chosen by the reader',
        proof: null,
      }),
    suppress: (kind: PersonalAddress, about: { channel?: SuppressionChannel; scope?: SuppressionScope; reason?: SuppressionReason }) =>
      app.execute(suppressAddress, { address: addresses[kind], channel: 'all', reason: 'manual', source: 'api', ...about }),
    async leaveList() {
      await app.execute(leaveList, { list_id: await list('single'), contact_id, by: 'person', source: 'preferences' });
    },
    async askToConfirm() {
      await list('double');
      await app.run(1_000);
    },
    async confirm() {
      const list_id = await list('double');
      await app.run(1_000);
      const asked = (await app.log.read(membershipStream(contact_id)))?.find(({ event }) => event.type === 'SubscriptionRequested')?.event;
      const { request_id } = (asked as Extract<MembershipEvent, { type: 'SubscriptionRequested' }>).data;
      await app.execute(confirmSubscription, { contact_id, list_id, request_id, ip: null, user_agent: null });
    },
    async text(text: string) {
      const about = { carrier: 'recorder', carrier_message_id: null, channel: 'sms', from: addresses.phone, to: null, answered: true } as const;
      await app.execute(receiveInbound, { ...about, text });
      await app.run(1_000);
    },
    /** An SMS that the carrier refuses, because the person has opted out there. */
    async refusedAsOptedOut() {
      const [message = ''] = refusals.keys();
      await app.execute(sendMessage, { ...requestOf('sms', 'transactional', false), message });
      await app.run(1_000);
    },
    /** A report of the carrier that it has an address on a list of its own. */
    async listed(channel: 'email' | 'sms', listed_as: CarrierListing) {
      const { id } = (await app.execute(sendMessage, requestOf(channel, 'transactional', false))).output;
      await app.run(1_000);
      const about = { carrier: 'recorder', carrier_message_id: `c-${id}`, raw_status: 'dropped', code: null, reason: 'unsubscribed' } as const;
      const kind = channel === 'email' ? 'bounced' : 'undelivered';
      await app.execute(recordReceipt, { id, receipt: { kind, ...about, listed_as, at: new Date(app.clock.now()).toISOString() } });
      await app.run(1_000);
    },
    /** A receipt of the carrier about an email. */
    async feedback(kind: 'bounced' | 'complained') {
      const { id } = (await app.execute(sendMessage, requestOf('email', 'transactional', false))).output;
      await app.run(1_000);
      const about = { carrier: 'recorder', carrier_message_id: `c-${id}`, raw_status: kind, code: null } as const;
      await app.execute(recordReceipt, { id, receipt: { kind, ...about, at: new Date(app.clock.now()).toISOString() } });
      await app.run(1_000);
    },
    consent: (status: 'withdrawn' | 'pending', channel: 'email' | 'all') => app.execute(recordConsent, marketingConsent(contact_id, status, channel)),
    async erase() {
      await app.execute(eraseContact, { contact_id });
      await app.run(1_000);
    },
  };
}
