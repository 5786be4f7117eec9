/** What carriers are configured by: the kinds of their fields. */

import type { FieldProblem } from '../../domain/kernel/errors.js';

/** A text that configures a carrier. */
export interface CarrierField {
  /** The variable of the environment. Carriers of email share `EMAIL_FROM`. */
  readonly env: string;
  readonly description: string;
  /** Completes the sentence "… is not allowed; it is …". */
  readonly allowed: string;
  readonly pattern: RegExp;
  /** Its value is never shown. */
  readonly secret?: true;
  /** Only the operator sets it, and no account of its own: it decides which hosts this service calls. */
  readonly operatorsOnly?: true;
  /** What is wrong with a text that matches, where an account sets it; null for nothing. */
  readonly problemOfOwn?: (text: string, rules: OwnFieldRules) => Pick<FieldProblem, 'code' | 'message'> | null;
}

/** What the operator allows the own carriers of accounts. */
export interface OwnFieldRules {
  /** Networks that are open although they are private. */
  readonly allowedCidrs: readonly string[];
}

const TOKEN = /^[\x21-\x7e]{1,1000}$/;
/** A text that may be shown. */
export const tokenField = (env: string, description: string): CarrierField => ({
  env,
  description,
  allowed: 'a text without white space',
  pattern: TOKEN,
});
/** A text that is never shown. */
export const secretField = (env: string, description: string): CarrierField => ({ ...tokenField(env, description), secret: true });
/** A private key in PEM form. */
export const keyField = (env: string, description: string): CarrierField => ({
  env,
  description,
  allowed: 'a key in PEM form; `\\n` stands for an end of a line',
  pattern: /^-----BEGIN [A-Z ]+-----[A-Za-z0-9+/=\s\\]+-----END [A-Z ]+-----(?:\s|\\n)*$/,
  secret: true,
});
/** Where the carrier is called, instead of the address `known`. */
export const baseUrlField = (env: string, carrier: string, known: string): CarrierField => ({
  env,
  description: `Base address of ${carrier}, for a region or a test server; without it \`${known}\`.`,
  allowed: 'an http or https address without query or fragment',
  pattern: /^https?:\/\/[^\s?#@/]+[^\s?#@]*$/,
  operatorsOnly: true,
});
/** Messages a second; `carrier` completes "hand to …". */
export const rateField = (env: string, carrier: string): CarrierField => ({
  env,
  description: `The most messages a second that all nodes together hand to ${carrier}; without it there is no limit.`,
  allowed: 'a whole number from 1 to 100000',
  pattern: /^([1-9][0-9]{0,4}|100000)$/,
});
/** The sender of texts. */
export const senderField = (env: string, description: string): CarrierField => ({
  env,
  description,
  allowed: 'a phone number in international form, or a name of 1 to 100 letters, digits, spaces or `_`',
  pattern: /^(\+?[0-9]{3,15}|[A-Za-z0-9][A-Za-z0-9 _]{0,99})$/,
});
/** An email address without a name. */
export const addressField = {
  allowed: 'an email address',
  pattern: /^[^\s@<>"',;:]+@[^\s@<>"',;:]+$/,
} as const satisfies Partial<CarrierField>;
/** The sender of emails. */
export const emailFromField: CarrierField = {
  env: 'EMAIL_FROM',
  description: 'Sender of emails that have none, for all carriers of email.',
  allowed: 'an email address, alone or after a name: `hello@example.com` or `Shop <hello@example.com>`',
  pattern: /^(?:[^\s@<>"',;:]+@[^\s@<>"',;:]+|[^<>\p{Cc}]{1,200}<[^\s@<>"',;:]+@[^\s@<>"',;:]+>)$/u,
};

/** Where mail comes in. */
export const inboundAddressField: CarrierField = {
  ...addressField,
  env: 'EMAIL_INBOUND_ADDRESS',
  description:
    'Address whose mail comes to the inbound webhook of the carrier, also with a tag behind a plus (`inbox+tag@in.example.com`). Marketing email can then be unsubscribed from by mail.',
};

/** The settings of a carrier with these fields: texts that match their patterns. Those that are not given are absent. */
export type TextsOf<Fields> = { readonly [F in keyof Fields]?: string };
