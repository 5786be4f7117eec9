import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { expect } from 'chai';
import { createCarrierHttp } from '../../carriers/runtime/http.js';
import { mailServerOf } from '../../carriers/smtp/mail-server.js';
import { openGuardedSocket } from '../../carriers/smtp/open-socket.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { type CarriersPatch, mergeCarriers, type OwnCarrier } from '../../domain/accounts/own-carriers.js';
import type { AccountSettings } from '../../domain/accounts/resources.js';
import { defaultSettings } from '../../domain/accounts/settings.js';
import { type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { carrierRoutes } from '../../ops/app/carrier-routes.js';
import { ownSettings, ownSettingsProblems } from '../../ops/app/own-carrier-settings.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { bulk, performAs } from '../messages/bulk-app.js';
import { SkippingClock } from '../support/skipping-clock.js';
import { system } from '../support/system.js';
import { ACCOUNT, TestApp } from '../support/test-app.js';
import { FakeCarrier } from './fake-carrier.js';

const RULES = { routes: {}, allowedCidrs: [] };
const problemsOf = (patch: CarriersPatch, rules = RULES) =>
  ownSettingsProblems(patch, { carriers: mergeCarriers(new Map(), patch), routes: {} }, rules).map(({ field, code }) => `${field} ${code}`);
const smtp = (url: string, allowedCidrs: readonly string[] = []) =>
  problemsOf({ smtp: { url } }, { ...RULES, allowedCidrs: [...allowedCidrs] as never });

describe('the carriers in the settings of an account', () => {
  it('name no mail server in a private network, however it is written', () => {
    const hosts = ['127.0.0.1', '10.1.2.3', '0x7f.1', '2130706433', 'localhost', '169.254.169.254', 'mail.internal', '127.1', '%31%32%37.0.0.1'];
    for (const host of hosts) expect(smtp(`smtp://u:p@${host}:25`), host).to.have.length(1);
    for (const url of ['smtp://mail.example.com', 'smtps://u:p%40x@mail.example.com:465/', 'smtp://93.184.216.34:2525'])
      expect(smtp(url), url).to.deep.equal([]);
    expect(smtp('smtp://127.0.0.1:25', ['127.0.0.0/8'])).to.deep.equal([]);
  });

  it('give their mail server no settings of the client', () => {
    for (const url of ['smtp://mail.example.com?proxy=http://10.0.0.1', 'smtp://mail.example.com/?host=10.0.0.1', 'smtp://mail.example.com/#x'])
      expect(smtp(url), url).to.deep.equal(['smtp.url'].map((field) => `carriers.${field} invalid_format`));
  });

  it('have the base address of the operator, never of their own', () => {
    expect(problemsOf({ vonage: { api_key: 'a', api_secret: 'b', base_url: 'http://10.0.0.1' } })).to.deep.equal([
      'carriers.vonage.base_url unknown_field',
    ]);
    const shared = { twilio: { base_url: 'http://operator.example', auth_token: 'of the operator' } };
    expect(ownSettings('twilio', { auth_token: 'own', base_url: 'http://10.0.0.1' }, shared)).to.deep.equal({
      twilio: { auth_token: 'own', base_url: 'http://operator.example' },
    });
  });

  it('need all fields of one way to send', () => {
    expect(problemsOf({ vonage: { application_id: 'a' } })).to.deep.equal(['carriers.vonage.private_key required']);
    expect(problemsOf({ ses: { region: 'eu-west-1' } })).to.deep.equal([
      'carriers.ses.access_key_id required',
      'carriers.ses.secret_access_key required',
    ]);
  });
});

describe('the connection to the mail server of an account', () => {
  const connected = (allowed: readonly string[], host: string, port: number): Promise<Error | Socket> =>
    openGuardedSocket(mailServerOf(`smtp://${host}:${port}`), allowed, system.clock)().catch((e: Error) => e);

  it('is made only to an address that is allowed, also where a name leads to it', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    for (const host of ['127.0.0.1', '0x7f.1', 'localhost'])
      expect(await connected([], host, port), host).to.have.property('code', 'forbidden_address');
    const socket = await connected(['127.0.0.0/8'], '127.0.0.1', port);
    expect(socket).to.have.property('remotePort', port);
    (socket as Socket).destroy();
    server.close();
  });
});

describe('credentials of an account that its carrier refuses', () => {
  const sid = `AC${'1'.repeat(32)}`;
  let fake: FakeCarrier;
  afterEach(() => fake.stop());

  /** An app whose account has these credentials; `configure` changes them, as a new version. */
  async function start() {
    const right = `Basic ${Buffer.from(`${sid}:right`).toString('base64')}`;
    let nth = 0;
    fake = await FakeCarrier.start(({ headers }) =>
      headers.authorization === right ? { status: 201, body: { sid: `SM${++nth}` } } : { status: 401, body: { code: 20003 } },
    );
    const carriers = new Map<string, OwnCarrier>();
    const facts = {
      id: ACCOUNT,
      settings: defaultSettings('Acme', 'UTC'),
      webhook_secret: null,
      identity_secret: null,
      carriers,
      version: 1,
      created_at: '',
      updated_at: '',
    };
    const configure = (auth_token: string, version: number) =>
      carriers.set('twilio', { settings: JSON.stringify({ account_sid: sid, auth_token }), version, updated_at: '' });
    const config = { routes: {}, carriers: { twilio: { base_url: fake.url } }, sandboxLog: null, publicUrl: null, webhookAllowCidrs: [] };
    const clock = new SkippingClock('2026-01-15T10:00:00.000Z');
    const settings = (account: string): AccountSettings | null => (account === ACCOUNT ? facts : null);
    const warnings: unknown[] = [];
    const routes = carrierRoutes(config, { clock, http: createCarrierHttp(), settings });
    const process = dispatchMessages({ routes, onMisconfigured: (...args) => void warnings.push(args) });
    const app = new TestApp([process], { lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } } });
    const request = { from: '+14155550199' };
    return { app, configure, warnings, request, ended: async (id: string) => (await app.log.read(messageStream(id)))?.at(-1)?.event.type };
  }

  it('stop its batch without losing any of it, and corrected ones send all of it once', async () => {
    const { app, configure, warnings, request, ended } = await start();
    configure('wrong', 2);
    const { ids } = await bulk(app, 300, request);
    await performAs(app, 1);
    const refused = fake.requests.length;
    expect(refused).to.be.within(1, 32);
    configure('right', 3);
    await app.run();
    expect(new Set(await Promise.all(ids.map(ended)))).to.deep.equal(new Set(['MessageSent']));
    expect(fake.requests.length - refused).to.equal(300);
    expect(warnings, 'the operator gets no warning of it').to.deep.equal([]);
  });

  it('concern no other account, which goes on with the carriers of the service', async () => {
    const { app, configure, request } = await start();
    configure('wrong', 2);
    await bulk(app, 5, request);
    await performAs(app, 1);
    const calls = fake.requests.length;
    const { output } = await app.execute(sendMessage, { to: '+14155550100', channel: 'sms', message: 'Hi' }, { account: 'acc_OTHER' });
    await performAs(app, 1);
    const sent = (await app.log.read<MessageEvent>(messageStream(output.id)))?.at(-1)?.event;
    expect([sent?.type, sent?.data]).to.deep.include('MessageSent').and.to.have.nested.property('[1].carrier', 'sandbox');
    expect(fake.requests).to.have.length(calls);
  });
});
