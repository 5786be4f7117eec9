import { expect } from 'chai';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { keepScores } from '../../processes/scores/keep-scores.js';
import { processSpecification, recorded } from '../support/process-specification.js';
import { TestApp } from '../support/test-app.js';

const at = '2026-01-15T10:00:00.000Z';
const process = keepScores({ upToDate: async () => true });
const { given } = processSpecification(process);
type Handled = Parameters<typeof process.react>[0]['event'];
const event = (one: unknown): LogEvent<Handled> => recorded(one as Handled);
const purchased = (name = 'purchase') =>
  event({ type: 'CustomEventRecorded', data: { event_id: 'evt_1', contact_id: 'con_1', name, occurred_at: at, at } });
const fitted = event({ type: 'ScoreModelFitted', data: { at } });
const accepted = (kind: string) => event({ type: 'JobAccepted', data: { job_id: 'job_1', kind, total: null, chunks: null, by: 'process', at } });
const settings = (changes: object) => event({ type: 'SettingsChanged', data: { changes, at } });
const steps = (intentions: readonly unknown[]): unknown[] =>
  intentions.map((one) => (one as { todo?: { id: string; due_at: number } }).todo?.id ?? one);

describe('the process manager of scores', () => {
  it('plans the first fit for the night after the first purchase', () => {
    const [, intention] = reactions([], purchased());
    const { todo } = intention as { todo: { id: string; due_at: number } };
    expect(todo.id).to.equal('fit/acc_1');
    expect(new Date(todo.due_at).toISOString()).to.match(/^2026-01-16T0[34]:/);
    given().when(purchased('cart_abandoned')).thenIgnored('no_purchase');
    given(purchased()).when(purchased()).thenIgnored('not_fitted');
  });

  it('plans the next fit in a week and the scoring of every night', () => {
    const due = reactions([], accepted('score_fit')).flatMap((one) =>
      'todo' in (one as object) ? [(one as { todo: { id: string; due_at: number } }).todo] : [],
    );
    expect(due.map(({ id, due_at }) => [id, new Date(due_at).toISOString().slice(0, 10)])).to.deep.equal([
      ['fit/acc_1', '2026-01-22'],
      ['score/acc_1', '2026-01-16'],
    ]);
    expect(steps(reactions([], accepted('contact_scoring')))).to.deep.equal(['score/acc_1']);
    given().when(accepted('contact_import')).thenIgnored('other_job');
  });

  it('scores a contact again after a purchase and a merge, until that is recorded', () => {
    const past = [fitted];
    expect(steps(reactions(past, purchased()))).to.deep.equal(['contact/con_1']);
    const merged = event({ type: 'ContactAbsorbed', data: { contact_id: 'con_2', absorbed: 'con_1', merge_id: 'm', at } });
    expect(steps(reactions(past, merged))).to.deep.equal(['contact/con_2']);
    const rescored = (asked: string) => event({ type: 'ContactRescored', data: { contact_id: 'con_1', asked, at } });
    given(...past, purchased())
      .when(rescored('00000000000000000000'))
      .thenIgnored('asked_again');
    given(...past, purchased())
      .when(rescored('00000000000000000001'))
      .then({ do: 'cancel', id: 'contact/con_1' });
    const erased = event({ type: 'ContactErased', data: { contact_id: 'con_1', erasure_id: 'era', at } });
    given(...past, purchased())
      .when(erased)
      .then({ do: 'cancel', id: 'contact/con_1' });
  });

  it('follows the name of the purchase event, and fits again when it changes', () => {
    const renamed = settings({ purchase: { event: 'order' } });
    expect(steps(reactions([fitted], renamed))).to.include('fit/acc_1');
    given(fitted, renamed).when(purchased()).thenIgnored('no_purchase');
    expect(steps(reactions([fitted, renamed], purchased('order')))).to.deep.equal(['contact/con_1']);
    given(fitted)
      .when(settings({ name: 'Shop' }))
      .thenIgnored('other_settings');
  });
});

/** What the process intends after past events. */
function reactions(past: readonly LogEvent<Handled>[], now: LogEvent<Handled>): readonly unknown[] {
  let found: readonly unknown[] = [];
  const observed = { ...process, react: (...args: Parameters<typeof process.react>) => (found = process.react(...args)) };
  processSpecification(observed)
    .given(...past)
    .when(now);
  return found;
}

describe('the to-do list of scores', () => {
  it('is built from every event that it handles', async () => {
    const app = new TestApp([process]);
    const cause = { account: 'acc_1', actor: { kind: 'key', id: 'key_1' }, $correlationId: 'req_1', occurredAt: at } as const;
    const past = [purchased(), purchased(), accepted('score_fit'), accepted('contact_scoring'), fitted, purchased()];
    for (const [i, one] of past.entries()) {
      const event = (
        one.event.type === 'CustomEventRecorded' ? { ...one.event, data: { ...one.event.data, properties: {} } } : one.event
      ) as AnyEvent;
      await app.log.append(`made-${i}`, 'no-stream', [event], { ...cause, $causationId: `req_${i}`, invocation: `req_${i}` });
    }
    expect((await app.todos()).map(({ todo }) => todo.id).sort()).to.deep.equal(['contact/con_1', 'fit/acc_1', 'score/acc_1']);
  });
});
