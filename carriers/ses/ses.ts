import { BODY_LIMITS, describeCarrier } from '../runtime/descriptor.js';
import { sesBounces, sesErrors, sesEvents } from './codes.js';
import { receiveSns } from './receive.js';
import { createSes } from './send.js';
import { sesFields } from './settings.js';
import { snsCheck } from './verify.js';

/** Email by Amazon SES, which reports by topics of Amazon SNS. */
export const ses = describeCarrier({
  name: 'ses',
  channels: ['email'],
  fields: sesFields,
  needs: [['region', 'access_key_id', 'secret_access_key']],
  create: createSes,
  codes: [sesEvents, sesBounces, sesErrors],
  inbound: { address: ['inbound_address'], needs: ['topic_arns'] },
  receivers: [
    {
      path: '',
      methods: ['POST'],
      bodyLimit: BODY_LIMITS.text,
      proof: {
        byBody(dependencies) {
          const check = snsCheck(dependencies);
          return (request, { topic_arns: arns = '' }) => {
            const topicArns = arns.split(',').flatMap((arn) => arn.trim() || []);
            return check(request, topicArns);
          };
        },
      },
      read: receiveSns,
    },
  ],
});
