import { expect } from 'chai';
import { UNDIVIDED } from '../../domain/kernel/ports.js';
import { deliveryStream } from '../../domain/webhooks/delivery.js';
import { openMemoryLog, openMemoryViews } from '../../engines/memory/index.js';
import type { Todo } from '../../processes/runtime/process-manager.js';
import { todoList } from '../../processes/runtime/todo-list.js';
import { PROCESS_TUNING } from '../../processes/runtime/tuning.js';
import { forgetOldDeliveries } from '../../processes/webhooks/forget-deliveries.js';
import { verify } from '../../projections/runtime/verify.js';
import { oldDeliveries } from '../../projections/webhooks/old-deliveries.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { eventually } from '../support/eventually.js';
import { webhookFixtures } from './fixtures.js';
import { stored } from './samples.js';
import { ACCOUNT } from './webhook-fixture.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KEPT_MS = 4 * HOUR_MS;

describe('deliveries whose time is over', () => {
  const { clock, startReceiver, startFixture } = webhookFixtures();

  function start() {
    const view = openMemoryViews({ clock: clock() });
    const find = oldDeliveries(view.views);
    const process = forgetOldDeliveries({ keptMs: KEPT_MS, find });
    const fixture = startFixture({ log: openMemoryLog(), view, processes: [process], tuning: { ...PROCESS_TUNING, idleMs: DAY_MS } });
    const check = async () => {
      const parts = { log: fixture.log, views: view.views };
      for (const projection of [webhookDeliveries, todoList(process)])
        expect(await verify(projection, parts, new AbortController().signal)).to.include({ equal: true, differing: 0 });
    };
    const todos = () => view.views.docs<Todo>(todoList(process), 'todos').find({ where: { account: ACCOUNT }, limit: 10 });
    return { fixture, check, todos };
  }

  it('leave the read model some time after the last attempt, while the events stay, and a rebuild is equal', async () => {
    const receiver = await startReceiver(({ url }) => (url === '/fails' ? 500 : 200));
    const { fixture, check, todos } = start();
    const failing = await fixture.sendMessage(`${receiver.origin}/fails`);
    for (const delay of [30_000, 300_000, 1_800_000, 0]) {
      await fixture.outcome();
      await clock().advance(delay);
    }
    await clock().advance(2 * HOUR_MS);
    const later = await fixture.sendMessage(receiver.origin);
    await fixture.outcome();
    const [forgotten] = await fixture.deliveries(failing);
    const shown = async () => [(await fixture.deliveries(failing)).length, (await fixture.deliveries(later)).length];
    const hours = async (count: number) => {
      for (let hour = 0; hour < count; hour++) {
        await clock().advance(HOUR_MS);
        await eventually('what was due is done', async () => (await todos()).every(({ due_at }) => due_at > clock().now()));
      }
    };

    await hours(2);
    expect(await shown()).to.deep.equal([1, 1]);
    await hours(1);
    expect(await shown()).to.deep.equal([0, 1]);
    await check();
    await hours(3);
    expect(await shown()).to.deep.equal([0, 0]);
    await hours(24);
    expect(await todos()).to.deep.equal([]);
    await check();
    expect(await fixture.log.readSealed(deliveryStream(forgotten?.id ?? ''))).to.have.lengthOf(4);
    expect(fixture.errors).to.deep.equal([]);
  });
});

describe('the look for deliveries to forget', () => {
  const { react, reads } = forgetOldDeliveries({ keptMs: KEPT_MS, find: async () => null });
  const at = '2026-01-15T10:30:00.000Z';
  const ended = { type: 'DeliveryStopped', data: { reason: 'disabled', at } } as const;
  const forgot = (next_at: string | null, now: string) =>
    ({ type: 'DeliveriesForgotten', data: { deliveries: [], endpoint_deliveries: [], next_at, at: now } }) as const;
  const todo = { id: 'deliveries/acc_1', due_at: 1, account: ACCOUNT, priority: 2, lane: 'deliveries', correlation: 'cor', active_on: '2026-01-15' };
  const reaction = (event: typeof ended | ReturnType<typeof forgot>, known?: typeof todo, occurredAt = at) => {
    const one = stored<never>(event as never, { stream: 'delivery-whd_1', occurredAt });
    expect(reads?.(one, UNDIVIDED)).to.deep.equal({ todos: [todo.id] });
    return react(one, { partition: UNDIVIDED, isLoaded: () => true, todo: () => known as never, note: () => undefined })[0];
  };

  it('begins an hour after the first delivery of an account, and is written once a day', () => {
    expect(reaction(ended))
      .to.deep.include({ do: 'schedule' })
      .and.nested.include({ 'todo.due_at': Date.parse(at) + HOUR_MS, 'todo.active_on': '2026-01-15' });
    expect(reaction(ended, todo)).to.include({ do: 'ignore' });
    expect(reaction(ended, todo, '2026-01-16T00:00:00.000Z')).to.nested.include({ 'todo.due_at': 1, 'todo.active_on': '2026-01-16' });
  });

  it('comes again when the record says, and ends once nothing is left, but not while deliveries may just have ended', () => {
    expect(reaction(forgot('2026-01-15T12:00:00.000Z', at), todo)).to.nested.include({ 'todo.due_at': Date.parse('2026-01-15T12:00:00.000Z') });
    expect(reaction(forgot(null, at), todo)).to.nested.include({ 'todo.due_at': Date.parse(at) + DAY_MS });
    expect(reaction(forgot(null, '2026-01-16T00:30:00.000Z'), todo)).to.include({ do: 'schedule' });
    expect(reaction(forgot(null, '2026-01-16T01:00:00.000Z'), todo)).to.deep.equal({ do: 'cancel', id: todo.id });
    expect(reaction(forgot(null, at))).to.include({ do: 'ignore' });
  });
});
