import type { FakeCarrier, Reply } from '../carriers/fake-carrier.js';
import { eventually } from '../support/eventually.js';
import type { Service } from '../support/service.js';

/** The settings of a service that sends its texts to a carrier. */
export const overTwilio = (carrier: FakeCarrier) => ({
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: 'secret',
  TWILIO_BASE_URL: carrier.url,
  TWILIO_FROM: '+14155550199',
  HELIOGRAPH_ROUTES: '{"sms":["twilio"]}',
});

/** Twilio's answer to the request that the carrier had last. */
export const queued = ({ requests }: FakeCarrier): Reply => ({
  status: 201,
  body: { sid: `SM${String(requests.length).padStart(32, '0')}`, status: 'queued' },
});

/** Calls of the carrier by the text of the message. */
export function callsByText({ requests }: FakeCarrier): ReadonlyMap<string, number> {
  const counted = new Map<string, number>();
  for (const { body } of requests) {
    const text = new URLSearchParams(body).get('Body') ?? '';
    counted.set(text, (counted.get(text) ?? 0) + 1);
  }
  return counted;
}

export const allDispatched = (service: Service, within: number) =>
  eventually(
    'each message is handed over, or its outcome unknown',
    async () => {
      const open = await Promise.all(['queued', 'sending'].map((status) => service.api('GET', `/v1/messages?limit=1&status=${status}`)));
      return open.every(({ status, body }) => status === 200 && body.data.length === 0);
    },
    { within, every: 100 },
  );
