import { DomainError, isDomainError } from '../../domain/kernel/errors.js';
import type { Static, TSchema } from '../../domain/kernel/schema.js';
import type { IncomingEmail, IncomingReceipt, IncomingText } from '../../domain/webhooks/incoming.js';
import { fingerprint } from '../../log/runtime/ids.js';
import { recordInboundEmail } from '../messages/record-inbound-email.js';
import { recordReceipt } from '../messages/record-receipt.js';
import type { Command, ExecuteResult } from '../runtime/command.js';
import { receiveInbound } from '../suppressions/receive-inbound.js';
import { suppressAddress } from '../suppressions/suppress-address.js';

/** What carriers report. */
export type CarrierReport = IncomingReceipt | IncomingText | IncomingEmail;

/** An account that a report belongs to, with the message that it is about. */
export interface Owner {
  readonly account: string;
  readonly message_id: string | null;
  /** The report concerns this copy of the message alone. */
  readonly copy?: { readonly address: string; readonly address_key: string };
}

/** Executes a command in the name of an account. */
export type ExecuteFor = <Input extends TSchema, Output>(
  command: Command<Input, Output>,
  input: Static<Input>,
  account: string,
) => Promise<Pick<ExecuteResult<Output>, 'output'>>;

/**
 * Records a report for the account that it belongs to. A repeat changes nothing. `now` in milliseconds since 1970. Throws `not_found`
 * where the message of a receipt is not recorded yet, and `validation_error` where the sender is no address.
 */
export async function recordReport(report: CarrierReport, { account, message_id, copy }: Owner, execute: ExecuteFor, now: number): Promise<void> {
  const received = new Date(now).toISOString();
  switch (report.kind) {
    case 'receipt': {
      if (message_id === null) throw new DomainError('not_found', 'The receipt names no message.');
      const { receipt, dedupe } = report;
      const at = receipt.at ?? received;
      if (copy) {
        if (receipt.reason !== 'hard_bounce') return;
        const cause = { reason: 'bounced', source: 'bounce', via: 'feedback', channel: 'email', message_id, occurred_at: at } as const;
        await execute(suppressAddress, { ...copy, ...cause }, account);
        return;
      }
      await execute(recordReceipt, { id: message_id, receipt: { ...receipt, at }, ...(dedupe !== undefined && { dedupe }) }, account);
      return;
    }
    case 'text':
      await recordText(report, { account, message_id }, execute, received);
      return;
    case 'email':
      await recordEmail(report, { account, message_id }, execute, received);
      return;
    default:
      report satisfies never;
  }
}

/** A text that is no keyword is also a reply to its message. */
async function recordText({ report }: IncomingText, { account, message_id }: Owner, execute: ExecuteFor, received: string): Promise<void> {
  const { replies_to: _, media, ...text } = report;
  const { output } = await execute(
    receiveInbound,
    { ...text, ...(media && { media: [...media] }), ...(message_id !== null && { message_id }) },
    account,
  );
  if (message_id === null || output.keyword !== null) return;
  const { carrier, carrier_message_id } = report;
  const receipt = {
    kind: 'replied',
    ...{ carrier, carrier_message_id, raw_status: 'replied', code: null, keyword: null },
    text: report.text === '' ? null : report.text,
    at: report.at ?? received,
  } as const;
  await execute(recordReceipt, { id: message_id, receipt, dedupe: output.id }, account);
}

async function recordEmail(email: IncomingEmail, { account, message_id }: Owner, execute: ExecuteFor, received: string): Promise<void> {
  const {
    kind: _,
    account: _a,
    references: _r,
    token: _t,
    tokens: _s,
    for_operator: _f,
    key,
    to,
    at,
    attachments,
    carrier_message_id,
    ...given
  } = email;
  // An id of the sender's own choice may name a person, and is not sealed.
  const id = key ?? fingerprint([carrier_message_id ?? email.email_message_id ?? email]);
  const about = { ...given, carrier_message_id: id, to: to[0] ?? null, attachments: [...attachments], at: at ?? received };
  await execute(recordInboundEmail, { ...about, ...(message_id !== null && { message_id }) }, account);
  if (message_id === null || email.automatic) return;
  const receipt = {
    kind: 'replied',
    carrier: email.carrier,
    carrier_message_id: null,
    raw_status: 'replied',
    code: null,
    text: null,
    at: about.at,
  } as const;
  await execute(recordReceipt, { id: message_id, receipt, dedupe: id }, account);
}

/** Whether a report cannot be recorded, now or later: its sender is no address. */
export const isUnreadableReport = (error: unknown): boolean => isDomainError(error) && error.code === 'validation_error';
