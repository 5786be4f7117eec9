import type { ErrorCodes } from '../runtime/codes.js';

/** `errorCode` of FCM's own detail of an error: without it, `INVALID_ARGUMENT` says nothing about the token. */
export const fcmErrors: ErrorCodes = {
  title: 'FCM: error codes',
  page: 'https://firebase.google.com/docs/reference/fcm/rest/v1/ErrorCode',
  onlyAnswers: true,
  codes: {
    UNSPECIFIED_ERROR: ['transient', 'No more information is available'],
    INVALID_ARGUMENT: ['no_device', 'The token is not valid'],
    UNREGISTERED: ['no_device', 'The app was unregistered'],
    SENDER_ID_MISMATCH: ['no_device', 'The token is of another project'],
    QUOTA_EXCEEDED: ['transient', 'Limit of messages exceeded'],
    UNAVAILABLE: ['transient', 'The server is overloaded'],
    INTERNAL: ['transient', 'Internal error'],
    THIRD_PARTY_AUTH_ERROR: ['misconfigured', 'The certificate for APNs or the key of web push is invalid'],
  },
};
