import { expect } from 'chai';
import { carrierNames, carrierOf, neededVariables } from '../../carriers/registry.js';
import { ConfigError, loadConfig } from '../../ops/app/config/config.js';

const problemsOf = (env: Record<string, string>): readonly string[] => {
  try {
    loadConfig(env);
  } catch (e) {
    if (e instanceof ConfigError) return e.problems;
    throw e;
  }
  return [];
};
const ACCOUNT = `AC${'0'.repeat(32)}`;

describe('settings of carriers', () => {
  it('are grouped by carrier', () =>
    expect(
      loadConfig({ TWILIO_ACCOUNT_SID: ACCOUNT, TWILIO_AUTH_TOKEN: 'secret', EMAIL_FROM: 'ada@example.com', POSTMARK_SERVER_TOKEN: 't' }).carriers,
    ).to.deep.equal({
      twilio: { account_sid: ACCOUNT, auth_token: 'secret' },
      sendgrid: { from: 'ada@example.com' },
      ses: { from: 'ada@example.com' },
      postmark: { server_token: 't', from: 'ada@example.com' },
      smtp: { from: 'ada@example.com' },
      webpush: { from: 'ada@example.com' },
    }));

  it('are absent by default', () => expect(loadConfig({}).carriers).to.deep.equal({}));

  it('are validated at the start, without showing secrets', () =>
    expect(problemsOf({ TWILIO_ACCOUNT_SID: 'AC1', TWILIO_AUTH_TOKEN: 'a b', VONAGE_RATE: '0' })).to.deep.equal([
      "TWILIO_ACCOUNT_SID='AC1' is not allowed; it is `AC` and 32 hexadecimal digits.",
      'TWILIO_AUTH_TOKEN (its value is not shown) is not allowed; it is a text without white space.',
      "VONAGE_RATE='0' is not allowed; it is a whole number from 1 to 100000.",
    ]));

  it('are not needed for browsers, because the service has keys of its own', () =>
    expect(problemsOf({ HELIOGRAPH_ROUTES: '{"push":["webpush"]}' })).to.deep.equal([]));

  for (const name of carrierNames.filter((one) => one !== 'webpush'))
    it(`are needed by a route to ${name}`, () =>
      expect(problemsOf({ HELIOGRAPH_ROUTES: JSON.stringify({ [carrierOf(name).channels[0]]: [name] }) })).to.deep.equal([
        `HELIOGRAPH_ROUTES names '${name}', which needs ${neededVariables(name)}.`,
      ]));

  it('do not deliver every channel', () =>
    expect(problemsOf({ HELIOGRAPH_ROUTES: '{"email":["twilio"]}' })).to.deep.equal([
      "HELIOGRAPH_ROUTES names 'twilio' for email, which it does not deliver.",
    ]));

  it('have no sender that a carrier of the route refuses at each message', () => {
    const settings = { POSTMARK_SERVER_TOKEN: 't', SMTP_URL: 'smtp://localhost', EMAIL_FROM: 'Büro <büro@example.com>' };
    const routed = (...names: string[]) => problemsOf({ ...settings, HELIOGRAPH_ROUTES: JSON.stringify({ email: names }) });
    expect(routed('smtp', 'postmark')).to.deep.equal([
      'EMAIL_FROM: Letters such as ö before the @ are not supported by postmark. Use another address, for example shop@example.com.',
    ]);
    expect([routed('smtp'), problemsOf(settings)]).to.deep.equal([[], []]);
    expect(problemsOf({ ...settings, EMAIL_FROM: 'Büro <office@example.com>', HELIOGRAPH_ROUTES: '{"email":["postmark"]}' })).to.deep.equal([]);
  });

  it('take one of several ways to authenticate', () => {
    const routes = { HELIOGRAPH_ROUTES: '{"sms":["vonage"]}' };
    expect(problemsOf({ ...routes, VONAGE_API_KEY: 'k', VONAGE_API_SECRET: 's' })).to.deep.equal([]);
    expect(problemsOf({ ...routes, VONAGE_API_KEY: 'k', VONAGE_APPLICATION_ID: 'a' })).to.have.length(1);
  });
});
