import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { fcmErrors } from '../../carriers/fcm/codes.js';
import { fcmOutcome } from '../../carriers/fcm/send.js';
import { postmarkBounces, postmarkErrors, postmarkRecords, postmarkSuppressions } from '../../carriers/postmark/codes.js';
import { receivePostmark } from '../../carriers/postmark/receive.js';
import { postmarkFormat } from '../../carriers/postmark/send.js';
import { type ErrorCodes, type ErrorRule, errorClasses, type StatusCodes } from '../../carriers/runtime/codes.js';
import type { IncomingReport, RawRequest } from '../../carriers/runtime/incoming.js';
import { sendgridClassifications, sendgridDropped, sendgridErrors, sendgridEvents } from '../../carriers/sendgrid/codes.js';
import { receiveSendGrid } from '../../carriers/sendgrid/receive.js';
import { sendgridFormat } from '../../carriers/sendgrid/send.js';
import { sesBounces, sesErrors, sesEvents } from '../../carriers/ses/codes.js';
import { receiveSes } from '../../carriers/ses/receive.js';
import { sesFormat } from '../../carriers/ses/send.js';
import { twilioErrors, twilioStatuses } from '../../carriers/twilio/codes.js';
import { receiveTwilio } from '../../carriers/twilio/receive.js';
import { twilioFormat } from '../../carriers/twilio/send.js';
import { vonageGenericErrors, vonageMessagesErrors, vonageSmsErrors, vonageStatuses } from '../../carriers/vonage/codes.js';
import { receiveVonage } from '../../carriers/vonage/receive.js';
import { vonageFormat } from '../../carriers/vonage/send.js';
import { webPushErrors } from '../../carriers/web-push/codes.js';
import { webPushOutcome } from '../../carriers/web-push/send.js';
import { codeTables, printedCodes } from './printed-codes.js';

const OURS = 'msg_01JHM4B3W6TQ8X2N5R7Y9Z0001';
const request = (body: string, target = '/v1/webhooks/x'): RawRequest => ({ method: 'POST', target, headers: {}, body: Buffer.from(body) });
const jsonRequest = (body: unknown): RawRequest => request(JSON.stringify(body));
// biome-ignore lint/suspicious/noExplicitAny: specs look into results of every kind
const only = (found: readonly IncomingReport[]): any => {
  expect(found).to.have.lengthOf(1);
  return found[0];
};

type Read = (code: string) => IncomingReport | Promise<IncomingReport>;

const tried = new Set<ErrorCodes | StatusCodes>();

/** One test for each error code in a report, and one for a code that nobody knows. */
function reportsHave(table: ErrorCodes, read: Read): void {
  tried.add(table);
  for (const [code, [means]] of Object.entries(table.codes))
    it(`${table.title}, in a report: ${code}`, async () => {
      const { reason, ...rule }: ErrorRule = errorClasses[means];
      const { receipt, unknown_code } = only([await read(code)]);
      expect(receipt).to.include({ kind: 'undelivered', reason, code });
      expect([receipt.listed_as, unknown_code]).to.deep.equal([rule.listed_as, undefined]);
    });
  it(`${table.title}, in a report: a code that nobody knows passes, and is named`, async () => {
    const { receipt, unknown_code } = only([await read('77777')]);
    expect([receipt.reason, receipt.listed_as, unknown_code]).to.deep.equal(['carrier_unavailable', undefined, '77777']);
  });
}

type Answer = (code: string) => unknown;

/** One test for each error code in an answer, and one for a code that nobody knows. */
function answersHave(table: ErrorCodes, answer: Answer, unknown: 'transient_error' | 'permanent_error' = 'transient_error'): void {
  tried.add(table);
  for (const [code, [means]] of Object.entries(table.codes))
    it(`${table.title}, as an answer: ${code}`, () => {
      const { outcome, reason, listed_as }: ErrorRule = errorClasses[means];
      expect(answer(code)).to.deep.include({ outcome, code, ...(outcome === 'permanent_error' && { reason, ...(listed_as && { listed_as }) }) });
      expect(answer(code)).not.to.have.property('unknown_code');
    });
  it(`${table.title}, as an answer: a code that nobody knows`, () => {
    expect(answer('77777')).to.include({ outcome: unknown, ...(unknown === 'transient_error' && { unknown_code: true }) });
  });
}

