import { generateSync } from 'otplib';
import { PASSWORD } from '../../support/service.js';
import type { ServiceWithLinks } from '../../suppressions/links.js';
import type { Recorder } from './recorder.js';

const ANYBODY = { headers: { 'X-API-Key': '' } };
const NEW_PASSWORD = 'four random words together';

/** Uses what people do with their own sign-in: sessions of browsers, the password, the second factor, links and invitations. */
export async function signIns(client: Recorder, { service, linkToken }: ServiceWithLinks): Promise<void> {
  const own = { email: service.account.email, password: PASSWORD };
  const signedIn = await client.call('createSession', { body: own }, ANYBODY);
  const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
  const browser = { headers: { 'X-API-Key': '', Cookie: cookie, 'X-Requested-With': 'fetch' } };
  await client.call('getSession', {}, browser);
  await service.api('POST', '/v1/auth/session', own, ANYBODY.headers);
  const { data } = (await client.call('listSessions', { query: { limit: 2 } }, browser)).body;
  await client.call('endSession', { path: { id: data.find(({ current }: { current: boolean }) => !current).id } }, browser);

  const { secret } = (await client.call('prepareSecondFactor', {}, browser)).body;
  await client.call('confirmSecondFactor', { body: { code: generateSync({ secret }) } }, browser);
  await client.call('turnOffSecondFactor', { body: { password: PASSWORD } }, browser);
  await client.call('signOut', {}, browser);

  const { id, email } = (await service.api('POST', '/v1/account/users', { email: 'lin@example.com', role: 'member', password: PASSWORD })).body;
  const { token } = (await service.api('POST', '/v1/auth/login', { email, password: PASSWORD }, ANYBODY.headers)).body;
  const member = { headers: { 'X-API-Key': '', Authorization: `Bearer ${token}` } };
  await client.call('changePassword', { body: { current: PASSWORD, new: NEW_PASSWORD } }, member);
  await client.call('requestPasswordReset', { body: { email } }, ANYBODY);
  const reset = linkToken({ kind: 'reset', account_id: service.accountId, user_id: id, version: 2, expires_at: Date.now() + 3_600_000 });
  await client.call('resetPassword', { path: { token: reset }, body: { password: PASSWORD } }, ANYBODY);

  const invited = (await client.call('inviteUser', { body: { email: 'katherine@example.com', role: 'member' } })).body;
  const invitation = linkToken({ kind: 'invitation', account_id: service.accountId, user_id: invited.id });
  await client.call('acceptInvitation', { path: { token: invitation }, body: { password: PASSWORD, name: 'Katherine Johnson' } }, ANYBODY);
  for (const user of [id, invited.id]) await service.api('DELETE', `/v1/account/users/${user}`);
}
