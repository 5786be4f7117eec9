/** Journeys to begin with: each is the body of a request that makes a journey, and names nothing that an account may lack. */
import type { JourneyDefinitionInput } from './definition.js';

/** A custom field that a journey reads. */
export interface NeededField {
  readonly key: string;
  readonly label: string;
  readonly type: 'date';
}

export interface JourneyTemplate {
  readonly key: string;
  readonly description: string;
  /** Fields that must be defined before. */
  readonly custom_fields: readonly NeededField[];
  readonly journey: JourneyDefinitionInput;
}

const name = "{{ contact.first_name | default: 'there' }}";
const email = (id: string, subject: string, html: string, next: string | null) =>
  ({ id, kind: 'send', channel: 'email', subject, html: `<p>Hi ${name},</p>${html}`, next }) as const;
const days = (id: string, count: number, next: string) => ({ id, kind: 'delay', mode: 'duration', duration: `P${count}D`, next }) as const;
const purchase = { type: 'event', event: 'purchase' } as const;

const welcome: JourneyDefinitionInput = {
  name: 'Welcome',
  nodes: [
    { id: 'start', kind: 'trigger', on: { type: 'contact_created' }, next: 'hello' },
    email('hello', 'Welcome to {{ account.name }}', '<p>It is good to have you with us.</p>', 'pause'),
    days('pause', 3, 'bought'),
    {
      ...{ id: 'bought', kind: 'branch', mode: 'rule', name: 'Bought already?', else: 'tips' },
      branches: [{ id: 'yes', name: 'yes', rule: purchase, next: 'thanks' }],
    },
    email('thanks', 'Thank you for your order', '<p>Tell us how you like it: just answer this mail.</p>', null),
    email('tips', 'Three tips to begin with', '<p>This is how others begin.</p>', null),
  ],
  settings: { reentry: { mode: 'once' } },
};

const abandonedCart: JourneyDefinitionInput = {
  name: 'Abandoned cart',
  nodes: [
    { id: 'start', kind: 'trigger', on: { type: 'event', event: 'cart_abandoned' }, next: 'hour' },
    { id: 'hour', kind: 'delay', mode: 'duration', duration: 'PT1H', next: 'reminder' },
    email('reminder', 'Your cart waits for you', '<p>You have left something in your cart.</p>', 'opened'),
    {
      ...{ id: 'opened', kind: 'wait', timeout: 'P1D', on_timeout: 'text' },
      for: [{ id: 'opened', on: { type: 'message', action: 'opened', node: 'reminder' }, next: null }],
    },
    { id: 'text', kind: 'send', channel: 'sms', message: `Hi ${name}, your cart still waits for you.`, next: null },
  ],
  settings: {
    reentry: { mode: 'after_exit', cooldown: 'P1D', key: 'properties.cart_id' },
    exit_when: [purchase],
    max_duration: 'P7D',
  },
};

const winBack: JourneyDefinitionInput = {
  name: 'Win-back',
  nodes: [
    { id: 'start', kind: 'trigger', on: purchase, next: 'silence' },
    days('silence', 60, 'offer'),
    email('offer', 'We miss you', '<p>It has been two months. This is what is new.</p>', 'week'),
    days('week', 7, 'last'),
    email('last', 'Is this goodbye?', '<p>We would be glad to see you again.</p>', 'tag'),
    { id: 'tag', kind: 'update_contact', add_tags: ['lapsed'], next: null },
  ],
  // The next purchase ends the wait of the last one, and begins a new one.
  settings: { reentry: { mode: 'always', max_concurrent: 2 }, exit_when: [purchase] },
};

const birthday: JourneyDefinitionInput = {
  name: 'Birthday',
  nodes: [
    { id: 'start', kind: 'trigger', on: { type: 'date', field: 'birthday', time: '09:00', repeat: 'yearly' }, next: 'wishes' },
    email('wishes', 'Happy birthday!', '<p>We wish you a very happy birthday.</p>', null),
  ],
  settings: { reentry: { mode: 'cooldown', cooldown: 'P300D' } },
};

const granted = { type: 'consent', channel: 'email', purpose: 'marketing', status: 'granted' } as const;

const confirmation: JourneyDefinitionInput = {
  name: 'Double opt-in reminder',
  nodes: [
    {
      ...{ id: 'start', kind: 'trigger', on: { type: 'contact_created' }, next: 'confirmed' },
      filter: {
        type: 'all',
        rules: [
          { type: 'attribute', field: 'source', op: 'eq', value: 'form' },
          { type: 'not', rule: granted },
        ],
      },
    },
    {
      ...{ id: 'confirmed', kind: 'wait', timeout: 'P1D', on_timeout: 'reminder' },
      for: [{ id: 'confirmed', rule: granted, next: null }],
    },
    {
      ...email(
        'reminder',
        'Please confirm your subscription',
        '<p>Yesterday we sent you a link. Please open it, so that we may write to you.</p>',
        null,
      ),
      category: 'transactional',
    },
  ],
};

/** In the order in which they are shown. */
export const journeyTemplates: readonly JourneyTemplate[] = [
  {
    key: 'welcome',
    description: 'Greets new contacts, and three days later thanks those who have bought something and gives tips to the others.',
    custom_fields: [],
    journey: welcome,
  },
  {
    key: 'abandoned_cart',
    description:
      'Reminds of a cart an hour after the event `cart_abandoned`, by text message where the mail is not opened. Each `cart_id` by itself; a purchase ends it.',
    custom_fields: [],
    journey: abandonedCart,
  },
  {
    key: 'win_back',
    description: 'Writes to customers 60 and 67 days after their last event `purchase`, then gives them the tag `lapsed`.',
    custom_fields: [],
    journey: winBack,
  },
  {
    key: 'birthday',
    description: 'Wishes a happy birthday at nine in the morning, local time of the contact.',
    custom_fields: [{ key: 'birthday', label: 'Birthday', type: 'date' }],
    journey: birthday,
  },
  {
    key: 'double_opt_in_reminder',
    description: 'Reminds contacts of a form with double opt-in who have not confirmed after a day.',
    custom_fields: [],
    journey: confirmation,
  },
];
