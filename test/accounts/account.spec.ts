import { expect } from 'chai';
import { type AccountEvent, account, accountLimits, type UserChange } from '../../domain/accounts/account.js';
import type { SettingsPatch } from '../../domain/accounts/settings.js';
import { specification } from '../given.js';
import { ada, added, bob, created, firstKey, issued, later, now, open, openedAccount } from './examples.js';

const { given } = specification(account);
const change = (user_id: string, what: UserChange, expected: number | null = null) =>
  ({ type: 'ChangeUser', user_id, change: what, expected, now: later }) as const;
const remove = (user_id: string) => ({ type: 'RemoveUser', user_id, now: later }) as const;
const settings = (patch: SettingsPatch, expected: number | null = null) =>
  ({ type: 'ChangeSettings', patch, secret: null, expected, now: later }) as const;
const rotate = (value: string, previous_until: string | null) =>
  ({ type: 'ChangeSettings', patch: {}, secret: { value, previous_until }, expected: null, now: later }) as const;
const stateAfter = (...past: AccountEvent[]) => {
  const state = given(...past).state();
  if (state.status !== 'open') throw new Error('the account is not open');
  return state;
};
const userAfter = (...past: AccountEvent[]) => stateAfter(...past).users.get(bob.id);

describe('an account', () => {
  it('is created with its first owner and a key', () =>
    given()
      .when(open)
      .then(...openedAccount, issued(firstKey)));
  it('is not created twice', () =>
    given(...openedAccount, issued(firstKey))
      .when(open)
      .thenNothing());
  it('gets its key from a second command that completes the creation', () =>
    given(...openedAccount)
      .when(open)
      .then(issued(firstKey)));
  it('is not taken over by another founder', () =>
    given(...openedAccount)
      .when({ ...open, owner: bob })
      .thenRefused('conflict'));
  it('must exist before any other command', () => given().when(remove(bob.id)).thenRefused('not_found', { resource: 'account' }));
});

describe('the users of an account', () => {
  const both = [...openedAccount, added(bob)] as const;

  it('are added once', () => {
    given(...openedAccount)
      .when({ type: 'AddUser', user: bob, now })
      .then(added(bob));
    given(...both)
      .when({ type: 'AddUser', user: bob, now })
      .thenNothing();
  });
  it('are not added again by a late repeat of the command', () =>
    given(...both, { type: 'UserRemoved', data: { user_id: bob.id, at: now } })
      .when({ type: 'AddUser', user: bob, now })
      .thenNothing());
  it('are limited in number', () => {
    const many = Array.from({ length: accountLimits.users }, (_, i) => added({ ...bob, id: `usr_${i}`, email_key: `key-${i}` }));
    given(created, ...many.slice(1))
      .when({ type: 'CheckRoomForUser' })
      .thenNothing();
    given(created, ...many)
      .when({ type: 'CheckRoomForUser' })
      .thenRefused('conflict', { limit: accountLimits.users });
  });
  it('change only the given fields, and only if they differ', () => {
    given(...both)
      .when(change(bob.id, { name: 'Robert', role: 'analyst' }))
      .then(
        { type: 'UserRenamed', data: { user_id: bob.id, name: 'Robert', at: later } },
        { type: 'UserRoleChanged', data: { user_id: bob.id, role: 'analyst', at: later } },
      );
    given(...both)
      .when(change(bob.id, { name: 'Bob', role: 'member', status: 'active' }))
      .thenNothing();
  });
  it('can lose their name', () =>
    given(...both)
      .when(change(bob.id, { name: null }))
      .then({ type: 'UserRenamed', data: { user_id: bob.id, name: null, at: later } }));
  it('are not found by a wrong id', () => {
    given(...both)
      .when(change('usr_x', {}))
      .thenRefused('not_found', { resource: 'user', id: 'usr_x' });
    given(...both)
      .when(remove('__proto__'))
      .thenRefused('not_found');
  });
  it('are guarded by their version', () => {
    given(...both)
      .when(change(bob.id, { role: 'owner' }, 2))
      .thenRefused('version_conflict', { expected: 2, actual: 1 });
    given(...both)
      .when(change(bob.id, { role: 'owner' }, 1))
      .then({ type: 'UserRoleChanged', data: { user_id: bob.id, role: 'owner', at: later } });
  });
  it('lose their tokens with a new password and when disabled, not with a new name or role', () => {
    const user_id = bob.id;
    const versions = (...after: AccountEvent[]) => userAfter(...both, ...after)?.token_version;
    expect(versions()).to.equal(1);
    expect(versions({ type: 'UserPasswordChanged', data: { user_id, password_hash: 'h', at: later } })).to.equal(2);
    expect(versions({ type: 'UserDisabled', data: { user_id, at: later } }, { type: 'UserEnabled', data: { user_id, at: later } })).to.equal(2);
    expect(
      versions(
        { type: 'UserRenamed', data: { user_id, name: 'B', at: later } },
        { type: 'UserRoleChanged', data: { user_id, role: 'owner', at: later } },
      ),
    ).to.equal(1);
  });
  it('count every change in their version', () =>
    expect(userAfter(...both, { type: 'UserDisabled', data: { user_id: bob.id, at: later } })).to.include({
      version: 2,
      status: 'disabled',
      updated_at: later,
      created_at: now,
    }));

  it('are removed once', () => {
    const removed: AccountEvent = { type: 'UserRemoved', data: { user_id: bob.id, at: later } };
    given(...both)
      .when(remove(bob.id))
      .then(removed);
    given(...both, removed)
      .when(remove(bob.id))
      .thenNothing();
  });
});

