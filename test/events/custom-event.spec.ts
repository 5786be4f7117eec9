import { expect } from 'chai';
import { type CustomEventEvent, customEvent, type RecordCustomEvent } from '../../domain/events/custom-event.js';
import { specification } from '../given.js';

const { given } = specification(customEvent);
const at = '2026-01-01T12:00:00.000Z';
const data = (asked?: string): CustomEventEvent['data'] => ({
  event_id: 'evt_1',
  contact_id: 'con_1',
  name: 'purchase',
  properties: { total: 12 },
  ...(asked !== undefined && { asked }),
  occurred_at: at,
  at,
});

const record = (asked?: string): RecordCustomEvent => ({ type: 'Record', tried: false, data: data(asked) });
const recorded = (asked?: string): CustomEventEvent => ({ type: 'CustomEventRecorded', data: data(asked) });

describe('CustomEvent', () => {
  it('is recorded', () => given().when(record()).then(recorded()));
  it('is recorded with the hash of its input', () => given().when(record('hash-1')).then(recorded('hash-1')));
  it('produces no event when it is repeated', () => {
    given(recorded()).when(record()).thenNothing();
    given(recorded('hash-1')).when(record('hash-1')).thenNothing();
  });
  it('refuses different input under the same idempotency key', () =>
    given(recorded('hash-1')).when(record('hash-2')).thenRefused('idempotency_key_reused'));
  it('keeps the contact and the time of the first recording', () =>
    expect(given(recorded('hash-1')).state()).to.deep.equal({ status: 'recorded', contact_id: 'con_1', asked: 'hash-1', at }));
});
