import { expect } from 'chai';
import { senderWarnings } from '../../api/campaigns/sender-warnings.js';
import type { Context } from '../../commands/runtime/command.js';
import type { KnownCampaign } from '../../domain/campaigns/campaign.js';
import type { SendingCheckResult } from '../../domain/messages/sending-domain.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';

const checked_at = '2026-01-15T10:00:00.000Z';
const check: SendingCheckResult = { kind: 'dkim', carrier: 'smtp', status: 'missing', type: null, name: null, found: [], expected: null, hint: null };

describe('the warnings of a campaign about its senders', () => {
  const campaign = (channel: string, content: object, variants: readonly object[] = []) =>
    ({ definition: { channel, content, variants }, test_key: false }) as unknown as KnownCampaign;
  const warningsOf = (of: KnownCampaign, lacks = false, verified: Readonly<Record<string, boolean | null>> = {}) => {
    const app = new TestApp([], { messages: { lacksEmailSender: () => lacks } });
    const context = { log: app.log, ports: app.ports, cause: { account: ACCOUNT } } as unknown as Context;
    const domains = {
      domainsOf: async () => [],
      defaultDomainsOf: async () => ['default.example'],
      check: async (_: string, domain: string) => {
        const found = new Map(Object.entries(verified)).get(domain) ?? null;
        return { domain, verified: found, checks: found === false ? [check] : [], checked_at };
      },
    };
    return senderWarnings(of, context, domains, () => new Promise(() => undefined));
  };

  it('name senders of an earlier release that are none', async () => {
    const [warning, ...others] = await warningsOf(campaign('sms', { message: 'Hi', from: 'Shop!' }));
    expect(others).to.deep.equal([]);
    expect(warning).to.match(/^content\.from: 'Shop!' is no sender on sms/);
    expect(await warningsOf(campaign('sms', { message: 'Hi', from: 'Shop' }))).to.deep.equal([]);
  });

  it('name a sender that is missing, and domains that are not verified, those of variants included', async () => {
    const mail = campaign('email', { message: 'Hi' });
    expect((await warningsOf(mail, true))[0]).to.match(/^content\.from: .*Shop <shop@example\.com>/);
    expect(await warningsOf(mail)).to.deep.equal([]);
    expect((await warningsOf(mail, false, { 'default.example': false }))[0]).to.include('default.example: DKIM is missing');
    const variants = [
      { key: 'a', weight: 1, content: { from: 'Shop <a@one.example>' } },
      { key: 'b', weight: 1, content: { from: '{{ contact.first_name }} <b@two.example>' } },
    ];
    const found = await warningsOf(campaign('email', { message: 'Hi' }, variants), true, {
      'one.example': true,
      'two.example': false,
      'default.example': false,
    });
    expect(found.map((warning) => /[a-z]+\.example/.exec(warning)?.[0])).to.deep.equal(['two.example']);
  });
});
