import { expect } from 'chai';
import { command } from '../../commands/kernel.js';
import { type ContactEvent, contactStream } from '../../domain/contacts/contact.js';
import { isWrongRevision } from '../../domain/kernel/ports.js';
import { record, text } from '../../domain/kernel/schema.js';
import { Play } from '../standins/play.js';

const absorbed = (name: string): ContactEvent => ({
  type: 'ContactAbsorbed',
  data: { contact_id: 'con_1', absorbed: `con_${name}`, merge_id: `evt_${name}`, at: '2026-01-15T10:00:00.000Z' },
});

/** Appends twice, the second time at a revision that it has written itself. */
const forgetful = command({
  name: 'Forgetful',
  input: record({ again: text }),
  async handle({ again }, context): Promise<string> {
    await context.append(contactStream('con_1'), 'no-stream', [absorbed('A')]);
    try {
      await context.append(contactStream('con_1'), 'no-stream', [absorbed(again)]);
      return 'taken';
    } catch (e) {
      if (isWrongRevision(e)) return 'refused';
      throw e;
    }
  },
});

describe('a run of a command', () => {
  it('is not told that something was recorded where it had recorded something else', async () => {
    const play = new Play();
    expect((await play.execute(forgetful, { again: 'B' })).output).to.equal('refused');
    expect(await play.story(contactStream('con_1'))).to.deep.equal(['ContactAbsorbed']);
  });
});
