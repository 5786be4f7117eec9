import { expect } from 'chai';
import type { LogEvent } from '../../log/log-event.js';
import { ContactChange } from '../../processes/journeys/contact-change.js';
import { type ContactTodo, contactTodoId, newContactTodo } from '../../processes/journeys/contact-todo.js';

describe('The document of a contact in the list of journeys', () => {
  it('names a merged contact as its part again after it was forgotten, since it has that contact’s data', () => {
    const part: ContactTodo = { ...newContactTodo('con_a', 'acc_1', 'req_1'), holder: 'con_b' };
    const docs = { isLoaded: () => true, todo: (id: string) => (id === contactTodoId('con_a') ? part : undefined) };
    const stored = { position: '1', meta: { account: 'acc_1', $correlationId: 'req_1' } } as unknown as LogEvent;
    const trigger = { type: 'contact_created' } as const;
    const journey = { id: 'jrn_1', status: 'live', version: 1, versions: [1], trigger, key: null, test: false } as never;
    const change = new ContactChange(stored, docs, { journeys: [journey], version: () => undefined });
    change.happened({
      ...{ contact_id: 'con_a', trigger_id: 'evt_1', occurred_at: '2026-01-01T00:00:00.000Z', target: null, because: 'itself' },
      ...{ started_by: { type: 'contact_created', name: null, event_id: 'evt_1' }, meets: () => true, keyAt: () => null },
    });
    const [intention] = change.intentions();
    expect(intention).to.have.nested.property('todo.id', contactTodoId('con_b'));
    expect(intention).to.deep.nested.include({ 'todo.parts': ['con_a'] });
  });
});
