import { expect } from 'chai';
import { changeContact } from '../../commands/contacts/change-contact.js';
import { type AccountEvent, account, accountStream } from '../../domain/accounts/account.js';
import { contactStream } from '../../domain/contacts/contact.js';
import { ERASED } from '../../domain/kernel/erased.js';
import type { Snapshots } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { loadContact } from '../../log/aggregates/contacts/load-contact.js';
import { loadAggregate } from '../../log/aggregates/load-aggregate.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { AggregateCache, AggregateSnapshots } from '../../log/snapshots/aggregate-snapshots.js';
import { TestApp } from '../support/test-app.js';
import { at, CHANGES, cause, contactWith, counting } from './growing-streams.js';

/** Events that are read before a snapshot is looked for, and most that follow one. */
const MOST_READ = 500;

describe('a long stream after a start', () => {
  let app: TestApp;
  let snapshots: Snapshots;
  beforeEach(() => {
    app = new TestApp();
    ({ snapshots } = openMemoryViews({ clock: app.clock }));
  });

  /** A process that has just started. */
  function start(stored = snapshots) {
    const { store, take } = counting(app.engine.events);
    const states = new AggregateSnapshots(stored, async () => {});
    return { log: new EventLog(store, app.vault, eventTypes, new AggregateCache(), states), take, states };
  }
  const change = (contact_id: string, first_name: string) =>
    app.execute(changeContact, { contact_id, change: { first_name }, expected_version: null });

  it('is read from its last snapshot on, and is the same as without one', async () => {
    const id = await contactWith(app, CHANGES);
    const first = start();
    const { events: _, ...whole } = await loadContact(first.log, id);
    expect(first.take()).to.be.at.least(CHANGES);
    await first.states.saved();
    await change(id, 'Grace');
    const second = start();
    const { events, ...loaded } = await loadContact(second.log, id);
    expect(second.take()).to.be.at.most(MOST_READ);
    expect(loaded.revision).to.equal(whole.revision + 1);
    const { events: __, ...expected } = await loadContact(app.log, id);
    expect(loaded).to.deep.equal(expected);
    expect(await events()).to.have.length(loaded.revision + 1);
  });

  it('reads no more than a few hundred events however it grows', async () => {
    const id = await contactWith(app, 1_000);
    const running = start();
    await loadContact(running.log, id);
    for (let nth = 0; nth < 500; nth++) {
      await change(id, `Grace ${nth}`);
      await loadContact(running.log, id);
      if (nth % 100 > 0) continue;
      await running.states.saved();
      const started = start();
      await loadContact(started.log, id);
      expect(started.take()).to.be.at.most(MOST_READ);
      await started.states.saved();
    }
  });

  it('has no personal field in its snapshot that is not sealed, and shows none once the key is destroyed', async () => {
    const id = await contactWith(app, 1_000);
    const first = start();
    await loadContact(first.log, id);
    await first.states.saved();
    const stored = await snapshots.find(contactStream(id), 'contact');
    expect(stored?.revision).to.equal(1_000);
    expect(stored?.content).not.to.contain('Lovelace').and.not.to.contain('Ada ').and.not.to.contain('ada@');
    await app.vault.erase(id);
    const { state } = await loadContact(start().log, id);
    expect(state.status === 'active' && state.facts.values.first_name?.value).to.equal(ERASED);
  });

  it('knows the runs under idempotency keys from its snapshot', async () => {
    const stream = accountStream('acc_TEST');
    const keyed = { ...cause, invocation: 'keyed', key: 'a hash of the key of the caller', fingerprint: 'f' };
    const issued = Array.from({ length: 1_000 }, (_, nth): AccountEvent => {
      const key = { key_id: `key_${nth}`, name: 'old', prefix: 'hg', hash: String(nth), scopes: null };
      return { type: 'ApiKeyIssued', data: { ...key, at: at(nth) } };
    });
    const created: AccountEvent = {
      type: 'AccountCreated',
      data: { account_id: 'acc_TEST', name: 'Acme', timezone: 'UTC', webhook_secret: 'secret', at: at(0) },
    };
    await app.log.append(stream, 'no-stream', [created, ...issued], cause);
    await app.log.append(stream, 1_000, [{ type: 'ApiKeyRevoked', data: { key_id: 'key_1', at: at(1) } }], keyed);
    const first = start();
    await loadAggregate(first.log, account, stream);
    await first.states.saved();
    const second = start();
    const { runOf } = await loadAggregate(second.log, account, stream);
    expect(second.take()).to.be.at.most(MOST_READ);
    expect([runOf(keyed.key), runOf('another key of the caller')]).to.deep.equal([1_001, undefined]);
  });

  const unusable: readonly [string, (stored: Snapshots, id: string) => Promise<void>][] = [
    [
      'is of another version of the fold',
      (stored, id) => stored.put(contactStream(id), 'contact', { revision: 900, content: '{"boxes":[],"state":{"version":0}}' }),
    ],
    ['cannot be read', (stored, id) => stored.put(contactStream(id), 'contact', { revision: 900, content: 'x' })],
    [
      'is of another log',
      async (stored, id) => {
        const found = await stored.find(contactStream(id), 'contact');
        const content = found?.content.replace(/"eventId":"[^"]*"/, '"eventId":"other"') ?? '';
        await stored.put(contactStream(id), 'contact', { revision: 1_000, content });
      },
    ],
    [
      'cannot be loaded',
      async (stored) => {
        stored.find = () => Promise.reject(new Error('no answer'));
      },
    ],
  ];
  for (const [what, make] of unusable)
    it(`is read whole if its snapshot ${what}`, async () => {
      const id = await contactWith(app, 1_000);
      const first = start();
      const { revision } = await loadContact(first.log, id);
      await first.states.saved();
      await make(snapshots, id);
      const second = start();
      const loaded = await loadContact(second.log, id);
      expect(second.take()).to.be.at.least(1_000);
      expect(loaded.revision).to.equal(revision);
    });
});
