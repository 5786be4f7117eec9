/** The secret with which an account proves who the contact of a push subscription is. */
import { type EventOf, eventType } from '../kernel/event.js';
import { record, text, time } from '../kernel/schema.js';

export const IdentitySecretChanged = eventType('IdentitySecretChanged', record({ account_id: text, identity_secret: text, at: time }), {
  personal: { subject: 'account_id', fields: ['identity_secret'] },
});

interface Holder {
  readonly id: string;
  readonly identity_secret: string | null;
  readonly version: number;
}

/** What the event changes of its account. */
export const withIdentitySecret = ({ version }: Holder, { data: { identity_secret, at } }: EventOf<typeof IdentitySecretChanged>) => ({
  identity_secret,
  version: version + 1,
  updated_at: at,
});

/** The event of a new secret; none if it is the present one, or not given. */
export const changedIdentitySecret = (
  { id: account_id, identity_secret: known }: Holder,
  identity_secret: string | undefined,
  at: string,
): EventOf<typeof IdentitySecretChanged>[] =>
  identity_secret === undefined || identity_secret === known ? [] : [{ type: 'IdentitySecretChanged', data: { account_id, identity_secret, at } }];
