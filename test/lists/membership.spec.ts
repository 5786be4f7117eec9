import { expect } from 'chai';
import { type MembershipCommand, type MembershipEvent, type Memberships, membership, unifyMemberships } from '../../domain/lists/membership.js';
import { specification } from '../given.js';

const { given } = specification(membership);
const day = (n: number): string => `2026-01-0${n}T00:00:00.000Z`;
const now = day(4);
const ids = { contact_id: 'con_1', list_id: 'lst_1' };
type By = 'person' | 'account';

const subscribe = (by: By, unified?: Memberships): MembershipCommand => ({
  type: 'Subscribe',
  ...ids,
  by,
  source: 'api',
  ...(unified && { unified }),
  now,
});
const request = (by: By = 'account', at = now): MembershipCommand => ({
  type: 'Request',
  ...ids,
  by,
  request_id: 'req_2',
  source: 'api',
  base_url: null,
  now: at,
});
const confirm = (request_id = 'req_1', at = now): MembershipCommand => ({ type: 'Confirm', ...ids, request_id, source: 'double_opt_in', now: at });
const unsubscribe = (unified?: Memberships): MembershipCommand => ({
  type: 'Unsubscribe',
  ...ids,
  by: 'person',
  source: 'page',
  ...(unified && { unified }),
  now,
});
const clean: MembershipCommand = { type: 'Clean', ...ids, source: 'bounce', now };

const subscribed = (by: By = 'account', at = now, request_id: string | null = null, source = 'api'): MembershipEvent => ({
  type: 'ListSubscribed',
  data: { ...ids, source, by, request_id, at },
});
const requested = (at = day(3), request_id = 'req_1'): MembershipEvent => ({
  type: 'SubscriptionRequested',
  data: { ...ids, request_id, source: 'api', base_url: null, at },
});
const unsubscribed = (at = now): MembershipEvent => ({ type: 'ListUnsubscribed', data: { ...ids, source: 'page', by: 'person', at } });
const cleaned = (at = now): MembershipEvent => ({ type: 'ListCleaned', data: { ...ids, source: 'bounce', at } });
const stateOf = (...events: readonly MembershipEvent[]): Memberships => given(...events).state();

