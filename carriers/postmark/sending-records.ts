import type { SendingCheck } from '../runtime/sending-records.js';

/** What receivers check of mail by Postmark. The token of a server reads nothing of domains, so only Postmark shows their keys. */
export const postmarkSendingChecks: readonly SendingCheck[] = [
  {
    ...{ kind: 'spf', record: null, status: 'ok' },
    hint: 'The envelope is that of Postmark, and so is SPF, unless you have set a Return-Path of your own (`pm-bounces.…` as a CNAME of pm.mtasv.net).',
  },
  {
    ...{ kind: 'dkim', record: null, status: 'unknown' },
    hint: 'Postmark shows whether its key is set, and the record: Sender Signatures, DNS Settings of the domain.',
  },
];
