import { type ParkedEvent, type ParkedFields, parkedWork } from '../../domain/parked/parked-work.js';
import { specification } from '../given.js';

const now = '2026-01-15T11:30:00.000Z';
const fields: ParkedFields = {
  parked_id: 'prk_1',
  process: 'messages/dispatch',
  account: 'acc_1',
  about: 'msg_1',
  attempts: 20,
  error: { class: 'TypeError', code: null },
  first_at: '2026-01-15T10:30:00.000Z',
};
const ended = { parked_id: 'prk_1', process: 'messages/dispatch', about: 'msg_1', at: now };
const parked: ParkedEvent = { type: 'WorkParked', data: { ...fields, at: now } };
const retried: ParkedEvent = { type: 'WorkRetried', data: ended };
const dropped: ParkedEvent = { type: 'WorkDropped', data: ended };
const park = { type: 'Park', ...fields, now } as const;
const retry = { type: 'Retry', parked_id: 'prk_1', now } as const;
const drop = { type: 'Drop', parked_id: 'prk_1', now } as const;

const { given } = specification(parkedWork);

describe('parked work', () => {
  it('is parked once, and again after it was retried', () => {
    given().when(park).then(parked);
    given(parked).when(park).thenNothing();
    given(parked, retried).when(park).then(parked);
  });

  it('is retried once', () => {
    given(parked).when(retry).then(retried);
    given(parked, retried).when(retry).thenNothing();
  });

  it('is dropped once', () => {
    given(parked).when(drop).then(dropped);
    given(parked, dropped).when(drop).thenNothing();
  });

  it('cannot be retried after it was dropped, nor dropped after it was retried', () => {
    given(parked, dropped)
      .when(retry)
      .thenRefused('invalid_state', { current: 'dropped', allowed: ['parked'] });
    given(parked, retried)
      .when(drop)
      .thenRefused('invalid_state', { current: 'retried', allowed: ['parked'] });
  });

  it('is never dropped where it is an erasure, and can be retried', () => {
    const process = 'contacts/erase-contacts';
    const erasure: ParkedEvent = { type: 'WorkParked', data: { ...fields, process, at: now } };
    given(erasure).when(drop).thenRefused('work_required', { process });
    given(erasure)
      .when(retry)
      .then({ type: 'WorkRetried', data: { ...ended, process } });
  });

  it('is not found before it was parked', () => {
    given().when(retry).thenRefused('not_found');
    given().when(drop).thenRefused('not_found');
  });
});
