/** What happens to the users of an account, in its stream. */
import { eventType } from '../kernel/event.js';
import { nullable, optional, record, text, time } from '../kernel/schema.js';
import { roleSchema } from './access.js';

const user_id = text;
const at = time;
const ofUser = <const F extends string>(...fields: F[]) => ({ personal: { subject: 'user_id', fields } });

export const UserAdded = eventType(
  'UserAdded',
  record({ user_id, email_key: text, role: roleSchema, email: text, name: nullable(text), password_hash: text, at }),
  ofUser('email', 'name', 'password_hash'),
);
export const UserRenamed = eventType('UserRenamed', record({ user_id, name: nullable(text), at }), ofUser('name'));
export const UserRoleChanged = eventType('UserRoleChanged', record({ user_id, role: roleSchema, at }));
/** `kept_session`: the one session that goes on. */
export const UserPasswordChanged = eventType('UserPasswordChanged', record({ user_id, password_hash: text, kept_session: optional(text), at }), {
  ...ofUser('password_hash'),
  version: 2,
});
export const UserDisabled = eventType('UserDisabled', record({ user_id, at }));
export const UserEnabled = eventType('UserEnabled', record({ user_id, at }));
export const UserRemoved = eventType('UserRemoved', record({ user_id, at }));

export const userEvents = [UserAdded, UserRenamed, UserRoleChanged, UserPasswordChanged, UserDisabled, UserEnabled, UserRemoved] as const;
