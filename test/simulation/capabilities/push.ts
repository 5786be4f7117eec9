import { createECDH } from 'node:crypto';
import type { Capability } from '../capability.js';
import { bodyOf, EMAILS, isSuccess, knownContacts, nameOf, pickOrNull } from '../recipients.js';
import type { Run } from '../run.js';
import type { Exchange } from '../world/caller.js';
import type { Random } from '../world/random.js';
import { pushProblems } from './push-records.js';

const PLATFORMS = ['android', 'ios', 'web'] as const;
/** So many contacts have devices, so that some have several. */
const HOT = 4;
/** So many tokens are subscribed again and again. */
const LIVING = 10;
/** People whom a device names first, and others later. */
const STRANGERS = ['vera@example.com', 'igor@example.com', 'mary@example.com'] as const;

/** Devices are subscribed and leave, die, and get messages: a dead one is not used again, nor one for a contact that it has not proven. */
export const push: Capability = {
  name: 'push',
  begin(run) {
    const random = run.world.random('push');
    const identity = run.world.random('push identity');
    const keys = { p256dh: publicKey(), auth: Buffer.alloc(16, 3).toString('base64url') };
    const sent: Exchange[] = [];
    const subscribed: Exchange[] = [];
    const tokens: string[] = [];
    let nth = 0;
    const living = () => tokens.filter((token) => !run.outside.push.dead.has(token));
    const anyToken = (): string => {
      const known = living();
      if (known.length >= LIVING || random.chance(known.length / LIVING)) return random.pick(known);
      const token = `https://push.example.com/send/${++nth}`;
      tokens.push(token);
      return token;
    };
    const anyContact = (): { id: string } | { email: string } => {
      if (identity.chance(0.3)) return { email: identity.pick(STRANGERS) };
      const id = pickOrNull(random, knownContacts(run).slice(0, HOT));
      return id && random.chance(0.6) ? { id } : { email: random.pick(EMAILS) };
    };
    const send = async (contact: { id: string } | { email: string }): Promise<void> => {
      sent.push(await run.caller.send('POST', '/v1/messages/send', pushMessage(random, run, contact), `push-${++nth}`));
    };
    return {
      actions: [
        {
          name: 'subscribe a device',
          weight: 2.5,
          act: async () => {
            const token = anyToken();
            const platform = PLATFORMS[Number(token.slice(token.lastIndexOf('/') + 1)) % PLATFORMS.length];
            const target = platform === 'web' ? { subscription: { endpoint: token, keys } } : { token };
            const body = {
              ...{ account_id: run.accountId, platform, ...target, app_version: nameOf(run) },
              ...(random.chance(0.8) && { contact: anyContact() }),
              ...(random.chance(0.3) && { device_id: `device-${random.integer(1, 3)}` }),
            };
            // Without its key nothing proves whose device it is.
            const credential: Record<string, string> = identity.chance(0.5) ? {} : { 'x-api-key': '' };
            const key = random.chance(0.5) ? `push-${++nth}` : undefined;
            subscribed.push(await run.caller.send('POST', '/v1/push/subscribe', body, key, credential));
            if (identity.chance(0.2)) await run.caller.send('POST', '/v1/contacts', { email: identity.pick(STRANGERS) });
          },
        },
        {
          name: 'unsubscribe a device',
          weight: 0.3,
          act: async () => {
            const token = pickOrNull(random, living());
            if (token) await run.caller.send('POST', '/v1/push/unsubscribe', { token });
          },
        },
        {
          name: 'end a subscription',
          weight: 0.2,
          act: async () => {
            const one = pickOrNull(random, subscribed.filter(isSuccess));
            if (one) await run.caller.send('DELETE', `/v1/push/subscriptions/${bodyOf(one).id}`);
          },
        },
        {
          name: 'a device dies, and its contact gets a message',
          weight: 1,
          act: async () => {
            const one = pickOrNull(
              random,
              subscribed.filter((made) => isSuccess(made) && bodyOf(made).contact_id !== null),
            );
            if (!one) return;
            run.outside.push.dead.add(tokenOf(one));
            await send({ id: bodyOf(one).contact_id });
          },
        },
        {
          name: 'send a push message',
          weight: 2.5,
          act: async () =>
            void sent.push(await run.caller.send('POST', '/v1/messages/send', pushMessage(random, run, anyContact()), `push-${++nth}`)),
        },
      ],
      check: (final) => pushProblems(final, { sent, subscribed }),
    };
  },
};

/** The token of an app, or the endpoint of a browser, that a request has subscribed. */
export function tokenOf({ request }: Exchange): string {
  const { token, subscription } = request.body as { readonly token?: string; readonly subscription?: { readonly endpoint: string } };
  return token ?? subscription?.endpoint ?? '';
}

const pushMessage = (random: Random, run: Run, contact: { id: string } | { email: string }): object => ({
  ...{ to: 'id' in contact ? contact.id : contact.email, channel: 'push', title: nameOf(run), message: `Hello ${nameOf(run)}` },
  ...(random.chance(0.15) && { ttl_seconds: random.integer(60, 1_200) }),
});

/** Of a browser, the same in every run. */
function publicKey(): string {
  const own = createECDH('prime256v1');
  own.setPrivateKey(Buffer.alloc(32, 5));
  return own.getPublicKey('base64url');
}
