import { prepareSecondFactor } from '../../commands/accounts/prepare-second-factor.js';
import { turnOffSecondFactor } from '../../commands/accounts/turn-off-second-factor.js';
import { turnOnSecondFactor } from '../../commands/accounts/turn-on-second-factor.js';
import { DomainError, invalid } from '../../domain/kernel/errors.js';
import { list, named, optional, record, text } from '../../domain/kernel/schema.js';
import { totpUri } from '../../formats/accounts/one-time-codes.js';
import type { AccountQueries } from '../../projections/accounts/queries.js';
import { type AnyRoute, route } from '../http/route.js';
import type { Services } from '../http/services.js';
import { code, password } from './credentials.js';
import { requireUser } from './sessions.js';

const common = { tag: 'accounts', access: 'either', limit: 'general', bodyLimit: 16_384 } as const;
const NOT_FOR_KEYS = 'API keys have no second factor.';

/** The second factor of the calling user. */
export const secondFactorRoutes = (services: Services, queries: AccountQueries): AnyRoute[] => [
  prepareRoute(queries),
  turnOnRoute,
  turnOffRoute(services, queries),
];

const prepareRoute = (queries: AccountQueries) =>
  route({
    ...common,
    method: 'POST',
    path: '/v1/auth/totp',
    operationId: 'prepareSecondFactor',
    summary: 'Set up a second factor',
    description: `Makes a secret for an authenticator app (TOTP, RFC 6238) and ten recovery codes, each of which counts once in place of a code. The response shows them this once; \`uri\` is for a QR code. They replace those of an earlier call. Nothing is asked for at a sign-in until \`POST /v1/auth/totp/confirm\` has had a first code. ${NOT_FOR_KEYS}`,
    responses: {
      200: {
        description: 'The secret and the recovery codes.',
        schema: named('PreparedSecondFactor', record({ secret: text, uri: text, recovery_codes: list(text) })),
      },
    },
    errors: ['invalid_state', 'forbidden'],
    async handle({ caller, execute }) {
      const user_id = requireUser(caller);
      const [user, { output }] = await Promise.all([queries.user(caller.account, user_id), execute(prepareSecondFactor, { user_id })]);
      const { secret, recovery_codes } = output;
      return { status: 200, body: { secret, uri: totpUri(secret, user?.email ?? ''), recovery_codes: [...recovery_codes] } };
    },
  });

const turnOnRoute = route({
  ...common,
  method: 'POST',
  path: '/v1/auth/totp/confirm',
  operationId: 'confirmSecondFactor',
  summary: 'Turn the second factor on',
  description:
    'With the code that the app shows. From here on every sign-in needs one (`code`; without it `second_factor_required`). Codes of the 30 seconds before and after count, too, each once. Sessions and tokens go on.',
  body: record({ code }),
  responses: { 204: { description: 'The second factor is on.' } },
  errors: ['invalid_credentials', 'invalid_state', 'forbidden'],
  async handle({ caller, body, execute }) {
    await execute(turnOnSecondFactor, { user_id: requireUser(caller), code: body.code });
    return { status: 204 };
  },
});

const turnOffRoute = ({ passwords }: Services, queries: AccountQueries) =>
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/auth/totp',
    operationId: 'turnOffSecondFactor',
    summary: 'Turn the second factor off',
    description:
      'Needs the password, or a code of the app or a recovery code. A wrong one counts like a failed attempt to sign in. Repeating it is not an error.',
    body: record({ password: optional(password), code: optional(code) }),
    responses: { 204: { description: 'There is no second factor any more.' } },
    errors: ['invalid_credentials', 'forbidden'],
    async handle({ caller, body, charge, refund, execute }) {
      const user_id = requireUser(caller);
      // A session that somebody else has got hold of must not be enough.
      if ((body.password === undefined) === (body.code === undefined))
        throw invalid([{ field: 'password', code: 'required', message: 'Send either `password` or `code`.' }]);
      const found = await queries.signInOf(user_id);
      const key = found?.user.email_key ?? user_id;
      await charge('login_user', key);
      if (body.password !== undefined && !(await passwords.verify(body.password, found?.password_hash ?? null)))
        throw new DomainError('invalid_credentials', 'The password is wrong.');
      await execute(turnOffSecondFactor, { user_id, code: body.code ?? null });
      await refund('login_user', key);
      return { status: 204 };
    },
  });
