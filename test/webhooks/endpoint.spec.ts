import { expect } from 'chai';
import { type EndpointCommand, type EndpointEvent, endpointSecrets, endpoints, MAX_ENDPOINTS } from '../../domain/webhooks/endpoint.js';
import { specification } from '../given.js';

const at = '2026-01-15T10:30:00.000Z';
const later = '2026-01-15T11:30:00.000Z';
const target = { url: 'https://example.com/hooks', lane: 'lane', events: ['contact.created'], description: 'CRM', headers: { 'X-A': 'b' } };
const about = { account_id: 'acc_1', endpoint_id: 'whe_1' };
const created = (endpoint_id = 'whe_1'): EndpointEvent => ({
  type: 'EndpointCreated',
  data: { ...about, endpoint_id, ...target, secret: 'whsec_b25l', at },
});
const create = (endpoint_id = 'whe_1'): EndpointCommand => ({
  type: 'Create',
  account_id: 'acc_1',
  endpoint_id,
  target,
  secret: 'whsec_b25l',
  now: at,
});
const change = (change: Extract<EndpointCommand, { type: 'Change' }>['change'], expected: number | null = null): EndpointCommand => ({
  type: 'Change',
  ...about,
  change,
  expected,
  now: later,
});
const rotate: EndpointCommand = { type: 'RotateSecret', ...about, secret: 'whsec_dHdv', previous_until: later, now: at };
const remove: EndpointCommand = { type: 'Delete', endpoint_id: 'whe_1', now: later };
const disabled: EndpointEvent = { type: 'EndpointDisabled', data: { endpoint_id: 'whe_1', at: later } };
const enabled: EndpointEvent = { type: 'EndpointEnabled', data: { endpoint_id: 'whe_1', at: later } };
const deleted: EndpointEvent = { type: 'EndpointDeleted', data: { endpoint_id: 'whe_1', at: later } };
const { given } = specification(endpoints);
const twenty = Array.from({ length: MAX_ENDPOINTS }, (_, i) => created(`whe_${i + 1}`));

describe('webhook endpoints', () => {
  it('are created once', () => {
    given().when(create()).then(created());
    given(created()).when(create()).thenNothing();
    given(created(), deleted).when(create()).thenNothing();
  });

  it('are at most 20', () => {
    given(...twenty)
      .when(create('whe_21'))
      .thenRefused('conflict', { limit: 20 });
    given(...twenty, deleted)
      .when(create('whe_21'))
      .then(created('whe_21'));
    given(...twenty)
      .when(create('whe_20'))
      .thenNothing();
  });

  it('change as a whole, and only if something changes', () => {
    given(created()).when(change({})).thenNothing();
    given(created())
      .when(change({ ...target, status: 'enabled' }))
      .thenNothing();
    given(created())
      .when(change({ events: [] }))
      .then({ type: 'EndpointChanged', data: { ...about, ...target, events: [], at: later } });
    given(created())
      .when(change({ events: [] }, 2))
      .thenRefused('version_conflict', { actual: 1 });
    given().when(change({})).thenRefused('not_found');
  });

  it('begin another term when they are enabled again', () => {
    given(created())
      .when(change({ status: 'disabled' }))
      .then(disabled);
    given(created(), disabled)
      .when(change({ status: 'disabled' }))
      .thenNothing();
    given(created(), disabled)
      .when(change({ status: 'enabled' }))
      .then(enabled);
    const term = (...events: EndpointEvent[]) =>
      given(created(), ...events)
        .state()
        .byId.get('whe_1')?.term;
    expect([term(), term(disabled), term(disabled, enabled)]).to.deep.equal([1, 1, 2]);
  });

  it('sign with both secrets during the overlap of a rotation', () => {
    const rotated: EndpointEvent = { type: 'EndpointSecretRotated', data: { ...about, secret: 'whsec_dHdv', previous_until: later, at } };
    given(created()).when(rotate).then(rotated);
    given(created(), rotated).when(rotate).thenNothing();
    const endpoint = given(created(), rotated).state().byId.get('whe_1');
    if (!endpoint) throw new Error('no endpoint');
    expect(endpointSecrets(endpoint, Date.parse(at))).to.deep.equal(['whsec_dHdv', 'whsec_b25l']);
    expect(endpointSecrets(endpoint, Date.parse(later))).to.deep.equal(['whsec_dHdv']);
  });

  it('are deleted once', () => {
    given(created()).when(remove).then(deleted);
    given(created(), deleted).when(remove).thenNothing();
    given().when(remove).thenRefused('not_found');
  });
});
