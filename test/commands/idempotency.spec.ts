import { expect } from 'chai';
import Type from 'typebox';
import { type Cause, command } from '../../commands/runtime/command.js';
import { executeOnce } from '../../commands/runtime/idempotency.js';
import { DomainError } from '../../domain/kernel/errors.js';
import { TestApp } from '../support/test-app.js';

describe('once', () => {
  const asked: Pick<Cause, 'key' | 'fingerprint'> = { key: 'intention', fingerprint: 'body' };
  let runs = 0;
  let fails: (() => void) | null = null;
  const count = command({
    name: 'Count',
    input: Type.Object({}),
    handle: (_, context) =>
      executeOnce(context, async () => {
        runs++;
        fails?.();
        return { id: context.newId('con'), runs };
      }),
  });

  let app: TestApp;
  beforeEach(() => {
    app = new TestApp();
    runs = 0;
    fails = null;
  });

  it('does the work each time where there is no key', async () => {
    expect((await app.execute(count, {})).output.runs).to.equal(1);
    expect((await app.execute(count, {})).output.runs).to.equal(2);
  });

  it('answers a repeat with the first result, at the first position', async () => {
    const first = await app.execute(count, {}, asked);
    const again = await app.execute(count, {}, asked);
    expect(again).to.deep.equal({ ...first, replayed: true });
    expect(first.replayed).to.equal(false);
    expect(runs).to.equal(1);
  });

  it('refuses the key for another body, before and after the first is done', async () => {
    fails = () => {
      throw new DomainError('conflict', 'Not now.');
    };
    await refused(app.execute(count, {}, asked), 'conflict');
    await refused(app.execute(count, {}, { ...asked, fingerprint: 'other' }), 'idempotency_key_reused');
    fails = null;
    await app.execute(count, {}, asked);
    await refused(app.execute(count, {}, { ...asked, fingerprint: 'other' }), 'idempotency_key_reused');
  });

  it('does again what was begun and not ended, with the same ids', async () => {
    let id = '';
    fails = () => {
      throw new Error('killed');
    };
    await app.execute(count, {}, asked).catch(() => {});
    fails = null;
    ({ id } = (await app.execute(count, {}, asked)).output);
    expect(runs).to.equal(2);
    expect((await app.execute(count, {}, asked)).output.id).to.equal(id);
  });

  it('gives one result to those who ask at the same time', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => app.execute(count, {}, asked)));
    expect(new Set(all.map(({ output }) => JSON.stringify(output))).size).to.equal(1);
    expect(new Set(all.map(({ position }) => position)).size).to.equal(1);
  });
});

async function refused(attempt: Promise<unknown>, code: string): Promise<void> {
  const error = await attempt.then(
    () => null,
    (e: unknown) => e as DomainError,
  );
  expect(error?.code).to.equal(code);
}