describe('the last active owner of an account', () => {
  const second = added({ ...bob, role: 'owner' });

  it('is not removed', () =>
    given(...openedAccount, added(bob))
      .when(remove(ada.id))
      .thenRefused('invalid_state', { current: 'last_owner' }));
  it('is not made a member', () =>
    given(...openedAccount)
      .when(change(ada.id, { role: 'member' }))
      .thenRefused('invalid_state'));
  it('is not disabled', () =>
    given(...openedAccount)
      .when(change(ada.id, { status: 'disabled' }))
      .thenRefused('invalid_state'));
  it('can be changed freely once there is another', () => {
    given(...openedAccount, second)
      .when(remove(ada.id))
      .then({ type: 'UserRemoved', data: { user_id: ada.id, at: later } });
  });
  it('is still the last one while the other is disabled', () =>
    given(...openedAccount, second, { type: 'UserDisabled', data: { user_id: bob.id, at: now } })
      .when(remove(ada.id))
      .thenRefused('invalid_state'));
  it('can change name and password', () =>
    given(...openedAccount)
      .when(change(ada.id, { password_hash: 'hash-3' }))
      .then({ type: 'UserPasswordChanged', data: { user_id: ada.id, password_hash: 'hash-3', at: later } }));
});

describe('the keys of an account', () => {
  const reading = { ...firstKey, id: 'key_2', scopes: ['read'] as const };
  const revoked: AccountEvent = { type: 'ApiKeyRevoked', data: { key_id: firstKey.id, at: later } };
  const issue = (key: typeof firstKey, granted_by: readonly ('read' | 'write')[] | null) => ({ type: 'IssueKey', key, granted_by, now }) as const;
  const revoke = (key_id: string) => ({ type: 'RevokeKey', key_id, now: later }) as const;

  it('are issued once', () => {
    given(...openedAccount)
      .when(issue(reading, null))
      .then(issued(reading));
    given(...openedAccount, issued(reading))
      .when(issue(reading, null))
      .thenNothing();
  });
  it('never have more scopes than their issuer', () => {
    given(...openedAccount)
      .when(issue(firstKey, ['read', 'write']))
      .thenRefused('forbidden');
    given(...openedAccount)
      .when(issue({ ...reading, scopes: ['write'] }, ['read']))
      .thenRefused('forbidden');
    given(...openedAccount)
      .when(issue(reading, ['read']))
      .then(issued(reading));
    given(...openedAccount)
      .when(issue({ ...reading, scopes: [] }, []))
      .then(issued({ ...reading, scopes: [] }));
  });
  it('are limited in number', () => {
    const many = Array.from({ length: accountLimits.keys }, (_, i) => issued({ ...firstKey, id: `key-${i}` }));
    given(...openedAccount, ...many)
      .when(issue(reading, null))
      .thenRefused('conflict', { limit: accountLimits.keys });
  });
  it('are revoked permanently', () => {
    given(...openedAccount, issued(firstKey))
      .when(revoke(firstKey.id))
      .then(revoked);
    given(...openedAccount, issued(firstKey), revoked)
      .when(revoke(firstKey.id))
      .thenNothing();
    given(...openedAccount, issued(firstKey), revoked)
      .when(issue(firstKey, null))
      .thenNothing();
  });
  it('are not found by a wrong id', () =>
    given(...openedAccount)
      .when(revoke('key_9'))
      .thenRefused('not_found', { resource: 'api_key' }));
});

