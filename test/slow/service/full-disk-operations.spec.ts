import { expect } from 'chai';
import { errorKind } from '../../../api/http/errors.js';
import { systemClock } from '../../../ops/system/clock.js';
import { type Input, Recorder, type Sending } from '../../api/examples/recorder.js';
import { useEveryOperation } from '../../api/examples/scenario.js';
import { embedded } from '../../support/engines.js';
import { eventually, TIMEOUT_FACTOR } from '../../support/eventually.js';
import { type Reply, Service } from '../../support/service.js';
import { SmallDisk } from '../../support/small-disk.js';
import { type ServiceWithLinks, serviceWithLinks } from '../../suppressions/links.js';
import { Receiver } from '../../webhooks/receiver.js';

const MEGABYTES = 128;

/** Sends each request at first while the disk is full, and then, unless it succeeded, once more with space. */
class FullDiskRecorder extends Recorder {
  /** Answers on the full disk, by operation. */
  readonly answers = new Map<string, number[]>();
  readonly #api: Service['api'];
  #operation: string | null = null;

  constructor(
    service: Service,
    document: ConstructorParameters<typeof Recorder>[1],
    private readonly disk: SmallDisk,
  ) {
    super(service, document);
    this.#api = service.api.bind(service);
    service.api = (...request) => this.#twice(request);
  }

  override call(operationId: string, input?: Input, sending?: Sending): Promise<Reply> {
    this.#operation = operationId;
    return super.call(operationId, input, sending);
  }

  async #twice(request: Parameters<Service['api']>): Promise<Reply> {
    const operation = this.#operation;
    this.#operation = null;
    if (operation === null) return this.#api(...request);
    const [method, path, body, headers] = request;
    this.disk.fill();
    // A read does not wait for read models, which cannot follow now: what it finds is not asked here.
    const full = await this.#api(method, path, body, method === 'GET' ? { ...headers, 'X-Service-Consistency': 'eventual' } : headers).finally(() =>
      this.disk.free(),
    );
    this.answers.set(operation, [...(this.answers.get(operation) ?? []), full.status]);
    if (method !== 'GET' && full.status < 400) return full;
    if (full.status >= 500 || (method !== 'GET' && !isStale(full))) expectUnavailable(operation, request, full);
    return eventually(`${operation} succeeds with space`, async () => {
      const reply = await this.#api(...request);
      if (isStale(reply)) return null;
      if (reply.status !== 503) return reply;
      expectUnavailable(operation, request, reply);
      return null;
    });
  }
}

/** Read models cannot follow while the disk is full: the answer says that it may lack the account's last writes. */
const isStale = ({ status, headers }: Reply): boolean => status < 500 && headers.get('x-service-consistency') === 'eventual';

function expectUnavailable(
  operation: string,
  [, , , headers = {}]: Parameters<Service['api']>,
  { status, headers: answered, body, text }: Reply,
): void {
  const what = `${operation} -> ${status} ${text.slice(0, 500)}`;
  expect(status, what).to.equal(503);
  expect(answered.get('retry-after'), what).to.equal('1');
  if (headers.Accept === 'text/html') {
    expect(answered.get('content-type'), what).to.equal('text/html; charset=utf-8');
    expect(text, what).to.match(/<h1>[^<]+<\/h1>/);
    return;
  }
  expect(body?.code, what).to.be.oneOf(['unavailable', 'projection_behind']);
  expect(errorKind(body.code).status, what).to.equal(503);
  expect([body.error, body.request_id], what).to.deep.equal([body.code, answered.get('x-request-id')]);
}

describe('every operation of the API on a full disk', function () {
  this.timeout(600_000 * TIMEOUT_FACTOR);
  let disk: SmallDisk | null = null;
  let world: ServiceWithLinks | null = null;
  let receiver: Receiver;
  let recorder: FullDiskRecorder;
  before(async function () {
    if (!embedded) this.skip();
    receiver = await Receiver.start(systemClock, () => 200);
    world = await serviceWithLinks(async (env) => {
      const service = Service.node(env);
      disk = SmallDisk.mount(service.dir, MEGABYTES);
      if (!disk) return service;
      await service.restart();
      service.account = await service.createAccount('owner@example.com');
      return service;
    });
    if (!disk) {
      console.log('      skipped: this user may not mount a file system');
      this.skip();
    }
    const document = (await world.service.api('GET', '/v1/openapi.json')).body;
    recorder = new FullDiskRecorder(world.service, document, disk);
  });
  after(async () => {
    await world?.service.kill9();
    disk?.unmount();
    await world?.service.close();
    await receiver?.close();
  });

  it('succeeds, or is answered with 503 and succeeds once there is space', async () => {
    await useEveryOperation(recorder, world as ServiceWithLinks, `${receiver.origin}/hooks`);
    const refused = [...recorder.answers].filter(([, statuses]) => statuses.includes(503)).map(([operation]) => operation);
    console.log(`      ${refused.length} of ${recorder.answers.size} operations were refused on the full disk`);
    // All that record something; a sign-in is counted.
    expect(refused).to.include.members([
      'sendMessage',
      'sendMessages',
      'signIn',
      'upsertContact',
      'recordEvent',
      'createForm',
      'submitForm',
      'unsubscribe',
    ]);
    expect(world?.service.running).to.equal(true);
    const internal = world?.service.logged('error').filter(({ status }) => status === 500);
    expect(internal).to.deep.equal([]);
  });
});
