import { expect } from 'chai';
import { type MembershipCommand, type MembershipEvent, membership } from '../../domain/lists/membership.js';
import { specification } from '../given.js';

const { given } = specification(membership);
const minute = (n: number): string => new Date(Date.parse('2026-01-01T00:00:00.000Z') + n * 60_000).toISOString();
const ids = { contact_id: 'con_1', list_id: 'lst_1' };
const requested = (n: number, request_id: string, resent = false): MembershipEvent => ({
  type: 'SubscriptionRequested',
  data: { ...ids, request_id, source: 'api', base_url: null, ...(resent && { resent }), at: minute(n) },
});
const resend = (n: number, request_id = 'req_n'): MembershipCommand => ({
  type: 'Resend',
  ...ids,
  request_id,
  source: 'api',
  base_url: null,
  now: minute(n),
});
const confirm = (n: number, request_id: string): MembershipCommand => ({ type: 'Confirm', ...ids, request_id, source: 'mail', now: minute(n) });
const subscribed = (n: number, request_id: string): MembershipEvent => ({
  type: 'ListSubscribed',
  data: { ...ids, source: 'mail', by: 'person', request_id, at: minute(n) },
});
const three = [requested(0, 'req_1'), requested(1, 'req_2', true), requested(11, 'req_3', true), requested(21, 'req_4', true)];

describe('The confirmation of a membership that is sent again', () => {
  it('is sent at once the first time, then once in ten minutes, and three times in all', () => {
    given(three[0] as MembershipEvent)
      .when(resend(1, 'req_2'))
      .then(requested(1, 'req_2', true));
    given(...three.slice(0, 2))
      .when(resend(10))
      .thenRefused('rate_limit_exceeded');
    given(...three.slice(0, 2))
      .when(resend(11, 'req_3'))
      .then(requested(11, 'req_3', true));
    given(...three)
      .when(resend(1_000))
      .thenRefused('conflict');
  });

  it('leaves the links of the earlier mails working, each for its 72 hours', () => {
    for (const id of ['req_1', 'req_2', 'req_3', 'req_4'])
      given(...three)
        .when(confirm(30, id))
        .then(subscribed(30, id));
    given(...three)
      .when(confirm(72 * 60 + 10, 'req_2'))
      .thenNothing();
    given(...three)
      .when(confirm(72 * 60 + 10, 'req_3'))
      .then(subscribed(72 * 60 + 10, 'req_3'));
    given(...three, subscribed(30, 'req_2'))
      .when(confirm(31, 'req_1'))
      .thenNothing();
  });

  it('is sent for a membership that is pending, and for no other', () => {
    given().when(resend(1)).thenRefused('invalid_state');
    given(requested(0, 'req_1'), subscribed(1, 'req_1')).when(resend(2)).thenRefused('invalid_state');
    given(requested(0, 'req_1'), { type: 'ListUnsubscribed', data: { ...ids, source: 'page', by: 'person', at: minute(1) } })
      .when(resend(2))
      .thenRefused('invalid_state');
  });

  it('begins anew when the person is asked anew', () => {
    given(...three, requested(5_000, 'req_5'))
      .when(resend(5_001, 'req_6'))
      .then(requested(5_001, 'req_6', true));
    expect(given(...three, requested(5_000, 'req_5')).state()).to.not.have.nested.property('lst_1.value.requests');
  });
});
