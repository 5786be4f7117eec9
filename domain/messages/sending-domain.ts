/** Whether receivers can believe the mail that is sent from a domain: what the DNS says of it, and what it should say. */
import { annotate, flag, list, named, nullable, oneOf, record, type Static, text, time } from '../kernel/schema.js';

const sendingCheckStatus = named('SendingCheckStatus', oneOf('ok', 'missing', 'wrong', 'unknown'));
export type SendingCheckStatus = Static<typeof sendingCheckStatus>;

const sendingCheck = named(
  'SendingCheck',
  record({
    kind: annotate(named('SendingCheckKind', oneOf('spf', 'dkim', 'dmarc')), {
      description: '`spf`: who may send; `dkim`: the key of signatures; `dmarc`: what receivers do with mail that has neither.',
    }),
    carrier: annotate(nullable(text), { description: 'The carrier whose mail it is about; null for all.' }),
    status: annotate(sendingCheckStatus, { description: '`unknown` where no name server or carrier has answered, or only the carrier can tell.' }),
    type: annotate(nullable(named('SendingRecordType', oneOf('TXT', 'CNAME'))), { description: 'Of the record; null where no record decides it.' }),
    name: annotate(nullable(text), { description: 'Name of the record.' }),
    found: annotate(list(text), { description: 'What the DNS has there.' }),
    expected: annotate(nullable(text), { description: 'What to set, as a whole record.' }),
    hint: annotate(nullable(text), { description: 'What to do, or why nothing can be said.' }),
  }),
);
export type SendingCheckResult = Static<typeof sendingCheck>;

export const sendingDomain = named(
  'SendingDomain',
  record({
    domain: text,
    verified: annotate(nullable(flag), {
      description: 'Whether all checks are `ok`; null where some are `unknown` and none has failed, or there are none.',
    }),
    checks: list(sendingCheck),
    checked_at: time,
  }),
);
export type SendingDomain = Static<typeof sendingDomain>;

/** All that must hold, holds; something does not; or nothing is known to fail, and something is not known. */
export function isDomainVerified(checks: readonly Pick<SendingCheckResult, 'status'>[]): boolean | null {
  if (checks.some(({ status }) => status === 'missing' || status === 'wrong')) return false;
  return checks.length > 0 && checks.every(({ status }) => status === 'ok') ? true : null;
}
