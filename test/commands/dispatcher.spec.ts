import { expect } from 'chai';
import { type Context, command } from '../../commands/runtime/command.js';
import { type ContactEvent, contactStream } from '../../domain/contacts/contact.js';
import { isWrongRevision } from '../../domain/kernel/ports.js';
import { record, text } from '../../domain/kernel/schema.js';
import type { EventAppend } from '../../log/runtime/event-log.js';
import { TestApp } from '../support/test-app.js';

const absorbed = (name: string): ContactEvent => ({
  type: 'ContactAbsorbed',
  data: { contact_id: 'con_1', absorbed: `con_${name}`, merge_id: `evt_${name}`, at: '2026-01-15T10:00:00.000Z' },
});

const begin = (name: string): EventAppend => ({ stream: contactStream('con_1'), expected: 'no-stream', events: [absorbed(name)] });
const ways: Readonly<Record<string, (context: Context, append: EventAppend) => Promise<unknown>>> = {
  alone: (context, { stream, expected, events }) => context.append(stream, expected, events),
  'among several': (context, append) => context.appendParts([{ appends: [append] }]),
};

/** Appends twice, the second time at a revision that it has written itself. */
const forgetful = command({
  name: 'Forgetful',
  input: record({ first: text, second: text }),
  async handle({ first, second }, context): Promise<string> {
    await ways[first]?.(context, begin('A'));
    try {
      await ways[second]?.(context, begin('B'));
      return 'taken';
    } catch (e) {
      if (isWrongRevision(e)) return 'refused';
      throw e;
    }
  },
});

/** One part of a command, which says what the caller wants. */
const partial = command({
  name: 'Partial',
  input: record({ way: text, says: text }),
  async handle({ way, says }, context): Promise<string> {
    try {
      if (way === 'alone') await context.contextOfPart('part/1').append(contactStream('con_1'), 'no-stream', [absorbed(says)]);
      else if (!(await context.appendParts([{ invocation: 'part/1', appends: [begin(says)] }]))[0]) return 'refused';
      return 'taken';
    } catch (e) {
      if (isWrongRevision(e)) return 'refused';
      throw e;
    }
  },
});

/** Appends for itself and for two parts, of which one meets a stream that is there. */
const manifold = command({
  name: 'Manifold',
  input: record({}),
  async handle(_, context): Promise<boolean[]> {
    const to = (id: string): EventAppend => ({ ...begin(id), stream: contactStream(`con_${id}`) });
    return context.appendParts([
      { appends: [to('2'), to('3')] },
      { invocation: 'part/1', appends: [to('4'), to('1'), to('5')] },
      { invocation: 'part/2', appends: [to('6')] },
    ]);
  },
});

describe('a run of a command', () => {
  for (const first of Object.keys(ways))
    for (const second of Object.keys(ways))
      it(`does not mistake its own other append for a repeat (${first}, then ${second})`, async () => {
        const app = new TestApp();
        expect((await app.execute(forgetful, { first, second })).output).to.equal('refused');
        expect(await app.history(contactStream('con_1'))).to.deep.equal(['ContactAbsorbed']);
      });

  for (const first of Object.keys(ways))
    for (const second of Object.keys(ways))
      it(`does not mistake a different append of another run for its own part (${first}, then ${second})`, async () => {
        const app = new TestApp();
        expect((await app.execute(partial, { way: first, says: 'A' })).output).to.equal('taken');
        expect((await app.execute(partial, { way: second, says: 'B' })).output).to.equal('refused');
      });

  it('appends for several parts at once, each up to its first conflict', async () => {
    const app = new TestApp();
    await app.execute(forgetful, { first: 'alone', second: 'alone' });
    const { output, position } = await app.execute(manifold, {});
    expect(output).to.deep.equal([true, false, true]);
    const causes = async (id: string) => (await app.log.read(contactStream(`con_${id}`)))?.map(({ meta }) => meta.$causationId) ?? [];
    const [own] = await causes('2');
    expect(await causes('3')).to.deep.equal([own]);
    expect(await causes('4')).to.deep.equal(['part/1']);
    expect(await causes('5')).to.deep.equal([]);
    expect(await causes('6')).to.deep.equal(['part/2']);
    expect(own).not.to.be.oneOf(['part/1', 'part/2', undefined]);
    expect(position, 'of the last one').to.equal(await app.log.store.head());
  });
});
