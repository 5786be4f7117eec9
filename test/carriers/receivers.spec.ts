import { createSign, generateKeyPairSync } from 'node:crypto';
import { expect } from 'chai';
import type { InboundRouteRequest } from '../../api/http/inbound-route.js';
import type { Services } from '../../api/http/services.js';
import { carrierInboundRoutes } from '../../api/webhooks/carriers.js';
import { sendMessage } from '../../commands/messages/send-message.js';
import { channelNames } from '../../domain/kernel/channels.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { StoreUnavailable } from '../../domain/kernel/ports.js';
import { messageStream } from '../../domain/messages/message.js';
import { EnvelopeTags } from '../../formats/messages/envelope-tags.js';
import { carrierReceivers } from '../../ops/app/serve/carrier-receivers.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { TestApp } from '../support/test-app.js';
import { bounceMail, mailOf } from './smtp/mails.js';

const NOBODYS = 'msg_01JZ0000000000000000000000';
const KEY = Buffer.alloc(32, 7);
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:mail';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
const CERTIFICATE = 'https://sns.eu-west-1.amazonaws.com/cert.pem';

const signed = (fields: Readonly<Record<string, string>>): string => {
  const message: Record<string, string> = {
    MessageId: 'sns-1',
    TopicArn: TOPIC,
    Message: '{}',
    Timestamp: '2026-01-15T10:30:00.000Z',
    SignatureVersion: '2',
    SigningCertURL: CERTIFICATE,
    ...fields,
  };
  const names = ['Message', 'MessageId', 'SubscribeURL', 'Subject', 'Timestamp', 'Token', 'TopicArn', 'Type'].filter((name) => name in message);
  const text = names.map((name) => `${name}\n${message[name]}\n`).join('');
  return JSON.stringify({ ...message, Signature: createSign('RSA-SHA256').update(text).sign(privateKey, 'base64') });
};

const requestOf = (body: string, headers = {}, execute: unknown = async () => ({ output: null })): InboundRouteRequest => ({
  method: 'POST',
  target: '/v1/webhooks/x',
  params: {},
  headers,
  body: Buffer.from(body),
  signal: new AbortController().signal,
  execute: execute as InboundRouteRequest['execute'],
});

