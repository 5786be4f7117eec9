/** Users, keys and settings as the API shows them, without secrets. */
import type { FieldProblem } from '../kernel/errors.js';
import { count, flag, list, mapOf, named, nullable, oneOf, optional, record, type Static, text, time } from '../kernel/schema.js';
import { keyModeSchema, roleSchema, scopeSchema } from './access.js';
import type { ApiKey, User } from './account.js';
import type { OwnCarriers } from './own-carriers.js';
import { accountSettingsSchema, type Settings } from './settings.js';
import type { WebhookSecret } from './webhook-secret.js';

export const userStatusSchema = named('UserStatus', oneOf('active', 'disabled'));

export const userResource = named(
  'User',
  record({
    id: text,
    email: text,
    name: nullable(text),
    role: roleSchema,
    status: userStatusSchema,
    version: count,
    created_at: time,
    updated_at: time,
  }),
);
export type UserResource = Static<typeof userResource>;

export const toUserResource = ({ id, email, name, role, status, version, created_at, updated_at }: User): UserResource => ({
  id,
  email,
  name,
  role,
  status,
  version,
  created_at,
  updated_at,
});

/** `last_used_at` is exact while the server runs, and exact to the hour after a restart. */
export const keyResource = named(
  'ApiKey',
  record({
    id: text,
    name: text,
    prefix: text,
    scopes: nullable(list(scopeSchema)),
    mode: keyModeSchema,
    strict: flag,
    created_at: time,
    last_used_at: nullable(time),
  }),
);
export type KeyResource = Static<typeof keyResource>;

export const toKeyResource = ({ id, name, prefix, scopes, mode, strict, created_at }: ApiKey, last_used_at: string | null): KeyResource => ({
  id,
  name,
  prefix,
  scopes: scopes && [...scopes],
  mode: mode ?? 'live',
  strict: strict ?? false,
  created_at,
  last_used_at,
});

export const settingsResource = named(
  'Settings',
  record({
    account_id: text,
    ...accountSettingsSchema.properties,
    /** `secret` only in the answer to the rotation that created it. */
    webhook_secret: named(
      'WebhookSecret',
      record({ set: flag, prefix: nullable(text), previous_valid_until: nullable(time), secret: optional(text) }),
    ),
    /** `secret` only in the answer to the request that created it. */
    identity_secret: named('IdentitySecret', record({ set: flag, secret: optional(text) })),
    /** The account's own carriers by name. Their settings are never shown. */
    carriers: mapOf(named('OwnCarrier', record({ set: flag, updated_at: time }))),
    /** What an owner should change, such as a setting of an earlier release that is not safe. */
    hints: list(named('SettingsHint', record({ code: text, message: text }))),
    version: count,
    created_at: time,
    updated_at: time,
  }),
);
export type SettingsResource = Static<typeof settingsResource>;

/** What an owner should know about settings that an account of an earlier release still has. */
export const settingsHints = ({ identity_verification }: Pick<Settings, 'identity_verification'>): { code: string; message: string }[] =>
  identity_verification === 'off'
    ? [
        {
          code: 'identity_verification_off',
          message:
            'Anybody who knows the id of the account and an email can register a device for it and read its push messages. Let your server give each device its `contact_hash`, then set `identity_verification` to `existing` or `required`. Devices that are registered stay; `GET /v1/push/subscriptions` shows which of them are verified.',
        },
      ]
    : [];

/** Enough to recognize a secret, too little to sign with. */
const SHOWN_OF_SECRET = 8;

export interface AccountSettings {
  readonly id: string;
  readonly settings: Settings;
  readonly webhook_secret: WebhookSecret | null;
  readonly identity_secret: string | null;
  readonly carriers: OwnCarriers;
  readonly version: number;
  readonly created_at: string;
  readonly updated_at: string;
}

/** `senders`: what is wrong with the senders that are stored. */
export function toSettingsResource(
  { id, settings, webhook_secret: secret, identity_secret, carriers, version, created_at, updated_at }: AccountSettings,
  now: string,
  senders: readonly FieldProblem[],
): SettingsResource {
  const { previous } = secret ?? { previous: null };
  return {
    account_id: id,
    ...settings,
    webhook_secret: {
      set: secret !== null,
      prefix: secret === null ? null : secret.current.slice(0, SHOWN_OF_SECRET),
      previous_valid_until: previous && previous.until > now ? previous.until : null,
    },
    identity_secret: { set: identity_secret !== null },
    carriers: Object.fromEntries([...carriers].map(([name, { updated_at: at }]) => [name, { set: true, updated_at: at }])),
    hints: [
      ...settingsHints(settings),
      ...senders.map(({ field, message }) => ({ code: 'invalid_sender', message: `${field}: ${message} It is stored and not used.` })),
    ],
    version,
    created_at,
    updated_at,
  };
}

/** All secrets that are valid at a time (milliseconds since 1970), the current one first. */
export const signingSecrets = (secret: WebhookSecret | null, nowMs: number): string[] => {
  if (secret === null) return [];
  const { current, previous } = secret;
  return previous && Date.parse(previous.until) > nowMs ? [current, previous.secret] : [current];
};
