import { expect } from 'chai';
import { systemClock } from '../../ops/system/clock.js';
import { type Input, Recorder, type Sending } from '../api/examples/recorder.js';
import { useEveryOperation } from '../api/examples/scenario.js';
import { TIMEOUT_FACTOR } from '../support/eventually.js';
import type { Reply, Service } from '../support/service.js';
import { type ServiceWithLinks, serviceWithLinks } from '../suppressions/links.js';
import { Receiver } from '../webhooks/receiver.js';
import { Nodes } from './nodes.js';

/** Requests that are sent at the same time. */
const AT_ONCE = 40;

interface KeptRequest {
  readonly operation: string;
  readonly request: Parameters<Service['api']>;
}

/** Keeps the first request of each operation, to send it once more. */
class KeepingRecorder extends Recorder {
  readonly kept: KeptRequest[] = [];
  #operation: string | null = null;

  constructor(service: Service, document: ConstructorParameters<typeof Recorder>[1]) {
    super(service, document);
    const api = service.api.bind(service);
    service.api = (...request) => {
      const operation = this.#operation;
      this.#operation = null;
      if (operation !== null && this.kept.every((one) => one.operation !== operation)) this.kept.push({ operation, request });
      return api(...request);
    };
  }

  override call(operationId: string, input?: Input, sending?: Sending): Promise<Reply> {
    this.#operation = operationId;
    return super.call(operationId, input, sending);
  }
}

describe('every operation of the API while a server is silent', function () {
  this.timeout(240_000 * TIMEOUT_FACTOR);
  let nodes: Nodes;
  let receiver: Receiver | undefined;
  let recorder: KeepingRecorder;
  before(async function () {
    const world: ServiceWithLinks = await serviceWithLinks(async (env) => {
      nodes = await Nodes.startIn(this, { apis: 1, workers: 1, env });
      return nodes.a;
    });
    receiver = await Receiver.start(systemClock, () => 200);
    recorder = new KeepingRecorder(nodes.a, (await nodes.a.api('GET', '/v1/openapi.json')).body);
    await useEveryOperation(recorder, world, `${receiver.origin}/hooks`);
  });
  after(async () => {
    await receiver?.close();
    await nodes?.close();
  });

  /** Sends each request once more. Whatever it finds, an answer that is not 503 comes from what the node knows. */
  async function expectNoInternalError(): Promise<void> {
    const statuses = new Map<number, number>();
    const wrong: string[] = [];
    for (let from = 0; from < recorder.kept.length; from += AT_ONCE)
      await Promise.all(
        recorder.kept.slice(from, from + AT_ONCE).map(async ({ operation, request: [method, path, body, headers] }) => {
          const { status, text, headers: answered } = await nodes.a.ask(method, path, body, headers);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          const isRefusal = status === 503 && Number(answered.get('retry-after')) > 0;
          if (status >= 500 && !isRefusal) wrong.push(`${operation}: ${status} ${text.slice(0, 200)}`);
        }),
      );
    console.log(`      ${[...statuses].map(([status, n]) => `${status}: ${n}`).join(', ')}`);
    expect(wrong).to.deep.equal([]);
    expect(statuses.get(503)).to.be.greaterThan(0);
    expect(nodes.a.running).to.equal(true);
  }

  it('is answered, with 503 where it needs the log', async function () {
    const faults = nodes.servers.fake?.faults;
    // A real server has no such switch.
    if (!faults) return this.skip();
    expect(recorder.kept.length).to.be.greaterThan(150);
    faults.silent = true;
    try {
      await expectNoInternalError();
    } finally {
      faults.silent = false;
    }
  });

  it('is answered, with 503 where it needs the database', async () => {
    nodes.mongo.silent = true;
    try {
      await expectNoInternalError();
    } finally {
      nodes.mongo.silent = false;
    }
  });
});