describe('the webhook of Amazon SES', () => {
  function fixture(getText: (url: string) => Promise<string>) {
    const settings = { ses: { topic_arns: `arn:aws:sns:eu-west-1:1:other, ${TOPIC}` } };
    const receivers = carrierReceivers({ settings, publicAddress: { url: '' }, clock: { now: () => 0 }, getText });
    return (body: string) => receivers.find(({ carrier }) => carrier === 'ses')?.receive(requestOf(body));
  }
  const confirmation = (SubscribeURL: string): string => signed({ Type: 'SubscriptionConfirmation', Token: 't', SubscribeURL });

  it('loads a certificate once, and confirms a topic at Amazon alone', async () => {
    const asked: string[] = [];
    const receive = fixture(async (url) => {
      asked.push(url);
      return pem;
    });
    expect(await receive(signed({ Type: 'Notification' }))).to.deep.equal([{ kind: 'none', what: 'no event of SES' }]);
    expect(await receive(confirmation('https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription'))).to.deep.equal([]);
    expect(await receive(confirmation('https://127.0.0.1/?Action=ConfirmSubscription'))).to.equal(null);
    expect(await receive(signed({ Type: 'Notification', TopicArn: 'arn:aws:sns:eu-west-1:1:foreign' }))).to.equal(null);
    expect(asked).to.deep.equal([CERTIFICATE, 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription']);
  });

  it('asks to be called again where a certificate cannot be had', async () => {
    const receive = fixture(() => Promise.reject(new Error('no answer')));
    const failed = await receive(signed({ Type: 'Notification' }))?.catch((e: unknown) => e);
    expect(failed).to.include({ code: 'unavailable' });
  });
});

describe('a report that cannot be stored', () => {
  const basic = { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` };
  const record = JSON.stringify({ RecordType: 'Delivery', MessageID: 'pm-1', DeliveredAt: '2026-01-15T10:30:00Z' });
  const handle = (error: Error) => {
    const { log, views, vault, clock } = new TestApp();
    const settings = { postmark: { webhook_user: 'u', webhook_password: 'p' } };
    const receivers = carrierReceivers({ settings, publicAddress: { url: '' }, clock, getText: async () => '' });
    const services = { log, views, addresses: vault, clock, purposeKey: () => KEY } as Partial<Services> as Services;
    const inboundRoute = carrierInboundRoutes(services, { receivers, onUnreadable: () => {}, onCut: () => {}, onUnknownCode: () => {} }).find(
      ({ path }) => path === '/v1/webhooks/postmark',
    );
    return inboundRoute?.handle(requestOf(record, basic, () => Promise.reject(error))).catch((e: unknown) => e);
  };

  it('is our fault: the carrier tries again', async () => {
    const away = new StoreUnavailable('away');
    expect(await handle(away)).to.equal(away);
    expect(await handle(new DomainError('conflict', 'Several at once.'))).to.include({ code: 'unavailable' });
  });
});

describe("mail that comes back to an account's own mail server", () => {
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

  async function fixture() {
    const route = { name: 'smtp', channels: channelNames, deduplicates: true } as const;
    const send = async () => ({ outcome: 'accepted', carrier_message_id: 'x' }) as const;
    const app = new TestApp([dispatchMessages({ routes: () => ({ ...route, send }) })]);
    const receivers = carrierReceivers({
      ...{ settings: {}, publicAddress: { url: '' }, clock: app.clock, getText: async () => '' },
      ownSettings: async (account, carrier) =>
        account === 'acc_A' && carrier === 'smtp' ? { smtp: { webhook_user: 'mx', webhook_password: 'a:b' } } : null,
    });
    const services = {
      log: app.log,
      views: app.views,
      addresses: app.vault,
      clock: app.clock,
      purposeKey: () => KEY,
    } as Partial<Services> as Services;
    const inboundRoute = carrierInboundRoutes(services, { receivers, onUnreadable: () => {}, onCut: () => {}, onUnknownCode: () => {} }).find(
      ({ path }) => path === '/v1/webhooks/smtp/:account_id',
    );
    const execute = (command: never, input: never, account: string) => app.execute(command, input, { account });
    const hand = async (mail: Buffer, { account = 'acc_A', headers = basic('mx:a:b') as { authorization?: string } } = {}) => {
      const params = { account_id: account };
      try {
        await inboundRoute?.admit?.({ headers, params });
        const request = { ...requestOf('', headers, execute), params, body: mail };
        return (await inboundRoute?.handle(request))?.body;
      } catch (error) {
        return (error as DomainError).code;
      }
    };
    const sentBy = async (account: string, to: string): Promise<string> => {
      const { id } = (await app.execute(sendMessage, { to, channel: 'email', subject: 'Hello', message: 'Hi' }, { account })).output;
      await app.run();
      return id;
    };
    const keptReports = async (): Promise<number> => {
      const { events } = await app.engine.events.readAll('start', 1_000);
      return events.filter(({ type }) => type === 'ReportKept').length;
    };
    return { app, hand, sentBy, keptReports };
  }

  it('is recorded for that account by its own user name and password, which are asked for before the body is read', async () => {
    const { app, hand, sentBy, keptReports } = await fixture();
    const id = await sentBy('acc_A', 'gone@example.org');
    const mail = bounceMail({ id, recipient: 'gone@example.org' });
    for (const headers of [{}, basic('mx:wrong'), basic('mx')]) expect(await hand(mail, { headers })).to.equal('unauthorized');
    expect(await hand(mail, { account: 'acc_B' })).to.equal('unauthorized');
    expect(await app.history(messageStream(id))).not.to.include('MessageBounced');
    expect(await hand(mail)).to.deep.equal({ received: 1, unreadable: 0 });
    await hand(mail);
    expect((await app.history(messageStream(id))).filter((type) => type === 'MessageBounced')).to.have.length(1);
    expect(await keptReports()).to.equal(0);
  });

  it('is kept for the operator where the address of a message of nobody proves itself, once a message', async () => {
    const { app, hand, sentBy, keptReports } = await fixture();
    const foreign = await sentBy('acc_B', 'ada@example.org');
    const mails = [bounceMail({ id: foreign, recipient: 'ada@example.org' }), bounceMail({ id: NOBODYS, recipient: 'a@b.example' })];
    for (const mail of [...mails, ...mails]) expect(await hand(mail)).to.deep.equal({ received: 1, unreadable: 0 });
    expect(await app.history(messageStream(foreign))).not.to.include('MessageBounced');
    expect(await keptReports(), 'nothing proves that these answer a message').to.equal(0);
    const tag = new EnvelopeTags(KEY).of(NOBODYS);
    const returned = (to: string) => Buffer.from(mails[1]?.toString('latin1').replace('To: grace@example.com', `To: ${to}`) ?? '', 'latin1');
    const forged = tag.replace(/./, (first) => (first === '0' ? '1' : '0'));
    for (const to of [`b+${NOBODYS}-${forged}@example.com`, `b+${NOBODYS}@example.com`]) await hand(returned(to));
    expect(await keptReports(), 'nor a tag that is not ours').to.equal(0);
    for (const letters of [tag, tag.toUpperCase(), tag]) await hand(returned(`b+${NOBODYS}-${letters}@example.com`));
    expect(await keptReports()).to.equal(1);
    const reply = mailOf([`In-Reply-To: <${foreign}@example.com>`, 'To: desk@example.com']);
    expect(await hand(reply)).to.deep.equal({ received: 1, unreadable: 0 });
    expect(await app.history(messageStream(foreign))).not.to.include('MessageReplied');
  });
});
