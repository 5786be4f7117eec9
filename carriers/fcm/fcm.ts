import { describeCarrier } from '../runtime/descriptor.js';
import { fcmErrors } from './codes.js';
import { createFcm } from './send.js';
import { fcmFields } from './settings.js';

/** Push messages to apps by Firebase Cloud Messaging. */
export const fcm = describeCarrier({
  name: 'fcm',
  channels: ['push'],
  fields: fcmFields,
  needs: [['service_account']],
  create: createFcm,
  codes: [fcmErrors],
  receivers: [],
});
