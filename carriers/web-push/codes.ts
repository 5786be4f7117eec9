import type { ErrorCodes } from '../runtime/codes.js';

/** Statuses of push services. Every subscription has a push service of its own: one that refuses says nothing about the others. */
export const webPushErrors: ErrorCodes = {
  title: 'Web push: statuses of answers',
  page: 'https://datatracker.ietf.org/doc/html/rfc8030',
  onlyAnswers: true,
  codes: {
    400: ['rejected', 'The request is not valid'],
    401: ['rejected', 'The authentication is missing (RFC 8292)'],
    403: ['rejected', 'The keys are not those of the subscription (RFC 8292)'],
    404: ['no_device', 'The subscription is expired'],
    410: ['no_device', 'The subscription is gone'],
    413: ['rejected', 'The message is too large'],
    429: ['transient', 'Too many requests'],
    500: ['transient', 'Internal error'],
    502: ['transient', 'Bad gateway'],
    503: ['transient', 'The service is unavailable'],
    504: ['transient', 'Timeout'],
  },
};
