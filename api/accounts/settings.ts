import Type from 'typebox';
import { changeSettings, identitySecretChange, secretChange, settingsRule } from '../../commands/accounts/change-settings.js';
import { withRule } from '../../commands/runtime/rules.js';
import { carriersPatch } from '../../domain/accounts/own-carriers.js';
import { settingsResource, toSettingsResource } from '../../domain/accounts/resources.js';
import {
  type IdentityVerification,
  identityVerificationOf,
  identityVerificationSchema,
  identityVerifications,
  settingsPatch,
} from '../../domain/accounts/settings.js';
import { notFound } from '../../domain/kernel/errors.js';
import { documentedAs, optional, rawSchema, record } from '../../domain/kernel/schema.js';
import type { AccountDirectory } from '../../projections/accounts/directory.js';
import { accounts } from '../../projections/accounts/projection.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { etag, ifMatch } from '../http/versions.js';

/** The mode, or one of the two values of earlier releases. */
const identityVerificationChange = documentedAs(
  rawSchema<IdentityVerification | boolean>({ enum: [...identityVerifications, true, false] }),
  Type.Union([identityVerificationSchema, Type.Boolean()]),
);

const common = { tag: 'accounts', limit: 'general', path: '/v1/account/settings' } as const;

/** The settings of an account. */
export function settingsRoutes(services: Services, queries: AccountQueries, directory: AccountDirectory): AnyRoute[] {
  return [getSettingsRoute(services, queries), updateSettingsRoute(directory)];
}

const getSettingsRoute = ({ clock }: Services, queries: AccountQueries) =>
  route({
    ...common,
    method: 'GET',
    operationId: 'getSettings',
    summary: 'Read the settings',
    access: 'read',
    responses: { 200: { description: 'The settings, with only a prefix of the webhook secret.', schema: settingsResource } },
    async handle({ caller, consistent, ruleContext }) {
      await consistent(accounts.name);
      const facts = await queries.settings(caller.account);
      if (!facts) throw notFound('account', caller.account);
      const problems = ruleContext().ports.accounts.storedSenderProblems(facts);
      return { status: 200, body: toSettingsResource(facts, new Date(clock.now()).toISOString(), problems), headers: etag(facts.version) };
    },
  });

const updateSettingsRoute = (directory: AccountDirectory) =>
  route({
    ...common,
    method: 'PATCH',
    operationId: 'updateSettings',
    summary: 'Change the settings',
    description:
      'Objects are merged field by field, lists are replaced. `webhook_secret` is a text of your own of 24 to 256 visible ASCII characters, or `{"rotate": true, "overlap_seconds": 86400}` for a new one, which only this response shows. During the overlap (default: a day, at most seven) requests are signed with both secrets; a second rotation ends the overlap of the first. `identity_secret` is of the same form, or `{"rotate": true}`: a push subscription proves its contact by a `contact_hash` made with this secret. `identity_verification` says what happens without a proof: `existing` (that of new accounts), the device belongs only to a contact that it creates; `required`, it is refused; `off`, anybody who knows an email registers a device for it. `true` stands for `required`, `false` for `off`. `identity.on_conflict` says what becomes of rows whose addresses belong to several people, where a call or an import does not say: `merge` (at first), `reject` or `keep_separate`. `inbox_allowed_origins` are the origins whose pages may use the inboxes of your contacts by a token, such as `https://www.example.com`; without any, every page may. `carriers` are your own credentials, such as `{"twilio": {"account_sid": "…", "auth_token": "…"}}`: they are stored sealed and never shown, a field or a carrier that is null is removed, and they come before those of the service. `routes` name carriers by channel in order of preference; without one your own carriers of the channel serve it, or else those of the service. Your own carriers report at `/v1/webhooks/<carrier>/<account_id>`.',
    access: 'owner',
    body: withRule(
      record({
        ...settingsPatch.properties,
        identity_verification: optional(identityVerificationChange),
        carriers: optional(carriersPatch),
        webhook_secret: optional(secretChange),
        identity_secret: optional(identitySecretChange),
      }),
      settingsRule,
    ),
    responses: { 200: { description: 'The settings after the change.', schema: settingsResource } },
    errors: ['version_conflict'],
    async handle({ caller, body: { webhook_secret, identity_secret, identity_verification: mode, carriers, ...others }, headers, execute }) {
      const patch = { ...others, ...(mode !== undefined && { identity_verification: identityVerificationOf(mode) }) };
      const secret = { ...(webhook_secret !== undefined && { webhook_secret }), ...(identity_secret !== undefined && { identity_secret }) };
      const own = carriers === undefined ? {} : { carriers };
      const { output: settings } = await execute(changeSettings, { patch, ...own, ...secret, expected_version: ifMatch(headers) });
      directory.evict(caller.account);
      return { status: 200, body: settings, headers: etag(settings.version) };
    },
  });
