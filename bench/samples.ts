import { randomInt } from 'node:crypto';

/** A message to a random recipient, so that nothing about it is cached. */
export interface SampleMessage {
  readonly to: string;
  readonly channel: 'sms';
  readonly message: string;
  readonly metadata: { readonly order: string };
}

/** A random number of the North American plan. */
export const randomPhone = (): string => `+1${randomInt(2, 10)}${two()}${randomInt(2, 10)}${two()}${two()}${two()}`;

const two = (): string => String(randomInt(0, 100)).padStart(2, '0');

export function sampleMessage(): SampleMessage {
  const code = randomInt(100_000, 1_000_000);
  const message = `Your parcel ${code} has left our warehouse and will be with you by Friday.`;
  return { to: randomPhone(), channel: 'sms', message, metadata: { order: `A${code}` } };
}

/** A mail to a random recipient, as a shop sends it. */
export const sampleEmail = (): object => ({
  to: `reader${randomInt(0, 2 ** 47).toString(36)}@example.com`,
  channel: 'email',
  subject: 'Your order',
  html: '<p>Hello, <a href="https://shop.example/orders">your order</a> has left our warehouse.</p>',
});

/** A new contact with typical fields of a customer. */
export interface SampleContact {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly locale: string;
  readonly timezone: string;
  readonly tags: readonly string[];
}

export function sampleContact(): SampleContact {
  const code = randomInt(0, 2 ** 47).toString(36);
  const tags = [`plan-${randomInt(0, 5)}`, `shop-${randomInt(0, 20)}`];
  return {
    email: `${code}@example.com`,
    first_name: `Ada ${code.slice(0, 3)}`,
    last_name: 'Lovelace',
    locale: 'en-GB',
    timezone: 'Europe/London',
    tags,
  };
}
