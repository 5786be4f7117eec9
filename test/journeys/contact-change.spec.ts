import { expect } from 'chai';
import type { LogEvent } from '../../log/runtime/log-event.js';
import { JourneyContactChange } from '../../processes/journeys/contact-change.js';
import { type ContactTodo, contactTodoId, newContactTodo } from '../../processes/journeys/contact-todo.js';

const AT = '2026-01-01T00:00:00.000Z';
const trigger = { type: 'contact_created' } as const;
const journey = { id: 'jrn_1', status: 'live', version: 1, versions: [1], trigger, key: null, test: false } as never;
const stored = { position: '1', meta: { account: 'acc_1', $correlationId: 'req_1' } } as unknown as LogEvent;

/** A reaction over these documents; `todos` are those that it has changed. */
function reaction(given: readonly ContactTodo[] = []) {
  const docs = { isLoaded: () => true, todo: (id: string) => given.find((todo) => todo.id === id) };
  const change = new JourneyContactChange(stored, docs, { journeys: [journey], version: () => undefined });
  return {
    change,
    todos: () => change.intentions().flatMap((intention) => (intention.do === 'schedule' ? [intention.todo as ContactTodo] : [])),
    merge: (contact_id: string, into: string) => change.merge({ contact_id, into, merge_id: `mrg_${contact_id}${into}`, at: AT }),
    unmerge: (contact_id: string, from: string) => change.unmerge({ contact_id, merge_id: `mrg_${contact_id}${from}`, at: AT }),
    created: (contact_id: string) =>
      change.happened({
        ...{ contact_id, trigger_id: 'evt_1', occurred_at: AT, target: null, origin: 'direct' },
        ...{ started_by: { type: 'contact_created', name: null, event_id: 'evt_1' }, meets: () => true, keyAt: () => null },
      }),
    refused: (contact_id: string) =>
      change.refused({ type: 'JourneyEntryRefused', data: { journey_id: 'jrn_1', contact_id, trigger_id: 'evt_1' } } as never),
  };
}

describe('The document of a contact in the list of journeys', () => {
  it('names a merged contact as its part again after it was forgotten, since it has that contact’s data', () => {
    const { created, todos } = reaction([{ ...newContactTodo('con_a', 'acc_1', 'req_1'), holder: 'con_b' }]);
    created('con_a');
    expect(todos()).to.have.length(1);
    expect(todos()[0]).to.deep.include({ id: contactTodoId('con_b'), parts: ['con_a'] });
  });

  const holders = (todos: readonly ContactTodo[]) => Object.fromEntries(todos.flatMap(({ contact, holder }) => (holder ? [[contact, holder]] : [])));

  it('leaves a merge together with the contacts that were merged into it, and with what is to start for them', () => {
    const { merge, unmerge, created, refused, todos } = reaction();
    merge('con_a', 'con_b');
    merge('con_b', 'con_c');
    expect(holders(todos())).to.deep.equal({ con_a: 'con_c', con_b: 'con_c' });
    created('con_a');
    unmerge('con_b', 'con_c');
    expect(holders(todos())).to.deep.equal({ con_a: 'con_b' });
    expect(todos().map(({ contact, starts }) => [contact, starts.length])).to.have.deep.members([
      ['con_a', 0],
      ['con_b', 1],
    ]);
    refused('con_a');
    expect(todos().flatMap(({ starts }) => starts)).to.deep.equal([]);
  });

  it('leaves a merge without a contact that was merged elsewhere since', () => {
    const { merge, unmerge, todos } = reaction();
    merge('con_a', 'con_b');
    merge('con_b', 'con_c');
    unmerge('con_a', 'con_b');
    merge('con_a', 'con_c');
    unmerge('con_b', 'con_c');
    expect(holders(todos())).to.deep.equal({ con_a: 'con_c' });
    expect(todos().find(({ contact }) => contact === 'con_c')?.parts).to.deep.equal(['con_a']);
  });
});
