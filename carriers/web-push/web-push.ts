import { describeCarrier } from '../runtime/descriptor.js';
import { webPushErrors } from './codes.js';
import { createWebPush } from './send.js';
import { webPushFields } from './settings.js';

/** Push messages to browsers by the push service of each. It needs nothing: the service has keys of its own. */
export const webPush = describeCarrier({
  name: 'webpush',
  channels: ['push'],
  fields: webPushFields,
  needs: [[]],
  create: (settings, { webPush: parts }) => createWebPush(settings, parts),
  codes: [webPushErrors],
  receivers: [],
});
