import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Service } from '../../support/service.js';

const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`;

describe('the audit commands', () => {
  const service = Service.own();
  let id: string;
  const email = 'audited@example.com';
  before(async () => {
    id = (await service.api('POST', '/v1/contacts', { email, first_name: 'Ada' })).body.id;
    const consent = { channel: 'email', purpose: 'marketing' };
    for (const [day, status] of [
      [1, 'granted'],
      [3, 'withdrawn'],
    ] as const) {
      await service.api('POST', `/v1/contacts/${id}/consents`, { ...consent, status, occurred_at: at(day), proof: { text: `day ${day}` } });
    }
    await service.api('POST', '/v1/account/unsubscribes', { email, channel: 'email', reason: 'manual' });
  });

  const audit = (...args: string[]) =>
    service.cli('audit', 'consent', '--account', service.accountId, '--address', ` ${email.toUpperCase()}`, ...args);

  it('return the consents of an address, now and as of a time', async () => {
    const now = JSON.parse((await audit('--json')).stdout);
    expect(now.contacts[0]).to.deep.include({ id, email, status: 'active' });
    expect(now.contacts[0].standing[0]).to.deep.include({ channel: 'email', status: 'withdrawn' });
    expect(now.entries.map((one: { proof: { text: string } }) => one.proof.text)).to.deep.equal(['day 1', 'day 3']);
    expect(now.suppressions.standing[0]).to.deep.include({ channel: 'email', reason: 'manual' });
    const then = JSON.parse((await audit('--json', '--as-of', at(2))).stdout);
    expect(then.contacts[0].standing[0]).to.deep.include({ status: 'granted' });
    expect((await audit()).stdout).to.contain('email for marketing: withdrawn');
  });

  it('return nothing for an address in another account', async () => {
    const user = ['--name', 'Other', '--email', 'other@example.com', '--password', 'correct horse battery'];
    const other = JSON.parse((await service.cli('account', 'create', ...user, '--json')).stdout).account_id;
    const { stdout } = await service.cli('audit', 'consent', '--account', other, '--address', email, '--json');
    expect(JSON.parse(stdout)).to.deep.include({ contacts: [], entries: [] });
  });

  it('verify exports of the CLI and the API by the installation’s key, and reject changed ones', async () => {
    const file = join(service.dir, 'audit.json');
    expect((await audit('--export', file)).code).to.equal(0);
    const fingerprint = (await service.cli('audit', 'key')).stdout.trim();
    expect(fingerprint).to.match(/^SHA256:[A-Za-z0-9+/]{43}$/);
    const fits = await service.cli('audit', 'verify', file, '--fingerprint', fingerprint);
    expect([fits.code, fits.stdout.includes(fingerprint)]).to.deep.equal([0, true]);

    const exported = join(service.dir, 'export.json');
    writeFileSync(exported, (await service.api('GET', `/v1/contacts/${id}/consents/export`)).text);
    expect(JSON.parse((await service.cli('audit', 'verify', exported, '--json')).stdout)).to.deep.include({ valid: true, fingerprint, entries: 2 });

    const another = await service.cli('audit', 'verify', exported, '--fingerprint', `SHA256:${'A'.repeat(43)}`);
    expect([another.code, another.stderr.includes('another key')]).to.deep.equal([1, true]);
    writeFileSync(exported, readFileSync(exported, 'utf8').replace('day 3', 'day 4'));
    const changed = await service.cli('audit', 'verify', exported);
    expect([changed.code, changed.stderr.includes('is not valid')]).to.deep.equal([1, true]);
  });

  it('exit with 2 and name invalid arguments', async () => {
    expect((await service.cli('audit', 'consent', '--account', service.accountId, '--address', 'nobody')).code).to.equal(2);
  });
});
