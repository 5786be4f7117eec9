import type { Dispatcher } from '../../commands/runtime/command.js';
import { createDispatcher } from '../../commands/runtime/dispatcher.js';
import type { AnyEvent } from '../../domain/kernel/event.js';
import type { Checkpoint, LogEngine, ViewEngine } from '../../domain/kernel/ports.js';
import { type AcceptedMessage, type MessageEvent, messageStream } from '../../domain/messages/message.js';
import { type DeliveryEvent, deliveryIdOf } from '../../domain/webhooks/delivery.js';
import { DELIVERY_RETRY_DELAYS_MS } from '../../domain/webhooks/limits.js';
import type { DeliveryResource } from '../../domain/webhooks/resources.js';
import { eventTypes } from '../../log/event-types.js';
import { EventLog } from '../../log/runtime/event-log.js';
import { newId } from '../../log/runtime/ids.js';
import { Vault } from '../../log/vault/vault.js';
import { createPost } from '../../net/client.js';
import type { AnyProcessManager } from '../../processes/runtime/process-manager.js';
import { runProcesses } from '../../processes/runtime/runner.js';
import { todoList } from '../../processes/runtime/todo-list.js';
import type { ProcessTuning } from '../../processes/runtime/tuning.js';
import { type DeliverStatusOptions, deliverWebhooks } from '../../processes/webhooks/deliver-webhooks.js';
import { messages } from '../../projections/messages/projection.js';
import { runProjections } from '../../projections/runtime/runner.js';
import { webhookDeliveries } from '../../projections/webhooks/projection.js';
import { webhookQueries } from '../../projections/webhooks/queries.js';
import type { SkippingClock } from '../support/skipping-clock.js';
import { system } from '../support/system.js';
import { testPorts } from '../support/test-ports.js';
import { uncontendedLeases } from '../support/uncontended-leases.js';
import { queued, sent, started } from './samples.js';

export const ACCOUNT = 'acc_1';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
/** The recorded outcome of an attempt. */
export type Outcome = Exclude<DeliveryEvent, { type: 'RedeliveryRequested' | 'DeliveryStopped' }> & { readonly delivery_id: string };

export interface WebhookFixtureOptions {
  readonly log: LogEngine;
  readonly view: ViewEngine;
  readonly clock: SkippingClock;
  readonly master?: Buffer;
  readonly options?: Partial<DeliverStatusOptions>;
  readonly dispatcher?: (dispatcher: Dispatcher) => Dispatcher;
  /** Besides the one that delivers. */
  readonly processes?: readonly AnyProcessManager[];
  readonly tuning?: ProcessTuning;
}

/** Everything between the log and the receivers of webhooks, as `serve` runs it, over a clock that a spec moves. */
export class WebhookFixture {
  readonly vault: Vault;
  readonly log: EventLog;
  readonly dispatcher: Dispatcher;
  /** Errors of projections and processes, as text. */
  readonly errors: string[] = [];
  readonly #outcomes: AsyncGenerator<Outcome, void>;
  readonly #ending = new AbortController();
  #running: Promise<unknown> = Promise.resolve();
  #onError: () => void = () => {};

  constructor(readonly with_: WebhookFixtureOptions) {
    const { log, clock, master = Buffer.alloc(32, 1) } = with_;
    this.vault = new Vault(master, log.keys, system);
    this.log = new EventLog(log.events, this.vault, eventTypes);
    const dispatcher = createDispatcher({
      log: this.log,
      addresses: this.vault,
      ports: testPorts(this.log),
      clock,
      entropy: system.entropy,
      secretKey: master,
    });
    this.dispatcher = with_.dispatcher?.(dispatcher) ?? dispatcher;
    this.#outcomes = this.#readOutcomes(this.log.store.head());
  }

  start(): this {
    const { view, clock, options, processes: others = [], tuning } = this.with_;
    const process = deliverWebhooks({
      secrets: () => ({ current: SECRET, previous: null }),
      retryDelaysMs: DELIVERY_RETRY_DELAYS_MS,
      headerPrefix: 'Service',
      legacyHeaderPrefix: 'Legacy',
      allowedCidrs: ['127.0.0.0/8'],
      post: createPost(system),
      ...options,
    });
    const processes = [process, ...others];
    const { signal } = this.#ending;
    const onHalt = (_: string, error: unknown) => this.#failed(error);
    const onError = (_: string, __: string | null, error: unknown) => this.#failed(error);
    const running = { log: this.log, views: view.views, leases: view.leases, dispatcher: this.dispatcher, clock, ...(tuning && { tuning }) };
    this.#running = Promise.all([
      runProjections(
        [messages, webhookDeliveries, ...processes.map(todoList)],
        { log: this.log, views: view.views, ...uncontendedLeases(), onHalt },
        signal,
      ),
      runProcesses(processes, { ...running, onError }, signal),
    ]);
    return this;
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    await this.#running;
    await this.#outcomes.return();
  }

  /** Resolves at the first error, or at once if there was one. */
  async error(): Promise<void> {
    while (this.errors.length === 0) {
      await new Promise<void>((resolve) => {
        this.#onError = resolve;
      });
    }
  }

  /** Records a message with this webhook URL that was handed to its carrier, which fires one webhook. Returns the message's id. */
  async sendMessage(url: string | null, given: Partial<AcceptedMessage> = {}): Promise<string> {
    const id = newId(system.entropy, 'msg', this.with_.clock.now());
    await this.record(id, -1, [queued({ webhook_url: url ?? undefined, ...given }), started, sent]);
    return id;
  }

  async record(messageId: string, revision: number, events: readonly MessageEvent[]): Promise<void> {
    await this.append(messageStream(messageId), revision, events);
  }

  async append(stream: string, revision: number, events: readonly AnyEvent[]): Promise<void> {
    const invocation = newId(system.entropy, 'req', this.with_.clock.now());
    const occurredAt = new Date(this.with_.clock.now()).toISOString();
    const meta = { $correlationId: invocation, $causationId: invocation, account: ACCOUNT, actor: { kind: 'key', id: 'key_1' }, occurredAt };
    await this.log.append(stream, revision === -1 ? 'no-stream' : revision, events, { ...meta, invocation });
  }

  /** The next recorded attempt. */
  async outcome(): Promise<Outcome> {
    const { value } = await this.#outcomes.next();
    if (!value) throw new Error('the fixture was stopped before the next attempt');
    return value;
  }

  /** The deliveries of a message in the read model, oldest first. */
  async deliveries(messageId: string): Promise<DeliveryResource[]> {
    const { views } = this.with_.view;
    const head: Checkpoint = await this.log.store.head();
    if (head !== 'start' && !(await views.waitUntilReached(webhookDeliveries, head, 5_000))) throw new Error('the read model is behind');
    const found = await webhookQueries({ log: this.log, views }).deliveriesOfMessage(messageId, { after: null, descending: false, limit: 100 });
    return found.map(({ delivery }) => delivery);
  }

  #failed(error: unknown): void {
    this.errors.push(String(error));
    this.#onError();
  }

  async *#readOutcomes(from: Promise<Checkpoint>): AsyncGenerator<Outcome, void> {
    for await (const { events } of this.log.subscribe(await from, this.#ending.signal)) {
      for (const { event, stream } of await this.log.open(events)) {
        const outcome = event as DeliveryEvent;
        if (outcome.type === 'DeliveryStopped') continue;
        if (stream.startsWith('delivery-') && outcome.type !== 'RedeliveryRequested') yield { ...outcome, delivery_id: deliveryIdOf(stream) };
      }
    }
  }
}
