/** What reads the webhooks of carriers and mail, by name: pure functions of a request, which can run in another thread. */

import { receivePostmark } from '../../../carriers/postmark/receive.js';
import { type IncomingReport, parsedJsonOf, type RawRequest, reportFieldsOf, reportTextOf } from '../../../carriers/runtime/incoming.js';
import { receiveInboundParse } from '../../../carriers/sendgrid/parse-form.js';
import { receiveSendGrid } from '../../../carriers/sendgrid/receive.js';
import { receiveSes } from '../../../carriers/ses/receive.js';
import type { SnsMessage } from '../../../carriers/ses/verify.js';
import { receiveMail } from '../../../carriers/smtp/receive.js';
import { receiveTwilio } from '../../../carriers/twilio/receive.js';
import { receiveVonage } from '../../../carriers/vonage/receive.js';
import { KEPT_CHARACTERS } from '../../../domain/messages/inbound-email.js';

type Reader = (request: RawRequest, nowMs: number) => readonly IncomingReport[] | Promise<readonly IncomingReport[]>;

const readers = {
  twilio: receiveTwilio,
  vonage: receiveVonage,
  sendgrid: receiveSendGrid,
  inboundParse: receiveInboundParse,
  postmark: receivePostmark,
  smtp: ({ body }, nowMs) => receiveMail(body, nowMs),
  /** The body is a verified message of SNS. */
  ses: ({ body }) => {
    const { Message, MessageId } = reportFieldsOf(parsedJsonOf(body));
    return receiveSes({ Message: reportTextOf(Message) ?? '', MessageId: reportTextOf(MessageId) ?? '' } as SnsMessage);
  },
} as const satisfies Readonly<Record<string, Reader>>;

export type ReaderName = keyof typeof readers;

/** A request to be read. It can be copied to another thread. */
export interface ReadingTask {
  readonly reader: ReaderName;
  readonly request: RawRequest;
  readonly nowMs: number;
}

/** Reads a request. Texts of emails are as long as they are recorded, and one character longer where they are cut. */
export async function readReports({ reader, request, nowMs }: ReadingTask): Promise<IncomingReport[]> {
  const read: Reader = readers[reader];
  return (await read(request, nowMs)).map(shortened);
}

function shortened(one: IncomingReport): IncomingReport {
  if (one.kind !== 'email') return one;
  const startOf = (text: string): string => text.slice(0, KEPT_CHARACTERS + 1);
  return { ...one, text: startOf(one.text), html: one.html === null ? null : startOf(one.html) };
}
