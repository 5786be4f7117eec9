import webPush from 'web-push';
import type { SendResult } from '../../domain/messages/send-result.js';
import { fitting, ttlOf } from '../push/content.js';
import type { CarrierClient, OutgoingMessage, PushDevice } from '../runtime/carrier.js';
import { errorRuleOf } from '../runtime/codes.js';
import type { VapidKeys, WebPushParts } from '../runtime/dependencies.js';
import { classOfStatus, refused } from '../runtime/errors.js';
import { mailboxOf } from '../runtime/mailbox.js';
import { webPushErrors } from './codes.js';
import type { WebPushSettings } from './settings.js';
import { vapidHeaders } from './vapid.js';

const TITLE = 'The push service';
/** Of one record of aes128gcm with 4,096 bytes: without its header, the tag and the delimiter (RFC 8291, section 4). */
const MAX_PAYLOAD_BYTES = 3_993;
const TIMEOUT_MS = 10_000;

/** Push messages to browsers (RFC 8030), encrypted for each of them (RFC 8291). A repetition replaces the message that is not shown yet, and the notification that is. */
export function createWebPush(settings: WebPushSettings, parts: WebPushParts | null): CarrierClient {
  const common = { deduplicates: true, check: async () => null } as const;
  if (!parts) return { ...common, send: async () => ({ outcome: 'misconfigured', code: 'no_keys', error: 'There are no keys of web push here.' }) };
  const { clock, post, allowedCidrs, publicUrl, reportToken } = parts;
  const keys = keysOf(settings) ?? parts.vapid;
  const authorization = vapidHeaders(keys, subjectOf(settings, publicUrl), clock);
  const requestOf = ({ endpoint, p256dh, auth }: BrowserTarget, message: OutgoingMessage, payload: string) => {
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
      contentEncoding: 'aes128gcm',
      TTL: ttlOf(message, clock.now()),
      urgency: message.content.push?.priority === 'normal' ? 'normal' : 'high',
      topic: topicOf(message),
    });
    return { headers: { ...(headers as Record<string, string>), Authorization: authorization(endpoint) }, body: body as Buffer };
  };
  return {
    ...common,
    async send(message, signal) {
      const { device } = message;
      if (device?.target.kind !== 'web') return gone('no_subscription');
      const token = reportToken(message.message_id, device.subscription_id);
      const payload = webPushPayload(message, { token, ...(publicUrl !== null && { events_url: `${publicUrl}/v1/public/push/events` }) });
      if (payload === null) return tooLarge('payload_too_large');
      const request = requestOf(device.target, message, payload);
      const answer = await post(device.target.endpoint, { ...request, timeoutMs: TIMEOUT_MS, allowedCidrs, signal });
      if ('error' in answer) return { outcome: 'transient_error', code: answer.error.code, error: 'The push service gave no answer.' };
      return webPushOutcome(answer.status, message.message_id);
    },
  };
}

type BrowserTarget = Extract<PushDevice['target'], { kind: 'web' }>;

/** The keys in the settings; null unless both are set. */
export const keysOf = ({ public_key: publicKey, private_key: privateKey }: WebPushSettings): VapidKeys | null =>
  publicKey !== undefined && privateKey !== undefined ? { publicKey, privateKey } : null;

/** Push services want to know whom to write to. */
const subjectOf = ({ subject, from }: WebPushSettings, publicUrl: string | null): string =>
  subject ?? (publicUrl?.startsWith('https:') ? publicUrl : `mailto:${mailboxOf(from ?? '')?.address ?? 'postmaster@localhost'}`);

/** The key under which a push service keeps one message: at most 32 characters of base64url. */
function topicOf({ message_id, content: { push } }: OutgoingMessage): string {
  const key = push?.collapse_key;
  return key === undefined ? message_id.slice(-26) : Buffer.from(key).toString('base64url').slice(0, 32);
}

/** What the service worker of push-sw.js reads. Null where it is too large. */
export function webPushPayload(
  { message_id, content }: OutgoingMessage,
  report: { readonly token: string; readonly events_url?: string },
): string | null {
  const { message: text, title, action_url: url, push = {} } = content;
  const { image, actions, collapse_key, data } = push;
  return fitting(text, MAX_PAYLOAD_BYTES, (body) =>
    JSON.stringify({ message_id, title, body, url, image, actions, tag: collapse_key ?? message_id, data, ...report }),
  );
}

const gone = (code: string): SendResult => ({
  outcome: 'permanent_error',
  reason: 'no_device',
  code,
  error: 'The push service no longer knows the device.',
});
const tooLarge = (code: string): SendResult => ({
  outcome: 'permanent_error',
  reason: 'carrier_rejected',
  code,
  error: 'The message is too large for push services.',
});

/** What the status of an answer means. */
export function webPushOutcome(status: number, message_id: string): SendResult {
  if (status >= 200 && status < 300) return { outcome: 'accepted', carrier_message_id: message_id };
  const isKnown = errorRuleOf(webPushErrors, String(status)) !== undefined;
  const isRefusal = !isKnown && classOfStatus(status) === 'misconfigured';
  // Every subscription has a push service of its own: one that refuses says nothing about the others.
  if (isRefusal)
    return { outcome: 'permanent_error', reason: 'carrier_rejected', code: String(status), error: `${TITLE} answered with status ${status}.` };
  return refused(TITLE, webPushErrors, status, isKnown ? String(status) : null);
}
