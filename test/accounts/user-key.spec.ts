import { type UserKeyClaim, type UserKeyEvent, userKey } from '../../domain/accounts/user-key.js';
import { specification } from '../given.js';
import { later, now } from './examples.js';

const { given } = specification(userKey);
const claimOf = (user_id: string): UserKeyClaim => ({
  account_id: 'acc_1',
  user_id,
  role: 'member',
  founding: null,
  email: 'ada@example.com',
  name: null,
  password_hash: 'hash',
});
const claimed = (user_id: string, at = now): UserKeyEvent => ({ type: 'UserKeyClaimed', data: { ...claimOf(user_id), at } });
const released = (user_id: string): UserKeyEvent => ({ type: 'UserKeyReleased', data: { user_id, at: later } });
const claim = (user_id: string, stale: string | null = null) => ({ type: 'ClaimUserKey', claim: claimOf(user_id), stale, now: later }) as const;
const release = (user_id: string) => ({ type: 'ReleaseUserKey', user_id, now: later }) as const;

describe('a sign-in email', () => {
  it('can be claimed once', () => given().when(claim('usr_a')).then(claimed('usr_a', later)));
  it('is not claimed by a second user', () => given(claimed('usr_a')).when(claim('usr_b')).thenNothing());
  it('stays claimed when the claim is repeated', () => given(claimed('usr_a')).when(claim('usr_a')).thenNothing());
  it('can be claimed from a removed user', () =>
    given(claimed('usr_a')).when(claim('usr_b', 'usr_a')).then(released('usr_a'), claimed('usr_b', later)));
  it('is not taken from a user that is not the removed one', () => given(claimed('usr_c')).when(claim('usr_b', 'usr_a')).thenNothing());
  it('is free after its user is removed', () => {
    given(claimed('usr_a')).when(release('usr_a')).then(released('usr_a'));
    given(claimed('usr_a'), released('usr_a')).when(claim('usr_b')).then(claimed('usr_b', later));
  });
  it('is released only by its user', () => given(claimed('usr_b')).when(release('usr_a')).thenNothing());
});
