import { expect } from 'chai';
import type { CreatedAccount } from '../../commands/accounts/create-account.js';
import { signingSecrets } from '../../domain/accounts/resources.js';
import { AccountService, type Credential } from './service.js';

describe('settings over HTTP', () => {
  const service = AccountService.own();
  let acme: CreatedAccount;
  let owner: Credential;
  const read = () => service.call('GET', '/v1/account/settings', owner);
  const change = (body: object, headers: Record<string, string> = {}) => service.call('PATCH', '/v1/account/settings', owner, body, headers);
  const secrets = async () => {
    const facts = await service.app.directory.settings(acme.account_id);
    return signingSecrets(facts?.webhook_secret ?? null, service.clock.now());
  };

  before(async () => {
    acme = await service.createAccount('Acme', 'ada@acme.example');
    owner = { key: acme.api_key };
  });

  it('have defaults, and show only the prefix of the webhook secret', async () => {
    const { status, body, headers } = await read();
    expect(status).to.equal(200);
    expect(headers.get('etag')).to.match(/^"1-[\w-]{16}"$/);
    expect(body).to.deep.include({
      account_id: acme.account_id,
      name: 'Acme',
      timezone: 'UTC',
      quiet_hours: { enabled: false, start: '21:00', end: '08:00' },
      purchase: { event: 'purchase', value_property: 'value', currency_property: 'currency' },
      churn_window: 'P90D',
      events_start_journeys_within: 'P1D',
      on_unknown_outcome: { transactional: 'retry', marketing: 'fail' },
      webhook_secret: { set: true, prefix: acme.webhook_secret.slice(0, 8), previous_valid_until: null },
    });
    expect(JSON.stringify(body)).not.to.include(acme.webhook_secret.slice(0, 9));
  });

  it('change and are read back at once', async () => {
    const patch = {
      timezone: 'Europe/Paris',
      senders: { email: 'Acme <hi@acme.example>' },
      quiet_hours: { enabled: true, start: '22:30' },
      frequency_caps: [{ channel: 'any', max: 3, per: 'P7D' }],
      on_unknown_outcome: { marketing: 'retry' },
    };
    const changed = await change(patch);
    expect(changed.status).to.equal(200);
    expect(changed.body).to.deep.include({
      timezone: 'Europe/Paris',
      quiet_hours: { enabled: true, start: '22:30', end: '08:00' },
      frequency_caps: [{ channel: 'any', max: 3, per: 'P7D' }],
      on_unknown_outcome: { transactional: 'retry', marketing: 'retry' },
    });
    expect((await read()).body).to.deep.equal(changed.body);
    expect((await service.app.directory.settings(acme.account_id))?.settings.timezone).to.equal('Europe/Paris');
  });

  it('change only if the version has not changed since the read', async () => {
    const { headers } = await read();
    const etag = headers.get('etag') ?? '';
    expect((await change({ name: 'Acme Ltd' }, { 'If-Match': etag })).status).to.equal(200);
    expect((await change({ name: 'Acme Inc' }, { 'If-Match': etag })).body.code).to.equal('version_conflict');
  });

  it('reject invalid values, each with its field', async () => {
    const wrong: [object, string][] = [
      [{ timezone: 'Mars/Olympus' }, 'timezone'],
      [{ timezone: null }, 'timezone'],
      [{ quiet_hours: { start: '24:00' } }, 'quiet_hours.start'],
      [{ quiet_hours: { start: '08:00', end: '08:00' } }, 'quiet_hours.end'],
      [{ senders: { email: 'Acme\r\nBcc: eve@example.com' } }, 'senders.email'],
      [{ frequency_caps: [{ channel: 'fax', max: 1, per: 'P1D' }] }, 'frequency_caps[0].channel'],
      [{ frequency_caps: [{ channel: 'any', max: 0, per: 'P1D' }] }, 'frequency_caps[0].max'],
      ...['P', 'PT', 'P1M', 'P0D', '7d', 'PT5', 'P1DT'].map((per): [object, string] => [
        { frequency_caps: [{ channel: 'any', max: 1, per }] },
        'frequency_caps[0].per',
      ]),
      [{ churn_window: 'P1Y' }, 'churn_window'],
      [{ events_start_journeys_within: 'P1Y' }, 'events_start_journeys_within'],
      [{ on_unknown_outcome: { marketing: 'maybe' } }, 'on_unknown_outcome.marketing'],
      [{ webhook_secret: 'short' }, 'webhook_secret'],
      [{ webhook_secret: null }, 'webhook_secret'],
      [{ webhook_secret: { rotate: true, overlap_seconds: -1 } }, 'webhook_secret.overlap_seconds'],
    ];
    const before = (await read()).body;
    for (const [patch, field] of wrong) {
      const { status, body } = await change(patch);
      expect(status, JSON.stringify(patch)).to.equal(422);
      expect(
        body.errors.map((e: { field: string }) => e.field),
        JSON.stringify(patch),
      ).to.deep.equal([field]);
    }
    expect((await read()).body).to.deep.equal(before);
  });

  it('take durations in days, weeks, hours, minutes and seconds', async () => {
    for (const per of ['P7D', 'P2W', 'PT30M', 'P1DT12H', 'PT1H30M15S'])
      expect((await change({ frequency_caps: [{ channel: 'sms', max: 2, per }] })).status, per).to.equal(200);
  });

  it('show a rotated secret once, and both secrets sign until the overlap ends', async () => {
    const first = acme.webhook_secret;
    expect(await secrets()).to.deep.equal([first]);
    const { body } = await change({ webhook_secret: { rotate: true, overlap_seconds: 600 } });
    const second = body.webhook_secret.secret;
    expect(second)
      .to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
      .and.not.to.equal(first);
    expect(Date.parse(body.webhook_secret.previous_valid_until) - service.clock.now()).to.be.within(590_000, 600_000);
    expect((await read()).body.webhook_secret).to.deep.equal({
      set: true,
      prefix: second.slice(0, 8),
      previous_valid_until: body.webhook_secret.previous_valid_until,
    });
    expect(await secrets()).to.deep.equal([second, first]);
    service.clock.shift += 601_000;
    expect(await secrets()).to.deep.equal([second]);
    expect((await read()).body.webhook_secret.previous_valid_until).to.equal(null);
  });

  it("accept a caller's own secret, and invalidate the old one at once without an overlap", async () => {
    const own = 'my-own-secret-of-24-chars';
    const { body } = await change({ webhook_secret: own });
    expect(body.webhook_secret).to.have.all.keys('set', 'prefix', 'previous_valid_until');
    expect((await secrets())[0]).to.equal(own);
    const rotated = await change({ webhook_secret: { rotate: true, overlap_seconds: 0 } });
    expect(await secrets()).to.deep.equal([rotated.body.webhook_secret.secret]);
  });

  it('can be changed by owners and read by everyone in the account', async () => {
    const { body } = await service.call('POST', '/v1/api-keys', owner, { name: 'r', scopes: ['read', 'write'] });
    const limited = { key: body.key };
    expect((await service.call('GET', '/v1/account/settings', limited)).status).to.equal(200);
    expect((await service.call('PATCH', '/v1/account/settings', limited, { name: 'x' })).body.code).to.equal('forbidden');
  });

  it('names fields that do not exist in its objects, and stores none of them', async () => {
    const { status, body } = await change({ routes: { fax: {}, constructor: {} }, senders: { fax: 'A' }, branding: { shape: 1 } });
    expect(status).to.equal(200);
    expect(body.warnings).to.have.members([
      'unknown field: routes.fax',
      'unknown field: routes.constructor',
      'unknown field: senders.fax',
      'unknown field: branding.shape',
    ]);
    expect(body.routes).to.not.have.any.keys('fax', 'constructor');
    expect(body.senders).to.not.have.property('fax');
    expect(body.branding).to.not.have.property('shape');
  });
});
