import { generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { CarrierName, CarrierSettings } from '../../carriers/registry.js';
import { createCarrier } from '../../carriers/registry.js';
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import type { Dns, DnsAnswer } from '../../domain/kernel/dns.js';
import { domainReport, SendingDomains } from '../../ops/app/sending-domains/sending-domains.js';
import { systemClock } from '../../ops/system/clock.js';
import { systemDns } from '../../ops/system/dns.js';
import { FakeCarrier } from '../carriers/fake-carrier.js';
import { type DnsZone, dnsServer } from '../support/dns-server.js';
import { ManualClock } from '../support/manual-clock.js';
import { Service } from '../support/service.js';

const NOW = Date.parse('2026-01-15T10:00:00.000Z');
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const PEM = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const KEY = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
const smtpSettings = { url: 'smtp://127.0.0.1:1', dkim_domain: 'example.com', dkim_selector: 'h1', dkim_private_key: PEM };
const key = `v=DKIM1; k=rsa; p=${KEY}`;
const whole = { 'example.com': ['v=spf1 mx -all', 'other=1'], 'h1._domainkey.example.com': [key], '_dmarc.example.com': ['v=DMARC1; p=none'] };

/** A DNS with these texts and names. What is not in it does not exist. */
const fakeDns = (txt: Readonly<Record<string, DnsAnswer>>, cname: Readonly<Record<string, DnsAnswer>> = {}): Dns => ({
  txt: async (name) => new Map(Object.entries(txt)).get(name) ?? 'none',
  cname: async (name) => new Map(Object.entries(cname)).get(name) ?? 'none',
});
const carrierOf = (name: CarrierName, texts: object): Carrier =>
  createCarrier(name, { [name]: texts } as CarrierSettings, { http: createCarrierHttp(), clock: systemClock, publicUrl: null });

async function report(carrier: Carrier, dns: Dns, domain = 'example.com') {
  const { verified, checks } = await domainReport(dns, domain, [carrier], NOW);
  return { verified, checks, statuses: checks.map(({ kind, status }) => `${kind} ${status}`) };
}

describe('the domains of senders', () => {
  describe('by SMTP', () => {
    const carrier = (more: object = {}) => carrierOf('smtp', { ...smtpSettings, ...more });

    it('are verified where all that receivers look for is there', async () => {
      const { verified, checks, statuses } = await report(carrier(), fakeDns(whole));
      expect([verified, statuses]).to.deep.equal([true, ['spf ok', 'dkim ok', 'dmarc ok']]);
      expect(checks[1]).to.deep.equal({
        ...{ kind: 'dkim', carrier: 'smtp', status: 'ok', type: 'TXT', name: 'h1._domainkey.example.com' },
        ...{ found: [key], expected: key, hint: null },
      });
    });

    it('show what to set where it is missing', async () => {
      const { verified, checks, statuses } = await report(carrier(), fakeDns({}));
      expect([verified, statuses]).to.deep.equal([false, ['spf missing', 'dkim missing', 'dmarc missing']]);
      expect(checks.map(({ name, expected }) => [name, expected])).to.deep.equal([
        ['example.com', 'v=spf1 mx ~all'],
        ['h1._domainkey.example.com', key],
        ['_dmarc.example.com', 'v=DMARC1; p=none; rua=mailto:dmarc@example.com'],
      ]);
    });

    it('are not verified with records that receivers ignore', async () => {
      const wrong: [string, DnsAnswer, string][] = [
        ['example.com', ['v=spf1 mx -all', 'v=spf1 a -all'], 'spf wrong'],
        ['example.com', ['v=spf10 mx'], 'spf missing'],
        ['h1._domainkey.example.com', [key.replace(/.{8}$/, 'AAAAAAAA')], 'dkim wrong'],
        ['h1._domainkey.example.com', ['v=DKIM1; p='], 'dkim wrong'],
        ['h1._domainkey.example.com', ['not a key'], 'dkim missing'],
        ['_dmarc.example.com', ['v=DMARC1; rua=mailto:a@example.com'], 'dmarc wrong'],
        ['_dmarc.example.com', ['v=DMARC1; p=none', 'v=DMARC1; p=reject'], 'dmarc wrong'],
      ];
      for (const [name, answer, status] of wrong) {
        const { verified, statuses } = await report(carrier(), fakeDns({ ...whole, [name]: answer }));
        expect([verified, statuses.includes(status)], `${name} ${answer}`).to.deep.equal([false, true]);
      }
    });

    it('are verified by a key that is written otherwise, and a policy of the domain above', async () => {
      const spaced = `k=rsa;  p=${KEY.slice(0, 40)} ${KEY.slice(40)} ; v=DKIM1`;
      const dns = fakeDns({ ...whole, 'h1._domainkey.example.com': [spaced], 'news.example.com': ['V=SPF1 ip4:192.0.2.1 -all'] });
      const { verified, checks } = await report(carrier(), dns, 'news.example.com');
      expect([verified, checks[2]?.name]).to.deep.equal([true, '_dmarc.example.com']);
    });

    it('are unknown, not unverified, where no name server answers', async () => {
      const silent: Dns = { txt: async () => 'silent', cname: async () => 'silent' };
      expect(await report(carrier(), silent)).to.deep.include({ verified: null, statuses: ['spf unknown', 'dkim unknown', 'dmarc unknown'] });
      const half = fakeDns({ ...whole, '_dmarc.example.com': 'silent' });
      expect(await report(carrier(), half)).to.deep.include({ verified: null });
      const worse = fakeDns({ ...whole, 'example.com': 'none', '_dmarc.example.com': 'silent' });
      expect(await report(carrier(), worse)).to.deep.include({ verified: false });
    });

    it('say what settings prevent', async () => {
      const elsewhere = await report(carrier({ return_path: 'bounces@mails.example' }), fakeDns(whole));
      expect(elsewhere.checks[0]).to.include({ status: 'wrong' }).and.have.property('hint').that.includes('SMTP_RETURN_PATH');
      const ownBounces = fakeDns({ ...whole, 'bounce.example.com': ['v=spf1 mx -all'] });
      expect((await report(carrier({ return_path: 'b@bounce.example.com' }), ownBounces)).verified).to.equal(true);
      expect((await report(carrier({ dkim_domain: 'mails.example' }), fakeDns(whole))).checks[1]).to.include({ status: 'wrong' });
      const unsigned = await report(carrierOf('smtp', { url: 'smtp://127.0.0.1:1' }), fakeDns(whole));
      expect([unsigned.verified, unsigned.checks[1]?.status]).to.deep.equal([null, 'unknown']);
    });

    it('have keys of Ed25519, too', async () => {
      const pair = generateKeyPairSync('ed25519');
      const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString().replaceAll('\n', '\\n');
      const x = Buffer.from(String(pair.publicKey.export({ format: 'jwk' }).x), 'base64url').toString('base64');
      const { checks } = await report(carrier({ dkim_private_key: pem }), fakeDns(whole));
      expect(checks[1]).to.include({ expected: `v=DKIM1; k=ed25519; p=${x}` });
    });
  });

  describe('by carriers over HTTP', () => {
    const fake = FakeCarrier.own(() => ({ status: 404, body: {} }));
    const ses = () => carrierOf('ses', { region: 'eu-west-1', access_key_id: 'A', secret_access_key: 'S', base_url: fake.url });
    const sendgrid = () => carrierOf('sendgrid', { api_key: 'SG.k', base_url: fake.url });
    const identity = (more: object = {}) => ({
      DkimAttributes: { Tokens: ['t1', 't2', 't3'], SigningEnabled: true, Status: 'PENDING', SigningAttributesOrigin: 'AWS_SES' },
      MailFromAttributes: {},
      ...more,
    });
    const policy = { '_dmarc.example.com': ['v=DMARC1; p=reject'] };

    it('have the keys that Amazon SES names, and its MAIL FROM', async () => {
      fake.reply = () => ({ status: 200, body: identity({ MailFromAttributes: { MailFromDomain: 'bounce.example.com' } }) });
      const names = ['t1', 't2', 't3'].map((token) => [`${token}._domainkey.example.com`, [`${token}.dkim.amazonses.com`]] as const);
      const spf = { 'bounce.example.com': ['v=spf1 include:_spf.example.com ~all'], '_spf.example.com': ['v=spf1 include:amazonses.com -all'] };
      const found = await report(ses(), fakeDns({ ...policy, ...spf }, Object.fromEntries(names)));
      expect(fake.requests.at(-1)).to.include({ method: 'GET', path: '/v2/email/identities/example.com' });
      expect([found.verified, found.statuses]).to.deep.equal([true, ['spf ok', 'dkim ok', 'dkim ok', 'dkim ok', 'dmarc ok']]);
      const missing = await report(
        ses(),
        fakeDns({ ...policy, 'bounce.example.com': ['v=spf1 mx -all'] }, { [names[0]?.[0] ?? '']: ['elsewhere.example'] }),
      );
      expect([missing.verified, missing.statuses]).to.deep.equal([false, ['spf wrong', 'dkim wrong', 'dkim missing', 'dkim missing', 'dmarc ok']]);
      expect(missing.checks[2]).to.include({ type: 'CNAME', name: 't2._domainkey.example.com', expected: 't2.dkim.amazonses.com' });
    });

    it('may be known to Amazon SES by the domain above, or not at all', async () => {
      fake.reply = ({ path }) => (path.endsWith('/example.com') ? { status: 200, body: identity() } : { status: 404, body: {} });
      const names = ['t1', 't2', 't3'].map((token) => [`${token}._domainkey.example.com`, [`${token}.dkim.amazonses.com`]] as const);
      expect((await report(ses(), fakeDns(policy, Object.fromEntries(names)), 'news.example.com')).verified).to.equal(true);
      fake.reply = () => ({ status: 404, body: {} });
      expect((await report(ses(), fakeDns(policy))).statuses).to.deep.equal(['dkim missing', 'dmarc ok']);
      fake.reply = () => ({ status: 403, body: {} });
      expect(await report(ses(), fakeDns(policy))).to.deep.include({ verified: null, statuses: ['dkim unknown', 'dmarc ok'] });
    });

    it('have the records that SendGrid names', async () => {
      const dns = {
        mail_cname: { type: 'cname', host: 'em1.example.com', data: 'u1.wl.sendgrid.net' },
        dkim1: { type: 'cname', host: 's1._domainkey.example.com', data: 's1.domainkey.u1.wl.sendgrid.net' },
      };
      fake.reply = () => ({ status: 200, body: [{ domain: 'other.example' }, { domain: 'Example.com', dns }] });
      const names = { 'em1.example.com': ['u1.wl.sendgrid.net'], 's1._domainkey.example.com': ['s1.domainkey.u1.wl.sendgrid.net'] };
      expect(await report(sendgrid(), fakeDns(policy, names))).to.deep.include({ verified: true, statuses: ['spf ok', 'dkim ok', 'dmarc ok'] });
      expect(fake.requests.at(-1)?.path).to.equal('/v3/whitelabel/domains?limit=50&domain=example.com');
      const txt = {
        dkim: { type: 'txt', host: 'm1._domainkey.example.com', data: key },
        subdomain_spf: { type: 'txt', host: 'em.example.com', data: 'v=spf1 include:sendgrid.net ~all' },
      };
      fake.reply = () => ({ status: 200, body: [{ domain: 'example.com', dns: txt }] });
      const texts = { ...policy, 'm1._domainkey.example.com': [key], 'em.example.com': ['v=spf1 include:sendgrid.net ~all'] };
      expect((await report(sendgrid(), fakeDns(texts))).verified).to.equal(true);
      fake.reply = () => ({ status: 403, body: {} });
      expect((await report(sendgrid(), fakeDns(policy))).statuses).to.deep.equal(['dkim unknown', 'dmarc ok']);
    });

    it('are unknown where the carrier is away, and with Postmark, which alone knows its keys', async () => {
      const away = carrierOf('sendgrid', { api_key: 'k', base_url: 'http://127.0.0.1:1' });
      expect(await report(away, fakeDns(policy))).to.deep.include({ verified: null, statuses: ['dkim unknown', 'dmarc ok'] });
      expect(await report(carrierOf('postmark', { server_token: 't' }), fakeDns(policy))).to.deep.include({ verified: null });
    });
  });

  it('are found out once, and again after a while, or where somebody asks again', async () => {
    const clock = new ManualClock();
    let asked = 0;
    let silent = false;
    const answers = fakeDns(whole);
    const dns: Dns = { ...answers, txt: (name) => (++asked && silent ? Promise.resolve('silent') : answers.txt(name)) };
    const domains = new SendingDomains({ dns, clock, carriersOf: async () => [carrierOf('smtp', smtpSettings)] });
    const check = async (again = false) => {
      const before = asked;
      await Promise.all([domains.check('acc_1', 'example.com', { again }), domains.check('acc_1', 'example.com', { again })]);
      return asked - before;
    };
    expect([await check(), await check(), await check(true)]).to.deep.equal([3, 0, 0]);
    await clock.advance(6_000);
    expect([await check(), await check(true)]).to.deep.equal([0, 3]);
    await clock.advance(601_000);
    silent = true;
    expect(await check()).to.equal(3);
    await clock.advance(31_000);
    expect(await check()).to.equal(3);
  });

  describe('over HTTP', () => {
    const zone: DnsZone = new Map();
    let dns: Awaited<ReturnType<typeof dnsServer>>;
    let service: Service;
    before(async () => {
      dns = await dnsServer(zone);
      service = await Service.start({
        HELIOGRAPH_ROUTES: '{"email":["smtp"]}',
        HELIOGRAPH_DNS_SERVERS: dns.address,
        SMTP_URL: smtpSettings.url,
        EMAIL_FROM: 'Shop <hello@example.com>',
        SMTP_DKIM_DOMAIN: 'example.com',
        SMTP_DKIM_SELECTOR: 'h1',
        SMTP_DKIM_PRIVATE_KEY: PEM.replaceAll('\n', '\\n'),
      });
    });
    after(async () => {
      await service?.close();
      await dns?.close();
    });

    it('are asked of a name server, whose silence and failures say nothing', async () => {
      const { txt, cname } = systemDns([dns.address]);
      const long = `v=DKIM1; p=${'A'.repeat(400)}`;
      zone.set('a.example', { TXT: [long, 'second'] }).set('b.example', { CNAME: 'Target.Example' });
      zone.set('fails.example', 'server failure').set('refuses.example', 'refused').set('silent.example', 'silent');
      expect((await txt('a.example')) as string[]).to.have.members([long, 'second']);
      expect([await cname('a.example'), await cname('b.example')]).to.deep.equal(['none', ['target.example']]);
      expect([await txt('nowhere.example'), await txt('fails.example'), await txt('refuses.example')]).to.deep.equal(['none', 'silent', 'silent']);
      expect(await txt(`${'x'.repeat(70)}.example`)).to.be.oneOf(['none', 'silent']);
      expect(await txt('silent.example')).to.equal('silent');
    });

    it('are listed with their records, and checked again', async () => {
      const { status, body } = await service.api('GET', '/v1/sending-domains');
      expect(status).to.equal(200);
      expect(body.data.map(({ domain, verified }: Record<string, unknown>) => [domain, verified])).to.deep.equal([['example.com', false]]);
      for (const [name, TXT] of Object.entries(whole)) zone.set(name, { TXT });
      for (const text of ['no domain', '<a@b.example>', 'Shop <a@b.example>', 'a@b.example', 'example']) {
        const wrong = await service.api('POST', `/v1/sending-domains/${encodeURIComponent(text)}/check`);
        expect([wrong.status, wrong.body.errors?.[0]?.field], text).to.deep.equal([422, 'domain']);
      }
      zone.set('fresh.example', { TXT: ['v=spf1 -all'] });
      const other = await service.api('POST', '/v1/sending-domains/FRESH.example/check');
      expect(other.body).to.include({ domain: 'fresh.example', verified: false });
      expect(dns.asked).to.include.members(['TXT example.com', 'TXT h1._domainkey.example.com', 'TXT _dmarc.example.com', 'TXT fresh.example']);
    });

    it('are named in the audience of a campaign where they are not verified', async () => {
      const content = { subject: 'Hi', message: 'Hi', from: "{{ contact.first_name | default: 'We' }} at Shop <hello@bad.example>" };
      const campaign = { name: 'C', channel: 'email', audience: { include: { everyone: true } }, content };
      const warningsOf = async (body: object) => {
        const { id } = (await service.api('POST', '/v1/campaigns', body)).body;
        return (await service.api('GET', `/v1/campaigns/${id}/audience`)).body.warnings;
      };
      const [warning, ...others] = await warningsOf(campaign);
      expect(others).to.deep.equal([]);
      expect(warning).to.include('bad.example').and.include('SPF is missing').and.include('/v1/sending-domains');
      for (const name of ['good.example', '_dmarc.good.example']) zone.set(name, 'silent');
      expect(await warningsOf({ ...campaign, content: { ...content, from: 'a@good.example' } }), 'nobody answers in time').to.equal(undefined);
      const listed = (await service.api('GET', '/v1/sending-domains')).body.data.map(({ domain }: { domain: string }) => domain);
      expect(listed).to.include.members(['bad.example', 'example.com', 'good.example']);
      const text = { name: 'T', channel: 'sms', audience: { include: { everyone: true } }, content: { message: 'Hi' } };
      expect(await warningsOf(text)).to.equal(undefined);
    });
  });

  describe('with the sandbox', () => {
    const service = Service.guest();
    it('have nothing to check, and nobody is asked', async () => {
      expect((await service.call('PATCH', '/account/settings', { senders: { email: 'hi@acme.example' } })).status).to.equal(200);
      const { data } = await service.ok('GET', '/sending-domains');
      expect(data).to.have.length(1);
      expect(data[0]).to.deep.include({ domain: 'acme.example', verified: null, checks: [] });
    });
  });
});
