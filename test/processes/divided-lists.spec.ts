import { expect } from 'chai';
import type { Carrier } from '../../carriers/runtime/carrier.js';
import { behaviors } from '../../carriers/sandbox/behaviors.js';
import { SANDBOX, sandbox, scriptOf } from '../../carriers/sandbox/sandbox.js';
import { sendBulk } from '../../commands/messages/send-bulk.js';
import { type Doc, partitionAt, type ReadModels, UNDIVIDED } from '../../domain/kernel/ports.js';
import { openMemoryViews } from '../../engines/memory/index.js';
import { dispatchMessages } from '../../processes/messages/dispatch-messages.js';
import { simulateSandboxReceipts } from '../../processes/messages/simulate-sandbox-receipts.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { decodeTodo, isTodoOf, type StoredTodo, TODOS, todoList } from '../../processes/runtime/todo-list.js';
import { suppressOnFeedback } from '../../processes/suppressions/suppress-on-feedback.js';
import { deliverWebhooks } from '../../processes/webhooks/deliver-webhooks.js';
import { messages } from '../../projections/messages/projection.js';
import { buildUpTo } from '../../projections/runtime/build.js';
import type { AnyProjection } from '../../projections/runtime/projection.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { system } from '../support/system.js';
import { TestApp } from '../support/test-app.js';

const COUNT = 5;
const MINUTE = 60_000;

/** Most are delivered; some bounce, or are busy at first. */
const recipients = Object.keys(behaviors).map((_, n) => `+1500555000${n % 10}`);

describe('divided read models and to-do lists', () => {
  let app: TestApp;
  let processes: readonly AnyProcessManager[];
  beforeEach(async () => {
    const carrier: Carrier = sandbox();
    processes = [
      dispatchMessages({ routes: () => carrier }),
      simulateSandboxReceipts({ name: SANDBOX, scriptOf }),
      suppressOnFeedback as AnyProcessManager,
      deliverWebhooks({
        secrets: () => ({ current: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', previous: null }),
        retryDelaysMs: [MINUTE, 60 * MINUTE],
        headerPrefix: 'Service',
        legacyHeaderPrefix: 'Legacy',
        allowedCidrs: [],
        post: async (url) =>
          ({ durationMs: 1, ...(url.endsWith('/ok') ? { status: 200, body: '' } : { error: { code: 'refused', message: 'refused' } }) }) as never,
      }),
    ];
    app = new TestApp(processes, { lookups: { suppressions: { mightContain: () => false, waitUntilReached: async () => true } } });
    const later = new Date(app.clock.now() + 24 * 60 * MINUTE).toISOString();
    for (const at of [undefined, later]) {
      const items = Array.from({ length: 120 }, (_, index) => ({
        index,
        request: {
          to: index % 3 ? `+1415${5_550_000 + index}` : recipients[index % recipients.length],
          channel: 'sms',
          message: 'Hello',
          webhook_url: `https://example.com/${index % 2 ? 'ok' : 'refused'}`,
          ...(at && index % 2 && { send_at: at }),
        } as never,
      }));
      await app.execute(sendBulk, { received: items.length, items, problems: [], atomic: false });
      await app.run(2 * MINUTE);
    }
  });

  /** Documents of a collection, with those of one read model folded partition by partition. */
  async function documents(projection: AnyProjection, partitions: number, collection: string): Promise<Map<string, Doc>> {
    const { views } = openMemoryViews({ clock: system.clock, partitions });
    for (let i = 0; i < partitions; i++) await build(projection, views, [i]);
    const reader = await views.writer(projection);
    const found = new Map<string, Doc>();
    for await (const doc of reader.scan(collection)) found.set(doc.id, collection === TODOS ? plainTodo(doc as StoredTodo, partitions) : doc);
    return found;
  }

  async function build(projection: AnyProjection, views: ReadModels, partitions: readonly number[]): Promise<void> {
    const writer = await views.writer(projection, partitions);
    await buildUpTo(projection, app, writer, new AbortController().signal);
    await writer.close();
  }

  function plainTodo(stored: StoredTodo, count: number): Doc {
    const partition = Array.from({ length: count }, (_, i) => (count === 1 ? UNDIVIDED : partitionAt(i, count))).find((own) => isTodoOf(stored, own));
    if (!partition) return expect.fail(`${stored.id} has no partition`);
    const { group: _, ...todo } = decodeTodo(stored, partition) as Doc & { group?: string };
    return todo;
  }

  it('have the documents that undivided ones have', async () => {
    const compared = [
      [messages, 'messages'],
      [messages, 'batches'],
      [webhookDeliveries, 'deliveries'],
      ...processes.map((process) => [todoList(process), TODOS] as const),
    ] as const;
    let total = 0;
    for (const [projection, collection] of compared) {
      const [whole, divided] = [await documents(projection, 1, collection), await documents(projection, COUNT, collection)];
      expect([...divided.keys()].sort(), projection.name).to.deep.equal([...whole.keys()].sort());
      for (const [id, doc] of whole) expect(divided.get(id), `${projection.name} ${id}`).to.deep.equal(doc);
      total += whole.size;
    }
    expect(total).to.be.above(400);
  });

  it('leave nothing of a batch behind once it is accepted', async () => {
    for (const [projection, collection] of [
      [messages, 'chunks'],
      [todoList(processes[0] as AnyProcessManager), 'notes'],
    ] as const)
      expect((await documents(projection, COUNT, collection)).size).to.equal(0);
  });
});