/** One test for each status, and one for a status that nobody knows. */
function statusesAre(table: StatusCodes, read: Read, unknown: object): void {
  tried.add(table);
  for (const [status, meaning] of Object.entries(table.statuses))
    it(`${table.title}: ${status}`, async () => {
      const found = only([await read(status)]);
      if (meaning === null) expect(found).to.include({ kind: 'none' }).and.not.have.property('unknown_code');
      else expect(found.receipt).to.deep.include(meaning);
    });
  it(`${table.title}: one that nobody knows is named`, async () => expect(await read('unheard of')).to.deep.nested.include(unknown));
}

const response = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}) => ({ status, headers, body: JSON.stringify(body) });

describe('codes of Twilio', () => {
  const report = (fields: Readonly<Record<string, string>>) =>
    only(receiveTwilio(request(new URLSearchParams({ MessageSid: 'SM1', ...fields }).toString(), `/v1/webhooks/twilio?message_id=${OURS}`)));
  // Without a sender these two are texts that somebody has sent.
  statusesAre(twilioStatuses, (status) => (status === 'received' ? { kind: 'none', what: status } : report({ MessageStatus: status })), {
    kind: 'none',
    unknown_code: 'unheard of',
  });
  reportsHave(twilioErrors, (code) => report({ MessageStatus: 'undelivered', ErrorCode: code }));
  answersHave(twilioErrors, (code) => twilioFormat({}, null).outcome(response(400, { code: Number(code) })));
  it('say nothing where there is none', () =>
    expect(report({ MessageStatus: 'failed' }).receipt).to.include({ reason: 'carrier_rejected', code: null }));
});

describe('codes of Vonage', () => {
  const report = (fields: object) => only(receiveVonage(jsonRequest({ message_uuid: 'u-1', client_ref: OURS, ...fields })));
  const error = (title: unknown, type?: string) => report({ status: 'rejected', error: { title, type, detail: 'x' } });
  statusesAre(vonageStatuses, (status) => report({ status }), { kind: 'none', unknown_code: 'unheard of' });
  reportsHave(vonageSmsErrors, (code) => report({ status: 'failed', 'err-code': code }));
  reportsHave(vonageMessagesErrors, (code) => error(code));
  const format = vonageFormat({}, null);
  const answer = (code: string) =>
    format.outcome(response(422, { type: `https://developer.vonage.com/api-errors/messages#${code}`, title: 'A sentence' }));
  answersHave(vonageMessagesErrors, answer);
  answersHave(vonageGenericErrors, answer);

  it('are found in the title, as a number or a text, in the type, and in an error within the error', () => {
    for (const found of [error(1170), error('1170'), error('Invalid number', 'https://developer.vonage.com/api-errors/messages#1170')])
      expect(found.receipt).to.include({ reason: 'invalid_recipient', code: '1170' });
    expect(report({ status: 'undeliverable', error: { error: { title: '1240' } } }).receipt).to.include({ listed_as: 'opted_out', code: '1240' });
  });

  it('mean the same in both of its APIs', () => {
    const pairs = {
      1: 1330,
      2: 1180,
      3: 1190,
      5: 1200,
      6: 1210,
      7: 1220,
      8: 1230,
      9: 1240,
      10: 1040,
      11: 1250,
      12: 1260,
      13: 1270,
      14: 1280,
      15: 1290,
    };
    const more = { 50: 1480, 51: 1481, 52: 1482, 53: 1483, 54: 1484 };
    for (const [sms, messages] of Object.entries({ ...pairs, ...more }))
      expect([sms, vonageSmsErrors.codes[sms]?.[0]]).to.deep.equal([sms, vonageMessagesErrors.codes[messages]?.[0]]);
  });
});

