import type { SendResult } from '../../domain/messages/send-result.js';
import { fitting, textValues, ttlOf } from '../push/content.js';
import type { CarrierClient, OutgoingMessage } from '../runtime/carrier.js';
import type { HttpDependencies } from '../runtime/dependencies.js';
import { refused } from '../runtime/errors.js';
import { type CarrierRequest, type CarrierResponse, NothingSent } from '../runtime/http.js';
import { answerTextOf, responseJsonOf, urlOf } from '../runtime/http-carrier.js';
import { fcmErrors } from './codes.js';
import type { FcmSettings } from './settings.js';
import { accessTokens, GOOGLE_TOKEN_URL, type NoToken, readServiceAccount } from './token.js';

const TITLE = 'FCM';
const BASE_URL = 'https://fcm.googleapis.com';
/** Of notification and data together; headers of the platforms are not counted. */
const MAX_BYTES = 4_000;
const FCM_ERROR = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';

/** Push messages to apps by Firebase Cloud Messaging: `POST /v1/projects/{project}/messages:send`. It recognizes no repetition; devices replace the notification. */
export function createFcm({ service_account: text = '', base_url: base }: FcmSettings, { http, clock }: HttpDependencies): CarrierClient {
  const account = readServiceAccount(text);
  const tokens = account && accessTokens(account, base === undefined ? GOOGLE_TOKEN_URL : urlOf(base, '/token'), http, clock);
  const common = { deduplicates: true } as const;
  if (!account || !tokens) {
    const error = 'The service account of FCM is no JSON with project_id, client_email and private_key.';
    return { ...common, send: async () => ({ outcome: 'misconfigured', code: 'invalid_service_account', error }), check: async () => error };
  }
  const url = urlOf(base ?? BASE_URL, `/v1/projects/${encodeURIComponent(account.project_id)}/messages:send`);
  const request = (token: string, body: string): CarrierRequest => ({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: 'application/json' },
    body,
  });
  return {
    ...common,
    async send(message, signal) {
      const body = fcmBody(message, clock.now());
      if (body === null)
        return { outcome: 'permanent_error', reason: 'carrier_rejected', code: 'payload_too_large', error: 'The message is too large for FCM.' };
      const token = await tokens.get(signal);
      if (typeof token !== 'string') return withoutToken(token);
      try {
        const answer = await http(request(token, body), signal);
        if (answer.status === 401) tokens.forget();
        return fcmOutcome(answer);
      } catch (e) {
        if (e instanceof NothingSent) return { outcome: 'transient_error', code: e.code, error: e.message };
        throw e;
      }
    },
    async check(signal) {
      const token = await tokens.get(signal);
      return typeof token === 'string' ? null : `There is no access token (${token.code}).`;
    },
  };
}

const withoutToken = ({ problem, code }: NoToken): SendResult => ({ outcome: problem, code, error: `There is no access token of Google (${code}).` });

/** The body of a request, as documented at https://firebase.google.com/docs/reference/fcm/rest/v1/projects.messages. Null where it is too large. */
export function fcmBody({ message_id, content, device, ...message }: OutgoingMessage, now: number): string | null {
  const { message: text, title, action_url, push = {} } = content;
  const { image, collapse_key, priority = 'high', data } = push;
  const ttl = ttlOf(message, now);
  const values = { ...textValues(data), message_id, ...(action_url !== undefined && { action_url }) };
  const actions = push.actions && { actions: JSON.stringify(push.actions) };
  const shown = (body: string) => ({
    notification: { ...(title !== undefined && { title }), body, ...(image !== undefined && { image }) },
    data: { ...values, ...actions },
  });
  const payload = fitting(text, MAX_BYTES, (body) => JSON.stringify(shown(body)));
  if (payload === null) return null;
  return JSON.stringify({
    message: {
      token: device?.target.kind === 'app' ? device.target.token : '',
      ...(JSON.parse(payload) as object),
      android: {
        ...(collapse_key !== undefined && { collapse_key }),
        priority: priority === 'high' ? 'HIGH' : 'NORMAL',
        ttl: `${ttl}s`,
        // A repeated dispatch replaces the notification.
        notification: { tag: collapse_key ?? message_id },
      },
      apns: {
        headers: {
          'apns-priority': priority === 'high' ? '10' : '5',
          'apns-expiration': String(Math.floor(now / 1_000) + ttl),
          'apns-collapse-id': (collapse_key ?? message_id).slice(0, 64),
        },
        payload: { aps: { sound: 'default', ...(image !== undefined && { 'mutable-content': 1 }) } },
        ...(image !== undefined && { fcm_options: { image } }),
      },
    },
  });
}

/** What an answer means. Throws where it has no name of the message. */
export function fcmOutcome(answer: CarrierResponse): SendResult {
  const { name, error } = responseJsonOf(answer);
  const id = answerTextOf(name);
  if (answer.status === 200 && id !== null) return { outcome: 'accepted', carrier_message_id: id };
  if (answer.status === 200) throw new Error(`${TITLE} answered with status 200, but without a name.`);
  return refused(TITLE, fcmErrors, answer.status, fcmErrorCode(error));
}

/** The code of the detail of FCM itself: without it, `INVALID_ARGUMENT` says nothing about the token. */
function fcmErrorCode(error: unknown): string | null {
  const { details } = (typeof error === 'object' && error !== null ? error : {}) as { details?: unknown };
  const own = (Array.isArray(details) ? details : []).find((one): one is { errorCode: string } => one?.['@type'] === FCM_ERROR);
  return answerTextOf(own?.errorCode);
}
