import Type, { type Static } from 'typebox';
import { isTimeZone } from '../../domain/accounts/settings.js';
import { isBlank } from '../../domain/kernel/blank.js';
import { type FieldProblem, invalidRequest } from '../../domain/kernel/errors.js';
import { languageTagInput } from '../../domain/kernel/languages.js';
import { lineOf, named, nullable, optional, record } from '../../domain/kernel/schema.js';
import { idPattern } from '../../domain/kernel/text-patterns.js';
import { type PushTarget, platform } from '../../domain/push/subscription.js';
import { normalizeEmail } from '../../formats/contacts/addresses.js';
import { emailHint } from '../../formats/contacts/parse-address.js';
import type { Context } from '../runtime/command.js';
import type { WellFormed } from '../runtime/rules.js';
import { type ValidationRule, withRule } from '../runtime/rules.js';
import { readAuthSecret, readPublicKey } from './subscriptions.js';

const line = (maxLength: number, description: string) => optional(nullable(Type.String({ ...lineOf(maxLength), description })));

const browserSubscription = named(
  'BrowserPushSubscription',
  record({
    endpoint: Type.String({ ...lineOf(2_048), description: 'An https URL.', examples: ['https://push.example.com/send/abc'] }),
    expirationTime: optional(nullable(Type.Number())),
    keys: named(
      'BrowserPushKeys',
      record({
        p256dh: Type.String({ ...lineOf(200), description: 'Public key of the browser, in base64url.' }),
        auth: Type.String({ ...lineOf(100), description: 'Authentication secret, in base64url.' }),
      }),
    ),
  }),
);

const subscribedContact = named(
  'SubscribedContact',
  record({
    email: optional(Type.String({ ...lineOf(320), examples: ['ada@example.com'] })),
    id: optional(Type.String({ ...idPattern('con'), description: 'The id of a contact, instead of its email.' })),
  }),
);

const schema = record({
  account_id: Type.String({ ...idPattern('acc'), description: 'The public id of the account.' }),
  platform,
  token: optional(Type.String({ ...lineOf(4_096), description: 'Registration token of the app, for `ios` and `android`.' })),
  subscription: optional(browserSubscription),
  device_id: line(
    200,
    'Your own id of the device: another token of the same device and contact replaces this one, and keeps its proof. Use a random one, such as a UUID, that only the device knows.',
  ),
  contact: optional(nullable(subscribedContact)),
  contact_hash: optional(
    nullable(
      Type.String({
        ...lineOf(128),
        description:
          'The proof that the device belongs to the contact, made by your server: hexadecimal HMAC-SHA256 of the email in lower case, or else of the contact id, with the identity secret of the account.',
      }),
    ),
  ),
  app_version: line(100, 'Version of the app.'),
  locale: optional(nullable(languageTagInput('BCP 47, `en-GB`.'))),
  timezone: optional(nullable(Type.String({ maxLength: 64, description: 'IANA name, `Europe/Paris`.' }))),
});
export type SubscriptionInput = Static<typeof schema>;

const rule: ValidationRule<SubscriptionInput> = (input, { context, isMalformed }) => [
  ...targetProblems(input, isMalformed, context.ports.push.checkEndpoint),
  ...contactProblems(input, isMalformed),
  ...(typeof input.timezone === 'string' && !isTimeZone(input.timezone)
    ? [{ field: 'timezone', code: 'unknown_timezone', message: 'Use an IANA time zone, for example Europe/Paris.' }]
    : []),
];

/** The body of a subscription, with all its rules. */
export const subscriptionInput = withRule(named('PushSubscribeRequest', schema), rule);

const required = (field: string, message: string): FieldProblem => ({ field, code: 'required', message });

function targetProblems(
  { platform, token, subscription }: WellFormed<SubscriptionInput>,
  isMalformed: (field: string) => boolean,
  check: (url: string) => { code: string; message: string } | null,
): FieldProblem[] {
  const problems: FieldProblem[] = subscription ? subscriptionProblems(subscription, check) : [];
  if (platform === 'web') {
    if (token !== undefined) problems.push({ field: 'token', code: 'not_allowed', message: 'A browser has a `subscription`, and no token.' });
    if (!subscription && !isMalformed('subscription')) problems.push(required('subscription', 'Give the subscription of the browser.'));
  } else if (platform !== undefined) {
    if (token === undefined ? !isMalformed('token') : isBlank(token)) problems.push(required('token', 'Give the registration token of the app.'));
    if (subscription) problems.push({ field: 'subscription', code: 'not_allowed', message: 'An app has a `token`, and no subscription.' });
  }
  return problems;
}

function subscriptionProblems(
  { endpoint, keys: { p256dh, auth } = {} }: NonNullable<WellFormed<SubscriptionInput>['subscription']>,
  check: (url: string) => { code: string; message: string } | null,
): FieldProblem[] {
  const refused = endpoint === undefined ? null : check(endpoint);
  const problems: FieldProblem[] = refused ? [{ field: 'subscription.endpoint', code: refused.code, message: refused.message }] : [];
  if (p256dh !== undefined && readPublicKey(p256dh) === null)
    problems.push({
      field: 'subscription.keys.p256dh',
      code: 'invalid_key',
      message: 'Use the public key of the browser: 65 bytes of P-256 in base64url.',
    });
  if (auth !== undefined && readAuthSecret(auth) === null)
    problems.push({ field: 'subscription.keys.auth', code: 'invalid_key', message: 'Use the secret of the browser: 16 bytes in base64url.' });
  return problems;
}

function contactProblems({ contact }: WellFormed<SubscriptionInput>, isMalformed: (field: string) => boolean): FieldProblem[] {
  if (!contact) return [];
  const { email, id } = contact;
  const problems: FieldProblem[] =
    email !== undefined && normalizeEmail(email) === null ? [{ field: 'contact.email', code: 'invalid_email', message: emailHint(email) }] : [];
  if (isMalformed('contact.email') || isMalformed('contact.id')) return problems;
  if (email === undefined && id === undefined) return [required('contact', 'Give the `email` or the `id` of the contact.')];
  if (email !== undefined && id !== undefined) problems.push({ field: 'contact.id', code: 'ambiguous', message: 'Give either the email or the id.' });
  return problems;
}

/** Throws `invalid_url`, and `validation_error` for several problems. */
export async function requireValidSubscription(input: SubscriptionInput, context: Context): Promise<void> {
  const problems = await rule(input as WellFormed<SubscriptionInput>, { context, isMalformed: () => false, params: {} });
  if (problems.length > 0) throw invalidRequest(problems);
}

/** The token of an app, or the endpoint of a browser, and all that messages are dispatched with. */
export function targetOf({ token = '', subscription }: SubscriptionInput): { readonly token: string; readonly target: PushTarget } {
  if (!subscription) return { token, target: { kind: 'app', token } };
  const { endpoint, keys } = subscription;
  const [p256dh, auth] = [readPublicKey(keys.p256dh) ?? '', readAuthSecret(keys.auth) ?? ''];
  return { token: endpoint, target: { kind: 'web', endpoint, p256dh, auth } };
}