describe('codes of SendGrid', () => {
  const event = (fields: object) =>
    only(receiveSendGrid(jsonRequest([{ sg_message_id: 'a.b', sg_event_id: 'e-1', timestamp: 1_600_112_492, message_id: OURS, ...fields }])));
  statusesAre(sendgridEvents, (name) => event(name === 'blocked' ? { event: 'bounce', type: 'blocked' } : { event: name }), {
    kind: 'none',
    unknown_code: 'unheard of',
  });
  statusesAre(
    {
      ...sendgridClassifications,
      statuses: { ...sendgridClassifications.statuses, Unclassified: { kind: 'bounced', reason: 'hard_bounce', bounce_class: 'hard' } },
    },
    (bounce_classification) => event({ event: 'bounce', type: 'bounce', bounce_classification }),
    { kind: 'receipt', unknown_code: 'unheard of' },
  );
  tried.add(sendgridClassifications);
  statusesAre(sendgridDropped, (reason) => event({ event: 'dropped', reason }), {
    kind: 'receipt',
    'receipt.bounce_class': 'unknown',
    unknown_code: 'unheard of',
  });
  answersHave(sendgridErrors, (field) => sendgridFormat({}).outcome(response(400, { errors: [{ field, message: 'x' }] })), 'permanent_error');

  it('are read beside what the receiver said', () => {
    const bounce = (fields: object) => event({ event: 'bounce', type: 'bounce', ...fields }).receipt;
    expect(bounce({ reason: '552 5.2.2 mailbox full', status: '5.2.2' })).to.include({ reason: 'carrier_rejected', bounce_class: 'soft' });
    expect(bounce({ reason: '550 5.1.1 user unknown', bounce_classification: 'Unclassified' })).to.include({ bounce_class: 'hard' });
    expect(bounce({ type: 'blocked', bounce_classification: 'Invalid Address' })).to.include({ bounce_class: 'soft' });
    expect(bounce({ type: 'blocked', bounce_classification: 'Reputation' })).to.include({ reason: 'blocked', bounce_class: 'blocked' });
  });
});

describe('codes of Postmark', () => {
  const record = async (fields: object) => only(await receivePostmark(jsonRequest({ MessageID: 'p-1', Metadata: { message_id: OURS }, ...fields })));
  statusesAre(postmarkRecords, (RecordType) => record({ RecordType }), { kind: 'none', unknown_code: 'unheard of' });
  statusesAre(postmarkBounces, (Type) => record({ RecordType: 'Bounce', Type }), {
    'receipt.bounce_class': 'unknown',
    unknown_code: 'unheard of',
  });
  statusesAre(postmarkSuppressions, (SuppressionReason) => record({ RecordType: 'SubscriptionChange', SuppressSending: true, SuppressionReason }), {
    kind: 'none',
    unknown_code: 'unheard of',
  });
  answersHave(postmarkErrors, (code) => postmarkFormat({}).outcome(response(422, { ErrorCode: Number(code) })));
});

describe('codes of Amazon SES', () => {
  const event = async (fields: object) => {
    const mail = { messageId: 's-1', timestamp: '2026-01-15T10:30:00.000Z', tags: { message_id: [OURS] } };
    return only(await receiveSes({ Message: JSON.stringify({ mail, ...fields }), MessageId: 'sns-1' }));
  };
  statusesAre(sesEvents, (eventType) => event({ eventType }), { kind: 'none', unknown_code: 'unheard of' });
  statusesAre(
    sesBounces,
    (types) => {
      const [bounceType, bounceSubType] = types.split('/');
      return event({ eventType: 'Bounce', bounce: { bounceType, bounceSubType, bouncedRecipients: [{ emailAddress: 'ada@example.com' }] } });
    },
    { 'receipt.bounce_class': 'unknown', unknown_code: 'unheard of/General' },
  );
  answersHave(sesErrors, (__type) => sesFormat({}).outcome(response(400, { __type, message: 'x' })));

  it('count as the general one of their type where nobody knows the subtype', async () => {
    const found = await event({ eventType: 'Bounce', bounce: { bounceType: 'Permanent', bounceSubType: 'Unheard' } });
    expect([found.receipt.bounce_class, found.unknown_code]).to.deep.equal(['hard', 'Permanent/Unheard']);
  });
});

describe('codes of push services', () => {
  const detail = (errorCode: string) => ({ error: { details: [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }] } });
  answersHave(fcmErrors, (code) => fcmOutcome(response(400, detail(code))));
  tried.add(webPushErrors);
  for (const [code, [means]] of Object.entries(webPushErrors.codes))
    it(`${webPushErrors.title}: ${code}`, () => {
      const { outcome, reason }: ErrorRule = errorClasses[means];
      expect(webPushOutcome(Number(code), 'm')).to.deep.include({ outcome, code, ...(outcome === 'permanent_error' && { reason }) });
    });
});

describe('tables of codes', () => {
  it('are printed in the documentation', () => {
    const [, printed] =
      /<!-- codes: printed by test\/carriers\/codes.spec.ts -->\n(.*)\n<!-- end of codes -->/s.exec(readFileSync('docs/carriers.md', 'utf8')) ?? [];
    expect(printed).to.equal(printedCodes());
  });

  it('are all tried here', () => expect(codeTables.filter((table) => !tried.has(table)).map(({ title }) => title)).to.deep.equal([]));
});
