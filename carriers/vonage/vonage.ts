import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { vonageGenericErrors, vonageMessagesErrors, vonageSmsErrors, vonageStatuses } from './codes.js';
import { receiveVonage } from './receive.js';
import { createVonage } from './send.js';
import { vonageFields } from './settings.js';
import { verifyVonage } from './verify.js';

/** Texts by Vonage. */
export const vonage = describeCarrier({
  name: 'vonage',
  channels: ['sms', 'whatsapp', 'rcs'],
  fields: vonageFields,
  needs: [
    ['api_key', 'api_secret'],
    ['application_id', 'private_key'],
  ],
  create: createVonage,
  templates: { carrier: 'Vonage', by: 'name', numbered: true },
  codes: [vonageStatuses, vonageMessagesErrors, vonageSmsErrors, vonageGenericErrors],
  receivers: [
    {
      path: '',
      methods: ['GET', 'POST'],
      bodyLimit: BODY_LIMITS.text,
      proof: {
        byBody:
          ({ clock }) =>
          (request, { signature_secret: signatureSecret }) =>
            signatureSecret !== undefined && verifyVonage(request, { signatureSecret, now: clock.now() }),
      },
      read: receiveVonage,
    },
  ],
});
