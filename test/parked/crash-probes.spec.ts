import { expect } from 'chai';
import { type ProbeEvent, type Suspicion, suspicionAfterDeath } from '../../domain/parked/crash-probes.js';

const at = '2026-01-15T10:30:00.000Z';
const base = { process: 'chores', epoch: 2, at };
const tried = (started: string[], ended: string[] = []): ProbeEvent => ({ type: 'WorkTried', data: { ...base, started, ended } });
const suspected = (todos: string[], round = 1, deaths = 0): ProbeEvent => ({
  type: 'WorkSuspected',
  data: { ...base, todos, round, deaths, first_at: at },
});
const finished: ProbeEvent = { type: 'WorkTrialsEnded', data: base };

const afterEvents = (...events: ProbeEvent[]): Omit<Suspicion, 'first_at'> => {
  const { first_at: _, ...suspicion } = suspicionAfterDeath(events);
  return suspicion;
};
const nothing = { todos: [], round: 0, deaths: 0 };

describe('what the death of a process says about its work', () => {
  it('is nothing where nothing was recorded, or no longer', () => {
    expect(afterEvents()).to.deep.equal(nothing);
    expect(afterEvents(tried(['a', 'b']), finished)).to.deep.equal(nothing);
  });

  it('is that something in flight may be the reason', () => {
    expect(afterEvents(tried(['a', 'b']), tried(['c'], ['a']))).to.deep.equal({ todos: ['b', 'c'], round: 1, deaths: 0 });
    expect(afterEvents(tried(['a'], []), tried([], ['a']))).to.deep.equal(nothing);
  });

  it('is that of the suspects those in flight remain', () => {
    expect(afterEvents(suspected(['a', 'b', 'c', 'd']), tried(['x']), tried(['a', 'b']))).to.deep.equal({ todos: ['a', 'b'], round: 2, deaths: 0 });
    expect(afterEvents(suspected(['a', 'b', 'c', 'd']), tried(['a', 'b']), tried(['c'], ['a', 'b']))).to.deep.equal({
      todos: ['c'],
      round: 2,
      deaths: 1,
    });
  });

  it('is that something else in flight may be the reason where no suspect was', () => {
    expect(afterEvents(suspected(['a', 'b', 'c'], 3), tried(['a']), tried(['x', 'y'], ['a']))).to.deep.equal({
      todos: ['b', 'c', 'x', 'y'],
      round: 3,
      deaths: 0,
    });
  });

  it('is nothing new about work in slices, which is in flight again after a slice has ended', () => {
    const inSlices = [suspected(['a'], 2, 1), tried(['a']), tried(['a'], ['a'])];
    expect(afterEvents(...inSlices)).to.deep.equal({ todos: ['a'], round: 2, deaths: 0 });
  });

  it('counts the deaths of one suspect that is tried alone, in a row', () => {
    expect(afterEvents(suspected(['a'], 2, 1), tried(['a']))).to.deep.equal({ todos: ['a'], round: 3, deaths: 2 });
    expect(afterEvents(suspected(['a'], 2, 1), tried(['x']))).to.deep.equal({ todos: ['a', 'x'], round: 2, deaths: 0 });
  });

  it('keeps the time of the first death', () => {
    const [first, later] = ['2026-01-15T10:30:00.000Z', '2026-01-15T11:00:00.000Z'];
    const events: ProbeEvent[] = [suspected(['a']), { type: 'WorkTried', data: { ...base, started: ['a'], ended: [], at: later } }];
    expect(suspicionAfterDeath(events).first_at).to.equal(first);
    expect(suspicionAfterDeath([tried(['a'])]).first_at).to.equal(first);
  });
});
