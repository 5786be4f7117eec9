import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { AccountService, password } from './service.js';

describe('the stored data of an account', () => {
  const service = AccountService.own();

  it('contain no email, name, password, key or secret in plain text, in any file', async () => {
    const acme = await service.createAccount('Acme', 'ada@acme.example');
    const owner = { key: acme.api_key };
    const { body: bob } = await service.call('POST', '/v1/account/users', owner, {
      email: 'bob@acme.example',
      name: 'Robert Tables',
      role: 'member',
      password,
    });
    await service.call('PATCH', `/v1/account/users/${bob.id}`, owner, { name: 'Robertina', password: 'a second horse battery' });
    const { body: key } = await service.call('POST', '/v1/api-keys', owner, { name: 'Reporting', scopes: ['read'] });
    const { body: settings } = await service.call('PATCH', '/v1/account/settings', owner, { webhook_secret: { rotate: true } });
    await service.call('GET', '/v1/account/users', owner);

    const files = readdirSync(service.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    const stored = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'latin1')).join('\n');
    expect(stored, 'the files are those of the account').to.include('UserPasswordChanged').and.to.include(acme.account_id);
    const secrets = {
      email: 'ada@acme.example',
      'email of a user': 'bob@acme.example',
      name: 'Robert Tables',
      'later name': 'Robertina',
      password,
      'later password': 'a second horse battery',
      'password hash': 'scrypt$',
      'first key': acme.api_key,
      key: key.key,
      'webhook secret': acme.webhook_secret,
      'later webhook secret': settings.webhook_secret.secret,
    };
    for (const [what, text] of Object.entries(secrets)) expect(stored.includes(text), what).to.equal(false);
  });

  it("are erased, and sign-in fails, once a user's data key is destroyed", async () => {
    const { body } = await service.call('POST', '/v1/auth/login', null, { email: 'bob@acme.example', password: 'a second horse battery' });
    await service.app.vault.erase(body.user.id);
    const shown = await service.call('GET', `/v1/account/users/${body.user.id}`, { token: body.token });
    expect(shown.body).to.include({ email: '<erased>', name: '<erased>', role: 'member' });
    const again = await service.call('POST', '/v1/auth/login', null, { email: 'bob@acme.example', password: 'a second horse battery' });
    expect(again.status).to.equal(401);
  });

  it("sign nothing once the account's data key is destroyed", async () => {
    const { body: me } = await service.call('POST', '/v1/auth/login', null, { email: 'ada@acme.example', password });
    await service.app.vault.erase(me.account_id);
    service.app.directory.evict(me.account_id);
    expect((await service.app.directory.settings(me.account_id))?.webhook_secret).to.equal(null);
    expect((await service.call('GET', '/v1/account/settings', me)).body.webhook_secret).to.deep.equal({
      set: false,
      prefix: null,
      previous_valid_until: null,
    });
  });
});
