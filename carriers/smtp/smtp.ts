import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { passwordProof } from '../runtime/incoming.js';
import { receiveMail } from './receive.js';
import { createSmtp } from './send.js';
import { smtpFields } from './settings.js';

/** Email over any SMTP server. What it reports is mail as it came. */
export const smtp = describeCarrier({
  name: 'smtp',
  channels: ['email'],
  fields: smtpFields,
  needs: [['url']],
  create: createSmtp,
  international: true,
  codes: [],
  inbound: { address: ['return_path', 'inbound_address'], needs: ['webhook_user', 'webhook_password'] },
  receivers: [
    {
      path: '',
      methods: ['POST'],
      bodyLimit: BODY_LIMITS.email,
      accountsOnly: true,
      proof: passwordProof,
      read: ({ body }, nowMs) => receiveMail(body, nowMs),
    },
  ],
});