describe('Membership', () => {
  it('is subscribed with single opt-in', () => given().when(subscribe('account')).then(subscribed()));
  it('produces no event when the subscription is repeated', () => given(subscribed()).when(subscribe('account')).thenNothing());
  it('is not subscribed by the account after an unsubscription', () =>
    given(unsubscribed(day(1)))
      .when(subscribe('account'))
      .thenNothing());
  it('is subscribed by the person after an unsubscription', () =>
    given(unsubscribed(day(1)))
      .when(subscribe('person'))
      .then(subscribed('person')));
  it('is not subscribed by the account after a hard bounce', () =>
    given(cleaned(day(1)))
      .when(subscribe('account'))
      .thenNothing());
  it('is not subscribed by the account if a merged contact has unsubscribed', () =>
    given()
      .when(subscribe('account', stateOf(unsubscribed(day(1)))))
      .thenNothing());
  it('prefers its own event to an older unified membership', () =>
    given(unsubscribed(day(2)))
      .when(subscribe('account', stateOf(subscribed('account', day(1)))))
      .thenNothing());

  it('is requested with double opt-in', () => given().when(request()).then(requested(now, 'req_2')));
  it('is not requested again while the link is valid', () => given(requested()).when(request()).thenNothing());
  it('is requested again after 72 hours', () =>
    given(requested(day(3)))
      .when(request('account', day(7)))
      .then(requested(day(7), 'req_2')));
  it('is not requested by the account after an unsubscription', () =>
    given(unsubscribed(day(1)))
      .when(request())
      .thenNothing());
  it('is requested by the person after an unsubscription', () =>
    given(unsubscribed(day(1)))
      .when(request('person'))
      .then(requested(now, 'req_2')));
  it('is not requested while subscribed', () => given(subscribed()).when(request()).thenNothing());
  it('records that the mail was sent', () =>
    given(requested())
      .when({ type: 'RecordConfirmationSent', ...ids, request_id: 'req_1', message_id: 'msg_1', now })
      .then({ type: 'ConfirmationSent', data: { ...ids, request_id: 'req_1', message_id: 'msg_1', at: now } }));

  it('is confirmed by its link', () =>
    given(requested())
      .when(confirm())
      .then(subscribed('person', now, 'req_1', 'double_opt_in')));
  it('is not confirmed twice', () =>
    given(requested(), subscribed('person', now, 'req_1'))
      .when(confirm())
      .thenNothing());
  it('is not confirmed by the link of an older request', () => given(requested(), requested(now, 'req_2')).when(confirm('req_1')).thenNothing());
  it('is not confirmed after 72 hours', () =>
    given(requested(day(3)))
      .when(confirm('req_1', day(7)))
      .thenNothing());
  it('is not confirmed after an unsubscription', () => given(requested(), unsubscribed()).when(confirm()).thenNothing());

  const resubscribe = { type: 'Resubscribe', ...ids, source: 'api', reason: 'removed by mistake', proof: 'ticket 7', now } as const;
  const { type: _, now: at, ...given7 } = resubscribe;
  const resubscribed: MembershipEvent = { type: 'ListResubscribed', data: { ...given7, at } };

  it('is resubscribed by the account with a reason and a proof after it was unsubscribed or cleaned', () => {
    for (const before of [unsubscribed(day(1)), cleaned(day(1))]) given(before).when(resubscribe).then(resubscribed);
    expect(stateOf(unsubscribed(day(1)), resubscribed)[ids.list_id]?.value.status).to.equal('subscribed');
  });
  it('is not resubscribed while it is subscribed or pending, or if it never existed', () => {
    given().when(resubscribe).thenNothing();
    given(subscribed()).when(resubscribe).thenNothing();
    given(requested()).when(resubscribe).thenNothing();
  });

  it('is unsubscribed', () =>
    given(subscribed('account', day(1)))
      .when(unsubscribe())
      .then(unsubscribed()));
  it('produces no event when the unsubscription is repeated', () =>
    given(unsubscribed(day(1)))
      .when(unsubscribe())
      .thenNothing());
  it('produces no event when a contact without membership unsubscribes', () => given().when(unsubscribe()).thenNothing());
  it('is unsubscribed if only a merged contact is subscribed', () =>
    given()
      .when(unsubscribe(stateOf(subscribed('account', day(1)))))
      .then(unsubscribed()));

  it('is cleaned after a hard bounce while subscribed or pending', () => {
    given(subscribed('account', day(1)))
      .when(clean)
      .then(cleaned());
    given(requested()).when(clean).then(cleaned());
  });
  it('is not cleaned after an unsubscription', () =>
    given(unsubscribed(day(1)))
      .when(clean)
      .thenNothing());

  describe('of merged contacts', () => {
    const unified = (left: Memberships, right: Memberships) => unifyMemberships(left, right, now).lst_1?.value.status;

    it('is unsubscribed if either side is, even if the account subscribed the other side later', () => {
      expect(unified(stateOf(unsubscribed(day(1))), stateOf(subscribed('account', day(2))))).to.equal('unsubscribed');
      expect(unified(stateOf(subscribed('account', day(2))), stateOf(unsubscribed(day(1))))).to.equal('unsubscribed');
    });
    it('is the membership of the only side that has one', () =>
      expect(unified(stateOf(subscribed('account', day(1))), stateOf())).to.equal('subscribed'));
    it('is the more restrictive of two before the merge', () =>
      expect(unified(stateOf(subscribed('account', day(2))), stateOf(cleaned(day(1))))).to.equal('cleaned'));
  });
});
