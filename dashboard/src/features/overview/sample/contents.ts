import type { PostBody } from '../../../api/client.ts';

/** What the sample holds besides people. Everything is found again by its name. */
const ENDING = ' (sample)';
const named = (name: string): string => name + ENDING;
export const isSample = (name: string): boolean => name.endsWith(ENDING);

const page = (text: string, link: string): string => `<!doctype html>
<html>
  <body style="font-family: sans-serif; line-height: 1.5; max-width: 36rem; margin: auto; padding: 1.5rem">
    <h1>Hello {{ contact.first_name | default: 'there' }}</h1>
    <p>${text}</p>
    <p><a href="${link}" style="display: inline-block; padding: 0.6rem 1rem; background: #3b4fd8; color: #fff; border-radius: 6px">Have a look</a></p>
    <p><small><a href="{{ unsubscribe_url }}">Unsubscribe</a></small></p>
  </body>
</html>`;

/** The event that starts the journey. */
const JOINED = 'sample_joined';

interface SampleContents {
  readonly joined: string;
  readonly sender: string;
  readonly permission: Pick<PostBody<'/v1/contacts/import'>, 'consent'>;
  readonly fields: readonly PostBody<'/v1/custom-fields'>[];
  readonly newsletter: PostBody<'/v1/lists'>;
  readonly customers: PostBody<'/v1/lists'>;
  readonly segments: readonly PostBody<'/v1/segments'>[];
  /** First the one of the campaign. */
  readonly templates: readonly [PostBody<'/v1/templates'>, ...PostBody<'/v1/templates'>[]];
  readonly campaign: string;
  readonly journey: PostBody<'/v1/journeys'>;
}

export const contents: SampleContents = {
  joined: JOINED,
  sender: 'Lamp Shop <shop@sandbox.test>',
  permission: {
    consent: {
      channel: 'email',
      purpose: 'marketing',
      status: 'granted',
      source: 'sample data',
      proof: { text: 'Made-up people agree to everything.', text_version: '1' },
    },
  },
  fields: [
    { key: 'sample_city', label: 'City', type: 'string' },
    { key: 'sample_plan', label: 'Plan', type: 'string' },
  ],
  newsletter: { name: named('Newsletter'), description: 'Everybody of the sample.' },
  customers: { name: named('Customers'), description: 'Those who have bought something.' },
  segments: [
    {
      name: named('Bought in the last 90 days'),
      rules: { type: 'event', event: 'purchase', count: { op: 'gte', value: 1 }, window: { last: 'P90D' } },
    },
    {
      name: named('On a paid plan'),
      rules: { type: 'attribute', field: 'custom_fields.sample_plan', op: 'in', value: ['pro', 'team'] },
    },
  ],
  templates: [
    {
      name: named('Spring offer'),
      channel: 'email',
      subject: "{{ contact.first_name | default: 'Hello' }}, a lamp for long evenings",
      html: page('Until Sunday all lamps are a quarter off.', 'https://shop.example.com/lamps'),
      message: 'Until Sunday all lamps are a quarter off: https://shop.example.com/lamps',
    },
    {
      name: named('Order confirmation'),
      channel: 'email',
      subject: 'Your order {{ data.order }}',
      html: page('Thank you for your order {{ data.order }}. It arrives in two days.', 'https://shop.example.com/orders'),
      message: 'Thank you for your order {{ data.order }}.',
    },
    { name: named('Sign-in code'), channel: 'sms', message: 'Your code is {{ data.code }}. It is valid for 10 minutes.' },
  ],
  campaign: named('Spring offer'),
  journey: {
    name: named('Welcome'),
    nodes: [
      { id: 'start', kind: 'trigger', on: { type: 'event', event: JOINED }, next: 'hello' },
      {
        id: 'hello',
        kind: 'send',
        channel: 'email',
        subject: 'Welcome to {{ account.name }}',
        html: page('It is good to have you with us.', 'https://shop.example.com/begin'),
        next: 'pause',
      },
      { id: 'pause', kind: 'delay', mode: 'duration', duration: 'P3D', next: 'bought' },
      {
        id: 'bought',
        kind: 'branch',
        mode: 'rule',
        name: 'Bought already?',
        branches: [{ id: 'yes', name: 'yes', rule: { type: 'event', event: 'purchase' }, next: 'thanks' }],
        else: 'tips',
      },
      {
        id: 'thanks',
        kind: 'send',
        channel: 'email',
        subject: 'Thank you',
        html: page('Tell us how you like it.', 'https://shop.example.com/review'),
        next: null,
      },
      {
        id: 'tips',
        kind: 'send',
        channel: 'email',
        subject: 'Three tips',
        html: page('This is how others begin.', 'https://shop.example.com/tips'),
        next: null,
      },
    ],
    settings: { reentry: { mode: 'once' } },
  },
};

export const sampleFields: ReadonlySet<string> = new Set(contents.fields.map(({ key }) => key));
