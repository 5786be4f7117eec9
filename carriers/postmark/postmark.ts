import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { passwordProof } from '../runtime/incoming.js';
import { postmarkBounces, postmarkErrors, postmarkRecords, postmarkSuppressions } from './codes.js';
import { receivePostmarkMail } from './receive.js';
import { createPostmark } from './send.js';
import { postmarkFields } from './settings.js';

/** Email by Postmark. */
export const postmark = describeCarrier({
  name: 'postmark',
  channels: ['email'],
  fields: postmarkFields,
  needs: [['server_token']],
  create: createPostmark,
  codes: [postmarkRecords, postmarkBounces, postmarkSuppressions, postmarkErrors],
  inbound: { address: ['inbound_address'], needs: ['webhook_user', 'webhook_password'] },
  receivers: [{ path: '', methods: ['POST'], bodyLimit: BODY_LIMITS.email, proof: passwordProof, read: receivePostmarkMail }],
});
