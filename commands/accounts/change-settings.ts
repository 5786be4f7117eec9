import Type from 'typebox';
import { account, accountStream } from '../../domain/accounts/account.js';
import { type CarriersPatch, carriersPatch, mergeCarriers } from '../../domain/accounts/own-carriers.js';
import { type SettingsResource, toSettingsResource } from '../../domain/accounts/resources.js';
import { mergeSettings, type SettingsPatch, settingsPatch, settingsProblems } from '../../domain/accounts/settings.js';
import { invalid, notFound } from '../../domain/kernel/errors.js';
import { count, named, nullable, optional, record } from '../../domain/kernel/schema.js';
import { visibleAscii } from '../../domain/kernel/text-patterns.js';
import { formatIdentitySecret, formatWebhookSecret } from '../../formats/accounts/secrets.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { settingsSenderProblems } from '../messages/route-problems.js';
import { type Context, command } from '../runtime/command.js';
import type { ValidationRule } from '../runtime/rules.js';

const DAY = 86_400;

/** The caller's own secret, or a request to rotate it. The previous secret keeps signing during the overlap. */
export const secretChange = Type.Union([
  Type.String({ minLength: 24, maxLength: 256, ...visibleAscii }),
  named('SecretRotation', record({ rotate: Type.Literal(true), overlap_seconds: optional(Type.Integer({ minimum: 0, maximum: 7 * DAY })) })),
]);

/** The caller's own secret, or a request to make one. The one before ends at once. */
export const identitySecretChange = Type.Union([
  Type.String({ minLength: 24, maxLength: 256, ...visibleAscii }),
  named('IdentitySecretRotation', record({ rotate: Type.Literal(true) })),
]);

/** Throws `validation_error` where a patch gives a sender that is none, with all that is wrong with the settings. Those that are stored already are not looked at. */
async function refuseSenders(patch: SettingsPatch, { log, cause, ports }: Context): Promise<void> {
  if (!patch.senders) return;
  const { state } = await loadAggregate(log, account, accountStream(cause.account));
  if (state.status !== 'open') return;
  const after = mergeSettings(state.settings, patch);
  const problems = settingsSenderProblems(patch.senders, after.routes, ports.messages.furtherSenders);
  if (problems.length > 0) throw invalid([...settingsProblems(after), ...problems]);
}

/** What is wrong with the settings as they would be after a patch. */
export const settingsRule: ValidationRule<Omit<SettingsPatch, 'identity_verification'> & { readonly carriers?: CarriersPatch }> = async (
  patch,
  { context, isMalformed },
) => {
  const { state } = await loadAggregate(context.log, account, accountStream(context.cause.account));
  if (state.status !== 'open') return [];
  const { carriers = {}, ...settings } = patch as SettingsPatch & { readonly carriers?: CarriersPatch };
  const after = mergeSettings(state.settings, settings);
  const problems = settingsProblems(after);
  problems.push(...settingsSenderProblems(settings.senders ?? {}, after.routes, context.ports.messages.furtherSenders));
  if (patch.carriers !== undefined || patch.routes !== undefined)
    problems.push(...context.ports.accounts.checkCarriers(carriers)({ carriers: mergeCarriers(state.carriers, carriers), routes: after.routes }));
  return isMalformed('quiet_hours.start') ? problems.filter(({ field }) => field !== 'quiet_hours.end') : problems;
};

/** Changes settings and, if asked, the webhook secret. The answer shows a secret only if it was made here. */
export const changeSettings = command({
  name: 'ChangeSettings',
  input: record({
    patch: settingsPatch,
    carriers: optional(carriersPatch),
    webhook_secret: optional(secretChange),
    identity_secret: optional(identitySecretChange),
    expected_version: nullable(count),
  }),

  async handle(
    { patch, carriers, webhook_secret: change, identity_secret: identity, expected_version: expected },
    context,
  ): Promise<SettingsResource> {
    await refuseSenders(patch, context);
    const own = typeof change === 'string' ? change : null;
    const value = own ?? formatWebhookSecret(context.newSecret('webhook-secret'));
    const overlap = typeof change === 'object' ? (change.overlap_seconds ?? DAY) : DAY;
    const previous_until = overlap === 0 ? null : new Date(Date.parse(context.now) + overlap * 1000).toISOString();
    const { state } = await context.decide(account, accountStream(context.cause.account), {
      type: 'ChangeSettings',
      patch,
      ...(carriers && { carriers }),
      ...((carriers || patch.routes) && { checkCarriers: context.ports.accounts.checkCarriers(carriers ?? {}) }),
      secret: change === undefined ? null : { value, previous_until },
      ...(identity !== undefined && {
        identity_secret: typeof identity === 'string' ? identity : formatIdentitySecret(context.newSecret('identity-secret')),
      }),
      expected,
      now: context.now,
    });
    if (state.status !== 'open') throw notFound('account', context.cause.account);
    const shown = toSettingsResource(state, context.now, context.ports.accounts.storedSenderProblems(state));
    return {
      ...shown,
      ...(typeof change === 'object' && { webhook_secret: { ...shown.webhook_secret, secret: state.webhook_secret.current } }),
      ...(typeof identity === 'object' && state.identity_secret !== null && { identity_secret: { set: true, secret: state.identity_secret } }),
    };
  },
});