describe('the settings of an account', () => {
  const zone: AccountEvent = { type: 'SettingsChanged', data: { changes: { timezone: 'Europe/Paris' }, at: later } };

  it('begin with the defaults', () => {
    const { settings: initial } = stateAfter(...openedAccount);
    expect(initial).to.deep.include({ name: 'Acme', timezone: 'UTC', frequency_caps: [], churn_window: 'P90D' });
    expect(initial.on_unknown_outcome).to.deep.equal({ transactional: 'retry', marketing: 'fail' });
    expect(initial.senders).to.deep.equal({ sms: null, email: null, whatsapp: null, rcs: null, push: null, in_app: null });
  });
  it('change only the given fields', () =>
    given(...openedAccount)
      .when(settings({ timezone: 'Europe/Paris', name: 'Acme' }))
      .then(zone));
  it('do not change if nothing differs', () =>
    given(...openedAccount, zone)
      .when(settings({ timezone: 'Europe/Paris', senders: { sms: null } }))
      .thenNothing());
  it('merge objects field by field and replace lists', () => {
    const changes: SettingsPatch[] = [
      { senders: { sms: '+14155550100' }, frequency_caps: [{ channel: 'any', max: 3, per: 'P7D' }] },
      { senders: { email: 'Acme <hi@acme.example>' }, quiet_hours: { enabled: true }, frequency_caps: [] },
    ];
    const past = changes.map((change): AccountEvent => ({ type: 'SettingsChanged', data: { changes: change, at: later } }));
    const { settings: merged, version } = stateAfter(...openedAccount, ...past);
    expect(merged.senders).to.include({ sms: '+14155550100', email: 'Acme <hi@acme.example>', rcs: null });
    expect(merged.quiet_hours).to.deep.equal({ enabled: true, start: '21:00', end: '08:00' });
    expect(merged.frequency_caps).to.deep.equal([]);
    expect(version).to.equal(3);
  });
  it('report every wrong field at once', () => {
    const bad = settings({ timezone: 'Mars/Olympus', quiet_hours: { start: '08:00' } });
    given(...openedAccount)
      .when(bad)
      .thenRefused('validation_error', {
        errors: [
          { field: 'timezone', code: 'unknown_timezone', message: 'Use an IANA time zone, for example Europe/Paris.' },
          { field: 'quiet_hours.end', code: 'empty_range', message: 'Quiet hours must end at another time than they start.' },
        ],
      });
  });
  it('accept only names of the IANA database as time zone', () => {
    for (const timezone of ['+01:00', 'Europe/Nowhere', '', 'Europe/Paris ', '../etc'])
      given(...openedAccount)
        .when(settings({ timezone }))
        .thenRefused('validation_error');
    for (const timezone of ['UTC', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])
      expect(() => given(...openedAccount).when(settings({ timezone })), timezone).not.to.throw();
  });
  it('are guarded by their version', () =>
    given(...openedAccount, zone)
      .when(settings({ name: 'B' }, 1))
      .thenRefused('version_conflict', { expected: 1, actual: 2 }));
});

describe('the webhook secret of an account', () => {
  const rotated = (webhook_secret: string, previous_until: string | null): AccountEvent => ({
    type: 'WebhookSecretRotated',
    data: { account_id: 'acc_1', webhook_secret, previous_until, at: later },
  });
  const until = '2026-01-16T11:30:00.000Z';

  it('stays valid beside a new one until the overlap ends', () => {
    given(...openedAccount)
      .when(rotate('whsec_two', until))
      .then(rotated('whsec_two', until));
    const { webhook_secret } = stateAfter(...openedAccount, rotated('whsec_two', until));
    expect(webhook_secret).to.deep.equal({ current: 'whsec_two', previous: { secret: 'whsec_one', until } });
  });
  it('becomes invalid at once without an overlap', () =>
    expect(stateAfter(...openedAccount, rotated('whsec_two', null)).webhook_secret).to.deep.equal({ current: 'whsec_two', previous: null }));
  it('cannot be rotated to itself', () =>
    given(...openedAccount)
      .when(rotate('whsec_one', until))
      .thenNothing());
  it('has at most one previous secret', () =>
    expect(stateAfter(...openedAccount, rotated('whsec_two', until), rotated('whsec_three', until)).webhook_secret.previous?.secret).to.equal(
      'whsec_two',
    ));
});
