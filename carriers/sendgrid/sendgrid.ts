import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { equalSecrets } from '../runtime/incoming.js';
import { sendgridClassifications, sendgridDropped, sendgridErrors, sendgridEvents } from './codes.js';
import { receiveInboundParse } from './parse-form.js';
import { receiveSendGrid } from './receive.js';
import { createSendGrid } from './send.js';
import { sendGridFields } from './settings.js';
import { verifySendGrid } from './verify.js';

/** Email by SendGrid. */
export const sendgrid = describeCarrier({
  name: 'sendgrid',
  channels: ['email'],
  fields: sendGridFields,
  needs: [['api_key']],
  create: createSendGrid,
  codes: [sendgridEvents, sendgridClassifications, sendgridDropped, sendgridErrors],
  inbound: { address: ['inbound_address'], needs: ['inbound_secret'] },
  receivers: [
    {
      path: '',
      methods: ['POST'],
      bodyLimit: BODY_LIMITS.events,
      proof: {
        byBody:
          () =>
          (request, { webhook_public_key: publicKey }) =>
            publicKey !== undefined && verifySendGrid(request, { publicKey }),
      },
      read: receiveSendGrid,
    },
    {
      path: '/inbound/:secret',
      methods: ['POST'],
      bodyLimit: BODY_LIMITS.email,
      proof: { byHead: ({ params }, { inbound_secret: secret }) => secret !== undefined && equalSecrets(params.secret ?? '', secret) },
      read: receiveInboundParse,
    },
  ],
});
