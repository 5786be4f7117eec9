import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { twilioErrors, twilioStatuses } from './codes.js';
import { receiveTwilio } from './receive.js';
import { createTwilio } from './send.js';
import { twilioSenders } from './senders.js';
import { twilioFields } from './settings.js';
import { verifyTwilio } from './verify.js';

/** Texts by Twilio. */
export const twilio = describeCarrier({
  name: 'twilio',
  channels: ['sms', 'whatsapp', 'rcs'],
  fields: twilioFields,
  needs: [['account_sid', 'auth_token']],
  create: createTwilio,
  senders: twilioSenders,
  templates: { carrier: 'Twilio', by: 'content_sid', numbered: false },
  codes: [twilioStatuses, twilioErrors],
  receivers: [
    {
      path: '',
      methods: ['POST'],
      bodyLimit: BODY_LIMITS.text,
      emptyAnswer: true,
      proof: {
        byBody:
          ({ publicAddress }) =>
          (request, { auth_token: authToken }) =>
            authToken !== undefined && verifyTwilio(request, { authToken, publicUrl: publicAddress.url }),
      },
      read: receiveTwilio,
    },
  ],
});
